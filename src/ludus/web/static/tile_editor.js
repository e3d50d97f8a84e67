/** Changes cells of a level's text by clicks on its picture. */

import { make } from "./parts.js";

const TILE = 16;
const CHARACTERS = {
  "-": "nothing", X: "ground", "#": "stone", S: "brick", "?": "block with a power-up", "!": "block with a coin",
  D: "used block", o: "coin", t: "pipe", "%": "platform to jump through", B: "cannon",
  g: "goomba", G: "goomba with wings", r: "red koopa", k: "green koopa", y: "spiky", M: "Mario's start", F: "exit",
};

/** Buttons to choose a character, and the clicks that put it into a level. */
export class TileEditor {
  /**
   * @param {HTMLCanvasElement} canvas The level's picture, sixteen pixels a cell.
   * @param {(column: number, row: number, character: string) => void} onChange
   */
  constructor(canvas, onChange) {
    this.chosen = null;
    const buttons = Object.entries(CHARACTERS).map(([character, name]) => this.#buildButton(character, name));
    this.element = make("div.tiles", { role: "group", "aria-label": "Tiles to put" }, ...buttons);
    const put = (event) => {
      if (this.chosen === null || !(event.buttons & 1)) return;
      const box = canvas.getBoundingClientRect();
      const column = Math.floor(((event.clientX - box.left) * canvas.width) / box.width / TILE);
      const row = Math.floor(((event.clientY - box.top) * canvas.height) / box.height / TILE);
      onChange(column, row, this.chosen);
    };
    canvas.addEventListener("pointerdown", put);
    canvas.addEventListener("pointermove", put);
  }

  #buildButton(character, name) {
    const button = make("button", { type: "button", title: name, "aria-label": name, "aria-pressed": "false" }, character);
    button.onclick = () => this.#choose(this.chosen === character ? null : character, button);
    return button;
  }

  #choose(character, button) {
    this.chosen = character;
    for (const each of this.element.children) {
      each.setAttribute("aria-pressed", String(each === button && character !== null));
    }
  }
}

/** A level's text with one cell changed; a character that can be there once leaves its old place. */
export function changeCell(text, column, row, character) {
  const rows = text.split("\n").map((line) => [...line]);
  if (rows[row]?.[column] === undefined) return text;
  if ("MF".includes(character)) {
    for (const line of rows) line.forEach((each, n) => { if (each === character) line[n] = "-"; });
  }
  rows[row][column] = character;
  return rows.map((line) => line.join("")).join("\n");
}
