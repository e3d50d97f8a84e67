/** Recorded play: the buttons of every tick as base64, played again and compared. */

import { World } from "./world.js";

/** @returns {Uint8Array} One byte a tick. */
export function decodeActions(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** @param {ArrayLike<number>} actions */
export function encodeActions(actions) {
  return btoa(Array.from(actions, (action) => String.fromCharCode(action)).join(""));
}

/**
 * Plays a track of a round again.
 * @returns {{world: World, ticks: number, milliseconds: number, equal: boolean}}
 */
export function replayTrack(level, round, track) {
  const actions = decodeActions(track.actions);
  const world = new World(level, round);
  const begin = performance.now();
  const ticks = world.run(actions);
  const milliseconds = performance.now() - begin;
  const equal = ticks === actions.length && world.digest === track.digest;
  return { world, ticks, milliseconds, equal };
}
