"""The checks pass on what Ludus has, and name what others get wrong."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from tests.runs.small import SMALL, scenarios, score

from ludus.agents import names
from ludus.benchmarks import Column, Score, TieBreaker, benchmarks
from ludus.context import RunContext
from ludus.errors import AgentError, CheckError
from ludus.games.game import Facts
from ludus.testing import check_agent, check_benchmark

# whole trainings take too long
PLAYERS = {"worm": "random-walk", "worm-colony": "random-walk", "worm-training": None}


@pytest.mark.parametrize("name", sorted(benchmarks()))
def test_our_benchmarks_keep_their_promises(name: str) -> None:
    check_benchmark(name, agent=PLAYERS.get(benchmarks()[name].game, "random"))


@pytest.mark.parametrize("name", sorted(names("platformer")))
def test_our_agents_keep_theirs(name: str) -> None:
    check_agent(name, "platformer/bundled", episodes=2)


def changing(facts: Facts) -> Score:
    cast("dict[str, Any]", facts)["x"] = 0
    return score(facts)


COUNT = itertools.count()


def fickle(facts: Facts) -> Score:
    points = next(COUNT)
    return Score(points, {"points": points})


def ever_other(seed: int, episodes: int, clock: str) -> Any:
    return [{**one, "name": str(next(COUNT))} for one in scenarios(seed, episodes, clock)]


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "id": ({"id": "Small Benchmark"}, "the id 'Small Benchmark' is not of the form group/name"),
    "version": ({"version": 0}, "the version 0 is not 1 or more"),
    "episodes": ({"episodes": 0}, "0 episodes are too few"),
    "title": ({"title": " "}, "it has no title"),
    "formula": ({"formula": ""}, "it has no formula"),
    "game": ({"game": "chess"}, "no game 'chess'"),
    "names twice": (
        {"columns": (Column("ticks", lambda _: 1),)},
        "the column 'ticks' is there twice",
    ),
    "too few scenarios": (
        {"scenarios": lambda seed, n, clock: scenarios(seed, n - 1, clock)},
        "3 were asked for, 2 made",
    ),
    "other scenarios": ({"scenarios": ever_other}, "are others when asked for again"),
    "a name that tells the seed": (
        {
            "scenarios": lambda seed, n, clock: [
                {**one, "name": f"level {one['seed']}"} for one in scenarios(seed, n, clock)
            ]
        },
        "its name tells its seed, and agents are told the name",
    ),
    "not plain": (
        {
            "scenarios": lambda seed, n, clock: [
                {**one, "x": {1}} for one in scenarios(seed, n, clock)
            ]
        },
        "are not plain values",
    ),
    "not the same in JSON": (
        {
            "scenarios": lambda seed, n, clock: [
                {**one, "x": (1,)} for one in scenarios(seed, n, clock)
            ]
        },
        "is another after it went through JSON",
    ),
    "no names": (
        {
            "scenarios": lambda seed, n, clock: [
                {**one, "name": ""} for one in scenarios(seed, n, clock)
            ]
        },
        "has no name for tables",
    ),
    "no scenarios": ({"scenarios": lambda seed, n, clock: [{}] * n}, "not a platformer scenario"),
    "changes the facts": ({"score": changing}, "the score's rule changes the facts"),
    "ever another score": ({"score": fickle}, "another when the same facts come again"),
    "not a number": (
        {"score": lambda _: Score(cast("int", "7"))},
        "the score is '7', not a finite number",
    ),
    "not finite": ({"score": lambda _: Score(float("nan"))}, "the score is nan"),
    "no parts": ({"score": lambda _: Score(7)}, "the score has no parts"),
    "wrong parts": ({"score": lambda _: Score(7, {"a": 3})}, "do not add up to 7"),
    "no number as a part": (
        {"score": lambda _: Score(7, {"a": cast("int", None)})},
        "no finite numbers: a",
    ),
    "wrong tie-breaker": (
        {"tie_breakers": (TieBreaker("odd", lambda _: float("inf")),)},
        "the column 'odd' is inf, not a finite number",
    ),
}


@pytest.mark.parametrize(("change", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_promise_is_a_line(change: dict[str, Any], message: str) -> None:
    with pytest.raises(CheckError) as caught:
        check_benchmark(replace(SMALL, **change))
    assert any(message in line for line in str(caught.value).splitlines())
    assert all(": " in line for line in str(caught.value).splitlines())


def test_a_benchmark_need_not_be_registered() -> None:
    check_benchmark(replace(SMALL, id="my/own"), agent="forward-jumping")
    check_agent("forward-jumping", replace(SMALL, id="my/own"))


AGENT = """
import random
class Agent:
    name = {name!r}
    seen = 0
    def reset(self, scenario):
        self.scenario = scenario
        {reset}
    def act(self, view):
        self.seen += 1
        {act}
