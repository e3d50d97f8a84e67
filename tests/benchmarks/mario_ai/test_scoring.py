"""The scores of the competitions, worked out by hand."""

from __future__ import annotations

from ludus.benchmarks.mario_ai.scoring import (
    WEIGHTS_2010,
    WEIGHTS_2010_12,
    WEIGHTS_EVOSTAR,
    CigTotals,
    rank_cig,
    sum_of_means,
    weigh,
    weighted_parts,
)
from ludus.games.platformer import evaluation

LEVEL = {
    "distance": 4096, "status": 1, "mode": 2, "coins": 76, "mushrooms": 1, "flowers": 2,
    "green_mushrooms": 1, "hidden_blocks": 3, "kills_total": 10, "kills_by_stomp": 4,
    "kills_by_fire": 5, "kills_by_shell": 1, "time_left": 165,
}  # fmt: skip


def test_the_sum_of_four_means_by_hand() -> None:
    levels = [
        {"difficulty": difficulty, "distance": distance}
        for difficulty, distances in {
            0: (4000.0, 2000.0),
            3: (1000.0, 500.0),
            5: (32.0, 32.0),
            10: (100.5, 99.5),
        }.items()
        for distance in distances
    ]
    assert sum_of_means(levels) == 3000 + 750 + 32 + 100
    assert sum_of_means([]) == 0


def test_the_totals_of_the_second_competition_by_hand() -> None:
    levels = [
        {"distance": 1010.5, "exit_x": 1000, "time_left": 150, "kills_total": 3, "mode": 2},
        {"distance": 400.25, "exit_x": 1200, "time_left": 180, "kills_total": 1, "mode": 0},
    ]
    assert CigTotals.of(levels) == (1400.25, 330, 4, 2)


def test_ties_are_broken_by_time_then_kills_then_modes() -> None:
    players = {
        "equal": CigTotals(100.0, 20, 3, 1),
        "equal too": CigTotals(100.0, 20, 3, 1),
        "large": CigTotals(100.0, 20, 3, 2),
        "killer": CigTotals(100.0, 20, 4, 0),
        "fast": CigTotals(100.0, 21, 0, 0),
        "far": CigTotals(100.5, 0, 0, 0),
    }
    names = [(1, "far"), (2, "fast"), (3, "killer"), (4, "large"), (5, "equal"), (5, "equal too")]
    assert rank_cig(players) == names


def test_the_weights_of_each_event_by_hand() -> None:
    april = 4096 + 1024 + 64 + 16 * 76 + 24 * 3 + 42 * 10 + 4 * 5 + 17 + 12 * 4 + 8 * 165
    assert weigh(LEVEL, WEIGHTS_EVOSTAR) == april == 8297
    assert weigh(LEVEL, WEIGHTS_2010) == april + 2 * 64 + 58
    assert weigh(LEVEL) == april + 2 * 64 + 58 + 58
    assert sum(weighted_parts(LEVEL).values()) == weigh(LEVEL)


def test_a_level_without_an_end_is_no_win() -> None:
    assert weigh({**LEVEL, "status": 2}) == weigh({**LEVEL, "status": 0}) == weigh(LEVEL) - 1024


def test_the_engine_has_the_same_weights() -> None:
    assert dict(WEIGHTS_2010_12) == dict(evaluation.WEIGHTS_2010)
