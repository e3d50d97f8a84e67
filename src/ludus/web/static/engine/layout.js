/**
 * The structures of `ludus.h` as they lie in the module's memory: fields of four bytes, in order.
 * `native/bindings/wasm/layout.c` stops the build of the module if one of them changes.
 */

/** @typedef {{name: string, real: boolean}[]} Layout */

/**
 * @param {...string} lines "i" for whole numbers or "f" for fractions, then names.
 * @returns {Layout}
 */
function fields(...lines) {
  return lines.flatMap((line) => {
    const [kind, ...names] = line.split(" ");
    return names.map((name) => ({ name, real: kind === "f" }));
  });
}

export const LEVEL = fields("i width height start_x start_y exit_x exit_y total_coins");
export const TEMPLATE = fields("i column row kind");
export const PLATFORM = fields("i x y width");
export const CREATURE = fields("i column row kind winged");
export const BLOCK_DATA = fields("i column row value");
export const COUNTS = fields(
  "i dead_ends cannons platforms tubes blocks coins gaps hidden creatures",
);
export const GENERATED = [
  ...fields("i text text_length rules width height exit_x exit_y"),
  ...fields("i map creatures n_creatures data n_data"),
  ...COUNTS,
  ...fields("i map_rules type difficulty"),
].map((field, n) => (n >= 12 && n < 21 ? { ...field, name: `count_${field.name}` } : field));
export const WORLD = fields(
  "i status tick timer pause coins lives fireballs",
  "f camera_x camera_y completion",
  "i screen_column screen_row key_0 key_1 key_2",
);
export const MARIO = fields(
  "f x y vx vy jump_start_x",
  "i mode on_ground was_on_ground may_jump ducking can_shoot jump_time invulnerable",
  "i facing height alive listed",
);
export const POSE = fields("i sliding climbing carrying");
export const SPRITE = fields("i kind", "f x y vx vy", "i facing on_ground winged aux");
export const FATE = fields("i dead_time flying carried");
export const EVENT = fields("i kind param mode tick", "f x y");
export const RESULT = fields(
  "i status timer mode kills kills_by_fire kills_by_stomp kills_by_shell kills_by_fall hurts",
  "i bumped_blocks bumped_bricks broken_bricks jumps max_jump_air_time lives coins",
  "i mushrooms flowers total_coins ticks",
  "f completion max_x_jump",
);
/** Bytes of a result: its figures, and kills by kind behind them. */
export const RESULT_SIZE = 4 * (RESULT.length + 32);
export const SETTINGS = fields(
  "i size power_restoration difficulty green_mushrooms start_x start_y screen_width screen_height",
  "i stopped field_width field_height ego_row ego_column tile_detail entity_detail",
);
export const PHYSICS = fields("f gravity creature_gravity jump_power ice wind", "i tick_ms");
