/** The game that people play: keyboard, touch or gamepad, at the exact rate, against ghosts. */

import { Controls } from "./controls.js";
import { Level, World, encodeActions, generate } from "./engine/index.js";
import { readKnobs } from "./knobs.js";
import { drawArrow, ghostFigures, trackColour } from "./overlay.js";
import {
  MODES, STATUS, fitCanvas, loadGame, make, mountOn, readJson, showTime, ticksASecond,
} from "./parts.js";
import { Track } from "./track.js";

const WIN = 1;
const MOST_DUE = 4; // ticks made up for after a moment without time

/** Fills an element with the game of the round whose address it names. */
export async function mountPlay(element) {
  const { source, plays, ghosts, rivals = "" } = element.dataset;
  const parameters = new URLSearchParams(location.search);
  const isAlone = !plays && parameters.has("generator"); // nobody answers queries there
  const round = isAlone ? await generateRound(parameters) : await readJson(source);
  const wished = new URLSearchParams(location.hash.slice(1));
  if (wished.has("mode")) round.mode = Math.min(Math.max(Number(wished.get("mode")) || 0, 0), 2);
  const game = await mountRound(element, round, { plays, ghosts, rivals: rivals.split(" ") });
  if (wished.has("against")) await game.race(wished.get("against"));
}

/** Makes the level that the page's address names. */
async function generateRound(parameters) {
  const { engine } = await loadGame();
  const generators = await readJson(new URL("engine/knobs.json", import.meta.url));
  const generator = parameters.get("generator");
  const found = generators[generator];
  if (!found) throw new Error(`there is no generator ${generator} here`);
  const made = generate(engine, generator, readKnobs(found.options, parameters));
  return { level: made.level, mode: 0, time_limit: made.time_limit, source: "", tracks: [] };
}

/**
 * Fills an element with a game.
 * @param {object} round As `docs/web.md` describes it.
 * @param {{plays?: string, ghosts?: string, rivals?: string[], onEnd?: function}} options Where plays
 *   are sent to and ghosts come from, if anywhere, and who can be raced; or who is told of the end
 *   of a life, and then alone begins the next one.
 */
export async function mountRound(element, round, options = {}) {
  const game = new Game(await loadGame(), round, options);
  element.append(game.element);
  game.restart();
  game.canvas.focus({ preventScroll: true });
  return game;
}

class Game {
  constructor({ engine, artist }, round, { plays = "", ghosts = "", rivals = [], onEnd }) {
    Object.assign(this, { artist, round: { ...round }, plays, onEnd, rivals, ghostAddress: ghosts });
    this.level = new Level(engine, round.level);
    this.ghosts = (round.tracks ?? []).map((track) => new Track(this.level, round, track));
    this.build();
    document.addEventListener("visibilitychange", () => document.hidden && this.pause());
    addEventListener("resize", () => fitCanvas(this.canvas));
  }

  build() {
    this.canvas = make("canvas", { tabIndex: 0, role: "application", "aria-label": "The game" });
    this.message = make("p.message", { role: "status" });
    this.state = make("output.state", { "aria-live": "off" });
    this.ending = make("div.ending", { hidden: true });
    this.element = make("div.game");
    this.controls = new Controls(this.element, this.level.rules);
    const again = make("button.button.small", { type: "button", hidden: Boolean(this.onEnd), onclick: () => this.restart() }, "Again");
    const pause = make("button", { type: "button", onclick: () => this.togglePause() }, "Pause");
    const screen = make("div.screen", { onpointerdown: () => this.canvas.focus() }, this.canvas, this.message);
    this.legend = make("ul.legend");
    const bar = make("div.bar", {}, again, pause, ...this.buildModes(), ...this.buildRivals(), this.state);
    this.element.append(screen, this.controls.pad, bar, this.legend, this.ending);
    this.showLegend();
    this.element.addEventListener("keydown", (event) => this.press(event));
  }

