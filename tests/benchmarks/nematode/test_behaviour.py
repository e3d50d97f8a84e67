from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from ludus.agents.worm.gradient import Gradient
from ludus.benchmarks.nematode.behaviour import (
    FIGURES,
    Behaviour,
    BehaviourFigure,
    Group,
    measure_behaviour,
    play_chance,
)
from ludus.benchmarks.nematode.chemotaxis import walk
from ludus.errors import OptionError
from ludus.games.worm import World, feature_names, find_task
from ludus.games.worm.chemotaxis import chemotaxis_index
from ludus.stats import Estimate

TASK, THERMAL = "foraging-small", "thermal-foraging-small"


def climb(task: str, seed: int, steps: int = 60) -> bytes:
    """Return what a worm does that always goes up the sensed gradient."""
    world, agent = World(find_task(task), seed), Gradient()
    names = feature_names(world.task)
    actions: list[int] = []
    while not world.ended and len(actions) < steps:
        senses = dict(zip(names, world.features.tolist(), strict=True))
        actions.append(agent.act(senses))
        world.step(actions[-1])
    return bytes(actions)


@pytest.fixture(scope="module")
def groups() -> list[Group]:
    return [[(10 * k + j, climb(TASK, 10 * k + j)) for j in range(2)] for k in range(4)]


@pytest.fixture(scope="module")
def measured(groups: list[Group]) -> Behaviour:
    return measure_behaviour(TASK, groups, seed=3)


def figures_of(behaviour: Behaviour) -> dict[str, BehaviourFigure]:
    return {one.of.name: one for one in behaviour.figures}


def test_a_climber_is_told_from_chance_in_its_own_dishes(measured: Behaviour) -> None:
    figures = figures_of(measured)
    assert list(figures) == ["chemotaxis", "klinokinesis", "weathervane"]
    assert all(one.value.n == one.chance.n == 4 for one in figures.values())
    for name in ("chemotaxis", "weathervane"):
        assert figures[name].value.low > figures[name].chance.high
    assert (measured.groups, measured.dishes, measured.seed) == (4, 8, 3)


def test_the_index_is_the_mean_of_the_dishes(measured: Behaviour, groups: list[Group]) -> None:
    indices = []
    for seed, actions in (dish for group in groups for dish in group):
        world = World(find_task(TASK), seed)
        world.run(actions)
        figures = world.figures()
        indices.append(chemotaxis_index(figures["in_zone"], figures["positions"]))
    assert figures_of(measured)["chemotaxis"].value.value == pytest.approx(np.mean(indices))


def test_an_interval_of_means_is_student_s(measured: Behaviour, groups: list[Group]) -> None:
    """Leaving out one group at a time gives the usual interval where groups are alike in size."""
    alone = [figures_of(measure_behaviour(TASK, [group]))["chemotaxis"].value for group in groups]
    assert all(math.isnan(one.low) and one.n == 1 for one in alone)
    values = np.array([one.value for one in alone])
    margin = 3.182446305 * values.std(ddof=1) / 2  # Student's 97.5 % of 3, over √4
    assert figures_of(measured)["chemotaxis"].value.margin == pytest.approx(margin)


def test_chance_does_not_depend_on_who_is_measured(groups: list[Group]) -> None:
    still = [[(seed, bytes([3] * 20)) for seed, _ in group] for group in groups]
    lazy = figures_of(measure_behaviour(TASK, still))
    assert (
        lazy["chemotaxis"].chance
        == figures_of(measure_behaviour(TASK, groups))["chemotaxis"].chance
    )
    assert lazy["weathervane"].value.value == 0.0
    assert play_chance(TASK, 5) is play_chance(TASK, 5)


def test_thermotaxis_is_measured_where_there_is_warmth() -> None:
    dishes = [[(seed, climb(THERMAL, seed, 40))] for seed in range(3)]
    behaviour = measure_behaviour(THERMAL, dishes)
    figure = figures_of(behaviour)["thermotaxis"]
    shares = []
    for ((seed, actions),) in dishes:
        world = World(find_task(THERMAL), seed)
        world.run(actions)
        shares.append(world.figures()["comfort"] / world.steps)
    assert figure.value.value == pytest.approx(2 * np.mean(shares) - 1)
    curve = behaviour.curves["thermotaxis"]
    assert curve.counts.sum() == behaviour.steps
    assert curve.values.sum() == pytest.approx(1)
    ((seed, actions),) = dishes[0]
    start = World(find_task(THERMAL), seed)
    heat = start.task.temperature
    assert heat is not None
    first = walk(THERMAL, seed, actions).temperatures[0]
    assert first == pytest.approx(float(start.temperature(*start.worm)) - heat.cultivation)


def _verdicts() -> Iterator[tuple[float, str]]:
    band = FIGURES[0].literature
    assert band is not None
    yield band.low - 0.01, "below"
    yield band.low, "within"
    yield band.high, "within"
    yield band.high + 0.01, "above"


@pytest.mark.parametrize(("value", "verdict"), list(_verdicts()))
def test_a_value_is_compared_with_the_literature(value: float, verdict: str) -> None:
    estimate = Estimate(value, value, value, 0.95, "jackknife", 5)
    assert BehaviourFigure(FIGURES[0], estimate, estimate).verdict == verdict
    assert BehaviourFigure(FIGURES[1], estimate, estimate).verdict == ""


def test_no_band_is_invented() -> None:
    """The sources give a range for the index alone."""
    assert [one.name for one in FIGURES if one.literature] == ["chemotaxis"]


def test_what_cannot_be_measured_is_told() -> None:
    with pytest.raises(OptionError, match="nowhere"):
        measure_behaviour("nowhere", [[(0, b"")]])
    with pytest.raises(OptionError, match="too few"):
        measure_behaviour(TASK, [[(0, b"\0")]])
