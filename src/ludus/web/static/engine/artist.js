/** Draws worlds and levels with our pixel art, pixel for pixel as Ludus draws them elsewhere. */

import { dress } from "./dress.js";
import { Figures, TILE } from "./figures.js";
import { FORMATS } from "./level.js";
import { drawnTiles } from "./map_tiles.js";
import { backdrop, scenery } from "./scenery.js";
import { decodeActions as decodeBytes } from "./tracks.js";

const [TILE_PIXELS, SPRITE_PIXELS] = [16 * 16, 16 * 32];
const TICKS_OF_PHASE = 4;
const PIECE = 1024; // pixels of a map drawn at a time: sprite records hold 16-bit places

/** Loads the art that lies beside this file. */
export async function loadArt(address = new URL("art.json", import.meta.url)) {
  return (await fetch(address)).json();
}

/** The game's own screen under a rule set: width and height. */
export function screenSize(rules) {
  return FORMATS.includes(rules) ? [320, 240] : [256, 256];
}

/** A picture: three bytes a pixel.
 * @typedef {{width: number, height: number, rgb: Uint8Array}} Picture */

/** Draws pictures; it holds the frames of every theme in the engine's memory. */
export class Artist {
  /**
   * @param {import("./module.js").Engine} engine
   * @param {object} art What `art.json` holds.
   */
  constructor(engine, art) {
    this.engine = engine;
    this.art = art;
    this.figures = new Figures(art);
    this.tiles = unpack(art.tiles, art.palette);
    this.sprites = unpack(art.sprites, art.palette);
    this.loaded = new Map();
    this.initial = new WeakMap();
  }

  /** The frames of a theme, put into the engine's memory at the first call. */
  theme(name) {
    if (!this.loaded.has(name)) {
      const theme = this.art.themes[name];
      const tiles = this.keep(pick(this.tiles, theme.tiles, TILE_PIXELS));
      const sprites = this.keep(pick(this.sprites, theme.sprites, SPRITE_PIXELS));
      this.loaded.set(name, { theme, tiles, sprites });
    }
    return this.loaded.get(name);
  }

  keep(bytes) {
    const place = this.engine.call.malloc(bytes.length);
    new Uint8Array(this.engine.memory.buffer, place, bytes.length).set(bytes);
    return place;
  }

  /** The codes to draw of a level as it begins, found once. */
  initialTiles(level) {
    if (!this.initial.has(level)) {
      this.initial.set(level, drawnTiles(level, level.tiles, this.art.map_codes));
    }
    return this.initial.get(level);
  }

  /** Where the camera of a world is, for a picture of this size: its left upper pixel. */
  camera(world, [width, height] = screenSize(world.level.rules)) {
    const { level, facts } = world;
    const [screenWidth, screenHeight] = screenSize(level.rules);
    const x = Math.floor(facts.camera_x) + Math.floor((screenWidth - width) / 2);
    const y = Math.floor(facts.camera_y) + Math.floor((screenHeight - height) / 2);
    return [clamp(x, level.width * TILE - width), clamp(y, level.height * TILE - height)];
  }

  /**
   * The world as its camera sees it.
   * @returns {Picture}
   */
  frame(world, { size = screenSize(world.level.rules), theme, figures = [] } = {}) {
    const { level } = world;
    const tiles = drawnTiles(level, world.tiles, this.art.map_codes);
    const camera = this.camera(world, size);
    const { tick } = world.facts;
    const shown = [...figures, ...this.figures.ofWorld(world, tiles, camera, size[0])];
    const look = this.theme(theme ?? level.theme);
    const phases = look.theme.tile_index;
    const index = phases[Math.floor(tick / TICKS_OF_PHASE) % phases.length];
    return this.draw(level, { tiles, index, figures: shown, camera, size, look, tick });
  }

