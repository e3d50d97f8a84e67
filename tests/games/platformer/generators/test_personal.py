"""The generators for a player: playable, the same for a seed, easier for a beginner."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.games.platformer import Level
from ludus.games.platformer.generators import generate, generate_from, load, names
from ludus.games.platformer.generators.personal.canvas import Canvas
from ludus.games.platformer.generators.personal.dice import Dice
from ludus.games.platformer.generators.personal.repaired_ga import Gene, measure_fitness
from ludus.games.platformer.levels.constraints import count_demanded
from ludus.games.platformer.levels.metrics import describe
from ludus.games.platformer.levels.solver import solve
from ludus.games.platformer.recordings import PROFILES, PlayerRecord

PERSONAL = (
    "promp",
    "evolved-parts",
    "repaired-ga",
    "chunk-extension",
    "hopper",
    "skill-mix",
)
SEEDS = range(3)


@pytest.fixture(scope="module")
def levels() -> dict[tuple[str, str], list[Level]]:
    """Levels of every generator for every profile."""
    return {
        (name, profile): [generate(name, seed=seed, profile=profile) for seed in SEEDS]
        for name in PERSONAL
        for profile in PROFILES
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", PERSONAL)
def test_a_beginner_s_levels_are_easier_than_an_expert_s(
    name: str, levels: dict[tuple[str, str], list[Level]]
) -> None:
    easy = [describe(level) for level in levels[name, "beginner"]]
    hard = [describe(level) for level in levels[name, "expert"]]
    assert min(one.leniency for one in easy) > max(one.leniency for one in hard)
    assert fmean(one.gap_columns for one in easy) < fmean(one.gap_columns for one in hard)
    assert max(one.widest_gap for one in easy) <= max(one.widest_gap for one in hard) <= 5
    creatures = [fmean(sum(one.creatures.values()) for one in some) for some in (easy, hard)]
    assert creatures[0] < creatures[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", PERSONAL)
def test_levels_are_playable_and_differ(
    name: str, levels: dict[tuple[str, str], list[Level]]
) -> None:
    every = [level for profile in PROFILES for level in levels[name, profile]]
    assert len({level.text for level in every}) == len(every)
    for level in every:
        assert (level.width, level.height, level.rules, level.time_limit) == (320, 15, "2009", 200)
        assert solve(level).outcome == "solved"
        assert level.start[0] < 10 < level.exit[0]


@pytest.mark.parametrize("name", PERSONAL)
def test_a_recipe_makes_the_same_level_again(name: str) -> None:
    record = PlayerRecord(deaths_by_gap=1, wins=1, time_running=20, total_time=60)
    level = generate(name, seed=5, profile=record)
    assert level.recipe is not None
    assert PlayerRecord.parse(str(level.recipe.options["profile"])) == record
    assert generate_from(level.recipe) == level == generate(name, seed=5, profile=record.to_json())


@pytest.mark.parametrize("name", PERSONAL)
def test_demands_are_met(name: str) -> None:
    level = generate(name, seed=2, width=160, gaps=4, turtles=5, coin_blocks=6)
    assert count_demanded(level) == (160, 4, 5, 6)
    assert count_demanded(generate(name, seed=2, gaps=0, turtles=0, coin_blocks=0))[1:] == (0, 0, 0)


@given(
    st.sampled_from(PERSONAL),
    st.builds(
        PlayerRecord,
        **{name: st.integers(0, 300) for name in ("total_time", "time_running", "time_left")},
        **{name: st.integers(0, 3) for name in ("deaths_by_gap", "deaths_by_goomba", "wins")},
        enemies_total=st.integers(0, 40),
        goombas_killed=st.integers(0, 200),
        blocks_share=st.floats(0, 1),
    ),
    st.integers(0, 2**63 - 1),
)
@settings(max_examples=20)
def test_any_record_and_seed_get_a_level(name: str, record: PlayerRecord, seed: int) -> None:
    level = generate(name, seed=seed, profile=record, width=100)
    assert level.width == 100
    assert solve(level).outcome == "solved"


def test_they_are_listed_like_the_others() -> None:
    assert set(PERSONAL) <= set(names())
    assert all(load(name).summary.startswith("for a player") for name in PERSONAL)


def test_a_demand_without_room_is_refused_in_one_line() -> None:
    with pytest.raises(OptionError, match="demand less") as caught:
        generate("skill-mix", width=64, gaps=500)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("profile", ["nobody", "{}{", '{"jumps": -1}', "[]", 3])
def test_a_profile_that_is_none_is_refused(profile: object) -> None:
    with pytest.raises(OptionError):
        generate("promp", profile=profile)


def test_a_function_of_a_file_gets_the_record(tmp_path: Path) -> None:
    """The interface of the track: a function of a record and a seed that returns a level."""
    file = tmp_path / "mine.py"
    file.write_text(
        "from ludus.games.platformer.recordings import PlayerRecord\n"
        "def make(profile: PlayerRecord, seed: int) -> str:\n"
        "    way = profile.deaths + seed\n"
        "    return 'M' + '-' * way + 'F\\n' + 'X' * (2 + way)\n"
    )
    level = generate(f"{file}:make", seed=4, profile=PROFILES["beginner"])
    assert level.width == 2 + 3 + 4
    assert level.recipe is not None
    assert generate_from(level.recipe) == level


def test_the_fitness_of_rhythm_groups_by_hand() -> None:
    """Two groups, of challenge 2 x 0.9 and 0.9, with M = 1.8: 1 and 2 x 0.5 - 0.25."""
    calm, one = Gene(13), Gene(13, enemies=1)
    genome = (one, one, calm, calm, one, calm)
    assert measure_fitness(genome, 1.8) == pytest.approx(1 + 0.75)


def test_chance_is_the_same_everywhere() -> None:
    dice = Dice("level", 1)
    assert [dice.between(0, 99) for _ in range(5)] == [74, 4, 82, 48, 92]
    assert sorted(dice.shuffle(range(9))) == list(range(9))
    assert {dice.weigh({"a": 0, "b": 1}) for _ in range(9)} == {"b"}
    assert dice.between(3, 3) == dice.between(3, 1) == 3


def test_gaps_of_a_canvas() -> None:
    canvas = Canvas(64)
    canvas.dig(12, 3)
    canvas.dig(20, 2)
    assert canvas.find_gaps() == [(12, 3), (20, 2)]
    canvas.fill(12, 3)
    assert canvas.find_gaps() == [(20, 2)]
    canvas.dig(0, 64)
    assert canvas.find_gaps() == [(10, 40)], "lead and run-out stay"
