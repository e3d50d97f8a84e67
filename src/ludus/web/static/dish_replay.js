/** The replay of a worm: its engine plays the stored actions again, and its dish is drawn. */

import { WormWorld, decodeActions, loadEngine } from "./engine/index.js";
import { Dish } from "./dish.js";
import { trackColour } from "./overlay.js";
import { make } from "./parts.js";
import { Player } from "./player.js";

const EVERY = 50; // steps between two states that are kept
const STEPS_A_SECOND = 20;
const ENDINGS = {
  completed_all_food: "ate everything", max_steps: "out of time", starved: "starved", predator: "was caught",
};
const SWITCHES = { scent: "scent", trail: "trail", ghosts: "ghosts" };

/** Returns what plays an episode of a worm again. */
export async function openReplay(replay) {
  return new DishReplay(await loadEngine(), replay.dish);
}

/** One recorded worm that can be shown at any step. */
class WormTrack {
  constructor(engine, dish, track) {
    Object.assign(this, { agent: track.agent, link: track.link, stored: track.digest, result: track.result });
    this.actions = readActions(track.actions, dish.continuous);
    this.world = new WormWorld(engine, dish.terms, dish.seed);
    this.states = [this.world.save()];
    const begin = performance.now();
    this.step = 0;
    this.#playThrough();
    this.proof = {
      count: this.step, milliseconds: performance.now() - begin, digest: this.world.digest, stored: this.stored,
      equal: this.step === this.actions.length && this.world.digest === this.stored,
    };
  }

  /** Plays all actions, and keeps the way, what was eaten, and a state now and then. */
  #playThrough() {
    const first = this.world.facts;
    this.path = [[first.x, first.y]];
    this.marks = [];
    let [eaten, health] = [0, this.world.figures.health];
    while (this.step < this.actions.length && !this.world.facts.ended) {
      this.world.step(this.actions[this.step++]);
      const { x, y } = this.world.facts;
      this.path.push([x, y]);
      const figures = this.world.figures;
      if (figures.foods > eaten) this.marks.push({ tick: this.step, kind: "coin" });
      if (figures.health < health) this.marks.push({ tick: this.step, kind: "hurt" });
      [eaten, health] = [figures.foods, figures.health];
      if (this.step % EVERY === 0) this.states.push(this.world.save());
    }
    this.length = this.step;
    this.marks.push({ tick: this.length, kind: this.world.figures.success ? "finish" : "death" });
  }

  /** Brings the world to a step; one beyond the end is the end. */
  seek(step) {
    const wanted = Math.min(step, this.length);
    if (wanted < this.step) {
      const piece = Math.min(Math.floor(wanted / EVERY), this.states.length - 1);
      this.world.load(this.states[piece]);
      this.step = piece * EVERY;
    }
    while (this.step < wanted) this.world.step(this.actions[this.step++]);
  }
}

/** The actions of a record: a byte a step, or speed and turn as two numbers of 32 bits. */
function readActions(text, continuous) {
  const bytes = decodeActions(text);
  if (!continuous) return [...bytes];
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length >> 3 }, (_, n) => [
    view.getFloat32(8 * n, true), view.getFloat32(8 * n + 4, true),
  ]);
}

class DishReplay extends Player {
  constructor(engine, dish) {
    super("step", SWITCHES, { scent: true, trail: true, ghosts: true }, undefined, { coin: "eaten", finish: "done", death: "end" });
    this.tracks = dish.tracks.map((track) => new WormTrack(engine, dish, track));
    this.dish = new Dish(dish);
    this.setLength(Math.max(...this.tracks.map((track) => track.length)), this.tracks[0].marks);
    this.legend.replaceChildren(...this.tracks.map(describeTrack));
    this.showProof(this.tracks[0].proof);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.screen.classList.add("dish");
  }

  get rate() {
    return STEPS_A_SECOND;
  }

  fit() {
    const room = Math.min(this.screen.clientWidth, 0.72 * window.innerHeight, 760);
    this.dish.resize(this.picture, Math.max(room, 240));
    this.draw();
  }

  draw() {
    this.tracks.forEach((track) => track.seek(this.position));
    const [main, ...others] = this.tracks;
    const ghosts = this.shown.ghosts ? others : [];
    this.dish.paint(this.picture, main, ghosts, this.shown);
    const { foods, satiety, health } = main.world.figures;
    const strength = health ? `, health ${health.toFixed(0)}` : "";
    this.tell(`${foods} eaten, satiety ${satiety.toFixed(0)}${strength}`);
  }
}

function describeTrack(track, number) {
  const dot = make("span.dot", {}, "●");
  dot.style.color = trackColour(number);
  const name = track.link ? make("a", { href: track.link }, track.agent) : make("span", {}, track.agent);
  return make("li", {}, dot, " ", name, `: ${ENDINGS[track.result.reason] ?? track.result.reason ?? "?"} after ${track.length} steps, ${track.result.foods ?? 0} eaten`);
}
