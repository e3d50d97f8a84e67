from __future__ import annotations

import math
from collections import Counter
from dataclasses import FrozenInstanceError, asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.games.platformer import Level
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.levels.metrics import EPSILON, Description, describe, divergence
from ludus.games.platformer.levels.solver import solve

CHARACTERS = "MFygGkrX#%|*Bb?Q!12DSCULotT<>[]-"


def found(*rows: str, rules: str = "framework") -> Description:
    return describe(Level.parse("\n".join(rows), rules=rules))


def plain(height: int = 4, width: int = 5) -> Level:
    return Level.parse("\n".join(["-" * width] * (height - 1) + ["X" * width]))


GAPS = ("----------", "----------", "M--g-----F", "XXX--XXX-X")


def test_gaps_are_runs_of_columns_without_a_floor() -> None:
    level = found(*GAPS)
    assert (level.width, level.height) == (10, 4)
    assert (level.gaps, level.gap_columns, level.widest_gap) == (2, 3, 2)


def test_the_floor_is_the_lowest_row_that_has_anything_solid() -> None:
    level = found(*GAPS, "----------")
    assert (level.gaps, level.gap_columns) == (2, 3)


def test_a_platform_high_above_does_not_close_a_gap() -> None:
    assert found("-----", "--%--", "-----", "-----", "XX-XX").gaps == 1
    assert found("-----", "--%--", "-----", "-----", "XX-XX").jumps == 1


def test_without_a_floor_all_is_gap() -> None:
    level = found("---", "---", "---")
    assert (level.gaps, level.widest_gap, level.density, level.jumps) == (1, 3, 0, 0)
    assert level.linearity == 1


def test_leniency_is_points_a_hundred_columns() -> None:
    # a goomba -1, two gaps -1/2 each, in ten columns
    assert found(*GAPS).leniency == pytest.approx(-20)
    rows = ("-" * 20,) * 3
    # a spiky -1, a flower -1/2, a cannon -1/2, two power-ups and two lives +4
    level = found(*rows, "M-y-TT-*-?-U-1-L---F", "X" * 20)
    assert level.leniency == pytest.approx(100 * (4 - 1 - 0.5 - 0.5) / 20)


def test_things_are_counted() -> None:
    rows = ("-" * 40,) * 3
    level = found(*rows, "M-gGg-kr-yE-TT-tt-t-**-B-?@Q!-12-SCUL-oF", "X" * 40)
    assert level.creatures == {
        "enemy_flower": 1,
        "goomba": 3,
        "goomba_winged": 1,
        "green_koopa": 1,
        "red_koopa": 1,
        "spiky": 1,
    }
    assert level.coins == 5  # Q ! 2 C o
    assert level.blocks == 10  # ? @ Q ! 1 2 S C U L
    assert level.power_ups == 3  # ? @ U
    assert level.lives == 2  # 1 L
    assert level.pipes == 3
    assert level.cannons == 3  # stars side by side are muzzles both


def test_ground_on_a_line_is_linear() -> None:
    assert found(*GAPS).linearity == 1
    stairs = ["-" * 6] * 3 + ["-" * (5 - n) + "X" * (n + 1) for n in range(6)]
    assert found(*stairs).linearity == pytest.approx(1)


def test_linearity_is_the_mean_distance_from_the_best_line() -> None:
    # ground in rows 3 3 2 2 3: slope -0.1, distances 0.2 0.3 0.6 0.5 0.6
    level = found("-----", "-----", "--XX-", "XXXXX")
    assert level.linearity == pytest.approx(1 / 1.44)


def test_density_counts_what_can_be_stood_on() -> None:
    assert found(*GAPS).density == pytest.approx(0.7)
    assert found("-----", "-%%--", "-----", "X-XXX").density == pytest.approx(6 / 5)
    assert found("XXXXX", "-----", "XXXXX", "XXXXX").density == 1  # not above the level
    assert found("-----", "-----", "-SS--", "XXXXX").density == 1  # a brick takes what it gives


def test_elements_can_be_stood_on_as_they_begin() -> None:
    rows = ("-------", "-------", "-H-N-(-", "XXXXXXX")
    assert found(*rows, rules="ludus").density == 1
    ladder = ("-------", "-------", "---l---", "---l---", "XXXXXXX")
    assert found(*ladder, rules="ludus").density == pytest.approx(8 / 7)


def test_decoration_is_the_share_of_furnished_cells() -> None:
    assert found(*GAPS).decoration == pytest.approx(1 / 40)
    assert found("-----", "-o-S-", "-%|#-", "XXXXX").decoration == pytest.approx(2 / 20)


def test_pattern_variation_is_the_share_of_different_windows() -> None:
    # The pole in the last column: 2 x 2 windows 4 of 6 filled ones, 3 x 3 3 of 4, 4 x 4 2 of 2.
    assert describe(plain()).pattern_variation == pytest.approx((4 / 6 + 3 / 4 + 1) / 3)
    assert describe(plain(4, 500)).pattern_variation < 0.02


