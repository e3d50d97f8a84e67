"""The learning tracks: which levels, how many plays, what counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludus.agents.platformer.hill_climber import HillClimber
from ludus.benchmarks import Benchmark, find_benchmark
from ludus.benchmarks.building import SealedSeed
from ludus.benchmarks.mario_ai.learning import AUGUST, LEARNING_TRACKS, carry_over, score
from ludus.context import RunContext
from ludus.errors import OptionError, Paused
from ludus.execution.plan import make_plan
from ludus.execution.stage import Stage
from ludus.games.game import find_game
from ludus.runs import Store, run, summarise, verify
from ludus.runs.rerun import rerun
from ludus.testing import check_agent, check_benchmark

GAME = find_game("mario-ai-learning")


def options_of(name: str, seed: int = 0, plays: str = "10000") -> list[dict[str, Any]]:
    """Return what the levels of a track were asked to be."""
    track = find_benchmark(name)
    scenarios = track.make_scenarios(seed, track.episodes, {"plays": plays})
    assert {scenario["training_plays"] for scenario in scenarios} == {int(plays)}
    return [dict(scenario["level"]["recipe"]["options"]) for scenario in scenarios]


def short(track: Benchmark, plays: int) -> Benchmark:
    """Return a track of fewer plays."""
    (option,) = track.options
    return replace(track, options=(replace(option, default=str(plays)),))


def test_the_levels_of_august_by_hand() -> None:
    switches = ("coins", "blocks", "hidden_blocks", "gaps", "tubes", "platforms", "cannons")
    levels = options_of("mario-ai/learning-2010")
    assert [(level["difficulty"], level["creatures"]) for level in levels] == [
        (0, "off"), (3, "g,gw,rk,rkw,gk,gkw,s,sw,gww"), (2, "off"), (3, "off"), (3, "g,rk,gw"),
    ]  # fmt: skip
    assert [tuple(int(level[name]) for name in switches) for level in levels] == [
        (0, 0, 0, 0, 0, 0, 0),
        (1, 1, 0, 0, 0, 0, 0),
        (0, 0, 0, 1, 0, 0, 0),
        (0, 0, 0, 1, 1, 0, 1),
        (1, 0, 1, 0, 1, 0, 0),
    ]
    assert {(level["seed"], level["dead_ends"]) for level in levels} == {(0, False)}


def test_options_carry_over_until_they_are_set_again() -> None:
    texts = carry_over(AUGUST)
    assert texts[0] == AUGUST[0]
    assert texts[4].startswith(f"{AUGUST[0]} {AUGUST[1]} ")
    without = carry_over([AUGUST[0], AUGUST[1].replace("-le ", "-unset ")])[1]
    assert without.split().count("-le") == 1  # the "off" of level 1 would stay


def test_the_levels_of_december_by_hand() -> None:
    levels = options_of("mario-ai/learning-2010-12")
    seeds = [0, 133829, 133434, 133434, 1332656, 1332656]
    assert [level["seed"] for level in levels] == seeds
    assert [level["difficulty"] for level in levels] == [0, 5, 30, 30, 5, 5]
    assert [level["flat"] for level in levels] == [True] + [False] * 5
    assert [level["hidden_blocks"] for level in levels] == [False] * 3 + [True] + [False] * 2
    assert [level["ladders"] for level in levels] == [False] * 4 + [True, False]
    track = find_benchmark("mario-ai/learning-2010-12")
    shielded = [
        "-i on" in (GAME.parse_scenario(one).scenario.level.options or "")
        for one in track.make_scenarios(0, 6)
    ]
    assert shielded == [False, False, True, True, False, False]


def test_the_levels_of_a_seed_are_its_own() -> None:
    first, again, other = (options_of("mario-ai/learning", seed) for seed in (1, 1, 2))
    assert first == again
    assert not {level["seed"] for level in first} & {level["seed"] for level in other}
    sealed = options_of("mario-ai/learning", SealedSeed(2**200 + 5))
    assert len({level["seed"] for level in sealed}) == 5


def test_the_score_by_hand() -> None:
    facts = {
        "distance": 4096, "status": 1, "mode": 2, "coins": 3, "hidden_blocks": 1, "mushrooms": 1,
        "flowers": 1, "green_mushrooms": 0, "kills_total": 4, "kills_by_stomp": 2,
        "kills_by_fire": 1, "kills_by_shell": 1, "time_left": 150, "first_score": 2000,
        "training_plays": 10_000,
    }  # fmt: skip
    expected = 4096 + 1024 + 64 + 48 + 24 + 58 + 64 + 4 * 42 + 2 * 12 + 4 + 17 + 1200
    assert score(facts).total == sum(score(facts).parts.values()) == expected
    columns = {column.name: column for column in LEARNING_TRACKS[0].columns}
    assert columns["gain"].value(facts) == expected - 2000
    assert columns["gain"].value(facts | {"first_score": None}) == 0
    assert columns["levels cleared"].value(facts) == 1


@pytest.mark.parametrize("plays", ["0", "-1", "1000001", "many"])
def test_a_number_of_plays_that_is_none_is_refused(plays: str) -> None:
    with pytest.raises(OptionError, match=f"plays '{plays}' is not a whole number"):
        LEARNING_TRACKS[0].make_scenarios(0, 1, {"plays": plays})


@pytest.mark.parametrize("track", LEARNING_TRACKS, ids=lambda one: one.id)
def test_the_tracks_keep_their_promises(track: Benchmark) -> None:
    check_benchmark(short(track, 2), agent="run-right")


def test_the_hill_climber_keeps_the_contract() -> None:
    check_agent("hill-climber", short(LEARNING_TRACKS[0], 3), episodes=2)


def test_a_killed_level_goes_on_with_what_was_learned(tmp_path: Path) -> None:
    class Mortal(HillClimber):
        deaths = 1

        def learn(self, outcome: Mapping[str, Any]) -> None:
            super().learn(outcome)
            if outcome["play"] == 4 and self.deaths:
                self.deaths = 0
                raise Paused("killed")

    plan = make_plan("mario-ai/learning-2010", ["hill-climber"], episodes=1, options={"plays": "6"})
    whole = Stage(plan).play(plan.episodes[0])
    context, agent = RunContext(folder=tmp_path), Mortal()
    with pytest.raises(Paused):
        Stage(plan, context, agents={0: agent}).play(plan.episodes[0])
    resumed = Stage(plan, context, agents={0: HillClimber()}).play(plan.episodes[0])
    assert (resumed.record, resumed.facts) == (whole.record, whole.facts)
    assert resumed.steps == whole.steps


@pytest.mark.slow
def test_a_run_is_scored_verified_and_played_again(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "results.db"))
    players = ["hill-climber", "forward-jumping"]
    played = run("mario-ai/learning-2010", players, episodes=1, options={"plays": "5"}, store=store)
    scored = store.episodes(played.id)
    facts = scored[0].episode.facts
    assert (facts["training_plays"], scored[1].episode.facts["training_plays"]) == (5, 0)
    assert scored[0].score.total == facts["best_score"] >= facts["first_score"]  # type: ignore[operator]
    summaries = summarise(find_benchmark(played.benchmark), played.plan, scored)
    totals = {summary.agent: summary.headline.value for summary in summaries}
    assert totals["hill-climber"] == scored[0].score.total
    assert verify(played.id, store=store).good
    assert rerun(played.id, store=store).episodes == dict.fromkeys(players, 1)
    store.close()
