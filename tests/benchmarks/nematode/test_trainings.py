from __future__ import annotations

import json
import math

import pytest

from ludus.benchmarks import find_benchmark
from ludus.benchmarks.nematode.held_out import HELD_OUT
from ludus.benchmarks.nematode.trainings import TASKS, TRAININGS, aggregate, score, training_of
from ludus.errors import OptionError
from ludus.games.worm import find_task, tasks
from ludus.testing import check_benchmark

FACTS: dict[str, int | float | str | None] = {
    "planned": 500,
    "successes": "0" * 67 + "1" * 433,
    "distance_efficiency": 0.5,
    "chemotaxis": 0.61,
    "learning": 1,
    "pretraining_steps": 0,
    "parameters": 10,
}


@pytest.mark.parametrize("benchmark", [*TRAININGS, *HELD_OUT], ids=lambda one: one.id)
def test_every_task_is_one_of_the_world(benchmark: object) -> None:
    assert isinstance(benchmark, type(TRAININGS[0]))
    for options in _choices(benchmark):
        (scenario,) = benchmark.make_scenarios(0, 1, options)
        assert find_task(scenario["task"]).name == benchmark.id.partition("/")[2]


def _choices(benchmark: object) -> list[dict[str, str]]:
    names = {option.name for option in getattr(benchmark, "options", ())}
    old = [{"world": "e25"}] if "world" in names else []
    return [{}, {"sensing": "klinotaxis"}, *old]


def test_every_grid_of_the_world_has_a_board() -> None:
    grids = {find_task(one).name for one in tasks() if not one.startswith("c3-")}
    assert grids == set(TASKS)


@pytest.mark.parametrize("name", ["nematode/foraging-small", "worm/predator-small"])
def test_they_keep_what_benchmarks_promise(name: str) -> None:
    check_benchmark(name)


def test_a_training_is_worth_three_of_four_parts() -> None:
    made = score(FACTS)
    assert made.parts == pytest.approx(
        {
            "success_rate": 0.4 * 433 / 500,
            "distance_efficiency": 0.15,
            "learning_speed": 0.2 * 0.85,
        }
    )
    assert made.total == math.fsum(made.parts.values())


def test_what_was_not_played_has_failed() -> None:
    half = {**FACTS, "successes": "1" * 250}
    training = training_of(half)
    assert training.success_rate == 0.5
    assert training.distance_efficiency == 0.25
    assert training.final_success == 0
    assert score({**FACTS, "successes": ""}).total == 0


def test_the_composite_adds_stability() -> None:
    good, worse = FACTS, {**FACTS, "successes": "1" * 450 + "0" * 50}
    value, low, high = aggregate([good, worse], [])
    finals = (1.0, 0.5)
    own = [score(one).total for one in (good, worse)]
    assert value == pytest.approx(sum(own) / 2 + 0.1 * (1 - 0.25 / 0.75))
    assert math.isnan(low)
    assert math.isnan(high)  # two trainings tell nothing of the spread of stability
    assert [training_of(one).final_success for one in (good, worse)] == list(finals)
    assert math.isnan(aggregate([good], [])[1])


def test_columns_show_the_parts_that_are_summed() -> None:
    benchmark = find_benchmark("nematode/foraging-small")
    facts = [FACTS, {**FACTS, "successes": "1" * 450 + "0" * 50}]
    shown = {column.name: column.aggregate(facts) for column in benchmark.columns}
    weights = {"success": 0.4, "efficiency": 0.3, "speed": 0.2, "stability": 0.1}
    total = sum(weight * shown[name] for name, weight in weights.items())
    assert total == pytest.approx(aggregate(facts, [])[0])


def test_ties_are_broken_by_deviation_then_by_validation() -> None:
    deviation, validation = find_benchmark("nematode/foraging-small").tie_breakers
    assert deviation.better == "less"
    assert deviation.aggregate([FACTS, FACTS]) == 0
    assert deviation.aggregate([FACTS, {**FACTS, "successes": ""}]) == pytest.approx(
        score(FACTS).total / 2
    )
    assert validation.better == "more"
    assert validation.aggregate([FACTS, {**FACTS, "chemotaxis": 0.57}]) == 1  # 0.59: minimum
    assert validation.aggregate([FACTS]) == 2


def test_options_have_boards_of_their_own() -> None:
    asked = find_benchmark("nematode/predator-small")
    assert asked.make_scenarios(0, 1, {"world": "e25"})[0]["task"] == "predator-small@e25"
    with pytest.raises(OptionError, match="no world 'mars'"):
        asked.make_scenarios(0, 1, {"world": "mars"})
    with pytest.raises(OptionError, match="has no option 'world'"):
        find_benchmark("nematode/pursuit-small").make_scenarios(0, 1, {"world": "e25"})


def test_no_dish_is_in_a_training_and_held_out() -> None:
    for learning, finished in zip(TRAININGS, HELD_OUT, strict=True):
        lowest = min(one["seed"] for one in finished.make_scenarios(0, 100))
        assert all(
            one["seed"] + one["episodes"] < lowest for one in learning.make_scenarios(0, 100)
        )


def test_scenarios_are_plain() -> None:
    for benchmark in (TRAININGS[0], HELD_OUT[0]):
        made = list(benchmark.make_scenarios(3, 5))
        assert json.loads(json.dumps(made)) == made
        assert len({one["seed"] for one in made}) == 5
