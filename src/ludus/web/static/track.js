/** One recorded play that can be shown at any tick. */

import { World, decodeActions, replayTrack } from "./engine/index.js";

const EVERY = 120; // ticks between two states that are kept
const MARKS = { 2: "kill", 3: "kill", 4: "kill", 8: "coin", 9: "hurt", 11: "death", 12: "finish" };

/** A track of a round, played once from end to end and kept in pieces. */
export class Track {
  /**
   * @param {import("./engine/level.js").Level} level
   * @param {object} round As `docs/web.md` describes it.
   * @param {object} track
   */
  constructor(level, round, track) {
    this.agent = track.agent;
    this.link = track.link;
    this.stored = track.digest;
    /** What came of playing it in one go: ticks, milliseconds, and whether the digest is equal. */
    this.proof = replayTrack(level, round, track);
    this.actions = decodeActions(track.actions);
    this.world = new World(level, round);
    this.states = [this.world.save()];
    /** Mario's place after each tick. */
    this.path = [place(this.world)];
    /** @type {{tick: number, kind: string}[]} */
    this.marks = [];
    this.tick = 0;
    while (this.tick < this.actions.length && !this.world.status) this.#playOnce();
    this.ticks = this.tick;
  }

  #playOnce() {
    this.world.step(this.actions[this.tick++]);
    this.path.push(place(this.world));
    for (const { kind } of this.world.events) {
      if (MARKS[kind]) this.marks.push({ tick: this.tick, kind: MARKS[kind] });
    }
    if (this.tick % EVERY === 0) this.states.push(this.world.save());
  }

  /** Brings the world to a tick; one beyond the end is the end. */
  seek(tick) {
    const wanted = Math.max(0, Math.min(tick, this.ticks));
    if (wanted === this.tick) return;
    if (wanted < this.tick || wanted - this.tick > EVERY) {
      const piece = Math.min(Math.floor(wanted / EVERY), this.states.length - 1);
      this.world.load(this.states[piece]);
      this.tick = piece * EVERY;
    }
    this.world.run(this.actions.subarray(this.tick, wanted));
    this.tick = wanted;
  }
}

function place(world) {
  const { x, y } = world.mario;
  return [x, y];
}