  /** How Mario starts can be chosen where nobody is raced against. */
  buildModes() {
    if (this.ghosts.length || this.onEnd) return [];
    const modes = make("select", { "aria-label": "Mario starts" });
    MODES.forEach((name, mode) => modes.append(make("option", { value: mode }, name)));
    modes.value = String(this.round.mode);
    modes.onchange = () => { this.round.mode = Number(modes.value); this.race(this.rival ?? ""); };
    return [modes];
  }

  /** Whom to race can be chosen where no board has the best. */
  buildRivals() {
    if (this.ghosts.length || this.onEnd || !this.ghostAddress || !this.round.source) return [];
    this.rivalChoice = make("select", { "aria-label": "Race against" }, make("option", { value: "" }, "race nobody"));
    this.rivals.forEach((name) => this.rivalChoice.append(make("option", { value: name }, `race ${name}`)));
    this.rivalChoice.onchange = () => this.race(this.rivalChoice.value);
    return [this.rivalChoice];
  }

  /** Begins anew, with the ghost of an agent beside Mario. */
  async race(rival) {
    this.rival = rival;
    if (this.rivalChoice) this.rivalChoice.value = rival;
    this.ghosts = [];
    if (rival) {
      this.say(`${rival} plays the level …`);
      const query = new URLSearchParams({ source: this.round.source, mode: this.round.mode });
      try {
        const track = await readJson(`${this.ghostAddress}${encodeURIComponent(rival)}.json?${query}`);
        if (this.rival === rival) this.ghosts = [new Track(this.level, this.round, track)];
      } catch (error) {
        this.state.textContent = error.message;
        return;
      }
    }
    this.showLegend();
    this.restart();
  }

  showLegend() {
    const items = this.ghosts.map((ghost, n) => {
      const dot = make("span.dot", {}, "▼");
      dot.style.color = trackColour(n + 1);
      return make("li", {}, dot, ` ${ghost.agent}: ${STATUS[ghost.proof.world.status]}, ${this.showTime(ghost.ticks)}`);
    });
    this.legend.replaceChildren(...items);
  }

  showTime(ticks) {
    return showTime(ticks, this.level.rules);
  }

  press({ key }) {
    if (key === "p" || key === "Escape") this.togglePause();
    if (key === "r" && !this.onEnd && !this.element.contains(document.activeElement?.closest("input"))) this.restart();
  }

  /** Begins the level anew; it waits for the first button. */
  restart() {
    this.world = new World(this.level, this.round);
    /** The buttons of every tick. @type {number[]} */
    this.actions = [];
    this.paused = false;
    this.last = undefined;
    this.ending.hidden = true;
    this.ghosts.forEach((ghost) => ghost.seek(0));
    this.say("Press a button to start");
    this.draw();
    fitCanvas(this.canvas);
    this.canvas.focus({ preventScroll: true });
    cancelAnimationFrame(this.request);
    this.request = requestAnimationFrame((now) => this.advance(now));
  }

  pause() {
    if (!this.actions.length || this.world.status || this.paused) return;
    this.paused = true;
    this.controls.held.clear();
    this.say("Paused. P or the button goes on");
  }

  togglePause() {
    if (!this.paused) {
      this.pause();
      return;
    }
    this.paused = false;
    this.last = undefined;
    this.say("");
    this.canvas.focus({ preventScroll: true });
  }

  say(text) {
    this.message.textContent = text;
    this.message.hidden = !text;
  }

  advance(now) {
    const isWaiting = this.paused || (!this.actions.length && !this.controls.action);
    if (isWaiting) this.last = undefined;
    else this.playUntil(now);
    if (this.world.status) this.end();
    else this.request = requestAnimationFrame((next) => this.advance(next));
  }

