/** Levels from generators: the same engine, so the same level as everywhere else. */

import { BLOCK_DATA, COUNTS, CREATURE, GENERATED } from "./layout.js";
import { THEMES, putMap } from "./level.js";
import { findReach } from "./reach.js";

const MAP_FORMATS = { "notch-2009": "2009", "tunable-2010": "2010" };
const FORMAT_NAMES = { 2009: "2009", 2010: "marioai4j" };
const KINDS = ["g", "gw", "rk", "rkw", "gk", "gkw", "s", "sw", "gww"];
const PHYSICS = {
  gravity: 1, creature_gravity: 1, jump_power: 7, ice: 0, wind: 0, frozen_creatures: false,
  invulnerable: false, tick_ms: 30,
};
const TIME_LIMIT = 200;

/** Ranges of a generator's options in the engine, by their names.
 * @returns {Map<string, {value: bigint, least: bigint, most: bigint}>} */
export function listOptions(engine, generator) {
  const { call } = engine;
  for (let n = 0; n < call.ludus_generator_count(); n++) {
    if (engine.text(call.ludus_generator_name(n)) === generator) return readRanges(engine, n);
  }
  return new Map();
}

function readRanges(engine, number) {
  const count = engine.call.ludus_generator_options(number, 0, 0);
  return engine.borrow((scratch) => {
    const place = scratch.reserve(32 * count);
    engine.call.ludus_generator_options(number, place, count);
    const { view } = engine;
    const entries = Array.from({ length: count }, (_, n) => {
      const at = place + 32 * n;
      const [value, least, most] = [8, 16, 24].map((k) => view.getBigInt64(at + k, true));
      return [engine.text(view.getUint32(at, true)), { value, least, most }];
    });
    return new Map(entries);
  });
}

/**
 * Generates a level.
 * @param {import("./module.js").Engine} engine
 * @param {string} generator `ludus`, `notch-2009`, `notch-framework` or `tunable-2010`.
 * @param {Record<string, any>} options By the names that `ludus.generate` has for them.
 * @returns {{level: import("./level.js").LevelRecord, time_limit: number}}
 */
export function generate(engine, generator, options = {}) {
  const values = readValues(engine, generator, options);
  return engine.borrow((scratch) => {
    const place = putOptions(scratch, values);
    const name = scratch.putText(generator);
    const handle = engine.make("ludus_generate", name, place, values.length);
    try {
      return describe(engine, generator, options, handle);
    } finally {
      engine.call.ludus_generated_free(handle);
    }
  });
}

/** The options as pairs that the engine knows. */
function readValues(engine, generator, options) {
  const known = listOptions(engine, generator);
  const given = Object.entries(options).filter(
    ([name, value]) => known.has(name) && value !== null && name !== "creatures",
  );
  if (generator === "ludus") return [...ofLudus(given, options, known)];
  return [...given, ...ofCreatures(generator, options)];
}

function* ofLudus(given, options, known) {
  yield* given.filter(([name]) => name !== "ceiling");
  if (options.creatures !== undefined) yield ["creatures", options.creatures];
  yield ["ceiling", options.ceiling ?? (options.type ?? "overground") !== "overground"];
  const height = Number(options.height ?? known.get("height").value);
  const { up, across, far } = findReach({ ...PHYSICS, ...ofPhysics(options) }, height);
  yield ["reach_up", up];
  yield ["reach_across", across];
  yield ["reach_far", far];
}

function ofPhysics(options) {
  const names = Object.keys(PHYSICS).filter((name) => options[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, options[name]]));
}

/** The creatures of the tunable generator: off, any, or kinds with how many there may be. */
function ofCreatures(generator, { creatures = "off" }) {
  if (generator !== "tunable-2010") return [];
  if (creatures === "off") return [["creatures", 0]];
  const counts = new Map();
  for (const word of creatures.split(/[,\s]+/).filter(Boolean)) {
    const [kind, count = 0] = word.split(":");
    if (kind !== "f") counts.set(kind, Number(count));
  }
  if (!counts.size) return [["creatures", 1]];
  return [...counts].map(([kind, count]) => [`creature_${KINDS.indexOf(kind)}`, count]);
}

function putOptions(scratch, values) {
  const place = scratch.reserve(16 * values.length);
  values.forEach(([name, value], n) => {
    const text = scratch.putText(name);
    const { view } = scratch.engine;
    view.setUint32(place + 16 * n, text, true);
    view.setBigInt64(place + 16 * n + 8, BigInt.asIntN(64, BigInt(value)), true);
  });
  return place;
}

function describe(engine, generator, options, handle) {
  const [made] = engine.records(handle, GENERATED, 1);
  const rules = MAP_FORMATS[generator];
  if (rules) return { level: describeMap(engine, made, rules, options), time_limit: 0 };
  const level = {
    text: engine.text(made.text), rules: engine.text(made.rules), physics: null, labels: [],
  };
  if (generator !== "ludus") return { level, time_limit: 0 };
  const physics = { ...PHYSICS, ...ofPhysics(options) };
  const usual = Object.keys(PHYSICS).every((name) => physics[name] === PHYSICS[name]);
  const labels = [...(options.impossible ? ["impossible"] : []), options.type ?? THEMES[0]];
  return {
    level: { ...level, physics: usual ? null : physics, labels },
    time_limit: options.time_limit ?? TIME_LIMIT,
  };
}

function describeMap(engine, made, rules, options) {
  const { width, height } = made;
  const cells = engine.bytes(made.map, width * height);
  const creatures = engine.records(made.creatures, CREATURE, made.n_creatures);
  const data = engine.records(made.data, BLOCK_DATA, made.n_data);
  const map = {
    gen: FORMAT_NAMES[rules], width, height, exit: [made.exit_x, made.exit_y],
    rows: Array.from({ length: height }, (_, y) => hexRow(cells, y, width, height)),
    data: data.map(({ column, row, value }) => [column, row, value]),
    sprites: creatures.map((c) => [c.column, c.row, c.kind, ...(rules === "2009" ? [c.winged] : [])]),
    type: options.type ?? 0, difficulty: options.difficulty ?? 0,
    counters: readCounts(made),
  };
  return { text: mapText(engine, map, rules), rules, physics: null, labels: [], map };
}

function readCounts(made) {
  const entries = COUNTS.map(({ name }) => [
    name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), made[`count_${name}`],
  ]);
  return Object.fromEntries(entries);
}

function hexRow(cells, row, width, height) {
  let digits = "";
  for (let x = 0; x < width; x++) digits += cells[x * height + row].toString(16).padStart(2, "0");
  return digits;
}

/** The text that comes closest to a map. */
export function mapText(engine, map, rules) {
  return engine.borrow((scratch) => {
    const [place, name] = [putMap(scratch, map, rules), scratch.putText(rules)];
    const length = scratch.reserve(4);
    engine.check(engine.call.ludus_map_text(place, name, 0, 0, length));
    const size = engine.view.getUint32(length, true);
    const text = scratch.reserve(size);
    engine.check(engine.call.ludus_map_text(place, name, text, size, length));
    return new TextDecoder().decode(engine.bytes(text, size)).replace(/\n$/, "");
  });
}
