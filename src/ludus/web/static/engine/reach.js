/** How far Mario jumps under given physics: what a generated level may require. */

const TILE = 16;
const RUN_UP = 2 * TILE;
const MOST = 10_000;

/**
 * @param {{gravity: number, jump_power: number, ice: number, wind: number}} physics
 * @param {number} height Rows of the level.
 * @returns {{up: number, across: number, far: number}} Distances in whole tiles.
 */
export function findReach(physics, height) {
  const factor = 0.89 + physics.wind + physics.ice;
  const { top, ticks } = fly(physics, 0);
  const across = run(factor, ticks, speedAfter(factor, RUN_UP));
  const long = fly(physics, (height + 2) * TILE).ticks;
  const far = run(factor, long, 1.2 / (1 - factor));
  const tiles = (pixels) => Math.trunc(pixels / TILE);
  return {
    up: Math.min(tiles(top), MOST),
    across: Math.min(tiles(across), MOST),
    far: Math.min(tiles(far) + 1, MOST),
  };
}

/** A full jump's height in pixels, and its ticks until so far below its start. */
function fly({ jump_power: power, gravity }, drop) {
  const thrust = Math.trunc(Math.fround(Math.fround(power) / Math.fround(gravity)));
  const thrusts = thrust ? [thrust, ...Array.from({ length: thrust }, (_, n) => thrust - n)] : [];
  let [y, top, speed, ticks] = [0, 0, 0, 0];
  while (ticks < thrusts.length || (drop ? y < drop : y < 0)) {
    if (ticks < thrusts.length) speed = -1.9 * thrusts[ticks];
    y += speed;
    top = Math.min(top, y);
    speed = speed * 0.85 + 3 * gravity;
    ticks++;
  }
  return { top: -top, ticks };
}

function speedAfter(factor, pixels) {
  let [x, speed] = [0, 0];
  while (x < pixels) {
    speed += 1.2;
    x += speed;
    speed *= factor;
  }
  return speed;
}

function run(factor, ticks, speed) {
  let x = 0;
  for (let tick = 0; tick < ticks; tick++) {
    speed += 1.2;
    x += speed;
    speed *= factor;
  }
  return x;
}
