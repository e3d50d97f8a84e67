/** What all replays share: a picture, a timeline, play and pause, speeds, keys, a link to a moment. */

import { make } from "./parts.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4];
const MARK_COLOURS = {
  coin: "#e0a800", kill: "#7a5cff", hurt: "#e8590c", death: "#d6336c", finish: "#2b8a3e",
};

/** A replay: a subclass has `rate` and `draw`, and may have `fit` and `end`. */
export class Player {
  /**
   * @param {string} unit What the timeline counts, such as `tick`.
   * @param {Record<string, string>} switches What can be shown or hidden, in words, by name.
   * @param {Record<string, boolean>} shown What is shown first.
   * @param {Element} picture What the game is drawn on.
   * @param {Record<string, string>} markNames What marks of the timeline mean, where not their own name.
   */
  constructor(unit, switches, shown, picture = make("canvas", { tabIndex: 0, role: "img" }), markNames = {}) {
    this.unit = unit;
    this.speed = 1;
    this.position = 0;
    this.length = 0;
    this.playing = false;
    this.shown = readShown(shown);
    this.markNames = markNames;
    this.picture = picture;
    this.#build(switches);
  }

  /** How many positions pass in a second at speed 1. */
  get rate() {
    throw new Error("a replay says how fast it is");
  }

