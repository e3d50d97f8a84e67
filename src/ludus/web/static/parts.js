/** What the pages' scripts share: elements, the game's engine, and the names of buttons. */

import { screenSize } from "./engine/artist.js";
import { Artist, loadArt, loadEngine } from "./engine/index.js";

/** Ticks a second at which the game is played and shown under a rule set. */
export function ticksASecond(rules) {
  return rules === "2009" || rules === "2010" ? 24 : 30;
}

/** Reads a JSON document of this server. */
export async function readJson(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} could not be read: ${answer.status}`);
  return answer.json();
}

let game;

/** Loads the engine and the art, once for all of a page.
 * @returns {Promise<{engine: import("./engine/module.js").Engine, artist: Artist}>} */
export function loadGame() {
  game ??= Promise.all([loadEngine(), loadArt()]).then(([engine, art]) => ({
    engine,
    artist: new Artist(engine, art),
  }));
  return game;
}

/**
 * Makes an element; texts are never read as HTML.
 * @param {string} tag With classes behind dots, such as `div.bar`.
 * @param {Record<string, any>} properties Properties, `onclick` and the like, or `aria-…`.
 * @param {...(Node | string)} children
 */
export function make(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "for") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
}

/** Adds the styles of the game's parts to the page, once. */
function addStyles() {
  const href = new URL("game.css", import.meta.url).href;
  if (document.querySelector(`link[href="${href}"]`)) return;
  document.head.append(make("link", { rel: "stylesheet", href }));
}

/** Fills the element with this id, if the page has one; what goes wrong is said there. */
export async function mountOn(id, mount) {
  const element = document.getElementById(id);
  if (!element) return;
  addStyles();
  try {
    await mount(element);
  } catch (error) {
    element.append(make("p.warning", { role: "alert" }, error.message));
  }
}

/** How many times larger a picture can be shown, a whole number. */
function findScale(width, height, room) {
  const most = Math.min(Math.floor(room / width), Math.floor((0.75 * window.innerHeight) / height));
  return Math.max(most, 1);
}

/** The size of a picture that is as wide as there is room for, at the scale of the game's screen. */
export function wideScreen(level, room) {
  const [width, height] = screenSize(level.rules);
  const wide = Math.floor(room / findScale(width, height, room));
  return [Math.max(Math.min(wide, 16 * level.width), width), height];
}

/** Sets a canvas to the largest whole multiple of its pixels that fits its parent. */
export function fitCanvas(canvas) {
  const scale = findScale(canvas.width, canvas.height, canvas.parentElement.clientWidth);
  canvas.style.width = `${scale * canvas.width}px`;
}

/** The bits of actions under a rule set. */
export function buttonsOf(rules) {
  const isCompetition = rules === "2009" || rules === "2010";
  const [jump, speed] = isCompetition ? [8, 16] : [16, 8];
  return { left: 1, right: 2, down: 4, jump, speed, up: rules === "2010" ? 32 : jump };
}

export const STATUS = ["running", "won", "lost", "out of time"];
export const MODES = ["small", "large", "with fire"];

/** Seconds of play, such as 12.3 s. */
export function showTime(ticks, rules) {
  return `${(ticks / ticksASecond(rules)).toFixed(1)} s`;
}
