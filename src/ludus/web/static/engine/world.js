/** A game of the platformer in progress. */

import {
  EVENT, FATE, MARIO, PHYSICS, PLATFORM, POSE, RESULT, RESULT_SIZE, SETTINGS, SPRITE, WORLD,
} from "./layout.js";
import { Level } from "./level.js";

export const RUNNING = 0;
export const WIN = 1;
const GRIDS = ["scene", "enemies", "merged"];

/**
 * What a world can be told besides its level.
 * @typedef {{mode?: number, time_limit?: number, kill_events?: [number, number][]}} WorldOptions
 */

/** A world: step it, look at it, save it, load it. */
export class World {
  /**
   * @param {Level} level
   * @param {WorldOptions} options
   */
  constructor(level, options = {}) {
    this.level = level;
    this.engine = level.engine;
    this.own(begin(level, options));
  }

  /** Begins the world of a round, as `docs/web.md` describes it. */
  static fromRound(engine, round) {
    return new World(new Level(engine, round.level), round);
  }

  own(handle) {
    this.handle = this.engine.own(this, "ludus_world_free", handle);
  }

  /** An exact, independent copy. */
  clone() {
    const copy = Object.create(World.prototype);
    copy.level = this.level;
    copy.engine = this.engine;
    copy.own(this.engine.make("ludus_world_clone", this.handle));
    return copy;
  }

  /** Plays one tick with these buttons and returns the status. */
  step(action) {
    return this.engine.check(this.engine.call.ludus_world_step(this.handle, BigInt(action)));
  }

  /** Plays actions, a byte each, until they or the game end; returns how many were played. */
  run(actions) {
    const { engine } = this;
    return engine.borrow((scratch) => {
      const played = scratch.reserve(4);
      const place = scratch.put(actions);
      engine.check(engine.call.ludus_world_run(this.handle, place, actions.length, played));
      return engine.view.getUint32(played, true);
    });
  }

  /** The whole state as bytes, for `load` of a world of the same level and options. */
  save() {
    return this.engine.listBytes("ludus_world_save", this.handle);
  }

  /** Goes on from a state that `save` returned. */
  load(state) {
    this.engine.borrow((scratch) => {
      const place = scratch.put(state);
      this.engine.check(this.engine.call.ludus_world_load(this.handle, place, state.length));
    });
  }

  /** The digest of the whole state: 16 hexadecimal digits, the same as the native engine's. */
  get digest() {
    const digest = BigInt.asUintN(64, this.engine.call.ludus_world_hash(this.handle));
    return digest.toString(16).padStart(16, "0");
  }

  /** 0 running, 1 win, 2 lose, 3 time out. */
  get status() {
    return this.engine.call.ludus_world_status(this.handle);
  }

  /** Status, tick, timer, pause, coins, lives, camera, completion, keys. */
  get facts() {
    return this.engine.read("ludus_world_describe", this.handle, WORLD);
  }

  /** Mario's place, speed, mode and pose. */
  get mario() {
    const pose = this.engine.read("ludus_world_pose", this.handle, POSE);
    return { ...this.engine.read("ludus_world_mario", this.handle, MARIO), ...pose };
  }

  /** All sprites but Mario, in engine order. */
  get sprites() {
    const fates = this.engine.list("ludus_world_fates", this.handle, FATE);
    const sprites = this.engine.list("ludus_world_sprites", this.handle, SPRITE);
    return sprites.map((sprite, n) => ({ ...sprite, ...fates[n] }));
  }

  /** The events of the last tick that was executed. */
  get events() {
    return this.engine.list("ludus_world_events", this.handle, EVENT);
  }

  /** The moving platforms where they are now. */
  get platforms() {
    return this.engine.list("ludus_world_platforms", this.handle, PLATFORM);
  }

  /** Tile codes, column by column, from the top down. */
  get tiles() {
    return this.engine.listBytes("ludus_world_tiles", this.handle);
  }

  /** The episode's figures so far. */
  get result() {
    return this.engine.read("ludus_world_result", this.handle, RESULT, RESULT_SIZE);
  }

  /** The state as a row of a recording. */
  get traceRow() {
    return new TextDecoder().decode(this.engine.listBytes("ludus_world_trace", this.handle));
  }

  /** A receptive field around Mario, column by column. */
  observe(kind = "merged", { columns = 19, rows = 19, detail = [1, 0] } = {}) {
    const { engine } = this;
    return engine.borrow((scratch) => {
      const view = scratch.putWords([columns, rows, ...detail, 0]);
      const cells = scratch.reserve(columns * rows);
      const observe = engine.call.ludus_world_observe;
      engine.check(observe(this.handle, GRIDS.indexOf(kind), view, cells, columns * rows));
      return engine.bytes(cells, columns * rows);
    });
  }

  /** Looks for a way to win from here: outcome, futures looked at, buttons of every tick. */
  solve(budget = 100_000) {
    const { engine } = this;
    return engine.borrow((scratch) => {
      const solution = scratch.reserve(24);
      engine.check(engine.call.ludus_solve(this.handle, BigInt(budget), solution));
      const outcome = ["solved", "impossible", "unknown"][engine.view.getInt32(solution, true)];
      const nodes = Number(engine.view.getBigInt64(solution + 8, true));
      const place = engine.view.getUint32(solution + 16, true);
      const actions = engine.bytes(place, engine.view.getUint32(solution + 20, true));
      engine.call.ludus_solution_free(solution);
      return { outcome, nodes, actions };
    });
  }
}

function begin(level, { mode = 0, time_limit: limit = 0, kill_events: kills = [] }) {
  const { engine } = level;
  const numbers = level.physics ?? level.options;
  return engine.borrow((scratch) => {
    const options = scratch.putWords([
      32, mode, limit, scratch.putText(level.rules), numbers ? putPhysics(scratch, numbers) : 0,
      scratch.putRows(kills), kills.length, putSettings(scratch, level.options, numbers),
    ]);
    return engine.make("ludus_world_begin", level.handle, options);
  });
}

function putPhysics(scratch, numbers) {
  const place = scratch.reserve(28);
  const { view } = scratch.engine;
  PHYSICS.forEach(({ name, real }, k) => {
    const at = place + 4 * k;
    if (real) view.setFloat32(at, numbers[name], true);
    else view.setInt32(at, numbers[name], true);
  });
  view.setUint8(place + 24, Number(numbers.frozen_creatures));
  view.setUint8(place + 25, Number(numbers.invulnerable));
  return place;
}

function putSettings(scratch, options, numbers) {
  const { engine } = scratch;
  const place = scratch.reserve(4 * SETTINGS.length);
  engine.call.ludus_settings_default(place);
  const power = Boolean(numbers?.power_restoration);
  const values = { ...options, ...(numbers ? { power_restoration: power } : {}) };
  SETTINGS.forEach(({ name }, k) => {
    if (name in values) engine.view.setInt32(place + 4 * k, Number(values[name]), true);
  });
  return place;
}
