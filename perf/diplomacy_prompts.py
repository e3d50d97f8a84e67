"""Measures what each part of a language model's question is worth, before and after.

    python -m perf.diplomacy_prompts [GAMES]

A scripted model plays France in pairs of games with the same seeds: once with a set of prompts that
lacks a part, once with Ludus's own. It uses what it is told. Where the question names centres that
it can enter, or the way to one, its units go there; else it draws lots. Where others promise to
support an attack, it attacks. GAMES are 20 unless told otherwise. Gains are means of paired
differences with intervals of 95 %.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.agents.llm.server import Request, Say, Scripted, answer_to, kind_of, legal_orders, play

from ludus.agents.diplomacy.memory import Memory
from ludus.agents.diplomacy.order_lists import list_legal_orders
from ludus.agents.diplomacy.prompts import FOLDER, read_prompts
from ludus.agents.diplomacy.questions import ask_for_orders
from ludus.agents.llm.players import from_spec
from ludus.agents.llm.tokens import estimate_tokens
from ludus.boards.estimates import format_estimate
from ludus.games.diplomacy.bots.dumb import Dumb
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.players import Player, load_bot
from ludus.games.diplomacy.records import Message
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.diplomacy.view import View
from ludus.stats import mean_interval

GAMES = 20
YEARS = 4
THOUGHTS = 4000
ENTER = re.compile(r"^([A-Z]{3}) \([^)]*\): you ([A-Z ]+)", re.M)
WAY = re.compile(r"^[AF] ([A-Z]{3})\S*: .*centres ([A-Z]{3})-", re.M)
PROMISED = re.compile(r"S [AF] ([A-Z]{3})\S* - ([A-Z]{3})")
OWNED = re.compile(r"^France: \d+ \(([A-Z ]*)\)", re.M)
SAID = "I leave Belgium to you."


def main() -> None:
    """Print what the parts are worth."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    with TemporaryDirectory() as folder:
        blind = _leave_out(Path(folder) / "blind", "surroundings")
        deaf = _leave_out(Path(folder) / "deaf", "messages", "earlier")
        lines = [
            _compare_surroundings(blind, games),
            _compare_promises(deaf, games),
            *_compare_messages(deaf),
            _compare_tokens(),
            *_compare_room(games),
        ]
    sys.stdout.write("\n".join(lines) + "\n")


def _leave_out(folder: Path, *fields: str) -> str:
    """Return a set of prompts whose question for orders lacks some fields."""
    text = (FOLDER / "baseline" / "orders.txt").read_text()
    for field in fields:
        text = re.sub(rf"[^\n]*:\n\${field}\n\n", "", text)
    folder.mkdir()
    (folder / "orders.txt").write_text(text)
    return str(folder)


# ---- pairs of games


def _play(spec: str, scenario: Mapping[str, Any], prompts: str | None) -> DiplomacyMatch:
    seat = Scenario.from_dict({"max_year": 1900 + YEARS, **scenario})
    agent = from_spec(spec, prompts, game="diplomacy")
    match = DiplomacyMatch(seat, load_opponent=_load_opponent)
    agent.reset(seat)
    while not match.over:
        match.step(agent.act(match.observation))
    agent.close()
    return match


def _describe_gain(before: Sequence[float], after: Sequence[float]) -> str:
    """Return both means, and the mean of what each pair of games gains."""
    gain = mean_interval([b - a for a, b in zip(before, after, strict=True)], method="t")
    means = f"{sum(before) / len(before):.1f} -> {sum(after) / len(after):.1f}"
    return f"{means}, gain {format_estimate(gain)}"


def _count_centres(match: DiplomacyMatch) -> float:
    return float(match.facts()["centres"] or 0)


def _compare_games(
    scenario: Mapping[str, Any],
    without: str,
    games: int,
    measure: Callable[[DiplomacyMatch], float] = _count_centres,
) -> str:
    """Return what games come to with prompts that lack something, and with Ludus's own."""
    with Scripted(_go_to_centres) as server:
        spec = server.spec("diary=no")
        before, after = (
            [measure(_play(spec, {**scenario, "seed": seed}, prompts)) for seed in range(games)]
            for prompts in (without, None)
        )
    return _describe_gain(before, after)


# ---- what is near


def _compare_surroundings(without: str, games: int) -> str:
    gain = _compare_games({"opponents": "random"}, without, games)
    return f"surroundings: centres after {YEARS} years {gain}"


def _go_to_centres(request: Request, _: int) -> Say:
    """Answer with orders by lot, changed by what the question tells."""
    drawn = answer_to(request)
    text = request["messages"][1]["content"]
    if kind_of(request) == "orders" and "Give one order for each of your units." in text:
        drawn["orders"].update(_find_moves(text))
    return Say(json.dumps(drawn))


def _find_moves(text: str) -> dict[str, str]:
    """Return moves to where somebody promises support, into centres, or on the way to one."""
    said = text.partition("Messages of this phase")[2].partition("\n\n")[0]
    named = [(place, goal) for goal, places in ENTER.findall(text) for place in places.split()]
    owned = OWNED.findall(text)[0].split()
    entering = [pair for pair in named if pair[1] not in owned]
    moves, taken, legal = dict[str, str](), set[str](), legal_orders(text)
    for place, goal in [*PROMISED.findall(said), *entering, *WAY.findall(text)]:
        move = next((one for one in legal.get(place, ()) if one[5:].startswith(f" - {goal}")), "")
        if move and place not in moves and goal not in taken:
            taken.add(goal)
            moves[place] = move
    return moves


# ---- what was said


