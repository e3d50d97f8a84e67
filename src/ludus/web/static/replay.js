/** The replay of an episode: on its level, on its dish, or on the map. */

import { mountOn, readJson } from "./parts.js";

const FORMAT = 1;
const PLAYERS = {
  rounds: () => import("./level_replay.js"),
  dish: () => import("./dish_replay.js"),
  table: () => import("./map_replay.js"),
};

/** Fills an element with the replay whose address it names. */
export async function mountReplay(element) {
  const replay = await readJson(element.dataset.source);
  if (replay.format !== FORMAT) throw new Error(`no replay of format ${FORMAT}: ${replay.format}`);
  const kind = replay.table ? "table" : replay.dish ? "dish" : "rounds";
  const { openReplay } = await PLAYERS[kind]();
  const player = await openReplay(replay, element);
  element.append(player.element);
  player.start(Number(new URLSearchParams(location.search).get("t") ?? 0));
}

mountOn("replay", mountReplay);
