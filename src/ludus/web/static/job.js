// Keeps the state of a submission as it is while workers see to it.
const section = document.getElementById("job");

if (section) {
  const first = section.dataset.state;
  const events = new EventSource(section.dataset.source);
  events.onmessage = ({ data }) => {
    const { state, played, planned } = JSON.parse(data);
    const progress = planned ? `, ${played} of ${planned} episodes` : "";
    document.getElementById("state").textContent = `${state}${progress}`;
    if (state !== first) location.reload();
  };
  events.addEventListener("complete", () => {
    events.close();
    location.reload();
  });
}
