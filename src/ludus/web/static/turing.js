/** The Turing test: two clips side by side, played by the engine, and a vote on each pair. */

import { Level } from "./engine/index.js";
import { fitCanvas, loadGame, make, mountOn, ticksASecond } from "./parts.js";
import { Track } from "./track.js";
import { ask, beginVisit, buildQuestion, complain, showProgress } from "./voting.js";

async function mountTuring(element) {
  const { api } = element.dataset;
  const game = await loadGame();
  let step = await beginVisit(element, api, (form) => ({ expertise: form.elements.expertise.value }));
  while (!step.done) step = await judge(element, game, step, api);
  showResult(element, await ask(`${api}/result`));
}

/** Shows a pair and resolves with the next step once the vote is taken. */
function judge(element, game, step, api) {
  const pair = new Pair(game, step.round);
  const more = buildQuestion("more", "Which plays more like a human?", { A: "Player A", B: "Player B" });
  const replay = make("button", { type: "button", onclick: () => pair.play() }, "Play again");
  const send = make("button.button", { type: "submit" }, "Vote");
  const form = make("form", {}, pair.element, more, make("div.send", {}, send, replay));
  const progress = showProgress(`Clips ${step.judged + 1} and ${step.judged + 2} of ${step.clips}`, step.judged, step.clips);
  element.replaceChildren(progress, form);
  pair.fit();
  pair.play();
  addEventListener("resize", () => pair.fit());
  return new Promise((resolve) => {
    form.onsubmit = async (event) => {
      event.preventDefault();
      send.disabled = true;
      try {
        const next = await ask(`${api}/votes`, readVote(form, step.ticket));
        pair.stop();
        resolve(next);
      } catch (error) {
        complain(form, error);
        send.disabled = false;
      }
    };
  });
}

function readVote(form, ticket) {
  const values = new FormData(form);
  const read = (letter) => ({ answer: values.get(`is-${letter}`), confidence: Number(values.get(`sure-${letter}`)) });
  return { ticket, first: read("A"), second: read("B"), more_human: values.get("more") };
}

class Pair {
  constructor({ engine, artist }, round) {
    this.artist = artist;
    const level = new Level(engine, round.level);
    this.rate = ticksASecond(level.rules);
    this.tracks = round.tracks.map((track) => new Track(level, round, track));
    this.ticks = Math.max(...this.tracks.map((track) => track.ticks));
    this.canvases = this.tracks.map((track) => make("canvas", { role: "img", "aria-label": `Player ${track.agent}` }));
    this.element = make("div.pair", {}, ...this.tracks.map((track, n) => this.#buildClip(track.agent, this.canvases[n])));
  }

  #buildClip(letter, canvas) {
    const sure = make("input", { type: "range", name: `sure-${letter}`, min: 1, max: 5, value: 3 });
    return make(
      "div.clip", {}, make("div.screen", {}, canvas),
      buildQuestion(`is-${letter}`, `Player ${letter} is a`, { human: "Human", machine: "Machine" }),
      make("label.sure", {}, "guessing", sure, "sure"),
    );
  }

  /** Shows both clips at a whole multiple of their pixels. */
  fit() {
    this.#show(0);
    this.canvases.forEach(fitCanvas);
  }

  play() {
    this.stop();
    let begun;
    const advance = (now) => {
      begun ??= now;
      const tick = Math.min(Math.floor(((now - begun) / 1000) * this.rate), this.ticks);
      this.#show(tick);
      if (tick < this.ticks) this.request = requestAnimationFrame(advance);
    };
    this.#show(0);
    this.request = requestAnimationFrame(advance);
  }

  stop() {
    cancelAnimationFrame(this.request);
  }

  #show(tick) {
    this.tracks.forEach((track, n) => {
      track.seek(tick);
      this.artist.paint(track.world, this.canvases[n]);
    });
  }
}

function showResult(element, result) {
  const percent = (share) => `${Math.round(100 * share)} %`;
  const rows = result.clips.map((clip) => make(
    "tr", {}, make("th", { scope: "row" }, clip.player), make("td", {}, clip.is_human ? "human" : "machine"),
    make("td", {}, `${clip.right ? "✓" : "✗"} ${clip.answer}`),
    make("td.number", {}, `${percent(clip.crowd)} of ${clip.answers}`),
  ));
  const heads = ["Player", "Is", "You said", "Crowd says human"].map((text) => make("th", { scope: "col" }, text));
  element.replaceChildren(
    make("p.score", { role: "status" }, `You were right in ${result.right} of ${result.clips.length} clips.`),
    make("p", {}, `Of all answers so far, ${percent(result.crowd_right)} are right. Visitors: ${result.visitors}.`),
    make("table.results", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)),
  );
}

mountOn("turing", mountTuring);