  /**
   * A whole level as it begins, with what its blocks hold.
   * @returns {Picture}
   */
  levelPicture(level, { theme } = {}) {
    const tiles = this.initialTiles(level);
    const look = this.theme(theme ?? level.theme);
    const figures = this.figures.ofLevel(level);
    const [width, height] = [level.width * TILE, level.height * TILE];
    const rgb = new Uint8Array(3 * width * height);
    for (let left = 0; left < width; left += PIECE) {
      const size = [Math.min(PIECE, width - left), height];
      const scene = { tiles, index: look.theme.map_index, figures, camera: [left, 0], size, look };
      copyInto({ width, height, rgb }, this.draw(level, scene), left);
    }
    return { width, height, rgb };
  }

  /** Fills a picture with what the camera sees; a map has no tick. */
  draw(level, { tiles, index, figures, camera: [left, top], size: [width, height], look, tick }) {
    const { engine, art } = this;
    const first = Math.max(Math.floor(left / TILE) - 1, 0);
    const last = Math.min(Math.floor((left + width) / TILE) + 2, level.width);
    const origin = first * TILE;
    const cut = (codes) => codes.subarray(first * level.height, last * level.height);
    const initial = this.initialTiles(level);
    const dressed = dress(cut(tiles), cut(initial), level.height, first, art.growth);
    const moment = { tick: tick ?? 0, deep: tick !== undefined };
    const behind = scenery(look.theme, left, width, height, moment).map(([piece, x, y, bits]) => [
      piece + art.scenery, x + left - origin, y + top, bits,
    ]);
    const near = figures
      .filter(([, x, y]) => isNear(x - left, width, TILE) && isNear(y - top, height, 2 * TILE))
      .map(([frame, x, y, bits]) => [frame, x - origin, y, bits]);
    const drawn = Int16Array.from([...behind, ...near].flat());
    return engine.borrow((scratch) => {
      const rgb = scratch.reserve(3 * width * height);
      const picture = scratch.putWords([
        64, width, height, left - origin, top, scratch.put(backdrop(look.theme, height)),
        scratch.put(dressed), last - first, level.height, scratch.put(index), look.tiles,
        look.theme.tiles.length, look.sprites, look.theme.sprites.length,
        scratch.put(new Uint8Array(drawn.buffer)), drawn.length / 4,
      ]);
      engine.check(engine.call.ludus_draw(picture, rgb, 3 * width * height));
      return { width, height, rgb: engine.bytes(rgb, 3 * width * height) };
    });
  }

  /** Draws a world onto a canvas, which gets the size of the game's screen. */
  paint(world, canvas, options = {}) {
    paintPicture(this.frame(world, options), canvas);
  }
}

/** Puts a picture onto a canvas, which gets its size. */
export function paintPicture({ width, height, rgb }, canvas) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let k = 0, at = 0; k < pixels.length; k++, at += 3) {
    pixels[k] = 0xff000000 | (rgb[at + 2] << 16) | (rgb[at + 1] << 8) | rgb[at];
  }
  context.putImageData(image, 0, 0);
}

/** Frames as RGBA bytes, of runs: how many pixels, and the number of their colour. */
function unpack(text, palette) {
  const runs = decodeBytes(text);
  const colours = palette.map((hex) => [0, 2, 4, 6].map((at) => parseInt(hex.substr(at, 2), 16)));
  let total = 0;
  for (let k = 0; k < runs.length; k += 2) total += runs[k];
  const bytes = new Uint8Array(4 * total);
  let at = 0;
  for (let k = 0; k < runs.length; k += 2) {
    for (let n = 0; n < runs[k]; n++, at += 4) bytes.set(colours[runs[k + 1]], at);
  }
  return bytes;
}

function pick(frames, numbers, pixels) {
  const bytes = new Uint8Array(4 * pixels * numbers.length);
  numbers.forEach((number, n) => {
    bytes.set(frames.subarray(4 * pixels * number, 4 * pixels * (number + 1)), 4 * pixels * n);
  });
  return bytes;
}

const clamp = (edge, most) => Math.max(Math.min(edge, most), 0);
const isNear = (place, length, margin) => place > -TILE && place < length + margin;

function copyInto(whole, piece, left) {
  for (let row = 0; row < piece.height; row++) {
    const line = piece.rgb.subarray(3 * row * piece.width, 3 * (row + 1) * piece.width);
    whole.rgb.set(line, 3 * (row * whole.width + left));
  }
}
