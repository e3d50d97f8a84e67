from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.boards.making import hero, played
from tests.runs.small import SMALL

from ludus.benchmarks import benchmarks
from ludus.boards.comparing import Contest, compare_runs
from ludus.boards.groups import compare_agents, group_letters, run_letters
from ludus.errors import RunError
from ludus.runs import Store, make_plan, summarise
from ludus.stats import compare_two

LEVELS = [(f"level {k}", k) for k in range(10)]


def scores(*values: float) -> dict[tuple[str, int], float]:
    return dict(zip(LEVELS, values, strict=True))


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
    assert compare_agents({}) is None


def test_only_what_all_have_played_counts() -> None:
    half = {key: HIGH[key] for key in LEVELS[:5]}
    found = compare_agents({"half": half, "low": LOW})
    assert found is not None
    assert found.means[0].n == 5


def test_nothing_in_common_is_no_comparison() -> None:
    first, last = LEVELS[0], LEVELS[-1]
    assert compare_agents({"a": {first: 1}, "b": {last: 1}}) is None
    assert group_letters({"a": {first: 1}, "b": {last: 1}}) == {"a": "", "b": ""}


def test_episodes_of_one_level_count_as_one() -> None:
    many = {(f"level {k % 2}", k): 100.0 for k in range(40)}
    few = dict.fromkeys(many, 1.0)
    assert group_letters({"a": many, "b": few}) == {"a": "a", "b": "a"}


def test_a_single_level_is_compared_by_episode() -> None:
    many = {("only", k): 100.0 + k for k in range(40)}
    few = {key: value / 10 for key, value in many.items()}
    assert group_letters({"a": many, "b": few}) == {"a": "a", "b": "b"}


def test_letters_of_a_run(store: Store) -> None:
    made = played(store, "idle", "forward-jumping")
    summaries = summarise(SMALL, made.plan, store.episodes(made.id))
    assert set(run_letters(summaries, made.plan)) == {"idle", "forward-jumping"}


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
