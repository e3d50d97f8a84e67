/** Which frame goes where: the hero, creatures, things, moving platforms and the keys he holds. */

import { poleRows } from "./map_tiles.js";

/** A sprite to draw: frame, x and y of its feet in level pixels, bits (mirrored, behind tiles).
 * @typedef {[number, number, number, number]} Figure */

export const TILE = 16;
const [MIRRORED, BEHIND] = [1, 2];
const MODES = ["small", "large", "fire"];
const FLAT = { "snail-red": "snail-flat", "snail-green": "snail-flat" };
const [STEM, FLOWER_UP, USED, GRIP] = [10, 21, 14, 8];
const LADDERS = [64, 65];
const [ICON_EDGE, ICON_STEP, ICON_HEIGHT] = [5, 10, 13];
const LOSE = 2;

/** Finds the figures of worlds and levels. */
export class Figures {
  /** @param {object} art What `art.json` holds. */
  constructor(art) {
    this.art = art;
    this.frames = art.names;
    const { kinds } = art;
    this.flower = kinds.enemy_flower;
    this.bullet = kinds.bullet_bill;
    this.isWalker = (kind) =>
      (kind >= kinds.goomba && kind < kinds.bullet_bill) || kind === kinds.wave_goomba;
    this.tall = [kinds.red_koopa_winged, kinds.green_koopa_winged];
    this.items = [
      kinds.mushroom, kinds.fire_flower, kinds.life_mushroom, kinds.green_mushroom,
    ];
  }

  /** @returns {Figure[]} Everything that a world shows, in the order in which it is drawn. */
  ofWorld(world, tiles, camera, width) {
    const { level, facts } = world;
    return [
      ...this.flags(level),
      ...this.platforms(world.platforms),
      ...this.creatures(world, facts.tick, tiles),
      ...this.hero(world, facts, tiles),
      ...this.keys([facts.key_0, facts.key_1, facts.key_2], camera, width),
    ];
  }

  /** @returns {Figure[]} A level as it begins: creatures at their cells, and the hero. */
  ofLevel(level) {
    return [
      ...this.flags(level),
      ...this.tracks(level),
      ...this.platforms(level.platforms),
      ...level.templates.flatMap((template) => [...this.waiting(template)]),
      [this.frames["small-stand"], level.start_x * TILE + 8, level.start_y * TILE + 15, 0],
    ];
  }

  /** @returns {Generator<Figure>} */
  *waiting({ column, row, kind }) {
    const isFlower = kind === this.flower;
    const x = column * TILE + (isFlower ? 17 : 8);
    const y = row * TILE + (isFlower ? 18 - FLOWER_UP : 15);
    const winged = kind < this.bullet && kind % 2 === 1;
    const sprite = { kind, x, y, facing: -1, winged, aux: 0, dead_time: 0, flying: 0 };
    yield* this.creature(sprite, 0, isFlower);
  }

  /** @returns {Generator<Figure>} */
  *creatures(world, tick, tiles) {
    for (const sprite of world.sprites) {
      let behind = sprite.kind === this.flower && !sprite.dead_time;
      if (this.items.includes(sprite.kind)) {
        behind = tileAt(world.level, tiles, sprite.x, sprite.y) === USED;
      }
      yield* this.creature(sprite, tick, behind);
    }
  }

  /** @returns {Generator<Figure>} */
  *creature(sprite, tick, behind) {
    const { kind } = sprite;
    const x = Math.floor(sprite.x);
    const y = Math.floor(sprite.y) + (kind === this.flower ? STEM : 0);
    const flip = sprite.facing < 0 ? MIRRORED : 0;
    yield [this.frame(sprite, tick), x, y, flip | (behind ? BEHIND : 0)];
    if (sprite.winged && !sprite.dead_time) {
      const lift = this.tall.includes(kind) ? 6 : 3;
      const wings = this.frames[`wings-${Math.floor(tick / 2) % 2}`];
      yield [wings, x + (flip ? 7 : -7), y - lift, flip];
    }
  }

  frame({ kind, aux, dead_time: dead, flying }, tick) {
    const { art } = this;
    const isGreen = kind === art.kinds.shell && aux;
    const name = isGreen ? "shell-green" : art.creatures[kind];
    const step = `${name}-${Math.floor(tick / (art.paces[kind] ?? 4)) % 2}`;
    const wanted = [step, name];
    if (dead && this.isWalker(kind) && !flying) wanted.unshift(FLAT[name] ?? `${name}-flat`);
    else if (dead) wanted.unshift(`${name}-0-over`, `${name}-over`);
    return this.frames[wanted.find((word) => word in this.frames)];
  }

