/** A worm in its world: steps, places, and what the dish smells of. */

const FIGURES = [
  "steps", "foods", "success", "efficiency", "total_reward", "ending", "satiety", "health",
  "in_zone", "positions", "encounters", "evasions", "damage", "comfort", "oxygen_comfort", "seed",
  "wall_hits", "distance",
];
const SPOTS = ["hot_spots", "cold_spots", "high_spots", "low_spots", "hotspots"];

/** A task that the engine has read. */
class Task {
  /** @param {Record<string, any>} terms The constants by the engine's names, and lists of spots. */
  constructor(engine, terms) {
    this.engine = engine;
    this.terms = terms;
    this.handle = engine.own(this, "ludus_worm_task_free", makeTask(engine, terms));
  }
}

function termNames(engine) {
  const { call } = engine;
  return Array.from({ length: call.ludus_worm_term_count() }, (_, n) =>
    engine.text(call.ludus_worm_term_name(n)),
  );
}

function makeTask(engine, terms) {
  return engine.borrow((scratch) => {
    const numbers = termNames(engine).map((name) => Number(terms[name]));
    const spots = SPOTS.flatMap((name) => {
      const places = terms[name] ?? [];
      return [scratch.putDoubles(places.flat()), places.length];
    });
    const options = [52, scratch.putDoubles(numbers), numbers.length, ...spots];
    return engine.make("ludus_worm_task_new", scratch.putWords(options));
  });
}

/** One worm in its world. */
export class WormWorld {
  /**
   * @param {import("./module.js").Engine} engine
   * @param {Record<string, any>} terms As `ludus.games.worm.native_task.native_constants` has them.
   * @param {number | bigint | string} seed
   */
  constructor(engine, terms, seed) {
    this.engine = engine;
    this.task = new Task(engine, terms);
    const handle = engine.make("ludus_worm_begin", this.task.handle, BigInt(seed));
    this.handle = engine.own(this, "ludus_worm_free", handle);
  }

  /** Plays one action (0 forward, 1 left, 2 right, 3 stay), or speed and turn; returns the reward. */
  step(action) {
    const { call } = this.engine;
    return this.engine.borrow((scratch) => {
      const reward = scratch.reserve(8);
      const code = Array.isArray(action)
        ? call.ludus_worm_steer(this.handle, action[0], action[1], reward)
        : call.ludus_worm_step(this.handle, BigInt(action), reward);
      this.engine.check(code);
      return this.engine.view.getFloat64(reward, true);
    });
  }

  /** The whole state as bytes, for `load`. */
  save() {
    return this.engine.listBytes("ludus_worm_save", this.handle);
  }

  /** Goes on from a state that `save` returned. */
  load(state) {
    this.engine.borrow((scratch) => {
      const place = scratch.put(state);
      this.engine.check(this.engine.call.ludus_worm_load(this.handle, place, state.length));
    });
  }

  /** Steps, whether it has ended and how, place and heading. */
  get facts() {
    return this.engine.borrow((scratch) => {
      const place = scratch.reserve(48);
      this.engine.call.ludus_worm_describe(this.handle, place);
      const { view } = this.engine;
      const [x, y, cosine, sine] = this.engine.doubles(place + 16, 4);
      const [steps, ended] = [8, 12].map((at) => view.getInt32(place + at, true));
      return { steps, ended, x, y, heading: Math.atan2(sine, cosine) };
    });
  }

  /** The digest of the whole state: 16 hexadecimal digits. */
  get digest() {
    const digest = BigInt.asUintN(64, this.engine.call.ludus_worm_hash(this.handle));
    return digest.toString(16).padStart(16, "0");
  }

  /** The episode's figures so far, by name. */
  get figures() {
    const values = this.places("ludus_worm_figures", 8);
    return Object.fromEntries(FIGURES.map((name, n) => [name, values[n]]));
  }

  /** x and y of every food, one after the other. */
  get foods() {
    return this.places("ludus_worm_foods", 16);
  }

  /** x and y of every predator, one after the other. */
  get predators() {
    return this.places("ludus_worm_predators", 16);
  }

  /** Numbers that a function of the engine lists, in items of so many bytes. */
  places(name, size) {
    return new Float64Array(this.engine.listBytes(name, this.handle, size).buffer);
  }

  /** How strongly places smell of food, 0 to 1, on a grid of so many points a side.
   * @param {[number, number]} [ends] Where the grid begins and ends; from 0 to the last cell.
   */
  concentration(points, ends) {
    const { call } = this.engine;
    return this.field(points, (x, y) => Math.tanh(call.ludus_worm_food_scent(this.handle, x, y)), ends);
  }

  /** How strongly places smell of predators, 0 to 1. */
  fear(points, ends) {
    const { call } = this.engine;
    return this.field(points, (x, y) => Math.tanh(call.ludus_worm_predator_scent(this.handle, x, y)), ends);
  }

  /** The temperature of places in °C. */
  temperature(points, ends) {
    const { call } = this.engine;
    return this.field(points, (x, y) => call.ludus_worm_temperature(this.task.handle, x, y), ends);
  }

  /** The oxygen of places in per cent. */
  oxygen(points, ends) {
    const { call } = this.engine;
    return this.field(points, (x, y) => call.ludus_worm_oxygen(this.task.handle, x, y), ends);
  }

  /** Values on a grid, row by row from the lowest y. */
  field(points, value, [first, last] = [0, this.task.terms.size - 1]) {
    const step = (last - first) / Math.max(points - 1, 1);
    return Float64Array.from({ length: points * points }, (_, n) =>
      value(first + (n % points) * step, first + Math.floor(n / points) * step),
    );
  }
}
