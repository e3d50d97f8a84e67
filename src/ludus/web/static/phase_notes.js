/** What stands beside the map: powers, orders with results, messages, relationships. */

import { nameOf } from "./map.js";
import { make } from "./parts.js";

const EVERYBODY = "GLOBAL";
const SEASONS = { S: "Spring", F: "Fall", W: "Winter" };
const KINDS = { M: "movement", R: "retreats", A: "adjustments" };

/** Spring 1901, movement for S1901M. */
export function titleOf(phase) {
  const parts = /^([SFW])(\d{4})([MRA])$/.exec(phase);
  return parts ? `${SEASONS[parts[1]]} ${parts[2]}, ${KINDS[parts[3]]}` : "The end";
}

/** A mark of a power's colour before its name. */
export function badge(power, text = nameOf(power)) {
  return make(`span.badge.${power}`, {}, text);
}

/** The orders of a phase, those of one power first. */
export function listOrders(phase, power) {
  const owners = Object.keys(phase.orders).sort((a, b) => (b === power) - (a === power));
  const lists = owners.map((owner) =>
    make(
      "section", {}, make("h4", {}, badge(owner)),
      make("ul.plain", {}, ...phase.orders[owner].map(describeOrder), ...(phase.rejected[owner] ?? []).map(describeRejected)),
    ),
  );
  return lists.length ? lists : [make("p.quiet", {}, "Nobody had to order anything.")];
}

function describeOrder({ order, results }) {
  if (!results.length) return make("li", {}, make("code", {}, order));
  return make("li.failed", {}, make("code", {}, order), ` ✗ ${results.join(", ")}`);
}

const describeRejected = (text) => make("li.failed", {}, make("code", {}, text), " ✗ no legal order");

/** The messages of a phase by pair of powers; those that a power could read, if one is chosen. */
export function listMessages(phase, power) {
  const readable = phase.messages.filter(
    ({ sender, recipient }) => !power || [sender, recipient].includes(power) || recipient === EVERYBODY,
  );
  const pairs = Map.groupBy ? Map.groupBy(readable, pairOf) : groupBy(readable, pairOf);
  const lists = [...pairs].map(([pair, messages]) => make("section", {}, make("h4", {}, pair), ...messages.map(describeMessage)));
  return lists.length ? lists : [make("p.quiet", {}, "Nobody said anything.")];
}

function pairOf({ sender, recipient }) {
  if (recipient === EVERYBODY) return "to everybody";
  return [sender, recipient].sort().map(nameOf).join(" and ");
}

function groupBy(items, find) {
  const groups = new Map();
  for (const item of items) groups.set(find(item), [...(groups.get(find(item)) ?? []), item]);
  return groups;
}

function describeMessage({ sender, text, round }) {
  return make("p.said", {}, badge(sender), make("span.quiet", {}, ` round ${round} `), text);
}

/** What powers have done to each other so far, and what they think of each other. */
export function listRelationships(phases, position, power) {
  const powers = Object.keys(phases[0].units);
  const deeds = phases.slice(0, position + 1).flatMap((phase) => phase.deeds);
  const thoughts = findThoughts(phases, position);
  const rows = (power ? [power] : powers).map((who) => makeRow(who, powers, deeds, thoughts[who] ?? {}));
  const head = make("tr", {}, make("th"), ...powers.map((other) => make("th", { scope: "col", title: nameOf(other) }, badge(other, nameOf(other).slice(0, 3)))));
  const table = make("table.relations", {}, make("thead", {}, head), make("tbody", {}, ...rows));
  return [
    table,
    make("p.quiet", {}, "+ supports and convoys for the other’s units, − moves on places that the other held, since the beginning. Words are what a player has written down."),
    ...listDiary(phases[position], power),
  ];
}

/** The newest word of every power about each other one. */
function findThoughts(phases, position) {
  const thoughts = {};
  for (const phase of phases.slice(0, position + 1)) Object.assign(thoughts, phase.relationships);
  return thoughts;
}

function makeRow(who, powers, deeds, thoughts) {
  const cells = powers.map((whom) => {
    if (who === whom) return make("td", {}, "·");
    const count = (kind) => deeds.filter((deed) => deed.who === who && deed.whom === whom && deed.kind === kind).length;
    const [good, bad] = [count("helps"), count("attacks")];
    const words = [good && `+${good}`, bad && `−${bad}`, thoughts[whom]].filter(Boolean).join(" ");
    return make(good > bad ? "td.good" : bad ? "td.bad" : "td", {}, words);
  });
  return make("tr", {}, make("th", { scope: "row" }, badge(who)), ...cells);
}

function listDiary(phase, power) {
  const lines = power ? phase.diary[power] ?? [] : [];
  if (!lines.length) return [];
  return [make("h4", {}, "Diary"), ...lines.map((line) => make("p.said", {}, line))];
}
