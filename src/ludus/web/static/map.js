/** The map of Diplomacy as a drawing: provinces, units, orders. */

import { readJson } from "./parts.js";

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 10;

let shapes;

/** Loads the outlines of the map, once for all of a page. */
export function loadMap() {
  shapes ??= readJson(new URL("engine/map.json", import.meta.url).href);
  return shapes;
}

/** Makes an element of a drawing. */
export function draw(tag, properties = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const path = (corners) => `M${corners.map((corner) => corner.join(",")).join("L")}`;
const province = (location) => location.slice(0, 3);

/** A map that shows one phase at a time. */
export class GameMap {
  /** @param {object} shapes What `loadMap` returns. */
  constructor(shapes) {
    this.shapes = shapes;
    this.lands = {};
    this.orders = draw("g", { class: "orders" });
    this.units = draw("g", { class: "units" });
    const [width, height] = shapes.size;
    this.element = draw(
      "svg", { viewBox: `0 0 ${width} ${height}`, role: "img", tabindex: 0, class: "europe" },
      draw("rect", { class: "sea", width, height }), ...this.#drawLand(), this.orders, this.#drawNames(), this.units,
    );
  }

  #drawLand() {
    const { borders, neutral, land, lakes } = this.shapes;
    const shape = (name) => (corners) => draw("path", { class: name, d: `${path(corners)}Z` });
    for (const [name, corners] of Object.entries(land)) {
      const title = draw("title", {}, this.shapes.names[name] ?? name);
      this.lands[name] = draw("path", { d: `${path(corners)}Z` }, title);
    }
    return [
      ...borders.map((corners) => draw("path", { class: "border", d: path(corners) })),
      ...neutral.map(shape("neutral")), ...Object.values(this.lands), ...lakes.map(shape("lake")),
    ];
  }

  #drawNames() {
    const names = draw("g", { class: "names", "aria-hidden": "true" });
    for (const [name, [x, y]] of Object.entries(this.shapes.anchors)) {
      if (name.includes("/")) continue;
      names.append(draw("text", { x, y: y + UNIT + 10, class: this.shapes.seas.includes(name) ? "at-sea" : "" }, name));
      if (this.shapes.centres.includes(name)) names.append(draw("circle", { cx: x - 16, cy: y + UNIT + 7, r: 2.6 }));
    }
    return names;
  }

  /** Shows a phase, as `docs/web.md` describes it.
   * @param {object} phase
   * @param {{orders?: boolean, power?: string}} options Whether orders are drawn, and whose stand out.
   */
  show(phase, { orders = true, power = "" } = {}) {
    this.#colour(phase);
    this.units.replaceChildren(...this.#list(phase.units, (unit, owner) => this.#drawUnit(unit, owner)));
    this.orders.replaceChildren();
    if (!orders) return;
    this.goals = findGoals(phase.orders);
    for (const [owner, given] of Object.entries(phase.orders)) {
      for (const { order, results } of given) this.#drawOrder(order, owner, results, power && power !== owner);
    }
  }

  #list(byPower, make) {
    return Object.entries(byPower).flatMap(([power, items]) => items.map((item) => make(item, power)));
  }

  /** Colours every province by its owner, paler by the last power in it. */
  #colour({ influence, centres }) {
    const owners = {};
    this.#list(influence, (place, power) => { owners[province(place)] = `pale ${power}`; });
    this.shapes.centres.forEach((name) => delete owners[name]);
    this.#list(centres, (place, power) => { owners[province(place)] = `owned ${power}`; });
    for (const [name, land] of Object.entries(this.lands)) land.setAttribute("class", `land ${owners[name] ?? ""}`);
  }

  #at(location) {
    return this.shapes.anchors[location] ?? this.shapes.anchors[province(location)];
  }

  #drawUnit(unit, power) {
    const isDislodged = unit.startsWith("*");
    const [kind, location] = unit.replace("*", "").split(" ");
    let [x, y] = this.#at(location);
    if (isDislodged) [x, y] = [x + 1.3 * UNIT, y - 1.1 * UNIT];
    const hull = [[-1.25, -0.55], [1.25, -0.55], [0.75, 0.85], [-0.75, 0.85]];
    const body = kind === "A"
      ? draw("circle", { cx: x, cy: y, r: UNIT })
      : draw("path", { d: `${path(hull.map(([a, b]) => [x + UNIT * a, y + UNIT * b]))}Z` });
    const words = `${kind === "A" ? "Army" : "Fleet"} of ${nameOf(power)} in ${this.shapes.names[province(location)]}`;
    return draw(
      "g", { class: `unit ${power}${isDislodged ? " dislodged" : ""}` },
      draw("title", {}, words), body, draw("text", { x, y: y + 4 }, kind),
    );
  }

  #drawOrder(order, power, results, isPale) {
    const words = order.split(" ");
    if (words.length < 3) return;
    const group = draw("g", { class: `order ${power}${results.length ? " failed" : ""}${isPale ? " dim" : ""}` });
    const strokes = {
      H: () => this.#ring(words), "-": () => this.#arrow(words), R: () => this.#arrow(words),
      S: () => this.#help(words), C: () => this.#help(words), B: () => this.#ring(words), D: () => this.#cross(words),
    };
    group.append(draw("title", {}, results.length ? `${order}: ${results.join(", ")}` : order), ...(strokes[words[2]]?.() ?? []));
    this.orders.append(group);
  }

  #ring([, location, letter]) {
    const [cx, cy] = this.#at(location);
    return [draw("circle", { cx, cy, r: UNIT + 4, class: letter === "B" ? "built" : "held" })];
  }

  #cross([, location]) {
    const [x, y] = this.#at(location);
    const reach = UNIT + 4;
    return [1, -1].map((turn) => draw("path", { d: path([[x - reach, y - turn * reach], [x + reach, y + turn * reach]]) }));
  }

  #arrow([, from, , to]) {
    const start = this.#at(from);
    const end = shorten(start, this.#at(to), UNIT + 3);
    return [draw("path", { d: path([start, end]), class: "way" }), arrowHead(start, end)];
  }

  /** A line to the supported unit, or to the middle of its move. */
  #help(words) {
    const start = this.#at(words[1]);
    let end = this.#at(words[4]);
    if (words.length > 6) {
      const goal = this.#at(this.goals[province(words[4])] ?? words[6]);
      end = [(end[0] + goal[0]) / 2, (end[1] + goal[1]) / 2];
    } else end = shorten(start, end, UNIT + 3);
    return [draw("path", { d: path([start, end]), class: "help" }), draw("circle", { cx: end[0], cy: end[1], r: 3, class: "tip" })];
  }
}

/** Austria for AUSTRIA. */
export const nameOf = (power) => power[0] + power.slice(1).toLowerCase();

function findGoals(orders) {
  const words = Object.values(orders).flat().map(({ order }) => order.split(" "));
  return Object.fromEntries(words.filter((parts) => parts[2] === "-").map((parts) => [province(parts[1]), parts[3]]));
}

function shorten([ax, ay], [bx, by], by_) {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const part = Math.max(0, 1 - by_ / length);
  return [ax + part * (bx - ax), ay + part * (by - ay)];
}

function arrowHead([ax, ay], [bx, by]) {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
  const [kx, ky] = [bx - 9 * dx, by - 9 * dy];
  const corners = [[bx + 3 * dx, by + 3 * dy], [kx + 5.5 * dy, ky - 5.5 * dx], [kx - 5.5 * dy, ky + 5.5 * dx]];
  return draw("path", { d: `${path(corners)}Z`, class: "head" });
}
