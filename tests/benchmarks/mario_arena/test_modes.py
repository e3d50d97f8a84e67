from __future__ import annotations

from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.benchmarks.mario_arena.episode import ArenaEpisode
from ludus.benchmarks.mario_arena.modes import GAME_FORMULAS, MODES, find_mode
from ludus.benchmarks.mario_arena.scoring import compute_arena_score
from ludus.errors import OptionError

EPISODE = ArenaEpisode(
    world=1,
    stage=1,
    completed=True,
    max_x_pos=3266,
    steps=342,
    coins=15,
    time_remaining=245,
    lives=2,
    power=1,
    jumps=30,
    kills=6,
    variety=4,
)
GAME = replace(EPISODE, world=8, stage=4, full_game=True, steps=20_000, coins=400, kills=150)


@pytest.mark.parametrize(
    ("mode", "points", "shown"),
    [
        ("standard", 1_018_181.8, 1_018_182),
        ("speedrun", 10_258_924.0, 10_258_924),
        ("coins", 1_089_231.8, 1_089_232),
        ("survival", 1_124_231.8, 1_124_232),
        ("style", 1_038_731.8, 1_038_732),
        ("strict", 1_013_266.152459657, 1_013_266),
    ],
)
def test_one_episode_in_every_mode(mode: str, points: float, shown: int) -> None:
    score = compute_arena_score(EPISODE, mode)
    assert (score.points, score.display) == (points, shown)


@pytest.mark.parametrize(
    ("mode", "points"),
    [
        ("standard", 10_085_266.0),
        ("speedrun", 100_067_266.0),
        ("coins", 10_485_266.0),
        ("survival", 10_195_266.0),
        ("style", 10_181_766.0),
        ("strict", 10_323_266.979999),
    ],
)
def test_one_whole_game_in_every_mode(mode: str, points: float) -> None:
    assert compute_arena_score(GAME, mode).points == points


def test_every_mode_says_what_it_does() -> None:
    for mode in MODES.values():
        assert "completed" in mode.formula
        assert mode.why.endswith(".")


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(OptionError, match="no scoring mode 'fun'; there are standard, speedrun"):
        find_mode("fun")


def test_a_mode_asks_for_what_it_needs() -> None:
    bare = {
        "world": 1, "stage": 1, "completed": 1, "max_x_pos": 1, "steps": 1, "coins": 0,
        "time_remaining": 0,
    }  # fmt: skip
    with pytest.raises(OptionError, match="'jumps', 'kills', 'variety' missing"):
        compute_arena_score(bare, "style")
    with pytest.raises(OptionError, match="'lives', 'power' missing"):
        compute_arena_score(bare, "survival")


def test_style_has_nothing_to_farm() -> None:
    shown = compute_arena_score(replace(EPISODE, jumps=100, kills=100), "style")
    farmed = compute_arena_score(replace(EPISODE, jumps=9000, kills=9000), "style")
    assert farmed.units == shown.units


def test_style_counts_as_much_in_the_whole_game_as_in_its_32_levels() -> None:
    below, most, farmed = (
        compute_arena_score(replace(GAME, jumps=count, kills=count), "style").breakdown
        for count in (3_199, 3_200, 9_000)
    )
    assert (most["jumps"], most["kills"]) == (50 * 3_200, 500 * 3_200)
    assert farmed == most
    assert below["jumps"] < most["jumps"]
    assert below["kills"] < most["kills"]


@pytest.mark.parametrize(
    ("name", "part", "values", "worth"),
    [
        ("max_x_pos", "progress", (9_998, 9_999, 10_000, 65_535), (19_998, 19_999, 19_999, 19_999)),
        ("time_remaining", "time", (998, 999), (0.00998, 0.00999)),
        ("steps", "steps", (9_998, 9_999, 10_000, 1_000_000), (1e-9, 0, 0, 0)),
    ],
)
def test_no_part_of_strict_outgrows_its_digits(
    name: str, part: str, values: tuple[int, ...], worth: tuple[float, ...]
) -> None:
    plain = asdict(EPISODE)
    scores = [compute_arena_score({**plain, name: value}, "strict") for value in values]
    found = [score.breakdown[part] for score in scores]
    assert tuple(found) == worth


def test_the_standard_score_breaks_the_promise_that_strict_keeps() -> None:
    """Who dies at the flag of 1-1 is not as far as who stands at the start of 1-4."""
    at_flag = replace(EPISODE, completed=False, max_x_pos=3161, coins=0)
    further = replace(EPISODE, completed=False, stage=4, max_x_pos=40, coins=0)
    for mode, keeps in (("standard", False), ("strict", True)):
        one, other = compute_arena_score(at_flag, mode), compute_arena_score(further, mode)
        assert (other.units > one.units) is keeps


places = st.tuples(st.integers(1, 8), st.integers(1, 4), st.integers(0, 9_999))
rest = st.fixed_dictionaries(
    {
        "steps": st.integers(1, 1_000_000),
        "coins": st.integers(0, 99),
        "time_remaining": st.integers(0, 999),
    }
)


@given(places, places, rest, rest, st.booleans())
def test_further_always_beats_in_strict(
    here: tuple[int, int, int],
    there: tuple[int, int, int],
    one: dict[str, int],
    other: dict[str, int],
    completed: bool,
) -> None:
    scores = [
        compute_arena_score(
            {
                **values,
                "world": place[0],
                "stage": place[1],
                "max_x_pos": place[2],
                "completed": completed,
            },
            "strict",
        )
        for place, values in ((here, one), (there, other))
    ]
    if here == there:
        keys = [
            (v["coins"], v["time_remaining"] * completed, -min(v["steps"], 9_999))
            for v in (one, other)
        ]
        assert (scores[0].units > scores[1].units) == (keys[0] > keys[1])
        return
    assert (scores[0].units > scores[1].units) == (here > there)
    assert (scores[0].display > scores[1].display) == (here > there)


def test_every_mode_tells_how_the_whole_game_is_scored() -> None:
    assert GAME_FORMULAS.keys() == MODES.keys()
    for name, formula in GAME_FORMULAS.items():
        completion = MODES[name].formula.partition("·")[0]
        assert formula.startswith(f"{int(completion.replace(',', '')) * 10:,}·completed")
