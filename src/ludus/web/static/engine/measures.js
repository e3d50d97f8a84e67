/** Figures of a level; `ludus.games.platformer.levels.metrics` says how each is computed. */

import { FORMATS, Level } from "./level.js";

const JUMP_TILES = 4;
const FLOWER = 11;
const MUZZLE = 3;
const SOLID = new Set([
  1, 2, 3, 4, 5, 6, 7, 8, 11, 14, 18, 19, 20, 21, 50, 51, 52, 53, 69, 70, 71, 78, 79, 80,
]);
const CARRYING = new Set([...SOLID, 43, 44, 45, 46, 65]);
const TERRAIN = new Set([0, 1, 2, 39, 40, 43, 44, 45, 46, 47]);
const BLOCKS = [6, 7, 8, 11, 48, 49, 50, 51];
const [POWER_UPS, LIVES, PIPES] = [[8, 50], [48, 51], [18, 52]];

/** @param {Level} played A level of any rules; of map bytes the text that comes closest counts. */
export function measure(played) {
  const isMap = FORMATS.includes(played.rules);
  const level = isMap ? Level.fromText(played.engine, played.text) : played;
  const columns = splitColumns(level);
  const ground = columns.map(findGround);
  const gaps = listGaps(columns);
  const count = (codes) => level.tiles.filter((code) => codes.includes(code)).length;
  const flowers = level.templates.filter(({ kind }) => kind === FLOWER).length;
  const creatures = level.templates.length;
  const [powerUps, lives, cannons] = [count(POWER_UPS), count(LIVES), count([MUZZLE])];
  const points = powerUps + lives - (creatures - flowers) - (gaps.length + cannons + flowers) / 2;
  return {
    width: level.width,
    height: level.height,
    gaps: gaps.length,
    widest_gap: Math.max(0, ...gaps),
    creatures,
    coins: level.total_coins,
    blocks: count(BLOCKS),
    power_ups: powerUps,
    lives,
    pipes: count(PIPES),
    cannons,
    leniency: (100 * points) / level.width,
    linearity: findLinearity(ground),
    density: sum(columns.map((column) => listStanding(column).length)) / level.width,
    decoration: findDecoration(level),
    jumps: countJumps(ground),
  };
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const mean = (numbers) => sum(numbers) / numbers.length;

function splitColumns({ tiles, width, height }) {
  return Array.from({ length: width }, (_, x) => tiles.subarray(x * height, (x + 1) * height));
}

/** Rows of a column that carry a body from above. */
function listStanding(column) {
  return [...column.keys()].filter(
    (row) => row > 0 && CARRYING.has(column[row]) && !SOLID.has(column[row - 1]),
  );
}

/** The row of a column's lowest standing place, -1 where there is none. */
function findGround(column) {
  return listStanding(column).at(-1) ?? -1;
}

/** Widths of runs of columns with nothing to stand on in the lowest row that has anything. */
function listGaps(columns) {
  const rows = columns.map((column) => column.findLastIndex((code) => CARRYING.has(code)));
  const lowest = Math.max(...rows);
  const gaps = [];
  columns.forEach((column, x) => {
    const isEmpty = lowest < 0 || !CARRYING.has(column[lowest]);
    const follows = x > 0 && (lowest < 0 || !CARRYING.has(columns[x - 1][lowest]));
    if (isEmpty && follows) gaps[gaps.length - 1]++;
    else if (isEmpty) gaps.push(1);
  });
  return gaps;
}

/** How well one slope describes the ground: 1 for ground on a line. */
function findLinearity(ground) {
  const points = [...ground.entries()].filter(([, row]) => row >= 0);
  if (points.length < 3) return 1;
  const [middleX, middleY] = [0, 1].map((k) => mean(points.map((point) => point[k])));
  const centred = points.map(([x, y]) => [x - middleX, y - middleY]);
  const slope = sum(centred.map(([x, y]) => x * y)) / sum(centred.map(([x]) => x * x));
  return 1 / (1 + mean(centred.map(([x, y]) => Math.abs(y - slope * x))));
}

/** The share of cells that hold something other than terrain and scenery. */
function findDecoration({ tiles, templates, height }) {
  const decorated = Array.from(tiles, (code) => !TERRAIN.has(code));
  for (const { column, row } of templates) decorated[column * height + row] = true;
  return decorated.filter(Boolean).length / tiles.length;
}

function countJumps(ground) {
  const points = [...ground.entries()].filter(([, row]) => row >= 0);
  return sum(
    points.slice(1).map(([x, row], n) => {
      const [before, rowBefore] = points[n];
      const steps = Math.ceil(Math.max(rowBefore - row, 0) / JUMP_TILES);
      return x - before > 1 ? Math.max(steps, 1) : steps;
    }),
  );
}
