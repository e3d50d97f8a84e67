from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.benchmarks.nematode.behaviour import play_chance
from ludus.benchmarks.nematode.chemotaxis import (
    LITERATURE,
    Walk,
    chance_index,
    klinokinesis,
    level,
    level_number,
    walk,
    weathervane,
)
from ludus.errors import OptionError
from ludus.games.worm import World, find_task
from ludus.games.worm.chemotaxis import chemotaxis_index

STEPS = 20_000


def walked(*, hasty: float = 0.3, towards: float = 0.0) -> Walk:
    """Return a walk that turns with chance 0.3, or another while the smell fades."""
    chance = np.random.default_rng(0)
    changes, bearings = chance.normal(0, 0.02, STEPS), chance.uniform(-math.pi, math.pi, STEPS)
    turned = chance.random(STEPS) < np.where(changes < 0, hasty, 0.3)
    left = chance.random(STEPS) < 0.5 + towards * np.sin(bearings)
    return Walk(turned * np.where(left, 1, -1) * math.pi / 2, changes, bearings)


@pytest.mark.parametrize(
    ("value", "name", "number"),
    [
        (-1.0, "none", 0),
        (0.399, "none", 0),
        (0.4, "minimum", 1),
        (0.1 * 6, "target", 2),
        (0.7499, "target", 2),
        (0.75, "excellent", 3),
    ],
)
def test_levels(value: float, name: str, number: int) -> None:
    assert (level(value), level_number(value)) == (name, number)


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_index_stays_in_range(near: int, away: int) -> None:
    assert -1 <= chemotaxis_index(near, near + away) <= 1


def test_chance_is_far_from_a_worm() -> None:
    chance = chance_index("foraging-small")
    assert -0.3 < chance < 0.3
    assert level(chance) == "none"
    assert chance == chance_index("foraging-small")
    with pytest.raises(OptionError, match="nowhere"):
        chance_index("nowhere")


def test_the_literature_is_in_order() -> None:
    for one in LITERATURE:
        assert 0 < one.low <= one.typical <= one.high < 1
        assert one.source[-1].isdigit()


def test_klinokinesis_is_seen_and_only_where_it_is() -> None:
    assert klinokinesis([walked()]).strength == pytest.approx(1, abs=0.07)
    curve = klinokinesis([walked(hasty=0.6)])
    assert curve.strength == pytest.approx(2, abs=0.12)
    assert curve.values[0] == pytest.approx(0.6, abs=0.04)
    assert curve.values[-1] == pytest.approx(0.3, abs=0.04)
    assert curve.counts.sum() == STEPS
    assert np.all(np.diff(curve.positions) > 0)


def test_weathervane_is_seen_and_only_where_it_is() -> None:
    assert weathervane([walked()]).strength == pytest.approx(0, abs=0.01)
    curve = weathervane([walked(towards=0.4), walked(towards=0.4)])
    assert curve.strength > 0.05
    left, right = curve.positions > 0, curve.positions < 0
    assert curve.values[left].min() > 0 > curve.values[right].max()


def test_walks_that_never_turn_or_never_change() -> None:
    still = Walk(np.zeros(20), np.zeros(20), np.zeros(20))
    assert klinokinesis([still]).strength == 1
    assert weathervane([still]).strength == 0
    fading = Walk(np.ones(20), np.linspace(-1, -0.5, 20), np.zeros(20))
    assert klinokinesis([fading]).strength == math.inf
    with pytest.raises(OptionError, match="0 steps are too few"):
        klinokinesis([])


def test_a_worm_that_follows_its_nose_is_a_weathervane() -> None:
    walks = []
    for seed in range(4):
        world = World(find_task("foraging-small"), seed)
        actions = []
        while not world.ended:
            angle = world.features[1]
            actions.append(0 if abs(angle) < 0.25 else 1 if angle > 0 else 2)
            world.step(actions[-1])
        walks.append(walk("foraging-small", seed, actions))
        assert len(walks[-1].turns) == len(actions)
    assert weathervane(walks).strength > 0.2


def test_walls_do_not_make_a_weathervane_of_chance() -> None:
    chance = weathervane([play_chance("foraging-small", seed) for seed in range(60)])
    assert chance.strength == pytest.approx(0, abs=0.01)
    assert chance.counts.sum() > 10_000


def test_a_walk_knows_left_from_right() -> None:
    made = walk("foraging-small", 1, [0, 1, 2, 0])
    assert made.turns == pytest.approx([0, math.pi / 2, -math.pi / 2, 0])
    assert made.changes[0] == 0