class Helper(Dumb):
    """The bot ``dumb``, but for its units that can support an attack of France, and say so."""

    name = "helper"

    def act(self, observation: View) -> list[Any]:
        """Return promises while messages are asked for, then orders that keep them."""
        helps = {place: _find_help(observation, place) for place in observation.legal}
        promised = {place: order for place, order in helps.items() if order}
        if observation.step == "press":
            return [Message("", "FRANCE", f"I order {order}.") for order in promised.values()]
        chosen = {order[2:5]: order for order in super().act(observation)}
        return list((chosen | promised).values())

    def orders(self, view: View, rng: Random) -> list[str]:
        """Return the orders of this phase."""
        return view.copy_board().choose_orders("dumb", view.power, rng.getrandbits(64))


def _find_help(view: View, place: str) -> str:
    """Return the support of a French move into a centre that a third power holds."""
    held = {unit[2:5] for units in view.units.values() for unit in units}
    own = {*view.centres[view.power], *view.centres["FRANCE"]}
    worth = held & {*geography().centres} - own
    french = tuple(f" S {unit} - " for unit in view.units["FRANCE"])
    helps = (one for one in view.legal[place] if one[5:].startswith(french) and one[-3:] in worth)
    return next(helps, "")


def _load_opponent(spec: str) -> Player:
    return Helper() if spec == Helper.name else load_bot(spec)


def _compare_promises(without: str, games: int) -> str:
    scenario = {"opponents": Helper.name, "press": "full", "rounds": 1}
    gain = _compare_games(scenario, without, games, _measure_used_promises)
    return f"messages that promise support: % of promises that orders use {gain}"


def _measure_used_promises(match: DiplomacyMatch) -> float:
    """Return the percentage of promised supports that fit a move which France has ordered."""
    promised, used = 0, 0
    for turn in match.table.history:
        pairs = {pair for one in turn.messages for pair in PROMISED.findall(one.text)}
        moves = {(one[2:5], one.rpartition(" - ")[2][:3]) for one in turn.orders.get("FRANCE", ())}
        promised += len(pairs)
        used += len(pairs & moves)
    return 100 * used / max(promised, 1)


def _compare_messages(without: str) -> list[str]:
    table = Table.start()
    table.add_message(Message("GERMANY", "FRANCE", SAID, "S1901M", 1))
    lines = []
    for diary, reflects in (("no", True), ("yes", False)):
        known = [_count_quotes(table, diary, prompts, reflects) for prompts in (without, None)]
        what = "without a diary" if diary == "no" else "after a failed reflection"
        lines.append(f"messages {what}: question for orders quotes them {known[0]} -> {known[1]}")
    return lines


def _count_quotes(table: Table, diary: str, prompts: str | None, reflects: bool) -> str:
    """Return whether a question for orders quotes a message of the phase."""

    def answer(request: Request, _: int) -> Say:
        failed = kind_of(request) == "reflect" and not reflects
        return Say(status=500) if failed else play(request)

    seat = Scenario.from_dict({"press": "full", "max_year": 1901})
    view = View(table, seat)
    with Scripted(answer) as server:
        agent = from_spec(server.spec(f"diary={diary}&retries=0"), prompts, game="diplomacy")
        agent.reset(seat)
        agent.act(view)
        agent.close()
        asked = [one for one in server.requests if kind_of(one) == "orders"]
    return "yes" if all(SAID in str(one["messages"][1]["content"]) for one in asked) else "no"


# ---- what it costs


def _compare_tokens() -> str:
    """Return the tokens of a late position's question, with orders in full and grouped."""
    seat = Scenario.from_dict({"max_year": 1912, "seed": 1})
    match, player = DiplomacyMatch(seat, load_opponent=load_bot), load_bot("dumb")
    player.reset(seat)
    while not match.over and match.table.phase != "F1911M":
        match.step(player.act(match.observation))
    powers = match.table.units
    largest = max(powers, key=lambda power: len(powers[power]))
    view = View(match.table, seat.for_seat(largest))
    question = ask_for_orders(read_prompts(), view, Memory.empty(largest))
    grouped = list_legal_orders(view.legal)
    full = "\n".join(order for orders in view.legal.values() for order in orders)
    after = estimate_tokens(question.system + question.text)
    before = after - estimate_tokens(grouped) + estimate_tokens(full)
    units = len(powers[largest])
    return f"legal orders grouped, {units} units in F1911M: tokens {before:,} -> {after:,}"


def _compare_room(games: int) -> list[str]:
    """Return what a model that thinks long comes to, by its room for tokens."""
    used, centres = [], []
    for setting in ("&tokens=1500", "&tokens=2500", ""):
        with Scripted(_think_long) as server:
            spec = server.spec(f"diary=no{setting}")
            scenarios = [{"opponents": "random", "seed": seed} for seed in range(games)]
            facts: list[dict[str, Any]] = [
                {**_play(spec, scenario, None).facts()} for scenario in scenarios
            ]
        answered = sum(one["calls"] - one["failed_calls"] for one in facts)
        used.append(f"{answered} of {sum(one['calls'] for one in facts)}")
        centres.append([float(one["centres"]) for one in facts])
    return [
        f"room for 1,500, 2,500 doubled once, as many as usual: calls used {' -> '.join(used)}",
        f"room for {THOUGHTS:,} tokens of thought: centres after {YEARS} years "
        + _describe_gain(centres[0], centres[2]),
    ]


def _think_long(request: Request, number: int) -> Say:
    room = next(
        request[name] for name in ("max_tokens", "max_completion_tokens") if name in request
    )
    return Say("", finish="length") if room < THOUGHTS else _go_to_centres(request, number)


if __name__ == "__main__":
    main()
