"""The simple players of 2010 score what was published, level by level."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conformance.figures_2010 import FIGURES

from ludus.agents import load
from ludus.errors import OptionError
from ludus.games.platformer import Level, World
from ludus.games.platformer.benchmark_2010 import benchmark_scenario
from ludus.games.platformer.codes import Button, CompetitionButton
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.tasks.environment import Environment
from ludus.games.platformer.tasks.figures import EVALUATIONS
from ludus.games.platformer.view import View

SCORES = Path(__file__).with_name("scores-2010.csv.gz")
PLAYERS = {"forward-jump": "forward-jumping", "run-right": "run-right", "none": "idle"}
COLUMNS = {**FIGURES, "death": "death"}
NOT_FIGURES = ("length", "basic", "weighted")
MEANS = {"forward-jump": 3363.70, "run-right": 876.99, "none": 246.40}


def published() -> Iterator[dict[str, str]]:
    with gzip.open(SCORES, "rt", newline="") as file:
        yield from csv.DictReader(file)


def option_strings() -> list[str]:
    return list(dict.fromkeys(row["options"] for row in published()))


def as_published(played: Environment) -> dict[str, str]:
    facts = played.facts
    names = {name: field for name, field in COLUMNS.items() if name not in NOT_FIGURES}
    return {
        **{column: str(facts[field]) for column, field in names.items()},
        "weighted": f"{EVALUATIONS['weighted-2010'](facts):.0f}",
        "basic": f"{EVALUATIONS['basic'](facts):.0f}",
    }


def play(name: str, options: str) -> Environment:
    environment, agent = Environment(options), load(name, "platformer")
    agent.reset(environment.scenario)
    while not environment.over:
        environment.step(agent.act(environment.observation))
    return environment


@pytest.mark.parametrize("options", option_strings())
def test_players_score_what_was_published(options: str) -> None:
    for row in published():
        if row["options"] == options:
            played = play(PLAYERS[row["agent"]], f"{options} -ls {row['seed']}")
            assert as_published(played).items() <= row.items(), (row["seed"], row["agent"])


def test_the_published_table_is_whole() -> None:
    rows = list(published())
    assert len(rows) == 540
    for agent, mean in MEANS.items():
        scores = [int(row["weighted"]) for row in rows if row["agent"] == agent]
        assert round(sum(scores) / len(scores), 2) == mean


def test_the_runner_runs_under_every_rule_set() -> None:
    runner = load("run-right", "platformer")
    old = Level.parse("M-------F\nXXXXXXXXX", rules="2010")
    for level, buttons in (
        (old, CompetitionButton.RIGHT | CompetitionButton.SPEED),
        (old.for_rules("framework"), Button.RIGHT | Button.SPEED),
    ):
        runner.reset(Scenario("short", level))
        assert runner.act(View(World(level, time_limit=20))) == buttons


def test_options_that_are_none_are_refused() -> None:
    for options in ("-ld", "-ld 3 -mgr heavy", "-mm two", "-tl 1e400", "3 -ld"):
        with pytest.raises(OptionError):
            benchmark_scenario(options)
