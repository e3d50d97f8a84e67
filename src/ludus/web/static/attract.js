/** The first page's race: the best of the day run their level again, over its picture. */

import { Artist, Level, World, decodeActions, loadArt, loadEngine } from "./engine/index.js";

const TICK = 1000 / 30;
const REST = 60; // ticks that the end of a race is shown
const HEIGHT = 256;

const stage = document.querySelector("[data-race]");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The pale figures of those who run beside the first. */
function ghosts(artist, worlds) {
  return worlds.flatMap((world) => [
    ...artist.figures.hero(world, { ...world.facts, pause: 2 }, world.tiles),
  ]);
}

/** A race from its start: every step moves all who still run. */
function begin(level, round) {
  const runners = round.tracks.map((track) => ({
    world: new World(level, round),
    actions: decodeActions(track.actions),
  }));
  let tick = 0;
  return {
    worlds: runners.map(({ world }) => world),
    step() {
      for (const { world, actions } of runners) {
        if (tick < actions.length && world.status === 0) world.step(actions[tick]);
      }
      tick += 1;
      return tick < runners[0].actions.length + REST;
    },
  };
}

function screen(level) {
  const wide = Math.ceil((HEIGHT * stage.clientWidth) / Math.max(stage.clientHeight, 1));
  return [Math.min(wide, 16 * level.width), Math.min(HEIGHT, 16 * level.height)];
}

async function race() {
  const round = await (await fetch(stage.dataset.race)).json();
  if (!round.tracks.length) return;
  const engine = await loadEngine();
  const artist = new Artist(engine, await loadArt());
  const level = new Level(engine, round.level);
  const canvas = document.createElement("canvas");
  canvas.className = "race";
  canvas.setAttribute("aria-hidden", "true");
  let running = begin(level, round);
  let last = performance.now();

  function show(now) {
    if (still.matches) {
      canvas.remove();
      return;
    }
    if (now - last >= TICK && !document.hidden) {
      last = Math.max(last + TICK, now - TICK);
      if (!running.step()) running = begin(level, round);
      const [first, ...others] = running.worlds;
      artist.paint(first, canvas, { size: screen(level), figures: ghosts(artist, others) });
      if (!canvas.isConnected) stage.append(canvas);
    }
    requestAnimationFrame(show);
  }
  requestAnimationFrame(show);
}

if (stage && !still.matches) {
  race().catch((problem) => console.warn(`The race is not shown: ${problem.message}`));
}
