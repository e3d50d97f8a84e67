/** What a person presses: keys, touch pad, gamepad. */

import { buttonsOf, make } from "./parts.js";

const KEYS = {
  ArrowLeft: "left", ArrowRight: "right", ArrowDown: "down", ArrowUp: "up",
  s: "jump", S: "jump", " ": "jump", a: "speed", A: "speed",
};
const PAD = { left: "◀", right: "▶", down: "▼", speed: "A", jump: "B" };
const PAD_LABELS = { left: "Left", right: "Right", down: "Duck", speed: "Speed and fire", jump: "Jump" };
const GAMEPAD = { 0: "jump", 1: "jump", 2: "speed", 3: "speed", 12: "up", 13: "down", 14: "left", 15: "right" };
const DEAD_ZONE = 0.4;

/** Holds which buttons are down, wherever they were pressed. */
export class Controls {
  /** @param {HTMLElement} element Where keys are listened to. */
  constructor(element, rules) {
    this.bits = buttonsOf(rules);
    this.held = new Set();
    element.addEventListener("keydown", (event) => this.#key(event, true));
    element.addEventListener("keyup", (event) => this.#key(event, false));
    addEventListener("blur", () => this.held.clear());
    this.pad = this.#buildPad();
  }

  #key(event, isDown) {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    const isPressing = event.target instanceof HTMLButtonElement && event.key === " ";
    const name = KEYS[event.key];
    if (!name || isTyping || isPressing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (isDown) this.held.add(`key ${name}`);
    else this.held.delete(`key ${name}`);
  }

  #buildPad() {
    const buttons = Object.entries(PAD).map(([name, text]) => {
      const button = make("button", { type: "button", "aria-label": PAD_LABELS[name] }, text);
      const hold = (isDown) => (event) => {
        event.preventDefault();
        button.classList.toggle("held", isDown);
        if (isDown) this.held.add(`touch ${name}`);
        else this.held.delete(`touch ${name}`);
      };
      button.addEventListener("pointerdown", hold(true));
      for (const end of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(end, hold(false));
      return button;
    });
    return make("div.pad", {}, ...buttons);
  }

  /** The action of this moment: a sum of the rules' bits. */
  get action() {
    const names = new Set([...this.held].map((entry) => entry.split(" ")[1]));
    for (const name of readGamepads()) names.add(name);
    if (names.has("left") && names.has("right")) names.delete("left");
    return [...names].reduce((action, name) => action | this.bits[name], 0);
  }
}

function* readGamepads() {
  for (const pad of navigator.getGamepads?.() ?? []) {
    if (!pad) continue;
    for (const [number, name] of Object.entries(GAMEPAD)) if (pad.buttons[number]?.pressed) yield name;
    const [x = 0, y = 0] = pad.axes;
    if (x < -DEAD_ZONE) yield "left";
    if (x > DEAD_ZONE) yield "right";
    if (y > DEAD_ZONE) yield "down";
  }
}
