/** Tiles that look as their neighbours let them: grass edges, tufts, propped platforms, doors. */

const GROUND = 128;
const PLATFORM_OVER_BACKGROUND = 144;
const DOOR_FOOT = 152;
const DOORWAY = 155;
const [PLATFORM, POSTS] = [43, 47];
const [DOOR_CLOSED, DOOR_OPEN, COLOURS] = [78, 81, 3];

/** Codes of columns of a level, `height` a column.
 * @typedef {{codes: Uint8Array, height: number, first: number}} Piece */

/**
 * Returns the codes to draw of a piece of a level that begins at column `first`.
 * @param {Uint8Array} tiles As they are now, column by column.
 * @param {Uint8Array} initial As the level begins: nothing grows where something lay.
 * @param {number[]} growth What grows in a column where there is grass.
 */
export function dress(tiles, initial, height, first, growth) {
  const columns = tiles.length / height;
  const at = (x, y) => tiles[x * height + y];
  const isGround = (x, y) => at(x, y) === 1;
  const codes = tiles.slice();
  for (let x = 0; x < columns; x++) {
    for (let y = 0; y < height; y++) {
      const place = x * height + y;
      if (isGround(x, y)) codes[place] = GROUND + openSides(isGround, x, y, columns, height);
      else if (y < height - 1) codes[place] = dressAbove(place, x, y);
      const door = dressDoor(at, x, y, height);
      if (door) codes[place] = door;
    }
  }
  return codes;

  /** A cell with another one below it. */
  function dressAbove(place, x, y) {
    const code = at(x, y);
    const isBare = (code | initial[place]) === 0;
    if (isBare && isGround(x, y + 1)) return growth[(first + x) % growth.length];
    const isPropped = code >= PLATFORM && code < PLATFORM + 4 && at(x, y + 1) === POSTS;
    return isPropped ? PLATFORM_OVER_BACKGROUND + code - PLATFORM : code;
  }
}

/** Bits of the sides where the ground ends; it goes on beyond the level. */
function openSides(isGround, x, y, columns, height) {
  const above = y > 0 && !isGround(x, y - 1);
  const left = x > 0 && !isGround(x - 1, y);
  const right = x < columns - 1 && !isGround(x + 1, y);
  const below = y < height - 1 && !isGround(x, y + 1);
  return above + 2 * left + 4 * right + 8 * below;
}

/** The code of a door's end, or 0: a closed door ends below, an open one above. */
function dressDoor(at, x, y, height) {
  const code = at(x, y);
  const isClosed = code >= DOOR_CLOSED && code < DOOR_CLOSED + COLOURS;
  if (isClosed && (y === height - 1 || at(x, y + 1) !== code)) {
    return DOOR_FOOT + code - DOOR_CLOSED;
  }
  const isOpen = code >= DOOR_OPEN && code < DOOR_OPEN + COLOURS;
  return isOpen && y > 0 && at(x, y - 1) === code ? DOORWAY + code - DOOR_OPEN : 0;
}
