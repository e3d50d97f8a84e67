from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.boards.making import Here, hero, played
from tests.runs.small import SMALL, score

from ludus.benchmarks import Score, benchmarks
from ludus.boards import (
    Decision,
    accept,
    board,
    check_ledger,
    entries_of_run,
    read_ledger,
    remove,
    rescore,
    verify_entry,
)
from ludus.boards.entry import BoardEntry, BoardKey
from ludus.errors import BenchmarkError, BoardError, OptionError, RunError
from ludus.games.game import Facts
from ludus.runs import Limits, Store, make_plan, run
from ludus.runs.schema import episodes as episodes_table
from ludus.runs.schema import events as events_table

BENCHMARK = SMALL.id


def kinds(store: Store) -> list[tuple[str, str]]:
    return [(event.kind, event.body["agent"]) for event in read_ledger(store)]


def agents(store: Store, seed: int | None = None) -> list[tuple[int, str]]:
    return [(row.rank, row.entry.agent) for row in board(BENCHMARK, store, seed=seed).rows]


def test_a_board_without_entries(store: Store) -> None:
    empty = board(BENCHMARK, store)
    assert (empty.rows, empty.key, empty.elsewhere) == ((), BoardKey(0), {})


def test_a_family_shows_its_headline_board_first(store: Store) -> None:
    first = board("nematode", store)
    assert first.benchmark.id == "nematode/foraging-small"
    assert first.key == BoardKey.of(0, {"sensing": "klinotaxis"})
    assert board("nematode", store, options={"sensing": "temporal"}).key.options == (
        ("sensing", "temporal"),
    )
    assert board("nematode/foraging-small", store).key == BoardKey(0)


def test_no_board_of_no_benchmark(store: Store) -> None:
    with pytest.raises(BenchmarkError, match="no benchmark 'nothing'"):
        board("nothing", store)


def test_the_best_come_first(store: Store, tmp_path: Path) -> None:
    made = played(
        store,
        hero(tmp_path, "still", "a"),
        hero(tmp_path, "fast", "b"),
        hero(tmp_path, "slow", "c"),
    )
    assert {decision.outcome for decision in accept(made.id, store, by="me")} == {"new"}
    (first, *_) = board(BENCHMARK, store).rows
    assert first.rank == 1
    assert [name for _, name in agents(store)][-1] == "a"
    assert first.by == "me"
    assert first.verified is None


def test_an_entry_says_exactly_where_it_comes_from(store: Store) -> None:
    made = played(store, "idle")
    accept(made.id, store, by="me")
    (row,) = board(BENCHMARK, store).rows
    assert row.entry.run == made.id
    assert row.entry.identity == made.identity
    assert row.entry.rules == made.plan.rules
    assert row.entry.summary.fingerprint == made.plan.agents[0].fingerprint
    assert row.entry.created == made.created.isoformat(timespec="seconds")
    assert row.entry.summary.episodes == SMALL.episodes
    assert row.entry.levels == tuple(f"small {k}" for k in range(SMALL.episodes))


def test_an_entry_survives_its_plain_values(store: Store) -> None:
    made = played(store, "idle")
    accept(made.id, store, by="me")
    (row,) = board(BENCHMARK, store).rows
    assert BoardEntry.from_dict(row.entry.to_dict()) == row.entry


def test_equals_share_a_rank_and_a_letter(store: Store, tmp_path: Path) -> None:
    specs = [
        hero(tmp_path, "still", "b"),
        hero(tmp_path, "still", "a"),
        hero(tmp_path, "fast", "c"),
    ]
    accept(played(store, *specs).id, store, by="me")
    assert agents(store) == [(1, "c"), (2, "a"), (2, "b")]
    rows = board(BENCHMARK, store).rows
    assert rows[1].group == rows[2].group


def test_the_next_rank_after_equals_stays_empty(store: Store, tmp_path: Path) -> None:
    specs = [hero(tmp_path, "fast", "a"), hero(tmp_path, "fast", "b"), hero(tmp_path, "still", "c")]
    accept(played(store, *specs).id, store, by="me")
    assert agents(store) == [(1, "a"), (1, "b"), (3, "c")]


