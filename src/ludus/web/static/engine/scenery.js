/** What lies behind the tiles: sky and hills, a cave, halls lit by torches. */

const [WIDTH, HEIGHT] = [16, 32];
const BEHIND = 2;
const FLICKER = 4;
const modulo = (number, period) => ((number % period) + period) % period;

/** The colours of every row behind a picture of this height, red, green and blue. */
export function backdrop(theme, height) {
  const rows = new Uint8Array(3 * height);
  let top = 0;
  for (const { above_bottom: above, shades } of theme.bands) {
    const end = Math.max(height - above, top);
    for (let row = top; row < end; row++) {
      rows.set(shades[Math.floor(((row - top) * shades.length) / (end - top))], 3 * row);
    }
    top = end;
  }
  return rows;
}

/**
 * The figures of what lies behind a picture of this size: frame, x, y, bits. Frames count from the
 * scenery's first, places from the picture's corner.
 * @param {{tick: number, deep: boolean}} moment Whether what is far moves slower than the camera.
 */
export function scenery(theme, left, width, height, { tick, deep }) {
  return theme.layers.flatMap((layer) => {
    const way = deep ? Math.floor(left / layer.slowness) : left;
    const shift = modulo(way, layer.period);
    const moment = layer.moments[Math.floor(tick / FLICKER) % layer.moments.length];
    return repeatItems(theme, layer, moment, width, height)
      .map(([piece, x, y, bits]) => [piece, x - shift, y, bits])
      .filter(([, x]) => x > -WIDTH / 2 && x < width + WIDTH / 2);
  });
}

/** Lines of figures of moments that were drawn before, by the picture's size. */
const remembered = new WeakMap();

function repeatItems(theme, layer, moment, width, height) {
  const lines = remembered.get(moment) ?? new Map();
  remembered.set(moment, lines);
  const size = `${width} ${height}`;
  if (!lines.has(size)) {
    const figures = moment.map((item) => [...repeatItem(theme, layer, item, width, height)]);
    lines.set(size, figures.flat());
  }
  return lines.get(size);
}

function* repeatItem(theme, layer, [name, left, top], width, height) {
  const first = layer.from_bottom ? height - top : top;
  for (let repeat = -1; repeat < Math.floor(width / layer.period) + 2; repeat++) {
    for (const below of listTops(layer, first, height)) {
      for (const [x, y, piece] of theme.pieces[name]) {
        const foot = below + y + HEIGHT - 1;
        const middle = repeat * layer.period + left + x + WIDTH / 2;
        if (foot >= 0 && foot < height + HEIGHT - 1) yield [piece, middle, foot, BEHIND];
      }
    }
  }
}

function listTops({ every, margin }, first, height) {
  if (!every) return [first];
  const tops = [];
  for (let top = first; top < height - margin; top += every) tops.push(top);
  return tops;
}
