/** What can be drawn over a picture of a world: receptive field, enemies, plan, path, ghosts. */

import { decodeActions } from "./engine/index.js";

const TILE = 16;
const FIELD = 19;
const COLOURS = ["#ffd84a", "#5fd0ff", "#ff7ac8", "#8ff26b", "#ff9b54", "#c9a5ff"];

/** The colour of a track by its number. */
export const trackColour = (number) => COLOURS[number % COLOURS.length];

/** Tints the cells of the receptive field that hold something, and frames the field. */
export function drawField(context, world, [left, top]) {
  const { mario } = world;
  const cells = world.observe("merged", { columns: FIELD, rows: FIELD });
  const first = Math.floor(mario.x / TILE) - (FIELD >> 1);
  const highest = Math.floor(mario.y / TILE) - (FIELD >> 1);
  context.fillStyle = "rgba(255, 216, 74, 0.35)";
  cells.forEach((code, n) => {
    const [column, row] = [first + Math.floor(n / FIELD), highest + (n % FIELD)];
    if (code) context.fillRect(column * TILE - left + 1, row * TILE - top + 1, TILE - 2, TILE - 2);
  });
  context.strokeStyle = "rgba(255, 216, 74, 0.9)";
  context.strokeRect(first * TILE - left + 0.5, highest * TILE - top + 0.5, FIELD * TILE, FIELD * TILE);
}

/** Frames everything that moves and is not Mario. */
export function drawEnemies(context, world, [left, top]) {
  context.strokeStyle = "#ff3d3d";
  for (const { x, y } of world.sprites) {
    context.strokeRect(Math.floor(x) - left - 7.5, Math.floor(y) - top - 15.5, TILE, TILE);
  }
}

/** Draws where Mario was, and thinner where he will be. */
export function drawPath(context, track, [left, top], colour) {
  context.strokeStyle = colour;
  for (const [from, to, width] of [[0, track.tick, 2], [track.tick, track.ticks, 1]]) {
    context.beginPath();
    context.globalAlpha = width === 2 ? 1 : 0.5;
    context.lineWidth = width;
    track.path.slice(from, to + 1).forEach(([x, y]) => context.lineTo(x - left, y - top - 6));
    context.stroke();
  }
  Object.assign(context, { globalAlpha: 1, lineWidth: 1 });
}

/** Draws where the agent meant to go: what it had planned, played on from this tick.
 * @param {{tick: number, actions: string}} plan From which tick on, and which buttons, as base64.
 */
export function drawPlan(context, track, plan, [left, top]) {
  const world = track.world.clone();
  const dots = [];
  for (const action of decodeActions(plan.actions).subarray(track.tick - plan.tick)) {
    if (world.status) break;
    world.step(action);
    const { x, y } = world.mario;
    dots.push([Math.floor(x) - left, Math.floor(y) - top - 6]);
  }
  for (const [colour, size] of [["#0b0910", 4], ["#fff", 2]]) {
    context.fillStyle = colour;
    dots.forEach(([x, y], n) => { if (n % 3 === 2) context.fillRect(x - size / 2, y - size / 2, size, size); });
  }
}

/** Puts a small arrow of a track's colour over its hero. */
export function drawArrow(context, world, [left, top], colour) {
  const { x, y, height, listed } = world.mario;
  if (!listed) return;
  const [middle, tip] = [Math.floor(x) - left, Math.floor(y) - top - height - 4];
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(middle, tip);
  context.lineTo(middle - 4, tip - 5);
  context.lineTo(middle + 4, tip - 5);
  context.fill();
}

/** The figures of other players' heroes, pale, in the picture of a world. */
export function ghostFigures(artist, worlds) {
  return worlds.flatMap((world) => [
    ...artist.figures.hero(world, { ...world.facts, pause: 2 }, world.tiles),
  ]);
}
