/** The replay: an episode played again in the page, tick by tick, with others as ghosts. */

import { Level } from "./engine/index.js";
import {
  drawArrow, drawEnemies, drawField, drawPath, ghostFigures, trackColour,
} from "./overlay.js";
import {
  MODES, STATUS, fitCanvas, loadGame, make, mountOn, readJson, showTime, ticksASecond, wideScreen,
} from "./parts.js";
import { Track } from "./track.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4];
const FORMAT = 1;
const SWITCHES = { field: "receptive field", enemies: "enemies", path: "path", ghosts: "ghosts" };

/** Fills an element with the replay whose address it names. */
export async function mountReplay(element) {
  const replay = await readJson(element.dataset.source);
  if (replay.format !== FORMAT) throw new Error(`no replay of format ${FORMAT}: ${replay.format}`);
  if (!replay.rounds.length) return;
  const player = new ReplayPlayer(await loadGame(), replay);
  element.append(player.element);
  player.start(Number(new URLSearchParams(location.search).get("t") ?? 0));
}

class ReplayPlayer {
  constructor({ engine, artist }, replay) {
    this.artist = artist;
    this.replay = replay;
    this.engine = engine;
    this.speed = 1;
    this.tick = 0;
    this.playing = false;
    this.shown = { field: false, enemies: false, path: false, ghosts: true };
    this.build();
  }

  build() {
    this.canvas = make("canvas", { tabIndex: 0, role: "img" });
    this.scrubber = make("input.scrubber", {
      type: "range", min: 0, "aria-label": "Tick", oninput: () => this.seek(Number(this.scrubber.value)),
    });
    this.marks = make("canvas.marks", { height: 10, "aria-hidden": "true" });
    this.toggle = make("button.button.small", { type: "button", onclick: () => this.setPlaying(!this.playing) });
    this.state = make("output.state", { "aria-live": "off" });
    this.proof = make("p.verdict", { role: "status" });
    this.legend = make("ul.legend");
    this.rounds = make("div.rounds");
    this.element = make(
      "div.player", {}, this.rounds, make("div.screen", {}, this.canvas), this.marks, this.scrubber,
      this.buildBar(), this.buildSwitches(), this.legend, this.proof,
    );
    this.element.addEventListener("keydown", (event) => this.press(event));
    addEventListener("resize", () => this.fit());
  }

  /** Shows as much of the level beside the game's screen as there is room for. */
  fit() {
    this.size = wideScreen(this.level, this.canvas.parentElement.clientWidth);
    this.draw();
    fitCanvas(this.canvas);
  }

  buildBar() {
    const step = (ticks, label, text) =>
      make("button", { type: "button", title: label, "aria-label": label, onclick: () => this.step(ticks) }, text);
    this.speeds = make("select", { "aria-label": "Speed", onchange: () => (this.speed = Number(this.speeds.value)) });
    SPEEDS.forEach((speed) => this.speeds.append(make("option", { value: speed }, `${speed}×`)));
    this.speeds.value = "1";
    const before = step(-1, "One tick back (comma)", "◂");
    const after = step(1, "One tick on (period)", "▸");
    return make("div.bar", {}, this.toggle, before, after, this.speeds, this.state);
  }

  buildSwitches() {
    const boxes = Object.entries(SWITCHES).map(([name, text]) => {
      const box = make("input", {
        type: "checkbox", checked: this.shown[name],
        onchange: () => { this.shown[name] = box.checked; this.draw(); },
      });
      return make("label", {}, box, ` ${text}`);
    });
    return make("div.bar", {}, ...boxes);
  }

