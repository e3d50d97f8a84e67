from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.boards.making import Here

from ludus.benchmarks import find_benchmark
from ludus.benchmarks.building import SealedSeed
from ludus.benchmarks.mario_arena.unseen import BANDS
from ludus.errors import OptionError
from ludus.games.platformer.arena.levels import (
    DIFFICULTIES,
    arena_level,
    generated_stage,
    stage_seed,
    unseen_stage,
)
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.runs import Store, run, summarise, verify
from ludus.testing import check_benchmark

UNSEEN = find_benchmark("mario-arena/unseen")
ALL = find_benchmark("mario-arena/all")


def stages(seed: int, levels: str = "test", episodes: int = 36) -> list[str]:
    return [one["stages"][0] for one in UNSEEN.make_scenarios(seed, episodes, {"levels": levels})]


def test_tracks_keep_their_promises() -> None:
    check_benchmark(UNSEEN, agent="forward-jumping")


def test_test_levels_follow_from_the_seed_and_are_no_training_levels() -> None:
    assert stages(0) == stages(0)
    assert not set(stages(0)) & set(stages(1))
    assert stages(0, "training") == stages(1, "training")
    assert not set(stages(0)) & set(stages(0, "training"))
    held_out = {unseen_stage(stage_seed("held out", k), k) for k in range(36)}
    assert not held_out & {*stages(0), *stages(0, "training")}


def test_a_sealed_seed_gives_levels_that_nobody_can_list() -> None:
    made = UNSEEN.make_scenarios(SealedSeed(2**200), 3)
    seeds = [int(one["stages"][0].rpartition("=")[2]) for one in made]
    assert max(seeds) > 2**53


def test_every_difficulty_and_type_comes_and_is_in_a_band() -> None:
    recipes = [arena_level(stage).recipe for stage in stages(0)]
    made = {(r.options["difficulty"], r.options["type"]) for r in recipes if r}
    assert len(made) == 36
    assert sorted(k for band in BANDS.values() for k in band) == list(range(DIFFICULTIES))


def test_progress_and_success_by_difficulty(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "ludus.db"))
    played = run(
        "mario-arena/unseen", ["forward-jumping"], store=store, episodes=6, executor=Here()
    )
    (summary,) = summarise(UNSEEN, played.plan, store.episodes(played.id))
    facts = [scored.episode.facts for scored in store.episodes(played.id)]
    assert all(0 <= UNSEEN.score(one).total <= 1000 for one in facts)
    assert [one["difficulty"] for one in facts] == [0, 1, 2, 3, 4, 5]
    shares = {column.name: column.aggregate(facts) for column in UNSEEN.columns}
    easy = [one["completed"] for one in facts if int(one["difficulty"] or 0) < 4]
    assert shares["easy"] == sum(map(int, easy)) / 4  # type: ignore[arg-type]
    assert math.isnan(shares["hard"])
    assert not verify(played.id, store=store).differences
    assert summary.headline.value == pytest.approx(
        sum(UNSEEN.score(one).total for one in facts) / 6
    )


@pytest.mark.parametrize(
    ("stage", "told"),
    [
        ("9-9", "no level '9-9'"),
        ("evil.py:make?seed=1", "no level 'evil.py:make"),
        ("ludus?difficulty=99", "difficulty '99' is out of range"),
        ("ludus?seed=1&seed=2", "says something twice"),
        ("ludus?" + "a" * 600, "too long"),
        ("ludus?nonsense", "names no level"),
    ],
)
def test_addresses_that_name_no_level_are_refused(stage: str, told: str) -> None:
    with pytest.raises(OptionError, match=r"^[^\n]+$") as error:
        arena_level(stage)
    assert told in str(error.value)


def test_an_address_of_many_levels_has_no_seed() -> None:
    assert generated_stage("ludus?difficulty=3", 7) == "ludus?difficulty=3&seed=7"
    with pytest.raises(OptionError, match="leave out the seed"):
        generated_stage("ludus?seed=3", 7)


def test_a_scenario_of_another_generator_is_refused() -> None:
    values = UNSEEN.make_scenarios(0, 1)[0]
    assert ArenaScenario.from_dict(values).level.width == 150
    with pytest.raises(OptionError, match="others here"):
        ArenaScenario.from_dict({**values, "levels": "0" * 16})


def test_all_tracks_are_played_with_the_seeds_of_each() -> None:
    made = ALL.make_scenarios(5, 40)
    assert made[1] == find_benchmark("mario-arena/1-2").make_scenarios(5, 1)[0]
    assert made[32] == find_benchmark("mario-arena/full-game").make_scenarios(5, 1)[0]
    assert made[34] == find_benchmark("mario-arena/1-2").make_scenarios(5, 2)[1]
    assert ALL.episodes == 330


def test_all_tracks_come_to_an_interquartile_mean_with_its_interval() -> None:
    level = {"full_game": 0, "world": 1, "stage": 1, "completed": 1, "max_x_pos": 2256}
    lost = {**level, "stage": 2, "completed": 0, "max_x_pos": 0}
    game = {"full_game": 1, "completed": 0, "levels_completed": 16}
    facts = [level, lost, game] * 2
    totals = [ALL.score(one).total for one in facts]
    assert totals == [1000, 0, 500] * 2
    assert ALL.aggregate is not None
    value, low, high = ALL.aggregate(facts, totals)  # type: ignore[misc]
    assert (value, low, high) == (500, 500, 500)
    assert ALL.aggregate(facts[:4], totals[:4]) == 750
