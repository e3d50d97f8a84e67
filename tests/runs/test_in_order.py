"""Levels played in order: one agent object plays them, whatever happens to its processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from tests.runs.in_order import (
    IN_ORDER,
    Carries,
    Exits,
    Forgetful,
    Raises,
    Remembering,
    Slow,
    register,
    spec_of,
)
from tests.runs.test_kill import everything

from ludus.context import RunContext
from ludus.execution.episode import Episode
from ludus.execution.in_process import InProcessExecutor
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import Plan, make_plan
from ludus.execution.stage import MAX_TRIES, Stage
from ludus.runs.leases import LeasedEpisodes
from ludus.runs.running import continue_run, resume, run, score_episode
from ludus.runs.schema import leases
from ludus.runs.store import Run, ScoredEpisode, Store

LEVELS = IN_ORDER.episodes


@pytest.fixture(autouse=True)
def _in_order() -> None:
    register()


def play_plainly(plan: Plan) -> list[Episode]:
    """Return the episodes as one process without interruption plays them."""
    stage = Stage(plan)
    try:
        return [stage.play(planned) for planned in plan.episodes]
    finally:
        stage.close()


def records(store: Store, id_: str) -> list[bytes]:
    return [one.episode.record for one in store.episodes(id_)]


def leases_of(store: Store, run: str) -> list[Any]:
    with store.connection() as connection:
        return list(connection.execute(leases.select().where(leases.c.run == run)))


def begin(store: Store, plan: Plan, levels: Sequence[int]) -> Run:
    """Store a run of which these episodes are played."""
    played = play_plainly(plan)
    started = store.add(plan)
    store.add_episodes(started.id, [score_episode(IN_ORDER, played[k]) for k in levels])
    return store.run(started.id)


def test_an_agent_carries_over_what_reset_leaves(store: Store) -> None:
    spec = spec_of(Carries)
    finished = run(IN_ORDER.id, [spec], store=store, executor=LocalExecutor(1))
    counted = Carries()
    stage = Stage(finished.plan, agents={0: counted})
    expected = [stage.play(planned) for planned in finished.plan.episodes]
    assert counted.decisions == sum(one.steps for one in expected)
    assert records(store, finished.id) == [one.record for one in expected]
    alone = Stage(finished.plan, agents={0: Carries()}).play(finished.plan.episodes[3])
    assert alone.record != expected[3].record


@pytest.mark.parametrize("workers", [1, 3])
def test_any_number_of_processes_plays_the_same(store: Store, workers: int) -> None:
    agents = [spec_of(Carries), "scared", spec_of(Carries), "forward-jumping"]
    expected = play_plainly(make_plan(IN_ORDER.id, agents))
    finished = run(IN_ORDER.id, agents, store=store, executor=LocalExecutor(workers))
    assert records(store, finished.id) == [episode.record for episode in expected]
    assert [one.episode.agent for one in store.episodes(finished.id)] == sorted(
        list(range(4)) * LEVELS
    )


def test_the_first_levels_are_the_same_in_a_shorter_run(store: Store) -> None:
    whole = play_plainly(make_plan(IN_ORDER.id, [spec_of(Carries)]))
    short = run(IN_ORDER.id, [spec_of(Carries)], store=store, episodes=2)
    assert records(store, short.id) == [one.record for one in whole[:2]]


@pytest.mark.parametrize("stored", [(), (0,), (0, 1, 2, 5), (0, 1, 2, 3, 4), (0, 2)])
def test_a_resumed_run_ends_as_if_nothing_had_happened(
    store: Store, stored: tuple[int, ...]
) -> None:
    plan = make_plan(IN_ORDER.id, [spec_of(Carries), "scared"])
    expected = [one.record for one in play_plainly(plan)]
    started = begin(store, plan, stored)
    assert resume(started.id, store=store, executor=LocalExecutor(2)).complete
    assert records(store, started.id) == expected


def test_an_object_of_this_process_plays_beside_others(store: Store) -> None:
    spec = spec_of(Carries)
    plan = make_plan(IN_ORDER.id, [spec, spec])
    expected = [one.record for one in play_plainly(plan)]
    started = begin(store, plan, [LEVELS, LEVELS + 1])
    executor = InProcessExecutor({0: Carries()}, LocalExecutor(1))
    continue_run(started, store, executor=executor)
    assert records(store, started.id) == expected


@pytest.mark.parametrize("agent", [Raises, Exits])
def test_an_agent_begins_anew_after_a_fault(store: Store, agent: type) -> None:
    plan = make_plan(IN_ORDER.id, [spec_of(agent)])
    whole = run(IN_ORDER.id, [spec_of(agent)], store=store, executor=LocalExecutor(1))
    endings = [one.episode.ending.faulty for one in store.episodes(whole.id)]
    assert endings == [False, False, True, False, False]
    fresh = Carries()
    stage = Stage(plan, agents={0: fresh})
    anew = [stage.play(planned).record for planned in plan.episodes[3:]]
    assert records(store, whole.id)[3:] == anew


@pytest.mark.parametrize("played", [3, 4])
def test_a_run_with_a_fault_in_the_middle_is_resumed_alike(store: Store, played: int) -> None:
    plan = make_plan(IN_ORDER.id, [spec_of(Raises)])
    whole = begin(store, plan, range(LEVELS))
    started = begin(store, plan, range(played))
    resume(started.id, store=store, executor=LocalExecutor(1))
    assert everything(store, started.id) == everything(store, whole.id)


def test_an_agent_that_remembers_is_not_shown_its_levels_again(
    store: Store, tmp_path: Path
) -> None:
    log = tmp_path / "levels"
    spec = f"{spec_of(Remembering)}#{log}"
    plan = make_plan(IN_ORDER.id, [spec])
    expected = [one.record for one in play_plainly(plan)]
    started = store.add(plan)
    playing = LocalExecutor(1).play(
        plan, plan.episodes[:2], RunContext(folder=store.inflight(started.id).folder)
    )
    for finished in playing:
        store.add_episodes(started.id, [score_episode(IN_ORDER, one) for one in finished])
    log.write_text("")
    resume(started.id, store=store, executor=LocalExecutor(1))
    assert records(store, started.id) == expected
    assert log.read_text().split("\n") == ["small 1", "small 2", "small 3", "small 4", ""]
    log.write_text("")
    elsewhere = begin(store, plan, [0, 1])
    log.write_text("")
    resume(elsewhere.id, store=store, executor=LocalExecutor(1))
    assert records(store, elsewhere.id) == expected
    assert log.read_text().count("\n") == LEVELS


def test_an_agent_that_plays_otherwise_when_it_goes_on_is_named(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    started = begin(store, make_plan(IN_ORDER.id, [spec_of(Forgetful)]), [0])
    assert resume(started.id, store=store, executor=LocalExecutor(1)).complete
    what = "forgetful played its level 1 otherwise than before when it took up its levels again"
    assert caplog.messages == [f"{what}: what it carries over may be something else"]


def test_killed_workers_lose_and_double_nothing(store: Store) -> None:
    plan = make_plan(IN_ORDER.id, [spec_of(Carries), "scared"], episodes=20)
    expected = [one.record for one in play_plainly(plan)]
    started = store.add(plan)
    killed: list[int] = []

    def kill_one(scored: ScoredEpisode) -> None:
        children = [one for one in multiprocessing.active_children() if one.name != "leases"]
        if scored.episode.scenario in (3, 11) and children and len(killed) < MAX_TRIES - 1:
            victim = children[0]
            assert victim.pid
            os.kill(victim.pid, signal.SIGKILL)
            killed.append(victim.pid)

    continue_run(started, store, executor=LocalExecutor(2), on_episode=kill_one)
    assert killed
    assert records(store, started.id) == expected


# ---- several processes


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'shared.db'}"
    return str(request.getfixturevalue("postgres"))


def start_resume(url: str, id_: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "tests.runs.in_order", url, id_])


def wait_for_levels(store: Store, id_: str, levels: int) -> None:
    patience = monotonic() + 60
    while store.run(id_).played < levels and monotonic() < patience:
        sleep(0.01)


@pytest.mark.slow
def test_two_processes_and_a_kill_end_as_one_without(url: str) -> None:
    store = Store(url)
    plan = make_plan(IN_ORDER.id, [spec_of(Slow), "scared"], episodes=10, seed=3)
    expected = [one.record for one in play_plainly(plan)]
    started = store.add(plan)
    both = [start_resume(url, started.id) for _ in range(2)]
    for levels, process in zip((4, 8), both, strict=True):
        wait_for_levels(store, started.id, levels)
        process.send_signal(signal.SIGKILL)
        process.wait()
    kept = store.played_numbers(started.id)
    assert kept
    assert resume(started.id, store=store, executor=LocalExecutor(2)).complete
    assert records(store, started.id) == expected
    store.close()


def test_a_process_leases_all_levels_of_an_agent_or_none(store: Store) -> None:
    started = begin(store, make_plan(IN_ORDER.id, ["idle"] * 3), [LEVELS, LEVELS + 1])
    one, other = (LeasedEpisodes(started, store) for _ in range(2))
    assert [planned.number for planned in one.take(1)] == [0]
    assert [planned.number for planned in other.take_sequence()] == [7, 8, 9]
    assert [planned.number for planned in one.take_sequence()] == [1, 2, 3, 4]
    assert [planned.number for planned in one.take_sequence()] == [10, 11, 12, 13, 14]
    assert other.take_sequence() == []
    assert [(lease.first, lease.last) for lease in leases_of(store, started.id)] == [
        (0, 4),
        (7, 9),
        (10, 14),
    ]
    for leased in (one, other):
        leased.close()