  /** Shows the first round from a tick on, and plays it unless motion is unwelcome. */
  start(tick) {
    if (this.replay.rounds.length > 1) this.buildRounds();
    this.openRound(0);
    this.seek(tick);
    this.setPlaying(!tick && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  buildRounds() {
    const buttons = this.replay.rounds.map((round, n) =>
      make("button", { type: "button", onclick: () => this.openRound(n) }, `${n + 1}. ${round.name}`),
    );
    this.rounds.append(...buttons);
  }

  openRound(number) {
    const round = this.replay.rounds[number];
    this.number = number;
    this.level = new Level(this.engine, round.level);
    this.tracks = round.tracks.map((track) => new Track(this.level, round, track));
    this.ticks = Math.max(...this.tracks.map((track) => track.ticks));
    this.scrubber.max = this.ticks;
    [...this.rounds.children].forEach((button, n) => button.toggleAttribute("aria-current", n === number));
    this.legend.replaceChildren(...this.tracks.map(describeTrack));
    this.showProof();
    this.size = undefined;
    this.seek(0);
    this.fit();
    this.drawMarks();
  }

  showProof() {
    const [{ proof, stored, actions }] = this.tracks;
    const verdict = proof.equal
      ? "the digest equals the stored one"
      : proof.world.digest === stored
        ? `the game was over then, but ${actions.length} are stored, of the digest`
        : `the digest ${proof.world.digest} is NOT the stored one`;
    this.proof.classList.toggle("warning", !proof.equal);
    this.proof.replaceChildren(
      `${proof.ticks.toLocaleString("en")} ticks replayed here in ${proof.milliseconds.toFixed(1)} ms; ${verdict} `,
      make("code", {}, stored),
    );
  }

  setPlaying(playing) {
    this.playing = playing;
    this.toggle.textContent = playing ? "Pause" : "Play";
    if (playing && this.tick >= this.ticks) this.seek(0);
    this.last = undefined;
    if (playing) requestAnimationFrame((now) => this.advance(now));
    else this.keepAddress();
  }

  /** Writes the tick into the page's address, so that it links to this moment. */
  keepAddress() {
    const address = new URL(location.href);
    address.searchParams.set("t", this.tick);
    history.replaceState(null, "", address);
  }

  advance(now) {
    if (!this.playing) return;
    const rate = ticksASecond(this.level.rules) * this.speed;
    this.due = this.last === undefined ? 0 : this.due + ((now - this.last) / 1000) * rate;
    this.last = now;
    const ticks = Math.floor(this.due);
    this.due -= ticks;
    if (ticks) this.seek(this.tick + ticks);
    if (this.tick >= this.ticks) this.endRound();
    if (this.playing) requestAnimationFrame((next) => this.advance(next));
  }

  endRound() {
    if (this.number + 1 < this.replay.rounds.length) this.openRound(this.number + 1);
    else this.setPlaying(false);
  }

  step(ticks) {
    this.setPlaying(false);
    this.seek(this.tick + ticks);
    this.keepAddress();
  }

  seek(tick) {
    this.tick = Math.max(0, Math.min(tick, this.ticks));
    this.tracks.forEach((track) => track.seek(this.tick));
    this.scrubber.value = this.tick;
    this.draw();
  }

  draw() {
    const [main, ...others] = this.tracks;
    const ghosts = this.shown.ghosts ? others : [];
    const figures = ghostFigures(this.artist, ghosts.map((ghost) => ghost.world));
    const { size } = this;
    this.artist.paint(main.world, this.canvas, { figures, size });
    const [context, camera] = [this.canvas.getContext("2d"), this.artist.camera(main.world, size)];
    if (this.shown.field) drawField(context, main.world, camera);
    if (this.shown.enemies) drawEnemies(context, main.world, camera);
    [main, ...ghosts].forEach((track, n) => {
      if (this.shown.path) drawPath(context, track, camera, trackColour(n));
      if (ghosts.length) drawArrow(context, track.world, camera, trackColour(n));
    });
    this.describe(main.world);
  }

  describe(world) {
    const { status, coins } = world.facts;
    const { x, mode } = world.mario;
    const place = `x ${x.toFixed(1)}, ${MODES[mode]}, ${coins} coins, ${STATUS[status]}`;
    this.state.textContent = `tick ${this.tick} of ${this.ticks} · ${showTime(this.tick, this.level.rules)} · ${place}`;
    this.canvas.setAttribute("aria-label", `The game at tick ${this.tick}: ${place}`);
  }

  drawMarks() {
    this.marks.width = 1000;
    const context = this.marks.getContext("2d");
    const colours = { coin: "#e0a800", kill: "#7a5cff", hurt: "#e8590c", death: "#d6336c", finish: "#2b8a3e" };
    for (const { tick, kind } of this.tracks[0].marks) {
      context.fillStyle = colours[kind];
      context.fillRect((994 * tick) / Math.max(this.ticks, 1), 0, 6, 10);
    }
  }

  press(event) {
    if (event.target instanceof HTMLInputElement && event.target.type === "range") {
      if (event.key.startsWith("Arrow")) return;
    } else if (event.target instanceof HTMLSelectElement) return;
    const actions = {
      " ": () => this.setPlaying(!this.playing),
      ",": () => this.step(-1),
      ".": () => this.step(1),
      ArrowLeft: () => this.step(-ticksASecond(this.level.rules)),
      ArrowRight: () => this.step(ticksASecond(this.level.rules)),
    };
    const action = actions[event.key] ?? this.findSpeed(event.key);
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    action();
  }

  findSpeed(key) {
    const speed = SPEEDS[Number(key) - 1];
    return speed && (() => { this.speed = speed; this.speeds.value = String(speed); });
  }
}

function describeTrack(track, number) {
  const dot = make("span.dot", {}, "▼");
  dot.style.color = trackColour(number);
  const name = track.link ? make("a", { href: track.link }, track.agent) : make("span", {}, track.agent);
  const end = `${STATUS[track.proof.world.status]} after ${showTime(track.ticks, track.world.level.rules)}`;
  return make("li", {}, dot, " ", name, `: ${end}`);
}

mountOn("replay", mountReplay);