  /** @returns {Generator<Figure>} The hero, pale every other moment in which nothing hurts him. */
  *hero(world, facts, tiles) {
    const { mario } = world;
    if (!mario.listed) return;
    const pose = heroPose(world.level, mario, facts, tiles);
    const isMirrored =
      pose === "climb" ? Math.floor(Math.floor(mario.y) / GRIP) % 2 !== 0 : mario.facing < 0;
    const pale = (mario.invulnerable | facts.pause) & 2 ? "-pale" : "";
    const frame = this.frames[`${MODES[mario.mode]}-${pose}${pale}`];
    yield [frame, Math.floor(mario.x), Math.floor(mario.y), isMirrored ? MIRRORED : 0];
  }

  /** @returns {Generator<Figure>} The banner at the top of the exit's pole. */
  *flags(level) {
    if (level.rules === "2010") return;
    const [top] = poleRows(level, this.art.map_codes);
    yield [this.frames.standard, level.exit_x * TILE + TILE / 2, top * TILE + 26, 0];
  }

  /** @returns {Generator<Figure>} */
  *platforms(places) {
    for (const { x: left, y: top, width } of places) {
      const last = Math.floor(width / TILE) - 1;
      for (let n = 0; n <= last; n++) {
        const part = n > 0 && n < last ? "middle" : n < last ? "left" : n ? "right" : "single";
        const x = left + n * TILE + TILE / 2;
        yield [this.frames[`slab-${part}`], x, top + this.art.slab_height - 1, 0];
      }
    }
  }

  /** @returns {Generator<Figure>} Dots along the way of every moving platform. */
  *tracks(level) {
    const rows = level.platforms.length ? level.text.split("\n") : [];
    const { track, slab_height: slab } = this.art;
    for (const { x: left, y: top, width } of level.platforms) {
      const [column, row] = [Math.floor(left / TILE), Math.floor(top / TILE)];
      const middle = top + Math.floor(slab / 2);
      if (rows[row][column] === "=") {
        const [back, ahead] = countMarks(rows[row], ".", column, column + Math.floor(width / TILE));
        for (let x = left - back * TILE; x < left + width + ahead * TILE; x += track) {
          yield [this.frames["track-across"], x + Math.floor(track / 2), middle, BEHIND];
        }
      } else {
        const line = rows.map((text) => text[column]).join("");
        const [back, ahead] = countMarks(line, ":", row, row + 1);
        for (let y = middle - back * TILE; y < middle + ahead * TILE; y += track) {
          const x = left + Math.floor(width / 2);
          yield [this.frames["track-down"], x, y + track - 1, BEHIND];
        }
      }
    }
  }

  /** @returns {Figure[]} The hero's keys in the upper left corner, as many as there is room. */
  keys(counts, [left, top], width) {
    const icons = counts.flatMap((count, colour) => Array(count).fill(colour));
    return icons.slice(0, Math.floor((width - ICON_EDGE) / ICON_STEP)).map((colour, n) => {
      const x = left + ICON_EDGE + n * ICON_STEP + ICON_STEP / 2;
      return [this.frames[`key-${colour}`], x, top + ICON_EDGE + ICON_HEIGHT - 1, 0];
    });
  }
}

/** The tile at a point, 0 outside the level. */
function tileAt({ width, height }, tiles, x, y) {
  const [column, row] = [Math.floor(x / TILE), Math.floor(y / TILE)];
  const isInside = column >= 0 && column < width && row >= 0 && row < height;
  return isInside ? tiles[column * height + row] : 0;
}

function heroPose(level, mario, facts, tiles) {
  if (facts.status === LOSE) return "lost";
  const hangs = !mario.on_ground && mario.vy === 0;
  const onLadder = hangs && LADDERS.includes(tileAt(level, tiles, mario.x, mario.y));
  if (mario.climbing || onLadder) return "climb";
  if (mario.ducking && mario.mode > 0) return "duck";
  if (mario.sliding && !mario.on_ground) return "slide";
  const carries = mario.carrying && mario.mode > 0 ? "carry-" : "";
  if (!mario.on_ground) return `${carries}jump`;
  const speed = Math.abs(mario.vx);
  if (speed < 0.5) return `${carries}stand`;
  return `${carries}walk-${Math.floor(facts.tick / (speed > 6 ? 2 : 3)) % 2}`;
}

/** How many marks there are right before the start and from the end on. */
function countMarks(line, mark, start, end) {
  let [back, ahead] = [0, 0];
  while (line[start - 1 - back] === mark) back++;
  while (line[end + ahead] === mark) ahead++;
  return [back, ahead];
}
