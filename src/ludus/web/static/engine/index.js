/** The engines of Ludus in a page: one door to everything in this folder. */

export { EngineError, loadEngine } from "./module.js";
export { Level, THEMES } from "./level.js";
export { RUNNING, WIN, World } from "./world.js";
export { generate, listOptions } from "./generate.js";
export { decodeActions, encodeActions, replayTrack } from "./tracks.js";
export { WormWorld } from "./worm.js";
export { Artist, loadArt } from "./artist.js";
