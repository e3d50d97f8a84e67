/** The level lab: turn the generator's knobs, see the level, measure it, edit it, play it. */

import { Level, World, generate } from "./engine/index.js";
import { paintPicture } from "./engine/artist.js";
import { measure } from "./engine/measures.js";
import { KnobForm } from "./knobs.js";
import { loadGame, make, mountOn, readJson } from "./parts.js";
import { mountRound } from "./play.js";
import { TileEditor, changeCell } from "./tile_editor.js";

const BUDGET = 50_000; // futures that the solver may look at
const TIME_LIMIT = 200;
const LONGEST_WORD = 20_000;
const FRACTIONS = ["leniency", "linearity", "density", "decoration"];

/** Fills an element with the lab. */
export async function mountLevels(element) {
  const [game, generators] = await Promise.all([
    loadGame(), readJson(new URL("engine/knobs.json", import.meta.url)),
  ]);
  const lab = new Lab(game, generators, element.dataset.play);
  element.append(lab.element);
  await lab.readAddress();
}

class Lab {
  constructor({ engine, artist }, generators, play) {
    Object.assign(this, { engine, artist, generators, play });
    this.build();
  }

  build() {
    this.choice = make("select", { "aria-label": "Generator", onchange: () => this.open(this.choice.value) });
    for (const [name, { summary }] of Object.entries(this.generators)) {
      this.choice.append(make("option", { value: name }, `${name}: ${summary}`));
    }
    this.canvas = make("canvas", { role: "img" });
    this.chips = make("ul.chips", { "aria-label": "Measures" });
    this.problem = make("p.warning", { role: "alert", hidden: true });
    this.verdict = make("p.verdict", { role: "status" });
    this.knobs = make("div");
    this.game = make("div");
    this.editor = new TileEditor(this.canvas, (...cell) => this.edit(...cell));
    this.element = make(
      "div.lab", {}, make("div.bar", {}, this.choice, ...this.buildButtons()), this.problem,
      make("div.map", { tabIndex: 0, role: "region", "aria-label": "The level" }, this.canvas), this.chips,
      this.verdict, this.game, this.knobs,
      make("details", {}, make("summary", {}, "Edit tiles: choose one, then draw on the level"), this.editor.element),
    );
  }

  buildButtons() {
    const button = (text, onclick, tag = "button") => make(tag, { type: "button", onclick }, text);
    this.link = make("a", { hidden: !this.play }, "Play on its page");
    return [
      button("Surprise me", () => this.surprise()),
      button("Play", () => this.playHere(), "button.button.small"),
      button("Find a way", () => this.solve()),
      button("Copy link", () => this.copyLink()),
      button("Download", () => this.download()),
      this.link,
    ];
  }

  /** Opens what the page's address names: a generator with its options, or an edited level. */
  async readAddress() {
    const parameters = new URLSearchParams(location.search);
    const edited = new URLSearchParams(location.hash.slice(1)).get("level");
    const generator = parameters.get("generator");
    this.open(generator in this.generators ? generator : "ludus", parameters);
    if (!edited) return;
    this.show({ ...this.made.level, text: await unpack(edited), map: undefined }, true);
    this.keepAddress(`#level=${edited}`);
  }

  open(generator, parameters = new URLSearchParams()) {
    this.choice.value = generator;
    this.form = new KnobForm(this.generators[generator].options, () => this.plan());
    this.form.read(parameters);
    this.knobs.replaceChildren(this.form.element);
    this.generate();
  }

  /** Generates before the next picture, however often a knob has moved until then. */
  plan() {
    this.planned ??= requestAnimationFrame(() => {
      this.planned = undefined;
      this.generate();
    });
  }

  generate() {
    try {
      this.made = generate(this.engine, this.choice.value, this.form.values);
      this.show(this.made.level, false);
      this.keepAddress();
    } catch (error) {
      this.problem.textContent = error.message;
      this.problem.hidden = false;
    }
  }

  show(record, isEdited) {
    this.level = new Level(this.engine, record);
    this.isEdited = isEdited;
    this.problem.hidden = true;
    this.verdict.textContent = "";
    this.game.replaceChildren();
    paintPicture(this.artist.levelPicture(this.level), this.canvas);
    this.describe(measure(this.level));
    this.link.hidden = !this.play || isEdited;
  }

  describe(figures) {
    const items = Object.entries(figures).map(([name, value]) => {
      const number = FRACTIONS.includes(name) ? value.toFixed(2) : String(value);
      return make("li", {}, `${name.replaceAll("_", " ")} `, make("b", {}, number));
    });
    this.chips.replaceChildren(...items);
    const { width, height, creatures, gaps } = figures;
    const text = `A level of ${width} columns and ${height} rows with ${creatures} creatures and ${gaps} gaps`;
    this.canvas.setAttribute("aria-label", text);
  }

  get query() {
    return new URLSearchParams({ generator: this.choice.value, ...this.form.changed }).toString();
  }

  keepAddress(hash = "") {
    history.replaceState(null, "", `${location.pathname}?${this.query}${hash}`);
    this.link.href = `${this.play}?${this.query}`;
  }

  edit(column, row, character) {
    const text = changeCell(this.level.text, column, row, character);
    if (text === this.level.text) return;
    this.show({ ...this.level.record, text, map: undefined }, true);
    pack(text).then((packed) => this.keepAddress(`#level=${packed}`));
  }

  surprise() {
    const { most = 2 ** 31 - 1 } = this.form.knobs.get("seed");
    this.form.set("seed", Math.floor(Math.random() * Math.min(most, 2 ** 31 - 1)));
  }

  get limit() {
    return this.made.time_limit || TIME_LIMIT;
  }

  solve() {
    const { outcome, nodes, actions } = new World(this.level, { time_limit: this.limit }).solve(BUDGET);
    const looked = `${nodes.toLocaleString("en")} futures looked at`;
    const texts = {
      solved: `It can be won: the solver's way takes ${actions.length} ticks, ${looked}.`,
      impossible: `It is proved that nobody can win it, ${looked}.`,
      unknown: `No way was found: ${looked}.`,
    };
    this.verdict.textContent = texts[outcome];
    if (outcome === "solved") this.drawWay(actions);
  }

  drawWay(actions) {
    const world = new World(this.level, { time_limit: this.limit });
    const context = this.canvas.getContext("2d");
    context.beginPath();
    for (const action of actions) {
      world.step(action);
      const { x, y } = world.mario;
      context.lineTo(x, y - 6);
    }
    Object.assign(context, { strokeStyle: "#ffd84a", lineWidth: 2 });
    context.stroke();
  }

  async playHere() {
    this.game.replaceChildren();
    const round = { level: this.level.record, mode: 0, time_limit: this.limit, source: "", tracks: [] };
    await mountRound(this.game, round);
    this.game.scrollIntoView({ block: "nearest" });
  }

  async copyLink() {
    await navigator.clipboard?.writeText(location.href);
    this.verdict.textContent = `The address of this page is the link: ${location.href}`;
  }

  /** Saves the level's text as a file. */
  download() {
    const address = URL.createObjectURL(new Blob([`${this.level.text}\n`], { type: "text/plain" }));
    const name = `${this.choice.value}-${this.form.values.seed}${this.isEdited ? "-edited" : ""}.txt`;
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}

/** A text as a word for addresses, compressed. */
async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text of such a word. */
async function unpack(word) {
  if (word.length > LONGEST_WORD) throw new Error("the level in this address is too long");
  const binary = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

mountOn("levels", mountLevels);