  /** Plays the ticks that are due, one for each interval of the rules' rate. */
  playUntil(now) {
    const rate = ticksASecond(this.level.rules);
    this.due = this.last === undefined ? 1 : this.due + ((now - this.last) / 1000) * rate;
    this.due = Math.min(this.due, MOST_DUE);
    this.last = now;
    if (!this.actions.length) this.say("");
    for (; this.due >= 1 && !this.world.status; this.due--) this.tick();
    this.draw();
  }

  tick() {
    const { action } = this.controls;
    this.world.step(action);
    this.actions.push(action);
    this.ghosts.forEach((ghost) => ghost.seek(this.actions.length));
  }

  draw() {
    const worlds = this.ghosts.map((ghost) => ghost.world);
    this.artist.paint(this.world, this.canvas, { figures: ghostFigures(this.artist, worlds) });
    const [context, camera] = [this.canvas.getContext("2d"), this.artist.camera(this.world)];
    worlds.forEach((world, n) => drawArrow(context, world, camera, trackColour(n + 1)));
    const { coins } = this.world.facts;
    this.state.textContent = `${this.showTime(this.actions.length)} · ${coins} coins${this.showClock()}`;
  }

  showClock() {
    const { timer } = this.world.facts;
    if (!this.round.time_limit) return "";
    const unit = ["2009", "2010"].includes(this.level.rules) ? 15 : 1000;
    return ` · clock ${Math.ceil(timer / unit)}`;
  }

  end() {
    const { status, result } = this.world;
    const place = status === WIN ? "" : ` ${Math.round(100 * result.completion)} % of the way.`;
    const ticks = this.actions.length.toLocaleString("en");
    const verdict = `You ${status === WIN ? "won" : STATUS[status] === "lost" ? "lost" : "ran out of time"}`;
    const ahead = this.ghosts.filter((ghost) => isBetter(ghost, this.world, this.actions.length));
    const rank = this.ghosts.length ? ` Place ${ahead.length + 1} of ${this.ghosts.length + 1}.` : "";
    this.say("");
    this.ending.replaceChildren(
      make("p", {}, `${verdict} after ${this.showTime(this.actions.length)} (${ticks} ticks).${place}${rank}`),
      ...(this.plays && this.round.source ? [this.buildForm()] : []),
    );
    this.ending.hidden = false;
    this.onEnd?.(this);
  }

  buildForm() {
    const name = make("input", { type: "text", name: "player", maxLength: 30, required: true, autocomplete: "nickname" });
    const answer = make("p", { role: "status" });
    const send = make("button.button.small", { type: "submit" }, "Send my play");
    const form = make("form", {}, make("label", {}, "Name ", name), send);
    form.onsubmit = async (event) => {
      event.preventDefault();
      send.disabled = true;
      answer.textContent = await this.send(name.value);
      send.disabled = false;
    };
    const consent = "Your buttons and this name are stored, shown to everybody, and may be judged in the Turing test.";
    return make("div", {}, form, make("p.quiet", {}, consent), answer);
  }

  /** Sends the play and returns what the server says of it. */
  async send(player) {
    const { source, mode, time_limit: limit } = this.round;
    const play = {
      source, mode, time_limit: limit, player, actions: encodeActions(this.actions), digest: this.world.digest,
    };
    try {
      const answer = await fetch(this.plays, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(play),
      });
      return describeAnswer(answer, await answer.json());
    } catch (error) {
      return `The play could not be sent: ${error.message}`;
    }
  }
}

/** Whether a ghost came further, or was faster. */
function isBetter(ghost, world, ticks) {
  const other = ghost.proof.world;
  if (other.status === WIN || world.status === WIN) {
    return other.status === WIN && (world.status !== WIN || ghost.ticks < ticks);
  }
  return other.result.completion > world.result.completion;
}

function describeAnswer(answer, values) {
  if (!answer.ok) return `Refused: ${values.detail?.[0]?.msg ?? values.detail ?? values.message ?? answer.status}`;
  const rank = values.rank ? `, rank ${values.rank}` : "";
  return `Played again by the server: it agrees${rank}.`;
}

mountOn("play", mountPlay);
