"""Measures what each part of a language model's question is worth, before and after.

    python -m perf.diplomacy_prompts [GAMES]

A scripted model plays France in pairs of games with the same seeds: once with a set of prompts that
lacks a part, once with Ludus's own. It uses what it is told: it walks the way to the nearest centre
where the question names one, and else draws lots. GAMES are 6 unless told otherwise.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.agents.llm.server import Request, Say, Scripted, answer_to, kind_of, legal_orders, play

from ludus.agents.diplomacy.llm import from_spec
from ludus.agents.diplomacy.memory import Memory
from ludus.agents.diplomacy.order_lists import list_legal_orders
from ludus.agents.diplomacy.prompts import FOLDER, read_prompts
from ludus.agents.diplomacy.questions import ask_for_orders
from ludus.agents.llm.tokens import estimate_tokens
from ludus.boards.estimates import format_estimate
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.players import load_bot
from ludus.games.diplomacy.records import Message
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.diplomacy.view import View
from ludus.stats import mean_interval

GAMES = 6
YEARS = 3
THOUGHTS = 4000
WAY = re.compile(r"^[AF] ([A-Z]{3})\S*: .*centres ([A-Z]{3})", re.M)
SAID = "I leave Belgium to you."


def main() -> None:
    """Print what the parts are worth."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    with TemporaryDirectory() as folder:
        without = _leave_out(Path(folder), "surroundings", "messages", "earlier")
        lines = [
            _compare_surroundings(without, games),
            *_compare_messages(without),
            _compare_tokens(),
            *_compare_room(),
        ]
    sys.stdout.write("\n".join(lines) + "\n")


def _leave_out(folder: Path, *fields: str) -> str:
    """Return a set of prompts whose question for orders lacks some fields."""
    text = (FOLDER / "baseline" / "orders.txt").read_text()
    for field in fields:
        text = re.sub(rf"[^\n]*:\n\${field}\n\n", "", text)
    (folder / "orders.txt").write_text(text)
    return str(folder)


# ---- what is near


def _compare_surroundings(without: str, games: int) -> str:
    with Scripted(_walk) as server:
        spec = server.spec("diary=no")
        before, after = (
            [_play(spec, seed, prompts)["centres"] for seed in range(games)]
            for prompts in (without, None)
        )
    gain = mean_interval([float(b - a) for a, b in zip(before, after, strict=True)], method="t")
    means = f"{sum(before) / games:.1f} -> {sum(after) / games:.1f}"
    return f"surroundings: centres after {YEARS} years {means}, gain {format_estimate(gain)}"


def _walk(request: Request, _: int) -> Say:
    """Answer with moves to the nearest centres that the question names, else by lot."""
    answer = answer_to(request)
    text = request["messages"][1]["content"]
    if kind_of(request) == "orders" and isinstance(answer.get("orders"), dict):
        legal, taken = legal_orders(text), set[str]()
        for province, goal in WAY.findall(text):
            order = next((one for one in legal.get(province, ()) if one[5:] == f" - {goal}"), "")
            if order and goal not in taken and province in answer["orders"]:
                taken.add(goal)
                answer["orders"][province] = order
    return Say(json.dumps(answer))


def _play(spec: str, seed: int, prompts: str | None) -> dict[str, Any]:
    scenario = {"opponents": "random", "max_year": 1900 + YEARS, "seed": seed}
    seat = Scenario.from_dict(scenario)
    agent, match = from_spec(spec, prompts), DiplomacyMatch(seat, load_opponent=load_bot)
    agent.reset(seat)
    while not match.over:
        match.step(agent.act(match.observation))
    agent.close()
    return dict(match.facts())


# ---- what was said


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
        agent = from_spec(server.spec(f"diary={diary}&retries=0"), prompts)
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


def _compare_room() -> list[str]:
    """Return how many answers of a model that thinks long are used, by its room for tokens."""
    shares = []
    for setting in ("tokens=1500", ""):
        with Scripted(_think_long) as server:
            facts = _play(server.spec(f"diary=no&{setting}".rstrip("&")), 1, None)
        shares.append(f"{facts['calls'] - facts['failed_calls']} of {facts['calls']} calls")
    return [f"room for {THOUGHTS:,} tokens of thought: used {shares[0]} -> {shares[1]}"]


def _think_long(request: Request, _: int) -> Say:
    room = next(
        request[name] for name in ("max_tokens", "max_completion_tokens") if name in request
    )
    return Say("", finish="length") if room < THOUGHTS else play(request)


if __name__ == "__main__":
    main()
