/** The replay of a game of Diplomacy: the map, phase by phase, with all that was ordered and said. */

import { CentreChart } from "./centre_chart.js";
import { GameMap, loadMap, nameOf } from "./map.js";
import { make } from "./parts.js";
import { badge, listMessages, listOrders, listRelationships, titleOf } from "./phase_notes.js";
import { Player } from "./player.js";

const TABS = { orders: "Orders", messages: "Messages", relationships: "Relationships" };
const PHASES_A_SECOND = 0.8;

/** Returns what shows a game again. */
export async function openReplay(replay) {
  return new MapReplay(await loadMap(), replay.table);
}

class MapReplay extends Player {
  constructor(shapes, table) {
    const map = new GameMap(shapes);
    super("phase", { orders: "orders on the map" }, { orders: true }, map.element);
    Object.assign(this, { map, table, power: "", tab: table.press === "none" ? "orders" : "messages" });
    this.chart = new CentreChart(table.phases, (position) => this.step(position - this.position));
    this.title = make("h2.phase", { "aria-live": "polite" });
    this.powers = make("div.powers", { role: "group", "aria-label": "See through the eyes of" });
    this.tabs = make("div.tabs", { role: "group", "aria-label": "Show" }, ...Object.entries(TABS).map(([name, text]) => this.#makeTab(name, text)));
    this.notes = make("div.notes", { tabIndex: 0 });
    const beside = make("div.beside", {}, this.title, this.powers, this.tabs, this.notes);
    this.screen.classList.add("map-screen");
    this.element.classList.add("table-replay");
    this.screen.after(beside);
    this.legend.replaceWith(make("figure.chart", {}, make("figcaption", {}, "Supply centres"), this.chart.element));
    this.setLength(table.phases.length - 1);
    this.#showDigest();
  }

  get rate() {
    return PHASES_A_SECOND;
  }

  #makeTab(name, text) {
    return make("button", { type: "button", onclick: () => { this.tab = name; this.draw(); }, "data-tab": name }, text);
  }

  #makePower(power, count) {
    const choose = () => { this.power = this.power === power ? "" : power; this.draw(); };
    const words = `${nameOf(power)} ${count}`;
    const title = `${nameOf(power)}, played by ${this.table.seats[power]}`;
    const button = make(`button.${power}`, { type: "button", onclick: choose, title, "aria-pressed": String(this.power === power) }, words);
    if (power === this.table.power) button.append(" ★");
    return button;
  }

  #showDigest() {
    const { digest, stored, phases } = this.table;
    const verdict = digest === stored ? "the digest of the last position equals the stored one" : `the digest ${digest} is NOT the stored one`;
    this.proof.classList.toggle("warning", digest !== stored);
    this.proof.classList.toggle("verified", digest === stored);
    this.proof.replaceChildren(`The orders of ${phases.length - 1} phases were decided again by the server; ${verdict} `, make("code", {}, stored));
  }

  draw() {
    const phase = this.table.phases[this.position];
    this.map.show(phase, { orders: this.shown.orders, power: this.power });
    this.chart.show(this.position);
    const title = titleOf(phase.phase);
    this.title.textContent = title;
    this.powers.replaceChildren(...Object.entries(phase.centres).map(([power, held]) => this.#makePower(power, held.length)));
    for (const tab of this.tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.tab === this.tab));
    this.notes.replaceChildren(...this.#listNotes(phase));
    const centres = Object.entries(phase.centres).map(([power, held]) => `${nameOf(power)} ${held.length}`);
    this.tell(title);
    this.picture.setAttribute("aria-label", `The map in ${title}; supply centres: ${centres.join(", ")}`);
  }

  #listNotes(phase) {
    const eyes = this.power ? [make("p.quiet", {}, badge(this.power), ` is played by ${this.table.seats[this.power]}.`)] : [];
    if (this.tab === "messages") return [...eyes, ...listMessages(phase, this.power)];
    if (this.tab === "relationships") return [...eyes, ...listRelationships(this.table.phases, this.position, this.power)];
    return [...eyes, ...listOrders(phase, this.power)];
  }
}
