/** The replay of a level: an episode played again in the page, tick by tick, with ghosts. */

import { Level } from "./engine/index.js";
import {
  drawArrow, drawEnemies, drawField, drawPath, drawPlan, ghostFigures, trackColour,
} from "./overlay.js";
import { MODES, STATUS, fitCanvas, loadGame, make, readJson, showTime, ticksASecond, wideScreen } from "./parts.js";
import { Player } from "./player.js";
import { Track } from "./track.js";

const SWITCHES = {
  field: "receptive field", enemies: "enemies", plan: "plan", path: "path", ghosts: "ghosts",
};

/** Returns what plays an episode of the platformer again.
 * @param {object} replay As `docs/web.md` describes it.
 * @param {HTMLElement} element It may name where the plans of the agent are.
 */
export async function openReplay(replay, element) {
  return new LevelReplay(await loadGame(), replay, element.dataset.plan);
}

class LevelReplay extends Player {
  constructor({ engine, artist }, replay, planAddress) {
    const { plan, ...others } = SWITCHES;
    super("tick", planAddress ? SWITCHES : others, { ghosts: true });
    this.artist = artist;
    this.engine = engine;
    this.replay = replay;
    this.planAddress = planAddress;
    if (replay.rounds.length > 1) this.#buildRounds();
    this.#openRound(0);
  }

  get rate() {
    return ticksASecond(this.level.rules);
  }

  /** Shows as much of the level beside the game's screen as there is room for. */
  fit() {
    this.size = wideScreen(this.level, this.screen.clientWidth);
    this.draw();
    fitCanvas(this.picture);
  }

  #buildRounds() {
    const buttons = this.replay.rounds.map((round, n) =>
      make("button", { type: "button", onclick: () => { this.#openRound(n); this.fit(); } }, `${n + 1}. ${round.name}`),
    );
    this.rounds.append(...buttons);
  }

  #openRound(number) {
    const round = this.replay.rounds[number];
    this.number = number;
    this.level = new Level(this.engine, round.level);
    this.tracks = round.tracks.map((track) => new Track(this.level, round, track));
    this.setLength(Math.max(...this.tracks.map((track) => track.ticks)), this.tracks[0].marks);
    [...this.rounds.children].forEach((button, n) => button.toggleAttribute("aria-current", n === number));
    this.legend.replaceChildren(...this.tracks.map(describeTrack));
    const [{ proof, stored }] = this.tracks;
    const { ticks: count, milliseconds, equal } = proof;
    this.showProof({ equal, count, milliseconds, digest: proof.world.digest, stored });
    this.size = undefined;
    this.seek(0);
  }

  end() {
    if (this.number + 1 >= this.replay.rounds.length) return super.end();
    this.#openRound(this.number + 1);
    this.fit();
  }

  draw() {
    this.tracks.forEach((track) => track.seek(this.position));
    const [main, ...others] = this.tracks;
    const ghosts = this.shown.ghosts ? others : [];
    const figures = ghostFigures(this.artist, ghosts.map((ghost) => ghost.world));
    const { size } = this;
    this.artist.paint(main.world, this.picture, { figures, size });
    const [context, camera] = [this.picture.getContext("2d"), this.artist.camera(main.world, size)];
    if (this.shown.field) drawField(context, main.world, camera);
    if (this.shown.enemies) drawEnemies(context, main.world, camera);
    [main, ...ghosts].forEach((track, n) => {
      if (this.shown.path) drawPath(context, track, camera, trackColour(n));
      if (ghosts.length) drawArrow(context, track.world, camera, trackColour(n));
    });
    if (this.shown.plan) this.#drawPlan(context, main, camera);
    this.#describe(main.world);
  }

  /** Draws what the agent meant to do at this tick; its plans are asked for once. */
  #drawPlan(context, track, camera) {
    this.plans ??= readJson(this.planAddress).then(
      (plans) => { this.found = plans; this.draw(); },
      (error) => { this.found = { reason: error.message, plans: [] }; this.draw(); },
    );
    const { reason = "", plans = [] } = this.found ?? { reason: "asking the agent for its plans …" };
    const plan = plans.findLast(({ tick }) => tick <= this.position);
    if (plan) drawPlan(context, track, plan, camera);
    this.planNote = reason;
  }

  #describe(world) {
    const { status, coins } = world.facts;
    const { x, mode } = world.mario;
    const place = `x ${x.toFixed(1)}, ${MODES[mode]}, ${coins} coins, ${STATUS[status]}`;
    const note = this.shown.plan && this.planNote ? ` · ${this.planNote}` : "";
    this.tell(`${showTime(this.position, this.level.rules)} · ${place}${note}`);
  }
}

function describeTrack(track, number) {
  const dot = make("span.dot", {}, "▼");
  dot.style.color = trackColour(number);
  const name = track.link ? make("a", { href: track.link }, track.agent) : make("span", {}, track.agent);
  const end = `${STATUS[track.proof.world.status]} after ${showTime(track.ticks, track.world.level.rules)}`;
  return make("li", {}, dot, " ", name, `: ${end}`);
}
