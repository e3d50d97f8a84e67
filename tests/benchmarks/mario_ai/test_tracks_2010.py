"""The gameplay tracks of 2010: their loops, weights and rules."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import ludus
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.building import SealedSeed
from ludus.benchmarks.mario_ai.tracks_2010 import (
    APRIL_LOOP,
    SUMMER_LOOP,
    december_options,
    loop_options,
)
from ludus.errors import OptionError
from ludus.games.game import find_game
from ludus.games.platformer import Level
from ludus.games.platformer.generators import generate
from ludus.games.platformer.tasks.impossible import dig_impossible_gap
from ludus.testing import check_benchmark

EVOSTAR = find_benchmark("mario-ai/gameplay-2010-evostar")
SUMMER = find_benchmark("mario-ai/gameplay-2010")
DECEMBER = find_benchmark("mario-ai/gameplay-2010-12")
TRACKS = (EVOSTAR, SUMMER, DECEMBER)
GAME = find_game("mario-ai")


def flags(options: str) -> dict[str, str]:
    words = options.split()
    return dict(zip(words[::2], words[1::2], strict=True))


@pytest.mark.parametrize("track", TRACKS, ids=lambda one: one.id)
def test_the_tracks_keep_their_promises(track: Any) -> None:
    check_benchmark(track, agent="forward-jumping")


@pytest.mark.parametrize(("track", "levels"), [(EVOSTAR, 126), (SUMMER, 180), (DECEMBER, 512)])
def test_the_loops_have_as_many_levels_as_they_had(track: Any, levels: int) -> None:
    assert track.episodes == levels
    names = [track.make_scenarios(0, levels)[number]["name"] for number in range(levels)]
    assert len(set(names)) == levels


def test_the_order_is_difficulty_type_creatures_time() -> None:
    names = [loop_options(SUMMER_LOOP, number, 0, "on")[0] for number in (0, 1, 2, 3, 6, 18, 179)]
    assert names == [
        "difficulty 0, type 0, frozen creatures, 32 s",
        "difficulty 0, type 0, frozen creatures, 64 s",
        "difficulty 0, type 0, frozen creatures, 128 s",
        "difficulty 0, type 0, moving creatures, 32 s",
        "difficulty 0, type 1, frozen creatures, 32 s",
        "difficulty 1, type 0, frozen creatures, 32 s",
        "difficulty 20, type 2, moving creatures, 128 s",
    ]


def test_the_loops_set_what_they_set() -> None:
    options = [flags(loop_options(APRIL_LOOP, number, 9, "off")[1]) for number in range(126)]
    assert Counter(one["-ld"] for one in options) == dict.fromkeys(
        ("0", "1", "3", "5", "12", "16", "20"), 18
    )
    assert {one["-ls"] for one in options} == {"9"}
    assert {one["-ll"] for one in options} == {"320"}
    scenario = GAME.parse_scenario(SUMMER.make_scenarios(6189642, 180)[63])
    recipe = scenario.level.recipe.options
    assert (recipe["seed"], recipe["dead_ends"], recipe["creatures"]) == (6189642, True, "")
    assert (scenario.mode, scenario.rules, scenario.task.evaluation) == (2, "2010", "weighted-2010")
    frozen = [GAME.parse_scenario(SUMMER.make_scenarios(0, 6)[number]) for number in (0, 3)]
    assert [one.level.options for one in frozen] == ["-tl 32 -fc on", "-tl 32"]


def test_the_summer_repeats_its_levels_in_six_passes() -> None:
    levels = SUMMER.make_scenarios(0, 1080)
    assert levels[3] == levels[3 + 180] == levels[3 + 5 * 180]


def test_the_lengths_of_december_by_hand() -> None:
    lengths = [
        int(flags(december_options(number, 0, exact=True)[1])["-ll"]) for number in range(512)
    ]
    assert lengths[:4] == [200, 212, 225, 239]
    assert lengths[25:27] == [16, 16]  # 2 and 1 in the reference, which nobody can play
    true_lengths = [(200 + 12 * i + i * (i - 1) // 2 % (i + 1)) % 512 for i in range(512)]
    assert sum(true_lengths) == 130_685
    assert [max(16, length) for length in true_lengths] == lengths
    playable = [flags(december_options(n, 0, exact=False)[1])["-ll"] for n in (25, 26, 27)]
    assert playable == ["50", "50", "50"]


def test_the_switches_of_december_by_hand() -> None:
    assert flags(december_options(12, 1000, exact=False)[1]) == {
        "-ls": "1078", "-ll": str((200 + 144 + 1066 % 13) % 512), "-lt": "0", "-ld": "0",
        "-lg": "on", "-lca": "on", "-lco": "on", "-lb": "off", "-lhb": "off", "-lde": "off",
        "-lla": "on", "-fc": "off", "-le": "''",
    }  # fmt: skip
    assert flags(december_options(505, 0, exact=False)[1])["-ld"] == "25"
    assert flags(december_options(25, 0, exact=False)[1])["-le"] == "off"


def test_an_option_keeps_levels_that_are_too_short() -> None:
    for exact, width in (("on", 16), ("off", 50)):
        scenarios = DECEMBER.make_scenarios(0, 512, {"exact": exact})
        assert scenarios[25]["level"]["recipe"]["options"]["width"] == width
    with pytest.raises(OptionError, match="no exact 'maybe'; there are off, on"):
        DECEMBER.make_scenarios(0, 1, {"exact": "maybe"})


def test_every_tenth_level_can_be_made_impossible() -> None:
    usual = SUMMER.make_scenarios(0, 20)
    spoilt = SUMMER.make_scenarios(0, 20, {"impossible": "on"})
    changed = [number for number in range(20) if usual[number] != spoilt[number]]
    assert changed == [9, 19]
    scenario = GAME.parse_scenario(spoilt[9])
    assert "impossible" in scenario.level.labels
    assert scenario.level.options == GAME.parse_scenario(usual[9]).level.options
    assert not scenario.level.tiles[160:310].any()
    assert scenario.level.tiles[159].any()


def test_only_maps_can_be_made_impossible() -> None:
    for level in (None, Level.parse("M-F\nXXX"), generate("tunable-2010", width=100)):
        with pytest.raises(OptionError, match="a gap needs a map of 2009 or 2010"):
            dig_impossible_gap(level)


def test_a_disqualified_level_scores_nothing() -> None:
    class Naps:
        """Runs and jumps; in its second level it presses a button that does not exist."""

        name = "naps"

        def __init__(self) -> None:
            self.levels = 0

        def reset(self, scenario: Any) -> None:
            self.levels += 1

        def act(self, view: Any) -> int:
            return 2 + 8 + 16 if self.levels != 2 or view.tick < 100 else 99

    result = ludus.run("mario-ai/gameplay-2010-evostar", Naps(), episodes=3, store="sqlite://")
    (summary,) = result.summaries
    assert summary.scores[1] == 0
    assert summary.faults >= 1  # on a busy machine another level may take too long
    assert summary.headline.value == sum(summary.scores.values())
    assert EVOSTAR.score_play({}, "disqualified").total == 0


@pytest.mark.parametrize("track", TRACKS, ids=lambda one: one.id)
def test_a_sealed_season_has_levels_that_nobody_knows(track: Any) -> None:
    scenarios = track.make_scenarios(SealedSeed(2**255 + 5), 3)
    assert scenarios == track.make_scenarios(SealedSeed(2**255 + 5), 3)
    assert scenarios[0]["seed"] > 2**32
    assert scenarios[0]["seed"] != scenarios[1]["seed"]
    assert scenarios[0]["level"] != track.make_scenarios(SealedSeed(2**255 + 6), 3)[0]["level"]
    GAME.parse_scenario(scenarios[2])
