"""Many worlds at once play like as many alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import ActionError, EpisodeOver, OptionError
from ludus.games.worm import FIGURES, Batch, Ending, World, find_task, tasks

SHORT = replace(find_task("pursuit-small"), max_steps=30)


def actions(n: int, steps: int, seed: int = 0) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.random.default_rng(seed).integers(0, 4, (steps, n)).astype(np.int32)


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(tasks()),
    mode=st.sampled_from(["oracle", "temporal", "derivative", "klinotaxis"]),
    rules=st.sampled_from(["corrected", "reference"]),
    seed=st.integers(0, 2**32 - 4),
    threads=st.sampled_from([1, 2]),
)
def test_worlds_of_a_batch_play_like_worlds_alone(
    name: str, mode: str, rules: str, seed: int, threads: int
) -> None:
    mode = "oracle" if "@e25" in name else mode
    task = find_task(f"{name}+{mode}+{rules}")
    batch = Batch(task, 3, threads)
    batch.begin(seed)
    alone = [World(task, seed + k) for k in range(3)]
    for row in actions(3, 40, seed):
        batch.step(row)
        for k, world in enumerate(alone):
            reward = 0.0 if world.ended else world.step(int(row[k]))
            assert batch.rewards[k] == np.float32(reward)
            assert (batch.features[k] == world.features).all()
            assert batch.ended[k] == world.ending
            assert batch.world(k).hash() == world.hash()
    figures = batch.figures()
    for k, world in enumerate(alone):
        assert {name: float(values[k]) for name, values in figures.items()} == world.figures()
        assert batch.places()[k].tolist() == list(world.worm)


def test_sessions_count_their_seeds_up() -> None:
    batch = Batch(SHORT, 2, autoreset="same_step")
    batch.begin([7, 2**32 - 1])
    episodes: list[list[float]] = [[], []]
    for row in actions(2, 200):
        batch.step(row)
        for k in np.flatnonzero(batch.ended).tolist():
            episodes[k].append(batch.last_figures()["seed"][k])
    assert episodes[0][:3] == [7, 8, 9]
    assert episodes[1][:3] == [2**32 - 1, 0, 1]
    assert batch.finished.tolist() == [len(one) for one in episodes]


def test_the_same_step_shows_the_end_and_the_new_start() -> None:
    batch = Batch(SHORT, 1, autoreset="same_step")
    batch.begin([5])
    alone = World(SHORT, 5)
    for row in actions(1, 100):
        batch.step(row)
        reward = alone.step(int(row[0]))
        if alone.ended:
            break
    assert batch.ended[0] == alone.ending != Ending.RUNNING
    assert batch.rewards[0] == np.float32(reward)
    assert (batch.final_features[0] == alone.features).all()
    assert (batch.features[0] == World(SHORT, 6).features).all()
    assert dict(zip(FIGURES, batch.last[0].tolist(), strict=True)) == alone.figures()
    assert batch.seeds[0] == 6
    batch.step([3])
    assert batch.ended[0] == 0


def test_the_next_step_begins_anew_and_plays_nothing() -> None:
    batch = Batch(replace(SHORT, max_steps=2), 1, autoreset="next_step")
    batch.begin([5])
    batch.step([0])
    batch.step([0])
    assert batch.ended[0] == Ending.MAX_STEPS
    end = batch.features.copy()
    batch.step([0])
    assert batch.ended[0] == 0
    assert batch.rewards[0] == 0
    assert (batch.features[0] == World(SHORT, 6).features).all()
    assert (batch.features != end).any()
    assert batch.figures()["steps"][0] == 0


def test_without_autoreset_the_end_stays() -> None:
    batch = Batch(replace(SHORT, max_steps=2), 2)
    batch.begin([5, 6])
    for _ in range(4):
        batch.step([3, 3])
    assert batch.ended.tolist() == [Ending.MAX_STEPS] * 2
    assert batch.rewards.tolist() == [0, 0]
    assert batch.figures()["steps"].tolist() == [2, 2]
    assert batch.finished.tolist() == [1, 1]
    batch.restart([True, False])
    assert batch.seeds.tolist() == [6, 6]
    assert batch.ended.tolist() == [0, Ending.MAX_STEPS]
    batch.restart([False, True], [1, 99])
    assert batch.seeds.tolist() == [6, 99]


def test_threads_change_nothing() -> None:
    task = find_task("thermal-pursuit-small")
    ones = [Batch(task, 200, threads, "same_step") for threads in (1, 2, 0)]
    for batch in ones:
        batch.begin(11)
    for row in actions(200, 150):
        for batch in ones:
            batch.step(row)
        assert (ones[0].features == ones[1].features).all()
        assert (ones[0].rewards == ones[2].rewards).all()
    assert (ones[0].last == ones[1].last).all()
    assert ones[0].finished.sum() > 20


def test_a_dish_takes_steering_or_actions() -> None:
    batch, other = (Batch("c3-continuous", 4) for _ in range(2))
    batch.begin(1)
    other.begin(1)
    batch.step([0, 1, 2, 3])
    other.step(np.array([[1, 0], [1, 1], [1, -1], [0, 0]], np.float64))
    assert (batch.features == other.features).all()


@pytest.mark.parametrize(
    ("given_actions", "message"),
    [
        ([0, 4], "action 4 is out of range"),
        ([0, -1], "action -1 is out of range"),
        ([0], r"actions have shape \(1,\)"),
        ([[0, 1]], r"shape \(1, 2\)"),
        ([True, False], "type bool"),
        ([0.5, 1.0], "is a grid: give integers from 0 to 3"),
    ],
)
def test_other_actions_are_refused(given_actions: Any, message: str) -> None:
    batch = Batch("foraging-small", 2)
    batch.begin(0)
    before = batch.world(0).hash()
    with pytest.raises(ActionError, match=message):
        batch.step(given_actions)
    assert batch.world(0).hash() == before


def test_other_steering_is_refused() -> None:
    batch = Batch("c3-continuous", 2)
    batch.begin(0)
    for steering in (np.zeros((2, 3)), np.full((2, 2), np.nan)):
        with pytest.raises(ActionError, match="finite numbers"):
            batch.step(steering)


def test_nothing_goes_before_the_beginning() -> None:
    batch = Batch("foraging-small", 2)
    with pytest.raises(EpisodeOver, match="call begin"):
        batch.step([0, 0])
    with pytest.raises(EpisodeOver, match="call begin"):
        batch.world(0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 0}, "0 worlds are too few"),
        ({"threads": -1}, "threads -1"),
        ({"autoreset": "soon"}, "autoreset 'soon' is unknown: try never"),
        ({"task": "foraging-tiny"}, "did you mean"),
    ],
)
def test_options_are_checked(change: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Batch(**{"task": "foraging-small", "n": 2, **change})


def test_seeds_and_masks_must_fit() -> None:
    batch = Batch("foraging-small", 2)
    with pytest.raises(OptionError, match="3 seeds were given: give one, or 2"):
        batch.begin([1, 2, 3])
    batch.begin(0)
    with pytest.raises(OptionError, match=r"mask of shape \(3,\)"):
        batch.restart([True, False, True])
    with pytest.raises(IndexError):
        batch.world(2)
