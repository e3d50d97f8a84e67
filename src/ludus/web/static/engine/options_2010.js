/** The options of the benchmark of 2010 that a level's worlds have, such as `-fc on -mgr 0.5`. */

const FLAGS = {
  "-mm": "mode", "-tl": "time_limit", "-mgr": "gravity", "-cgr": "creature_gravity",
  "-jp": "jump_power", "-w": "wind", "-ice": "ice", "-fc": "frozen_creatures",
  "-i": "invulnerable", "-pr": "power_restoration", "-stop": "stopped", "-ld": "difficulty",
  "-gmm": "green_mushrooms", "-mix": "start_x", "-miy": "start_y", "-vw": "screen_width",
  "-vh": "screen_height", "-rfw": "field_width", "-rfh": "field_height", "-mer": "ego_row",
  "-mec": "ego_column", "-zs": "tile_detail", "-ze": "entity_detail",
};

const DEFAULTS = {
  mode: 2, time_limit: 200, gravity: 1, creature_gravity: 1, jump_power: 7, wind: 0, ice: 0,
  frozen_creatures: false, invulnerable: false, power_restoration: false, stopped: false,
  difficulty: 0, green_mushrooms: 0, start_x: 32, start_y: 32, screen_width: 320,
  screen_height: 240, field_width: 19, field_height: 19, ego_row: 9, ego_column: 9,
  tile_detail: 0, entity_detail: 0, tick_ms: 30,
};

/**
 * Reads a text of options; those of the level and of pictures mean nothing here.
 * @param {string} text
 * @returns {typeof DEFAULTS}
 */
export function parseOptions(text) {
  const words = text.split(/\s+/).filter(Boolean);
  const options = { ...DEFAULTS };
  for (let k = 0; k + 1 < words.length; k += 2) {
    const name = FLAGS[words[k]];
    if (name) options[name] = readValue(DEFAULTS[name], words[k + 1]);
  }
  return options;
}

function readValue(example, word) {
  return typeof example === "boolean" ? word === "on" || word === "true" : Number(word);
}
