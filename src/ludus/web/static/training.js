/** A learning curve that grows while the training runs. */

import { draw } from "./map.js";
import { trackColour } from "./overlay.js";
import { make, mountOn } from "./parts.js";

const [HEIGHT, LEFT, BOTTOM] = [320, 56, 24];
const FEW = 60; // points that are drawn as dots, too
const ALONG = ["steps", "generation", "play"];

function mountTraining(element) {
  const chart = new Curve();
  element.append(chart.element);
  const events = new EventSource(element.dataset.source);
  events.onmessage = ({ data }) => chart.show(JSON.parse(data));
  events.addEventListener("problem", ({ data }) => { events.close(); chart.state.textContent = data; });
}

class Curve {
  constructor() {
    this.measure = make("select", { "aria-label": "Measure", onchange: () => this.draw() });
    this.state = make("output.state", { role: "status" });
    this.picture = draw("svg", { role: "img", class: "curve" });
    addEventListener("resize", () => this.rows && this.draw());
    this.element = make("div.player", {}, make("div.bar", {}, this.measure, this.state), this.picture);
  }

  show({ rows, total }) {
    this.rows = rows;
    this.along = ALONG.find((name) => rows.some((row) => name in row)) ?? "";
    const names = [...new Set(rows.flatMap(Object.keys))].filter((name) => name !== this.along && name !== "seed");
    const chosen = this.measure.value || ["evaluation success", "success", "best"].find((name) => names.includes(name)) || names[0];
    this.measure.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
    this.measure.value = chosen ?? "";
    this.total = total;
    this.draw();
  }

  draw() {
    const name = this.measure.value;
    const width = Math.max(this.element.clientWidth, 280);
    this.picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const points = this.rows.map((row, n) => [row[this.along] ?? n, row[name], row.seed ?? 0]).filter(([, y]) => y !== undefined && y !== null);
    if (!points.length) { this.picture.replaceChildren(); this.state.textContent = "no numbers yet"; return; }
    const ends = (at) => [Math.min(...points.map((point) => point[at])), Math.max(...points.map((point) => point[at]))];
    const [[x0, x1], [y0, y1]] = [ends(0), ends(1)];
    const place = ([x, y]) => [LEFT + ((width - LEFT - 8) * (x - x0)) / (x1 - x0 || 1), 8 + (HEIGHT - BOTTOM - 16) * (1 - (y - y0) / (y1 - y0 || 1))];
    const seeds = [...new Set(points.map(([, , seed]) => seed))];
    const lines = seeds.map((seed, n) => {
      const own = points.filter((point) => point[2] === seed).map((point) => place(point).map((at) => at.toFixed(1)).join(","));
      const line = draw("polyline", { points: own.join(" "), stroke: trackColour(n) }, draw("title", {}, `seed ${seed}`));
      const dots = own.length > FEW ? [] : own.map((at) => draw("circle", { cx: at.split(",")[0], cy: at.split(",")[1], r: 4, fill: trackColour(n) }));
      return draw("g", {}, line, ...dots);
    });
    const text = (x, y, words, look) => draw("text", { x, y, class: look }, words);
    this.picture.replaceChildren(
      draw("rect", { x: LEFT, y: 8, width: width - LEFT - 8, height: HEIGHT - BOTTOM - 16, class: "frame" }), ...lines,
      text(LEFT - 5, 16, show(y1), "right"), text(LEFT - 5, HEIGHT - BOTTOM - 8, show(y0), "right"),
      text(LEFT, HEIGHT - 6, show(x0), "left"), text(width - 8, HEIGHT - 6, `${show(x1)} ${this.along}`, "right"),
    );
    const last = points.at(-1);
    this.state.textContent = `${name} ${show(last[1])} · ${this.total} lines`;
    this.picture.setAttribute("aria-label", `${name} from ${show(y0)} to ${show(y1)}, now ${show(last[1])}`);
  }
}

const show = (number) => Number(number.toPrecision(4)).toLocaleString("en");

mountOn("training", mountTraining);