"""

WRONG = {
    "raises": ({"act": "return 1 // 0"}, "crashed in small 0: ZeroDivisionError"),
    "no action": ({"act": "return 99"}, "disqualified in small 0"),
    "chance of its own": ({"act": "return random.getrandbits(4)"}, "otherwise by a new agent"),
    "remembers": (
        {"act": "return 2 if self.seen < 40 else 1"},
        "otherwise after other scenarios: reset() must forget them",
    ),
    "no name": ({"act": "return 2", "name": " "}, "the name of an agent is ' '"),
}


@pytest.mark.parametrize(("parts", "message"), WRONG.values(), ids=WRONG)
def test_an_agent_that_does_not_keep_the_rules(
    tmp_path: Path, parts: dict[str, str], message: str
) -> None:
    random.seed(7)
    file = tmp_path / "agent.py"
    file.write_text(AGENT.format(**{"name": "it", "reset": "pass", **parts}))
    with pytest.raises((CheckError, AgentError)) as caught:
        check_agent(f"{file}:Agent", SMALL)
    assert message in str(caught.value)


def test_chance_from_the_seed_is_fine(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    parts = {
        "reset": "self.r = random.Random(scenario.seed)",
        "act": "return self.r.getrandbits(4)",
    }
    file.write_text(AGENT.format(name="it", **parts))
    check_agent(f"{file}:Agent", SMALL)


def test_an_agent_that_is_none() -> None:
    with pytest.raises(AgentError, match="no agent 'nobody'"):
        check_agent("nobody", SMALL)


MINDFUL = """
class Agent:
    name = "mindful"
    declared = {declared}
    def reset(self, scenario):
        self.seen = []
    def act(self, view):
        self.seen.append(view.phase)
        late = len(self.seen) > 5
        return sorted(orders[0] for orders in view.legal.values()) if late else []
    def memory(self):
        return {memory}
    def recall(self, memory):
        {recall}
"""


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({}, None),
        ({"recall": "pass"}, "otherwise after recall(memory()) in the middle"),
        ({"memory": "{1, 2}"}, "memory() returns {1, 2}, not plain values"),
        ({"declared": "{1}"}, "declared is {1}, not plain values"),
    ],
)
def test_memory_is_tried(tmp_path: Path, parts: dict[str, str], message: str | None) -> None:
    usual = {"declared": "{}", "memory": "list(self.seen)", "recall": "self.seen = list(memory)"}
    file = tmp_path / "mindful.py"
    file.write_text(MINDFUL.format(**{**usual, **parts}))
    spec = f"{file}:Agent"
    if message is None:
        check_agent(spec, "diplomacy/gunboat", episodes=1)
        return
    with pytest.raises(CheckError) as caught:
        check_agent(spec, "diplomacy/gunboat", episodes=1)
    assert message in str(caught.value)


def test_an_agent_is_checked_in_a_context(tmp_path: Path) -> None:
    file = tmp_path / "careful.py"
    file.write_text(
        AGENT.format(name="it", reset="pass", act="return 2").replace(
            "    seen = 0\n",
            "    seen = 0\n    def __init__(self, *, context):\n"
            "        if not context.trust: raise ValueError('trust me')\n",
        )
    )
    check_agent(f"{file}:Agent", SMALL, context=RunContext(trust=True))
    with pytest.raises(AgentError, match="trust me"):
        check_agent(f"{file}:Agent", SMALL)


def test_an_agent_that_is_ever_another(tmp_path: Path) -> None:
    file = tmp_path / "fickle.py"
    file.write_text(
        "import os\n"
        + AGENT.format(name="it", reset="pass", act="return 2")
        + "    @property\n    def fingerprint(self):\n        return os.urandom(8).hex()\n"
    )
    with pytest.raises(CheckError, match="fingerprint is another when it is loaded again"):
        check_agent(f"{file}:Agent", SMALL)
