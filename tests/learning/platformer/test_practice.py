from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ludus.games.platformer._native import sight_fields, sight_picture, wide_fields
from ludus.games.platformer.arena.game import replay_match
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.learning.platformer.practice import BUTTONS, Practice, derive_seed
from ludus.learning.platformer.settings import Reward

NEVER = 2**31 - 1
STAGES = ("1-1", "3-3", "7-4")


def practice(n: int = 24, slots: int = 40, observe: str = "fields", **given: Any) -> Practice:
    made = Practice(
        STAGES,
        [derive_seed("test", k) for k in range(n)],
        groups=given.pop("groups", 1),
        slots=slots,
        observe=observe,
        reward=Reward(**given),
    )
    made.begin()
    return made


def choices(slots: int, n: int, seed: int = 0) -> NDArray[np.uint8]:
    likely = np.array([1, 1, 4, 1, 1, 9, 1, 1, 6, 1, 1, 9], np.float64)
    drawn = np.random.default_rng(seed).choice(len(BUTTONS), (slots, n), p=likely / likely.sum())
    return drawn.astype(np.uint8)


def play(made: Practice, chosen: NDArray[np.uint8]) -> None:
    for slot, row in enumerate(chosen):
        made.step(slot, row)


@pytest.mark.parametrize("observe", ["fields", "wide", "pixels"])
def test_a_game_is_the_arenas_with_the_same_seed_and_decisions(observe: str) -> None:
    made = practice(observe=observe, patience=NEVER)
    play(made, choices(40, 24))
    assert (made.endings > 0).any()
    for k, (_, level, seed, tape) in enumerate(made.native.places()):
        scenario = ArenaScenario("", (STAGES[level],), seed)
        view = replay_match(scenario, tape).observation
        world = view.forward_model()
        if observe != "pixels":
            seen = sight_fields(world) if observe == "fields" else wide_fields(world)
            np.testing.assert_array_equal(made.observations[-1, k], seen)
        else:
            np.testing.assert_array_equal(made.observations[-1, k, 1], sight_picture(world))


def test_endings_and_furthest_are_the_arenas() -> None:
    made = practice(patience=NEVER)
    chosen, begun = choices(40, 24), made.native.places()
    play(made, chosen)
    ended = np.flatnonzero((made.endings > 0).any(0)).tolist()
    assert len(ended) > 5
    for k in ended:
        _, level, seed, _ = begun[k]
        last = int(np.argmax(made.endings[:, k] > 0))
        decisions = BUTTONS[chosen[: last + 1, k]].tobytes()
        scenario = ArenaScenario("", (STAGES[level],), seed)
        match = replay_match(scenario, decisions)
        assert match.over
        assert not replay_match(scenario, decisions[:-1]).over
        furthest = int(match.facts()["max_x_pos"] or 0)  # within a decision he may have come back
        assert made.reached[last, k] - 1 <= furthest <= made.reached[last, k] + 48


@pytest.mark.parametrize(
    ("observe", "retry"), [("fields", 0.0), ("wide", 0.9), ("pixels", 0.0), ("pixels", 0.9)]
)
def test_a_state_goes_on_as_it_would_have(observe: str, retry: float) -> None:
    first = practice(observe=observe, retry=retry)
    play(first, choices(40, 24))
    first.learn_odds(first.finished())
    first.carry_over()
    second = practice(observe=observe, retry=retry)
    second.restore(first.state())
    assert (first.state()["fork_at"] >= 0).any() == (retry > 0)
    np.testing.assert_array_equal(first.observations[0], second.observations[0])
    for made in (first, second):
        play(made, choices(40, 24, seed=1))
    np.testing.assert_array_equal(first.observations, second.observations)
    np.testing.assert_array_equal(first.rewards, second.rewards)
    for one, other in zip(first.finished(), second.finished(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_rewards_add_up_to_what_a_game_paid() -> None:
    made = practice(progress=1.0, win=100.0, loss=-10.0, decision=0.0)
    play(made, choices(40, 24))
    done = made.finished()
    assert len(done.won) > 5
    fixed = np.where(done.won, 100.0, -10.0)
    tiles = (done.reached - 16 * 3 - 8) / 16  # he starts in the middle of column 3
    np.testing.assert_allclose(done.returns, fixed + tiles, atol=1e-3)


def test_a_game_without_progress_is_given_up() -> None:
    made = practice(patience=7)
    still = np.zeros((40, 24), np.uint8)
    play(made, still)
    assert set(np.flatnonzero(made.endings[:, 0])) == {6, 13, 20, 27, 34}


def test_a_retry_is_the_lost_game_up_to_its_fork_and_counts_as_no_game_of_its_own() -> None:
    made = practice(retry=1.0, patience=NEVER)
    begun = {seed: level for _, level, seed, _ in made.native.places()}
    chosen = choices(40, 24)
    play(made, chosen)
    lost = made.endings > 1
    ends = np.argwhere(lost & (made.retried == 0))
    assert len(ends)
    assert made.retried.any()
    assert made.finished().level.size == len(ends)
    for (_, level, seed, tape), (at, fork_seed) in zip(
        made.native.places(), made.native.forks(), strict=True
    ):
        if at < 0:
            continue
        assert begun.get(seed, level) == level
        assert 0 < at <= len(tape)
        assert fork_seed != seed


def test_levels_that_are_won_are_played_less() -> None:
    made = practice(groups=2)
    done = made.finished()._replace(
        group=np.zeros(500, np.int64),
        level=np.zeros(500, np.int32),
        won=np.ones(500, np.bool_),
    )
    made.learn_odds(done)
    chances = np.diff(made.odds, axis=1, prepend=0)
    assert chances[0, 0] < 0.1 * chances[0, 1]
    np.testing.assert_allclose(chances[1], chances[1, 0])


def test_buffers_of_the_wrong_size_are_refused() -> None:
    made = practice()
    with pytest.raises(IndexError):
        made.native.step(40)
    with pytest.raises(ValueError, match="fewer places"):
        made.restore_games([(0, 0, 0, b"")])
    with pytest.raises(ValueError, match="level 9: there are 3"):
        made.restore_games([(0, 9, 0, b"")] * 24)
