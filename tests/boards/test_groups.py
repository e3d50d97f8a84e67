from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.boards.making import hero, played
from tests.runs.small import SMALL

from ludus.benchmarks import benchmarks
from ludus.boards.comparing import Contest, compare_runs
from ludus.boards.groups import (
    LETTERS_CAPTION,
    MOST_COMPARED,
    OVERLAP_CAPTION,
    LevelScores,
    describe_letters,
    run_letters,
)
from ludus.boards.groups import group_letters as letters_of
from ludus.errors import RunError
from ludus.runs import Store, make_plan, summarise
from ludus.stats import compare_two, mean_interval

LEVELS = [(f"level {k}", k) for k in range(10)]


def scores(*values: float) -> dict[tuple[str, int], float]:
    return dict(zip(LEVELS, values, strict=True))


def group_letters(scores: Mapping[str, LevelScores]) -> dict[str, str]:
    headlines = {
        agent: mean_interval(list(totals.values()), method="t") for agent, totals in scores.items()
    }
    return letters_of(scores, headlines)


HIGH = scores(*range(90, 100))
LOW = scores(*range(10, 20))
ALSO_LOW = scores(*range(19, 9, -1))


def test_agents_that_differ_everywhere_are_told_apart() -> None:
    assert group_letters({"high": HIGH, "low": LOW, "also": ALSO_LOW}) == {
        "high": "a",
        "low": "b",
        "also": "b",
    }


def test_nobody_and_one_alone() -> None:
    assert group_letters({}) == {}
    assert group_letters({"one": HIGH}) == {"one": "a"}


def test_only_what_all_have_played_counts() -> None:
    half = {key: HIGH[key] for key in LEVELS[:5]}
    assert group_letters({"half": half, "low": LOW}) == {"half": "a", "low": "a"}


def test_nothing_in_common_is_no_comparison() -> None:
    first, last = LEVELS[0], LEVELS[-1]
    assert group_letters({"a": {first: 1}, "b": {last: 1}}) == {"a": "", "b": ""}


def test_episodes_of_one_level_count_as_one() -> None:
    many = {(f"level {k % 2}", k): 100.0 for k in range(40)}
    few = dict.fromkeys(many, 1.0)
    assert group_letters({"a": many, "b": few}) == {"a": "a", "b": "a"}


def test_a_single_level_is_compared_by_episode() -> None:
    many = {("only", k): 100.0 + k for k in range(40)}
    few = {key: value / 10 for key, value in many.items()}
    assert group_letters({"a": many, "b": few}) == {"a": "a", "b": "b"}


def test_many_agents_are_grouped_by_their_intervals() -> None:
    many = {f"agent {k:02d}": scores(*(3 * k + j for j in range(10))) for k in range(MOST_COMPARED)}
    assert describe_letters(group_letters(many).values()) == LETTERS_CAPTION
    many["best"] = HIGH
    letters = group_letters(many)
    assert describe_letters(letters.values()) == OVERLAP_CAPTION
    assert letters["agent 49"] == "a"
    assert letters["agent 00"] != letters["agent 20"]
    assert any("–" in text for text in letters.values())


def test_agents_with_too_many_groups_are_grouped_by_their_intervals() -> None:
    """Twenty pairs, each told apart and all else alike, have a million groups by comparison."""
    many = {}
    for pair in range(20):
        noise = np.random.default_rng(pair).normal(0, 100, 20)
        for better in (0, 1):
            many[f"{pair} {better}"] = {(f"level {k}", k): noise[k] + better for k in range(20)}
    assert set(group_letters(many)) == set(many)


def test_letters_of_a_run(store: Store) -> None:
    made = played(store, "idle", "forward-jumping")
    summaries = summarise(SMALL, made.plan, store.episodes(made.id))
    assert set(run_letters(SMALL, summaries, made.plan)) == {"idle", "forward-jumping"}


def test_two_agents_of_one_run(store: Store) -> None:
    made = played(store, "idle", "forward-jumping", episodes=10)
    (one,) = compare_runs(f"{made.id}:forward-jumping", f"{made.id}:idle", store)
    assert (one.first, one.second, one.scenarios) == ("forward-jumping", "idle", 10)
    assert one.comparison.difference.value > 0
    assert one.verdict == "forward-jumping"
    (mirrored,) = compare_runs(f"{made.id}:idle", f"{made.id}:forward-jumping", store)
    assert mirrored.verdict == "forward-jumping"


def test_the_better_of_two_may_be_better_by_little() -> None:
    fair, better = (dict.fromkeys(range(10), value) for value in (0.5, 0.75))
    contest = Contest("fair", "better", 10, compare_two(fair, better), {}, {})
    assert contest.verdict == "better"


@pytest.mark.parametrize(("levels", "compared"), [(1, 6), (2, 2), (3, 3)])
def test_episodes_of_a_level_count_as_one_unless_it_is_the_only_one(
    levels: int, compared: int, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scenarios(seed: int, episodes: int, clock: str) -> list[dict[str, Any]]:
        drawn = SMALL.scenarios(seed, episodes, clock)
        return [{**one, "name": f"level {k % levels}"} for k, one in enumerate(drawn)]

    monkeypatch.setitem(benchmarks(), SMALL.id, replace(SMALL, scenarios=scenarios))
    made = played(store, "idle", "forward-jumping", episodes=6)
    (one,) = compare_runs(f"{made.id}:forward-jumping", f"{made.id}:idle", store)
    assert (one.scenarios, one.comparison.difference.n) == (6, compared)


def test_an_agent_against_itself_cannot_be_told(store: Store) -> None:
    first, second = played(store, "idle"), played(store, "idle")
    (one,) = compare_runs(first.id, second.id, store)
    assert one.comparison.difference.value == 0
    assert one.verdict == "cannot be told"
    assert one.first == f"{first.id}:idle"


def test_runs_of_several_agents_are_compared_name_by_name(store: Store, tmp_path: Path) -> None:
    first = played(store, "idle", "random", hero(tmp_path, "slow"))
    second = played(store, "random", hero(tmp_path, "fast"))
    pairs = [(one.first, one.second) for one in compare_runs(first.id, second.id, store)]
    assert sorted(one.split(":")[1] for one, _ in pairs) == ["hero", "random"]
    (one,) = compare_runs(f"{first.id}:hero", second.id, store)
    assert one.second == f"{second.id}:hero"


def test_runs_that_did_not_play_the_same(store: Store) -> None:
    first, second = played(store, "idle"), played(store, "idle", seed=1)
    with pytest.raises(RunError, match="did not play the same: seed is 0 and 1"):
        compare_runs(first.id, second.id, store)
    plans = [
        make_plan("mario-arena/1-1", ["idle"], options=one) for one in ({}, {"mode": "speedrun"})
    ]
    first, second = map(store.add, plans)
    with pytest.raises(RunError, match="options are the default and mode=speedrun"):
        compare_runs(first.id, second.id, store)


def test_agents_that_are_not_there(store: Store) -> None:
    first, second = played(store, "idle", "random"), played(store, "forward-jumping", "linear")
    with pytest.raises(RunError, match="no agent 'x' in run"):
        compare_runs(f"{first.id}:x", second.id, store)
    with pytest.raises(RunError, match="no agent is in both"):
        compare_runs(first.id, second.id, store)


def test_runs_that_have_not_begun(store: Store) -> None:
    begun = store.add(make_plan(SMALL.id, ["idle"]))
    with pytest.raises(RunError, match="no scenario both"):
        compare_runs(begun.id, played(store, "idle").id, store)