  #build(switches) {
    this.screen = make("div.screen", {}, this.picture);
    this.scrubber = make("input.scrubber", {
      type: "range", min: 0, "aria-label": `Go to a ${this.unit}`,
      oninput: () => this.seek(Number(this.scrubber.value)),
    });
    this.marks = make("canvas.marks", { height: 10, "aria-hidden": "true" });
    this.markWords = make("span.mark-words.quiet", { "aria-hidden": "true" });
    this.toggle = make("button.button.small", { type: "button", onclick: () => this.setPlaying(!this.playing) });
    this.state = make("output.state", { "aria-live": "off" });
    this.proof = make("p.verdict", { role: "status" });
    this.legend = make("ul.legend");
    this.rounds = make("div.rounds");
    this.switches = this.#buildSwitches(switches);
    this.element = make(
      "div.player", {}, this.rounds, this.screen, this.marks, this.scrubber,
      this.#buildBar(), this.switches, this.legend, this.proof,
    );
    this.element.addEventListener("keydown", (event) => this.press(event));
    addEventListener("resize", () => this.fit());
  }

  #buildBar() {
    const step = (by, label, text) =>
      make("button", { type: "button", title: label, "aria-label": label, onclick: () => this.step(by) }, text);
    this.speeds = make("select", { "aria-label": "Speed", onchange: () => (this.speed = Number(this.speeds.value)) });
    SPEEDS.forEach((speed) => this.speeds.append(make("option", { value: speed }, `${speed}×`)));
    this.speeds.value = "1";
    const before = step(-1, `One ${this.unit} back (comma)`, "◂");
    const after = step(1, `One ${this.unit} on (period)`, "▸");
    return make("div.bar", {}, this.toggle, before, after, this.speeds, this.state);
  }

  #buildSwitches(switches) {
    const boxes = Object.entries(switches).map(([name, text]) => {
      const box = make("input", {
        type: "checkbox", checked: this.shown[name],
        onchange: () => { this.shown[name] = box.checked; this.draw(); this.#keepAddress(); },
      });
      return make("label", {}, box, ` ${text}`);
    });
    return make("div.bar", { hidden: !boxes.length }, ...boxes, this.markWords);
  }

  /** Goes to a position, and plays on from the beginning unless motion is unwelcome. */
  start(position) {
    this.fit();
    this.seek(position);
    this.setPlaying(!position && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  /** Fits the picture into the page. */
  fit() {
    this.draw();
  }

  /** Says how long the timeline is, and what happened when. */
  setLength(length, marks = []) {
    this.length = length;
    this.scrubber.max = length;
    this.marks.width = 1000;
    this.marks.hidden = !marks.length;
    const context = this.marks.getContext("2d");
    for (const { tick, kind } of marks) {
      context.fillStyle = MARK_COLOURS[kind];
      context.fillRect((994 * tick) / Math.max(length, 1), 0, 6, 10);
    }
    const kinds = Object.keys(MARK_COLOURS).filter((kind) => marks.some((mark) => mark.kind === kind));
    this.markWords.replaceChildren(...kinds.flatMap((kind) => this.#describeMark(kind)));
  }

  #describeMark(kind) {
    const mark = make("span", {}, "▮");
    mark.style.color = MARK_COLOURS[kind];
    return [mark, `${this.markNames[kind] ?? kind} `];
  }

  setPlaying(playing) {
    this.playing = playing;
    this.toggle.textContent = playing ? "Pause" : "Play";
    if (playing && this.position >= this.length) this.seek(0);
    this.last = undefined;
    if (playing) requestAnimationFrame((now) => this.#advance(now));
    else this.#keepAddress();
  }

  /** Writes position and switches into the page's address, so that it links to this moment. */
  #keepAddress() {
    const address = new URL(location.href);
    address.searchParams.set("t", this.position);
    const shown = Object.keys(this.shown).filter((name) => this.shown[name]);
    address.searchParams.set("show", shown.join("."));
    history.replaceState(null, "", address);
  }

  #advance(now) {
    if (!this.playing) return;
    this.due = this.last === undefined ? 0 : this.due + ((now - this.last) / 1000) * this.rate * this.speed;
    this.last = now;
    const steps = Math.floor(this.due);
    this.due -= steps;
    if (steps) this.seek(this.position + steps);
    if (this.position >= this.length) this.end();
    if (this.playing) requestAnimationFrame((next) => this.#advance(next));
  }

  /** What happens at the end of the timeline. */
  end() {
    this.setPlaying(false);
  }

  step(by) {
    this.setPlaying(false);
    this.seek(this.position + by);
    this.#keepAddress();
  }

  seek(position) {
    this.position = Math.max(0, Math.min(Math.floor(position) || 0, this.length));
    this.scrubber.value = this.position;
    this.draw();
  }

  /** Says in words what the picture shows. */
  tell(words) {
    this.state.textContent = `${this.unit} ${this.position} of ${this.length} · ${words}`;
    this.picture.setAttribute("aria-label", `The game at ${this.unit} ${this.position}: ${words}`);
  }

  /** Says whether the digest that this page comes to is the stored one. */
  showProof({ equal, count, milliseconds, digest, stored }) {
    const verdict = equal
      ? "verified in your browser: the digest equals the stored one"
      : digest === stored
        ? "the game was over before the last stored action, of the digest"
        : `the digest ${digest} is NOT the stored one`;
    this.proof.classList.toggle("warning", !equal);
    this.proof.classList.toggle("verified", equal);
    this.proof.replaceChildren(
      `${count.toLocaleString("en")} ${this.unit}s replayed here in ${milliseconds.toFixed(1)} ms; ${verdict} `,
      make("code", {}, stored),
    );
  }

  press(event) {
    const { target } = event;
    if (target instanceof HTMLInputElement && target.type === "range") {
      if (event.key.startsWith("Arrow")) return;
    } else if (target instanceof HTMLSelectElement) return;
    const jump = Math.max(1, Math.round(this.rate));
    const actions = {
      " ": () => this.setPlaying(!this.playing),
      ",": () => this.step(-1),
      ".": () => this.step(1),
      ArrowLeft: () => this.step(-jump),
      ArrowRight: () => this.step(jump),
    };
    const action = actions[event.key] ?? this.#findSpeed(event.key);
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && target instanceof HTMLButtonElement) return;
    event.preventDefault();
    action();
  }

  #findSpeed(key) {
    const speed = SPEEDS[Number(key) - 1];
    return speed && (() => { this.speed = speed; this.speeds.value = String(speed); });
  }
}

/** What the page's address asks to show; what is shown first if it says nothing. */
function readShown(usual) {
  const wished = new URLSearchParams(location.search).get("show");
  if (wished === null) return usual;
  return Object.fromEntries(wished.split(".").filter(Boolean).map((name) => [name, true]));
}
