// Keeps the standings of a run as they are while it is played, and leads to its newest replays.
const section = document.getElementById("live");
const begin = {};

function showStandings(standings) {
  const body = document.querySelector("#standings-table tbody");
  body.replaceChildren(...standings.map((one, place) => {
    const row = document.createElement("tr");
    [[place + 1, "td", "number"], [one.agent, "th", "name"], [one.value, "td", "number"],
      [one.episodes, "td", "number minor"]].forEach(([text, kind, look]) => {
      const cell = document.createElement(kind);
      cell.className = look;
      cell.textContent = text;
      row.append(cell);
    });
    return row;
  }));
}

function showRate({ played, planned }) {
  begin.at ??= performance.now();
  begin.played ??= played;
  const rate = (1000 * (played - begin.played)) / (performance.now() - begin.at || 1);
  if (!rate) return;
  const left = Math.ceil((planned - played) / rate);
  document.getElementById("rate").textContent = `${rate.toPrecision(2)} a second, about ${left} s left`;
}

function showLatest(episodes) {
  document.getElementById("latest").replaceChildren(...episodes.map(({ number, agent, scenario, score }) => {
    const [item, link] = [document.createElement("li"), document.createElement("a")];
    link.href = `episodes/${number}/`;
    link.textContent = `▸ ${agent} on ${scenario}: ${score}`;
    item.append(link);
    return item;
  }));
}

if (section) {
  const events = new EventSource(section.dataset.source);
  events.onmessage = ({ data }) => {
    const progress = JSON.parse(data);
    document.getElementById("progress").value = progress.played;
    document.getElementById("played").textContent = `${progress.played} of ${progress.planned}`;
    showStandings(progress.standings);
    showRate(progress);
    showLatest(progress.latest);
  };
  events.addEventListener("complete", () => {
    events.close();
    location.reload();
  });
  events.addEventListener("problem", () => events.close());
}