def test_the_benchmark_says_what_decides_between_equals(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two that go nowhere: one is out of time, the other walks into nothing on the left.
    flat = replace(SMALL, score=lambda facts: Score(7, {"flat": 7}))
    monkeypatch.setitem(benchmarks(), BENCHMARK, flat)
    specs = [hero(tmp_path, "still", "long"), hero(tmp_path, "fast", "short")]
    accept(played(store, *specs).id, store, by="me")
    assert agents(store) == [(1, "short"), (2, "long")]
    assert {row.entry.summary.headline.value for row in board(BENCHMARK, store).rows} == {7}


def test_a_better_run_supersedes_and_the_ledger_remembers(store: Store, tmp_path: Path) -> None:
    weak = played(store, hero(tmp_path, "still"))
    strong = played(store, hero(tmp_path, "fast"))
    accept(weak.id, store, by="me")
    (decision,) = accept(strong.id, store, by="you", why="practised")
    assert decision == Decision("hero", "better", strong.id)
    (row,) = board(BENCHMARK, store).rows
    assert (row.entry.run, row.by) == (strong.id, "you")
    assert kinds(store) == [("accepted", "hero"), ("superseded", "hero"), ("accepted", "hero")]
    superseded = read_ledger(store)[1].body
    assert superseded["run"] == weak.id
    assert superseded["why"] == f"run {strong.id} is better"
    assert read_ledger(store)[0].body["entry"]["run"] == weak.id


def test_a_run_that_is_not_better_changes_nothing(store: Store, tmp_path: Path) -> None:
    strong = played(store, hero(tmp_path, "fast"))
    weak = played(store, hero(tmp_path, "still"))
    accept(strong.id, store, by="me")
    (decision,) = accept(weak.id, store, by="me")
    assert decision == Decision("hero", "not better", strong.id)
    assert len(read_ledger(store)) == 1


def test_an_equal_run_does_not_supersede(store: Store) -> None:
    first, second = played(store, "idle"), played(store, "idle")
    accept(first.id, store, by="me")
    assert accept(second.id, store, by="me")[0].outcome == "not better"
    assert board(BENCHMARK, store).rows[0].entry.run == first.id


def test_accepting_twice_is_accepting_once(store: Store) -> None:
    made = played(store, "idle", "forward-jumping")
    accept(made.id, store, by="me")
    assert {d.outcome for d in accept(made.id, store, by="me")} == {"there already"}
    assert len(read_ledger(store)) == 2


def test_only_the_chosen_agents_are_accepted(store: Store) -> None:
    made = played(store, "idle", "forward-jumping")
    accept(made.id, store, by="me", agents=["idle"])
    assert agents(store) == [(1, "idle")]
    with pytest.raises(BoardError, match=r"no agent 'other' in the run; it has"):
        accept(made.id, store, by="me", agents=["other"])


def test_an_unfinished_run_is_refused(store: Store) -> None:
    begun = store.add(make_plan(BENCHMARK, ["idle"]))
    with pytest.raises(RunError, match=f"has 0 of 6 episodes: ludus resume {begun.id}"):
        accept(begun.id, store, by="me")


@pytest.mark.parametrize("episodes", [1, 5, 7])
def test_another_number_of_episodes_is_refused(store: Store, episodes: int) -> None:
    made = played(store, "idle", episodes=episodes)
    with pytest.raises(RunError, match=f"takes 6 episodes an agent, not {episodes}"):
        accept(made.id, store, by="me")
    assert read_ledger(store) == []


def test_other_limits_are_refused(store: Store) -> None:
    made = played(store, "idle", limits=Limits(seconds=10_000))
    with pytest.raises(RunError, match="usual limits"):
        accept(made.id, store, by="me")


def test_seeds_never_mix(store: Store) -> None:
    accept(played(store, "idle", "random").id, store, by="me")
    accept(played(store, "idle", seed=5).id, store, by="me")
    assert board(BENCHMARK, store).key == BoardKey(0)
    assert board(BENCHMARK, store).elsewhere == {BoardKey(5): 1}
    assert agents(store, seed=5) == [(1, "idle")]
    assert board(BENCHMARK, store, seed=5).elsewhere == {BoardKey(0): 2}


def test_options_never_mix(store: Store) -> None:
    accept(played(store, "idle", "random").id, store, by="me")
    accept(played(store, "idle", options={"clock": "5"}).id, store, by="me")
    assert board(BENCHMARK, store).elsewhere == {BoardKey(0, (("clock", "5"),)): 1}
    short = board(BENCHMARK, store, options={"clock": "5"})
    assert [row.entry.agent for row in short.rows] == ["idle"]
    assert short.rows[0].entry.options == {"clock": "5"}
    with pytest.raises(OptionError, match="no option 'colour'; there are clock"):
        board(BENCHMARK, store, options={"colour": "red"})
    with pytest.raises(BoardError, match=r"seed 0, clock=5: there is idle"):
        remove(BENCHMARK, "random", store, by="me", why="test", options={"clock": "5"})
    remove(BENCHMARK, "idle", store, by="me", why="test", options={"clock": "5"})
    assert agents(store) == [(1, "random"), (2, "idle")]
    assert board(BENCHMARK, store, options={"clock": "5"}).rows == ()


def test_versions_never_mix(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    accept(played(store, "idle").id, store, by="me")
    monkeypatch.setitem(benchmarks(), BENCHMARK, replace(SMALL, version=2))
    assert agents(store) == []
    accept(played(store, "random").id, store, by="me")
    assert agents(store) == [(1, "random")]


def test_removing_takes_off_and_says_why(store: Store) -> None:
    made = played(store, "idle", "random")
    accept(made.id, store, by="me")
    assert remove(BENCHMARK, "idle", store, by="judge", why="peeked").run == made.id
    assert [name for _, name in agents(store)] == ["random"]
    last = read_ledger(store)[-1]
    assert (last.kind, last.body["by"], last.body["why"]) == ("removed", "judge", "peeked")
    assert accept(made.id, store, by="me", agents=["idle"])[0].outcome == "new"


def test_a_removal_needs_a_reason_and_somebody(store: Store) -> None:
    accept(played(store, "idle").id, store, by="me")
    with pytest.raises(BoardError, match="say why"):
        remove(BENCHMARK, "idle", store, by="me", why=" ")
    with pytest.raises(BoardError, match=r"'random' is not on the board .*: there is idle"):
        remove(BENCHMARK, "random", store, by="me", why="x")
    with pytest.raises(BoardError, match="there is nobody"):
        remove(BENCHMARK, "idle", store, by="me", why="x", seed=3)


def test_verified_only_after_all_was_played_again(store: Store) -> None:
    made = played(store, "idle", "forward-jumping")
    accept(made.id, store, by="me")
    assert [row.verified for row in board(BENCHMARK, store).rows] == [None, None]
    assert verify_entry(made.id, store, by="judge").good
    assert all(row.verified for row in board(BENCHMARK, store).rows)
    assert kinds(store)[2:] == [("verified", "forward-jumping"), ("verified", "idle")]
    verify_entry(made.id, store, by="judge")
    assert len(read_ledger(store)) == 4


def test_verifying_what_is_not_on_a_board_writes_nothing(store: Store) -> None:
    assert verify_entry(played(store, "idle").id, store, by="judge").good
    assert read_ledger(store) == []


@pytest.mark.parametrize(
    "values",
    [{"facts": "{}"}, {"record": b"\x02"}, {"total": 10_000}, {"parts": "{}"}, {"seconds": 0.0}],
    ids=lambda values: next(iter(values)),
)
def test_a_run_that_was_meddled_with_is_not_verified(
    store: Store, values: dict[str, object]
) -> None:
    made = played(store, "idle")
    accept(made.id, store, by="me")
    changed = sa.update(episodes_table).where(episodes_table.c.number == 2).values(values)
    with store.transaction() as connection:
        connection.execute(changed)
    assert not verify_entry(made.id, store, by="judge").good
    assert board(BENCHMARK, store).rows[0].verified is None
    assert len(read_ledger(store)) == 1


def test_a_superseding_entry_is_not_verified_by_its_predecessor(
    store: Store, tmp_path: Path
) -> None:
    weak, strong = played(store, hero(tmp_path, "still")), played(store, hero(tmp_path, "fast"))
    accept(weak.id, store, by="me")
    verify_entry(weak.id, store, by="judge")
    accept(strong.id, store, by="me")
    assert board(BENCHMARK, store).rows[0].verified is None


def test_scoring_anew_changes_the_entries_and_takes_the_mark(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = played(store, "idle", "forward-jumping")
    accept(made.id, store, by="me")
    verify_entry(made.id, store, by="judge")
    assert rescore(BENCHMARK, store, by="judge", why="just looking") == []

    def doubled(facts: Facts) -> Score:
        return Score(2 * score(facts).total, {"all": 2 * score(facts).total})

    before = board(BENCHMARK, store).rows[0].entry.summary.headline.value
    monkeypatch.setitem(benchmarks(), BENCHMARK, replace(SMALL, score=doubled))
    assert len(rescore(BENCHMARK, store, by="judge", why="a slip in the rule")) == 2
    row = board(BENCHMARK, store).rows[0]
    assert row.entry.summary.headline.value == 2 * before
    assert row.verified is None
    assert kinds(store)[-1][0] == "rescored"


def test_which_entries_a_run_has(store: Store, tmp_path: Path) -> None:
    weak, strong = played(store, hero(tmp_path, "still")), played(store, hero(tmp_path, "fast"))
    accept(weak.id, store, by="me")
    assert [entry.agent for entry in entries_of_run(weak.id, store)] == ["hero"]
    accept(strong.id, store, by="me")
    assert entries_of_run(weak.id, store) == []


def test_a_board_stops_before_a_broken_line(store: Store) -> None:
    accept(played(store, "idle").id, store, by="me")
    accept(played(store, "random").id, store, by="me")
    with store.transaction() as connection:
        forged = sa.update(events_table).where(events_table.c.number == 2).values(body="{}")
        connection.execute(forged)
    found = board(BENCHMARK, store)
    assert [row.entry.agent for row in found.rows] == ["idle"]
    assert found.broken is not None
    assert found.broken.number == 2
    assert check_ledger(store) == found.broken


def test_one_episode_has_no_interval_but_a_place(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(benchmarks(), BENCHMARK, replace(SMALL, episodes=1))
    made = run(BENCHMARK, ["idle", "random"], store=store, executor=Here())
    accept(made.id, store, by="me")
    verify_entry(made.id, store, by="me")
    rows = board(BENCHMARK, store).rows
    assert all(row.verified for row in rows)
    assert {row.group for row in rows} == {"a"}
