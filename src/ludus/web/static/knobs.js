/** The knobs of a level generator: a form, its values, and a text for the page's address. */

import { make } from "./parts.js";

const GROUPS = {
  level: "seed difficulty type length width height time_limit start_column exit_column exit_row exit_x exit_y",
  terrain: "ceiling flat relief gaps gap_width stairs tubes piranhas cannons hills platforms dead_ends dead_end_depth ladders",
  "blocks and coins": "blocks power_ups coin_blocks one_ups hidden_blocks coins",
  creatures: "creatures goombas green_koopas red_koopas spikies goomba_count green_koopa_count red_koopa_count spiky_count winged",
  physics: "gravity creature_gravity jump_power ice wind",
  puzzles: "impossible moving_platforms switches keys puzzles",
};
const LARGEST_RANGE = 5000; // beyond it a slider cannot be aimed

/** One knob as `knobs.json` describes it.
 * @typedef {{name: string, value: any, description: string, least?: number, most?: number,
 *   step?: number, switch?: boolean, choices?: string[], optional: boolean}} Knob */

/** The form of one generator's knobs. */
export class KnobForm {
  /**
   * @param {Knob[]} knobs
   * @param {() => void} onChange
   */
  constructor(knobs, onChange) {
    this.knobs = new Map(knobs.map((knob) => [knob.name, knob]));
    this.values = Object.fromEntries(knobs.map(({ name, value }) => [name, value]));
    this.show = {};
    this.onChange = onChange;
    this.element = make("div.knobs", {}, ...this.#buildGroups());
  }

  *#buildGroups() {
    const left = new Set(this.knobs.keys());
    for (const [title, names] of Object.entries(GROUPS)) {
      const own = names.split(" ").filter((name) => left.delete(name));
      if (own.length) yield this.#buildGroup(title, own);
    }
    if (left.size) yield this.#buildGroup("more", [...left]);
  }

  #buildGroup(title, names) {
    const rows = names.map((name) => this.#buildKnob(this.knobs.get(name)));
    return make("fieldset", {}, make("legend", {}, title), ...rows);
  }

  #buildKnob(knob) {
    const id = `knob-${knob.name}`;
    const label = make("label", { for: id, title: knob.description }, knob.name.replaceAll("_", " "));
    const reset = make("button", { type: "button", title: "As it was", "aria-label": `Reset ${knob.name}` }, "↺");
    reset.onclick = () => this.set(knob.name, knob.value);
    return make("div.knob", { title: knob.description }, label, ...this.#buildInputs(knob, id), reset);
  }

  #buildInputs(knob, id) {
    if (knob.switch) return [this.#buildSwitch(knob, id)];
    if (knob.choices) return [this.#buildChoice(knob, id, knob.choices.map((choice) => [choice, choice]))];
    if (knob.least === undefined) return [this.#buildText(knob, id)];
    return this.#buildNumber(knob, id);
  }

  #buildSwitch(knob, id) {
    if (knob.optional) {
      return this.#buildChoice(knob, id, [["", "by type"], ["true", "yes"], ["false", "no"]], {
        read: (text) => (text ? text === "true" : null), write: (value) => String(value ?? ""),
      });
    }
    const box = make("input", { type: "checkbox", id, onchange: () => this.#take(knob.name, box.checked) });
    this.show[knob.name] = (value) => (box.checked = value);
    box.checked = knob.value;
    return make("span.wide", {}, box);
  }

  #buildChoice(knob, id, choices, { read = (text) => text, write = String } = {}) {
    const select = make("select.wide", { id, onchange: () => this.#take(knob.name, read(select.value)) });
    choices.forEach(([value, text]) => select.append(make("option", { value }, text)));
    this.show[knob.name] = (value) => (select.value = write(value));
    this.show[knob.name](knob.value);
    return select;
  }

  #buildText(knob, id) {
    const box = make("input.wide", { type: "text", id, oninput: () => this.#take(knob.name, box.value) });
    this.show[knob.name] = (value) => (box.value = value);
    box.value = knob.value;
    return box;
  }

  #buildNumber(knob, id) {
    const { name, least: min, most: max, step } = knob;
    const read = (text) => (text === "" ? knob.value : clamp(Number(text), knob));
    const box = make("input", { type: "number", id, min, max, step, placeholder: "–" });
    box.oninput = () => this.#take(name, read(box.value), [slider]);
    const slider = make("input", { type: "range", min, max, step, "aria-label": `${name} slider`, tabIndex: -1 });
    slider.oninput = () => this.#take(name, Number(slider.value), [box]);
    slider.hidden = max - min > LARGEST_RANGE;
    if (slider.hidden) box.classList.add("wide");
    this.show[name] = (value) => { box.value = value ?? ""; slider.value = value ?? min; };
    this.show[name](knob.value);
    return slider.hidden ? [box] : [slider, box];
  }

  #take(name, value, others = []) {
    this.values[name] = value;
    others.forEach((input) => (input.value = value ?? ""));
    this.onChange();
  }

  /** Turns a knob. */
  set(name, value) {
    this.values[name] = value;
    this.show[name](value);
    this.onChange();
  }

  /** Values that are not the defaults, and the seed. */
  get changed() {
    const entries = Object.entries(this.values).filter(
      ([name, value]) => name === "seed" || value !== this.knobs.get(name).value,
    );
    return Object.fromEntries(entries);
  }

  /** Turns the knobs as an address says. */
  read(parameters) {
    this.values = readKnobs([...this.knobs.values()], parameters);
    for (const name of this.knobs.keys()) this.show[name](this.values[name]);
  }
}

/** The values of knobs: those of an address, or else the defaults. */
export function readKnobs(knobs, parameters) {
  const entries = knobs.map((knob) => {
    const { name, value } = knob;
    return [name, parameters.has(name) ? parseValue(parameters.get(name), knob) : value];
  });
  return Object.fromEntries(entries);
}

function parseValue(text, knob) {
  if (knob.switch) return text.toLowerCase() === "true" || text === "1";
  if (knob.least === undefined) return knob.choices && !knob.choices.includes(text) ? knob.value : text;
  return Number.isFinite(Number(text)) ? clamp(Number(text), knob) : knob.value;
}

function clamp(number, { least, most, step }) {
  const inside = Math.max(least, Math.min(most, number));
  return step === 1 ? Math.round(inside) : inside;
}
