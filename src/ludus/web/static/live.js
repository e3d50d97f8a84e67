// Keeps the standings of a run as they are while it is played.
const section = document.getElementById("live");

function showStandings(standings) {
  const body = document.querySelector("#standings-table tbody");
  body.replaceChildren(...standings.map((one, place) => {
    const row = document.createElement("tr");
    [[place + 1, "td", "number"], [one.agent, "th", "name"], [one.value, "td", "number"],
      [one.episodes, "td", "number"]].forEach(([text, kind, look]) => {
      const cell = document.createElement(kind);
      cell.className = look;
      cell.textContent = text;
      row.append(cell);
    });
    return row;
  }));
}

if (section) {
  const events = new EventSource(section.dataset.source);
  events.onmessage = ({ data }) => {
    const progress = JSON.parse(data);
    document.getElementById("progress").value = progress.played;
    document.getElementById("played").textContent = `${progress.played} of ${progress.planned}`;
    showStandings(progress.standings);
  };
  events.addEventListener("complete", () => {
    events.close();
    location.reload();
  });
  events.addEventListener("problem", () => events.close());
}
