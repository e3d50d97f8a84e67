"""No agent gets more training plays than the others, or more out of them than it learns."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.games.platformer.tasks.learning.making import flat_scenario

from ludus.agents.isolation import open_agent
from ludus.benchmarks import find_benchmark
from ludus.context import RunContext
from ludus.execution.episode import EpisodeEnding
from ludus.games.game import Facts
from ludus.games.platformer.tasks.learning.game import LearningGame
from ludus.limits import Limits
from ludus.runs import play_match

GAME = LearningGame()
SCENARIO = flat_scenario(plays=3, options="-lf on -ll 20 -tl 6")
LIMITS = Limits(seconds=60, decision_seconds=20)
AGENT = """
import time

class Agent:
    name = "attacker"
    learned = 0

    def reset(self, scenario):
        self.scenario = scenario
        RESET

    def act(self, view):
        ACT
        return 18

    def learn(self, outcome):
        self.learned += 1
        LEARN
"""


class Played(NamedTuple):
    """What came of a level."""

    ending: EpisodeEnding
    reason: str
    record: bytes
    facts: Facts


Play = Callable[..., Played]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    def play(
        reset: str = "", act: str = "", learn: str = "", limits: Limits = LIMITS, **context: Any
    ) -> Played:
        source = AGENT.replace("RESET", reset).replace("ACT", act).replace("LEARN", learn)
        (tmp_path / "agent.py").write_text(source)
        run = RunContext(limits=limits, **context)
        agent: Any = open_agent(f"{tmp_path / 'agent.py'}:Agent", context=run, game=GAME.name)
        match = GAME.begin(SCENARIO)
        try:
            ending, reason, _ = play_match(agent, SCENARIO, match)
        finally:
            agent.close()
        return Played(ending, reason, match.record(), match.facts())

    return play


@pytest.mark.parametrize("sandbox", [False, True])
def test_an_honest_agent_has_its_plays_in_a_process_of_its_own(play: Play, sandbox: bool) -> None:
    episode = play(act="assert self.scenario.play == self.learned + 1", sandbox=sandbox)
    assert (episode.ending, episode.reason) == (EpisodeEnding.FINISHED, "")
    assert episode.facts["training_plays"] == 3
    assert episode.facts["first_score"] == episode.facts["best_score"] == episode.facts["fitness"]


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("act", "self.reset(self.scenario)"),
        ("act", "self.learn({'score': 10**9})"),
        ("learn", "self.reset(self.scenario); self.learned -= 1"),
        ("learn", "outcome['score'] = 10**9; outcome['play'] = 0"),
        ("learn", "object.__setattr__(self.scenario, 'plays', 10**9)"),
        ("reset", "object.__setattr__(scenario, 'play', 1)"),
    ],
)
def test_nothing_that_an_agent_calls_adds_a_play(play: Play, where: str, code: str) -> None:
    episode, honest = play(**{where: code}), play()
    assert episode.record == honest.record
    assert episode.facts == honest.facts


def test_a_fork_plays_nothing(play: Play) -> None:
    fork = "import os\n        os.fork() or os._exit(0)"
    assert play(learn=fork).facts == play().facts


@pytest.mark.parametrize(
    ("learn", "ending", "reason"),
    [
        ("raise ValueError('no')", EpisodeEnding.CRASHED, "ValueError: no"),
        ("raise SystemExit", EpisodeEnding.CRASHED, "SystemExit"),
        (
            "\n            while True: pass",
            EpisodeEnding.DISQUALIFIED,
            "took longer than 1 seconds",
        ),
    ],
)
def test_a_fault_in_learning_ends_the_level(
    play: Play, learn: str, ending: EpisodeEnding, reason: str
) -> None:
    limits = Limits(seconds=60, decision_seconds=1 if "while" in learn else 20)
    played = play(learn=f"if outcome['play'] == 2: {learn}", limits=limits)
    assert played.ending is ending
    assert reason in played.reason
    assert played.facts["training_plays"] == 2
    outcome = GAME.replay_outcome(SCENARIO, played.record)
    assert (outcome.facts, outcome.over) == (played.facts, False)
    track = find_benchmark("mario-ai/learning-2010")
    assert track.score_play(played.facts, played.ending).total == 0


def test_what_learning_returns_is_not_read(play: Play) -> None:
    assert play(learn="return [object()] * 10**6").facts == play().facts


def test_who_plays_otherwise_when_it_counts_may(play: Play) -> None:
    played = play(act="if self.scenario.play < self.scenario.plays: return 0")
    assert played.facts["status"] == 1
    assert played.facts["first_score"] == 96  # 32 pixels and fire, until the time is out


def test_an_agent_finds_no_world_in_its_process(play: Play) -> None:
    look = """if view.tick < 4:
            import gc
            kinds = {type(one).__name__ for one in gc.get_objects()}
            assert not kinds & {'World', 'Level', 'LearningScenario', 'TaskScenario'}, kinds"""
    played = play(act=look)
    assert (played.ending, played.reason) == (EpisodeEnding.FINISHED, "")


def test_a_forged_curve_leaves_the_score_as_it_is(play: Play) -> None:
    played = play()
    line, _, buttons = played.record.partition(b"\n")
    curve = json.loads(line) | {"first": 0}
    forged = json.dumps(curve, separators=(",", ":"), sort_keys=True).encode() + b"\n" + buttons
    facts = GAME.replay(SCENARIO, forged)
    assert facts["fitness"] == played.facts["fitness"]
    assert facts["first_score"] == 0 != played.facts["first_score"]  # which playing again shows
