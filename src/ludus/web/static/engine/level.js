/** Levels of the platformer: from text, or from the record that a replay holds. */

import { LEVEL, PLATFORM, TEMPLATE } from "./layout.js";
import { parseOptions } from "./options_2010.js";

/** The formats of map bytes, which are also the names of the rules that play them. */
export const FORMATS = ["2009", "2010"];
export const THEMES = ["overground", "underground", "castle"];
const WINGED_2010 = [95, 96, 97, 98, 99];

/** The level as `docs/web.md` describes it.
 * @typedef {{text: string, rules: string, physics: ?object, labels: string[], map?: object,
 *   options?: string}} LevelRecord */

/** A level that the engine has read; worlds of it share it. */
export class Level {
  /**
   * @param {import("./module.js").Engine} engine
   * @param {LevelRecord} record
   */
  constructor(engine, record) {
    this.engine = engine;
    this.record = record;
    this.rules = record.rules;
    this.text = record.text;
    this.labels = record.labels ?? [];
    /** Physics as named numbers, or null for the reference's. */
    this.physics = record.physics ?? null;
    /** Settings of the rules 2010, or null. */
    this.options = record.options === undefined ? null : parseOptions(record.options);
    const handle = record.map
      ? readMap(engine, record.map, this.rules)
      : readText(engine, record.text, this.rules);
    this.handle = engine.own(this, "ludus_level_free", handle);
    Object.assign(this, engine.read("ludus_level_describe", handle, LEVEL));
    this.tiles = engine.listBytes("ludus_level_tiles", handle);
    this.templates = engine.list("ludus_level_templates", handle, TEMPLATE);
    this.platforms = engine.list("ludus_level_platforms", handle, PLATFORM);
  }

  /** Reads a level from rows of characters. */
  static fromText(engine, text, rules = "framework") {
    return new Level(engine, { text, rules, physics: null, labels: [] });
  }

  /** The look to draw it in: that of its labels, or of its map's type. */
  get theme() {
    const ofMap = THEMES[this.record.map?.type ?? 0];
    return THEMES.find((theme) => this.labels.includes(theme)) ?? ofMap;
  }
}

function readText(engine, text, rules) {
  const characters = text.replace(/[^\x00-\x7f]/gu, "-");
  return engine.borrow((scratch) => {
    const name = scratch.putText(rules);
    const place = scratch.putText(characters);
    return engine.make("ludus_level_from_text", place, characters.length, name);
  });
}

/** Bytes of a map, column by column, of rows of hexadecimal digits. */
function joinRows({ rows, width, height }) {
  const cells = new Uint8Array(width * height);
  rows.forEach((row, y) => {
    for (let x = 0; x < width; x++) cells[x * height + y] = parseInt(row.substr(2 * x, 2), 16);
  });
  return cells;
}

function compareRows(one, other) {
  const place = one.findIndex((value, k) => value !== other[k]);
  return place < 0 ? 0 : one[place] - other[place];
}

function listCreatures(map, rules) {
  return map.sprites
    .map(([x, y, kind, winged = 0]) => {
      const wings = rules === "2010" ? WINGED_2010.includes(kind) : Boolean(winged);
      return [x, y, kind, Number(wings)];
    })
    .sort(compareRows);
}

/** Puts a map where the engine can read it. */
export function putMap(scratch, map, rules) {
  const creatures = listCreatures(map, rules);
  const data = [...(map.data ?? [])].sort(compareRows);
  const counters = map.counters ?? {};
  const cells = scratch.put(joinRows(map));
  const [exitX, exitY] = map.exit;
  const lists = [scratch.putRows(creatures), creatures.length, scratch.putRows(data), data.length];
  const counts = [0, 0, 0, 0, 0, counters.coins ?? 0, 0, counters.hidden ?? 0];
  return scratch.putWords([
    84, map.width, map.height, exitX, exitY, cells, ...lists, map.type ?? 0, map.difficulty ?? 0,
    ...counts, counters.creatures ?? 0,
  ]);
}

function readMap(engine, map, rules) {
  return engine.borrow((scratch) => {
    const place = putMap(scratch, map, rules);
    return engine.make("ludus_level_from_map", place, scratch.putText(rules));
  });
}
