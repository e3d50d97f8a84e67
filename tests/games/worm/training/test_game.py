from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from ludus.errors import ActionError, OptionError
from ludus.games.game import RoundBased, find_game
from ludus.games.worm import World, find_task
from ludus.games.worm.training import (
    Declaration,
    EpisodeResult,
    TrainingScenario,
    training_seed,
)
from ludus.games.worm.training.game import TrainingMatch
from ludus.games.worm.training.records import read_record, write_record
from ludus.games.worm.training.replay import training_facts

GAME = find_game("worm-training")
PLAIN = {"name": "one", "task": "foraging-small", "seed": 5, "episodes": 3}


def played(scenario: TrainingScenario, seed: int = 0) -> TrainingMatch:
    match, chance = TrainingMatch(scenario), random.Random(seed)
    while not match.over:
        match.step(chance.choice((0, 0, 1, 2)))
    return match


def test_a_training_is_its_dishes_one_after_the_other() -> None:
    scenario = TrainingScenario.from_dict(PLAIN)
    match = played(scenario)
    _, actions = read_record(match.record())
    foods, place = 0.0, 0
    for number in range(3):
        world = World(find_task("foraging-small"), 5 + number)
        while not world.ended:
            world.step(actions[place])
            place += 1
        foods += world.figures()["foods"]
    assert place == len(actions) == match.facts()["steps"]
    assert match.facts()["foods"] == foods


def test_a_record_gives_the_same_facts() -> None:
    match = played(TrainingScenario.from_dict(PLAIN))
    assert GAME.replay(GAME.parse_scenario(PLAIN), match.record()) == match.facts()


def test_what_is_declared_is_a_fact() -> None:
    match = played(TrainingScenario.from_dict(PLAIN))
    _, actions = read_record(match.record())
    record = write_record(Declaration(True, "by evolution", 900, 12), actions)
    facts = GAME.replay(GAME.parse_scenario(PLAIN), record)
    assert (facts["learning"], facts["pretrained"]) == (1, "by evolution")
    assert (facts["pretraining_steps"], facts["parameters"]) == (900, 12)
    assert facts["successes"] == match.facts()["successes"]


def test_a_dish_that_is_not_over_does_not_count() -> None:
    match = TrainingMatch(TrainingScenario.from_dict(PLAIN))
    match.step(0)
    assert match.record() == b""
    assert match.facts()["successes"] == ""
    assert match.facts() == GAME.replay(GAME.parse_scenario(PLAIN), b"")


def test_players_get_ready_for_every_dish() -> None:
    heard: list[Any] = []
    match = TrainingMatch(TrainingScenario.from_dict(PLAIN))
    assert isinstance(match, RoundBased)
    match.before_each_round(heard.append, {"pretrained": "at home", "pretraining_steps": 900})
    while not match.over:
        match.step(0)
    assert [dish.seed for dish in heard] == [5, 6, 7]
    assert match.facts()["pretraining_steps"] == 900
    assert match.facts() == GAME.replay(GAME.parse_scenario(PLAIN), match.record())


def test_wrong_actions_are_refused() -> None:
    match = TrainingMatch(TrainingScenario.from_dict(PLAIN))
    for action in (4, -1, "left", None):
        with pytest.raises(ActionError):
            match.step(action)
    assert match.facts()["steps"] == 0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"episodes": 0}, "0 episodes is none"),
        ({"seed": -1}, "seed -1"),
        ({"seed": 2**64}, "seed 18446744073709551616"),
        ({"task": "nowhere"}, "nowhere"),
        ({"task": "c3-continuous"}, "no grid"),
        ({"task": 3}, "not a training"),
        ({"seed": "x"}, "not a training"),
    ],
)
def test_scenarios_that_are_none(change: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        TrainingScenario.from_dict({**PLAIN, **change})


def test_records_that_do_not_fit_are_refused() -> None:
    _, actions = read_record(played(TrainingScenario.from_dict(PLAIN)).record())
    for changed, told in (
        (actions[:-1], "break off in episode 3"),
        (actions + b"\x00", "1 actions are left after 3"),
    ):
        with pytest.raises(OptionError, match=told):
            GAME.replay(GAME.parse_scenario(PLAIN), write_record(Declaration(), changed))


def test_seeds_of_trainings_never_change_and_are_far_apart() -> None:
    assert training_seed("foraging-small", 0, 0) == 327_208_263
    seeds = sorted(
        training_seed(task, seed, number)
        for task in ("foraging-small", "foraging-medium")
        for seed in range(3)
        for number in range(100)
    )
    assert min(b - a for a, b in pairwise(seeds)) > 500
    assert max(seeds) < 2**32 - 2**20


def result(chemotaxis: float) -> EpisodeResult:
    return EpisodeResult(False, 9, 0, 0.0, "starved", chemotaxis, 0.0, None, None, None)


def test_the_chemotaxis_of_a_training_is_that_of_its_last_hundred_dishes() -> None:
    scenario = TrainingScenario.from_dict({**PLAIN, "episodes": 200})
    untrained, first_of_window = result(1000.0), result(100.0)
    late = [result(0.0)] * 99
    facts = training_facts(scenario, Declaration(), [untrained] * 101)
    assert facts["chemotaxis"] == 1000.0
    facts = training_facts(scenario, Declaration(), [untrained, first_of_window, *late])
    assert facts["chemotaxis"] == 1.0  # 100 / 100: with one dish more or fewer it is another
    facts = training_facts(scenario, Declaration(), [first_of_window, *late[:49]])
    assert facts["chemotaxis"] == 2.0  # fewer dishes are all that there is
