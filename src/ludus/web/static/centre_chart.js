/** Supply centres of every power over the phases of a game, as lines. */

import { draw, nameOf } from "./map.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 180, 26, 18];
const TO_WIN = 18;

/** A chart whose cursor follows the phase that is shown. */
export class CentreChart {
  /**
   * @param {object[]} phases As `docs/web.md` describes them.
   * @param {(position: number) => void} onPick Called with the phase that was pressed on.
   */
  constructor(phases, onPick) {
    this.phases = phases;
    this.counts = phases.map(({ centres }) => centres);
    this.most = Math.max(TO_WIN, ...phases.flatMap(({ centres }) => Object.values(centres).map((held) => held.length)));
    this.cursor = draw("line", { class: "cursor", y1: 0, y2: HEIGHT - BOTTOM });
    this.element = draw(
      "svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "centre-chart", role: "img" },
      ...this.#drawAxes(), ...Object.keys(phases[0].centres).map((power) => this.#drawLine(power)), this.cursor,
    );
    this.element.setAttribute("aria-label", this.#describe());
    this.element.addEventListener("click", (event) => onPick(this.#find(event)));
  }

  #x(position) {
    return LEFT + ((WIDTH - LEFT - 8) * position) / Math.max(this.phases.length - 1, 1);
  }

  #y(count) {
    return 6 + (HEIGHT - BOTTOM - 6) * (1 - count / this.most);
  }

  #drawAxes() {
    const lines = [0, 6, 12, TO_WIN].map((count) =>
      draw("g", {}, draw("line", { class: "grid", x1: LEFT, x2: WIDTH, y1: this.#y(count), y2: this.#y(count) }), draw("text", { x: LEFT - 5, y: this.#y(count) + 4, class: "right" }, count)),
    );
    const springs = this.phases.map(({ phase }, n) => [phase, n]).filter(([phase]) => /^S\d{4}M$/.test(phase));
    const every = Math.ceil(springs.length / 12);
    const years = springs.filter((_, n) => n % every === 0).map(([phase, n]) => draw("text", { x: this.#x(n), y: HEIGHT - 4 }, phase.slice(1, 5)));
    return [...lines, ...years];
  }

  #drawLine(power) {
    const points = this.counts.map((centres, n) => `${this.#x(n).toFixed(1)},${this.#y(centres[power].length).toFixed(1)}`);
    return draw("polyline", { class: power, points: points.join(" ") }, draw("title", {}, nameOf(power)));
  }

  #find(event) {
    const { left, width } = this.element.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * WIDTH;
    return Math.round(((x - LEFT) / (WIDTH - LEFT - 8)) * (this.phases.length - 1));
  }

  #describe() {
    const last = this.counts.at(-1);
    return `Supply centres at the end: ${Object.entries(last).map(([power, held]) => `${nameOf(power)} ${held.length}`).join(", ")}`;
  }

  /** Moves the cursor. */
  show(position) {
    this.cursor.setAttribute("x1", this.#x(position));
    this.cursor.setAttribute("x2", this.#x(position));
  }
}
