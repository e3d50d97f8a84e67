/** Map bytes of 2009 and 2010 as the tile codes that have pictures. */

import { FORMATS } from "./level.js";

const [GROUND, POLE_TOP, POLE] = [1, 39, 40];
const LONGEST_POLE = 11;

/** The tile codes to draw: of map bytes those that come closest, with a pole at the exit. */
export function drawnTiles(level, tiles, mapCodes) {
  if (!FORMATS.includes(level.rules)) return tiles;
  const codes = tiles.map((byte) => mapCodes[byte]);
  if (level.rules === "2009") {
    const [top, foot] = poleRows(level, mapCodes);
    const column = level.exit_x * level.height;
    codes.fill(POLE, column + top, column + Math.min(foot + 1, level.height));
    if (top < level.height) codes[column + top] = POLE_TOP;
  }
  return codes;
}

/** The first and the last row of the pole at the exit; it stands on the ground. */
export function poleRows(level, mapCodes) {
  let row = level.exit_y;
  if (FORMATS.includes(level.rules)) {
    const column = level.exit_x * level.height;
    while (row > 0 && mapCodes[level.tiles[column + row]] === GROUND) row--;
  }
  return [Math.max(1, row - LONGEST_POLE), row];
}