def test_a_level_too_small_for_windows_has_no_variation() -> None:
    assert describe(Level.parse("M-F")).pattern_variation == 0


@pytest.mark.parametrize(
    ("rows", "jumps"),
    [
        (GAPS, 2),
        (("-----", "-----", "-----", "XXXXX"), 0),
        (("-----", "-----", "--X--", "XXXXX"), 1),
        (("-----", "-----", "-----", "-----", "--X--", "--X--", "--X--", "--X--", "XXXXX"), 1),
        (("-----",) * 4 + ("--X--",) * 5 + ("XXXXX",), 2),
        (("-----", "-----", "---XX", "XX-XX"), 1),
        (("-----", "-----", "XX---", "XXXXX"), 0),
    ],
)
def test_jumps_are_stretches_without_ground_and_steps_up(rows: tuple[str, ...], jumps: int) -> None:
    assert found(*rows).jumps == jumps


@given(st.data())
def test_every_measure_is_within_its_range(data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 24))
    row = st.text(CHARACTERS, min_size=width, max_size=width)
    level = found(*data.draw(st.lists(row, min_size=1, max_size=16)))
    assert 0 < level.linearity <= 1
    assert 0 <= level.density <= level.height
    assert 0 <= level.decoration <= 1
    assert 0 <= level.pattern_variation <= 1
    assert 0 <= level.widest_gap <= level.gap_columns <= level.width
    assert level.gaps <= level.gap_columns
    assert level.jumps >= 0


@given(st.lists(st.integers(0, 8), min_size=2, max_size=20))
def test_a_level_can_be_mirrored_without_another_ground(heights: list[int]) -> None:
    rows = ["".join("X" if row < top else "-" for top in heights) for row in range(11, -1, -1)]
    level, mirrored = found(*rows), found(*(row[::-1] for row in rows))
    assert level.gaps == mirrored.gaps
    assert level.linearity == pytest.approx(mirrored.linearity)
    assert level.density == mirrored.density


def frequencies(level: Level, size: int) -> Counter[bytes]:
    return Counter(
        level.tiles[x : x + size, y : y + size].tobytes()
        for x in range(level.width - size + 1)
        for y in range(level.height - size + 1)
    )


@pytest.mark.parametrize("size", [1, 2, 4])
def test_divergence_is_the_formula(size: int) -> None:
    level, other = bundled_level("sprint-01"), bundled_level("sprint-09")
    p, q = frequencies(level, size), frequencies(other, size)
    windows = set(p) | set(q)
    scale = 1 + len(windows) * EPSILON
    expected = 0.0
    for window in windows:
        a = (p[window] / p.total() + EPSILON) / scale
        b = (q[window] / q.total() + EPSILON) / scale
        expected += (a * math.log(a / b) + b * math.log(b / a)) / 2
    assert divergence(level, other, size) == pytest.approx(expected)
    assert divergence(other, level, size) == pytest.approx(expected)


def test_a_level_does_not_diverge_from_itself() -> None:
    level = bundled_level("sprint-04")
    assert divergence(level, level) == 0
    near = generate("notch-framework", seed=1), generate("notch-framework", seed=2)
    assert 0 < divergence(*near) < divergence(near[0], generate("tunable-2010", seed=1))


def test_windows_must_fit() -> None:
    with pytest.raises(OptionError, match="3 × 1 has no windows of 2 × 2: give a size from 1 to 1"):
        divergence(Level.parse("M-F"), plain())
    with pytest.raises(OptionError, match="no windows of 0"):
        divergence(plain(), plain(), 0)


def test_variation_agrees_with_counting() -> None:
    level = generate("tunable-2010", seed=3, difficulty=5)
    shares = []
    for size in (2, 3, 4):
        counts = frequencies(level.tile_level, size)
        empty = counts.pop(bytes(size * size), 0)
        assert empty
        shares.append(len(counts) / counts.total())
    assert describe(level).pattern_variation == pytest.approx(float(np.mean(shares)))


def test_the_solver_s_effort_is_measured_if_asked_for() -> None:
    level = Level.parse("----------\n" * 4 + "M--------F\nXXXX--XXXX")
    assert describe(level).nodes is None
    assert describe(level, solve=True).nodes == solve(level).nodes
    hard = bundled_level("sprint-10")
    assert describe(hard, solve=True, budget=3).nodes == solve(hard, budget=3).nodes


def test_a_description_is_frozen_plain_data() -> None:
    level = describe(bundled_level("sprint-01"))
    with pytest.raises(FrozenInstanceError):
        level.gaps = 3  # type: ignore[misc]
    assert asdict(level)["nodes"] is None
    assert level == describe(bundled_level("sprint-01"))
    assert hash(level) == hash(describe(bundled_level("sprint-01")))
