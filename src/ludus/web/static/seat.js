/** A seat at a table of Diplomacy: orders from lists of legal ones, seen on the map, against bots. */

import { GameMap, loadMap, nameOf } from "./map.js";
import { make, mountOn } from "./parts.js";
import { badge, listMessages, listOrders, titleOf } from "./phase_notes.js";
import { ask, beginVisit, complain } from "./voting.js";

async function mountSeat(element) {
  const { api, home } = element.dataset;
  const begun = await beginVisit(element, api, readForm);
  const seat = new Seat(await loadMap(), element, api, home);
  seat.show(begun);
}

function readForm(form) {
  const { power, against, year, press, player } = form.elements;
  return { power: power.value, against: against.value, year: Number(year.value), press: press.checked ? "full" : "none", player: player.value };
}

class Seat {
  constructor(shapes, element, api, home) {
    Object.assign(this, { shapes, element, api, home });
    this.map = new GameMap(shapes);
    this.panel = make("div.beside");
    const screen = make("div.screen.map-screen", {}, this.map.element);
    this.player = make("div.player.table-replay", {}, screen, this.panel);
    element.replaceChildren(this.player);
    for (const [name, land] of Object.entries(this.map.lands)) land.addEventListener("click", () => this.choose(name));
  }

  /** Shows a step: what happened last, and what is wanted now. */
  show(step) {
    this.step = step;
    this.choices = {};
    const { now, power, last_year: lastYear, against } = step;
    const centres = Object.entries(now.centres).map(([name, held]) => badge(name, `${nameOf(name)} ${held.length}`));
    const head = [
      make("h2.phase", { tabIndex: -1 }, titleOf(now.phase)),
      make("p", {}, "You are ", badge(power), `. The bot ${against} plays the other six powers, until ${lastYear}.`),
      make("p.standing", {}, ...centres),
    ];
    const bodies = { orders: () => this.buildOrders(), press: () => this.buildPress(), over: () => this.buildEnd() };
    this.panel.replaceChildren(...head, ...bodies[step.kind](), ...this.buildLast(), ...(step.kind === "over" ? [] : [this.buildLeave()]));
    this.draw();
    head[0].focus({ preventScroll: true });
  }

  draw() {
    const { now, power } = this.step;
    const chosen = Object.values(this.choices).map(({ value }) => value).filter(Boolean);
    this.map.show({ ...now, orders: { [power]: chosen.map((order) => ({ order, results: [] })) } });
    const open = Object.keys(this.step.legal);
    for (const [name, land] of Object.entries(this.map.lands)) land.classList.toggle("open", open.includes(name));
    this.map.element.setAttribute("aria-label", `The map in ${titleOf(now.phase)}`);
  }

  choose(province) {
    this.choices[province]?.focus();
  }

  buildOrders() {
    const { legal, builds, now } = this.step;
    const rows = Object.entries(legal).map(([province, orders]) => this.buildRow(province, orders, now.phase.endsWith("M")));
    const wanted = builds > 0 ? `You may build ${builds}.` : builds < 0 ? `You have to remove ${-builds}.` : "";
    const send = make("button.button", { type: "submit" }, "Give these orders");
    const form = make("form.orders-form", {}, ...(wanted ? [make("p", {}, wanted)] : []), ...rows, send);
    form.onsubmit = (event) => {
      event.preventDefault();
      const orders = Object.values(this.choices).map(({ value }) => value).filter(Boolean);
      this.send(send, "orders", { orders });
    };
    return [form];
  }

  buildRow(province, orders, holds) {
    const name = this.shapes.names[province] ?? province;
    const select = make("select", { "aria-label": `Order for ${name}`, onchange: () => this.draw() });
    const usual = holds ? orders.find((order) => order.endsWith(" H")) : undefined;
    if (!usual) select.append(make("option", { value: "" }, "no order"));
    orders.forEach((order) => select.append(make("option", { value: order }, order)));
    select.value = usual ?? "";
    select.onfocus = () => this.map.lands[province]?.classList.add("chosen");
    select.onblur = () => this.map.lands[province]?.classList.remove("chosen");
    this.choices[province] = select;
    return make("label.row", {}, make("span", {}, name), select);
  }

  buildPress() {
    const others = Object.keys(this.step.now.units).filter((name) => name !== this.step.power);
    const recipient = make("select", { "aria-label": "To" }, make("option", { value: "GLOBAL" }, "everybody"));
    others.forEach((name) => recipient.append(make("option", { value: name }, nameOf(name))));
    const text = make("textarea", { rows: 3, maxLength: 500, "aria-label": "Message" });
    const said = [];
    const list = make("div");
    const add = () => {
      if (!text.value.trim()) return;
      said.push({ recipient: recipient.value, text: text.value.trim() });
      list.append(make("p.said", {}, `To ${recipient.value === "GLOBAL" ? "everybody" : nameOf(recipient.value)}: ${text.value.trim()}`));
      text.value = "";
      more.disabled = said.length >= 7;
    };
    const more = make("button", { type: "button", onclick: add }, "One more message");
    const send = make("button.button", { type: "submit" }, "Go on to orders");
    const form = make("form.orders-form", {}, make("p", {}, `Messages, round ${this.step.round}. Bots read nothing and never answer; what you write is kept with the game.`), list, recipient, text, make("div.bar", {}, more, send));
    form.onsubmit = (event) => {
      event.preventDefault();
      add();
      this.send(send, "messages", { messages: said });
    };
    return [form, ...(this.step.now.messages.length ? listMessages(this.step.now, this.step.power) : [])];
  }

  buildEnd() {
    const { now, power, replay, board } = this.step;
    const again = make("button", { type: "button", onclick: () => this.leave() }, "Another game");
    const { length } = now.centres[power];
    return [
      make("p.score", { role: "status" }, length ? `You end with ${length} supply ${length === 1 ? "centre" : "centres"}.` : "You have lost all your centres."),
      make("p", {}, make("a", { href: `${this.home}${replay}` }, "The whole game, phase by phase"), ", and ", make("a", { href: `${this.home}${board}` }, "its board"), "."),
      make("div.bar", {}, again),
    ];
  }

  buildLast() {
    const { before, power } = this.step;
    if (!before) return [];
    return [make("details", { open: true }, make("summary", {}, `What happened in ${titleOf(before.phase)}`), make("div.notes", { tabIndex: 0 }, ...listOrders(before, power)))];
  }

  buildLeave() {
    return make("div.bar", {}, make("button", { type: "button", onclick: () => this.leave() }, "Leave this game"));
  }

  async send(button, what, values) {
    button.disabled = true;
    try {
      this.show(await ask(`${this.api}/${what}`, { ticket: this.step.ticket, ...values }));
    } catch (error) {
      complain(this.panel, error);
      button.disabled = false;
    }
  }

  async leave() {
    try {
      const answer = await fetch(`${this.api}/leave`, { method: "POST" });
      if (!answer.ok) throw new Error(`the table could not be left: ${answer.status}`);
      location.reload();
    } catch (error) {
      complain(this.panel, error);
    }
  }
}

mountOn("seat", mountSeat);
