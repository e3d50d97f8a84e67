"""Two processes that play one run share it, whatever becomes of one of them."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from time import sleep, time
from typing import Any

import pytest
from tests.boards.making import Here
from tests.runs.conftest import postgres
from tests.runs.small import SMALL

from ludus.errors import Paused, RunError
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import make_plan
from ludus.limits import Usage
from ludus.runs import Run, Store, run, running
from ludus.runs.exchange import content_digest
from ludus.runs.leases import LeasedEpisodes
from ludus.runs.runner import Runner
from ludus.runs.running import continue_run, score_episode
from ludus.runs.schema import leases

__all__ = ["postgres"]

EPISODES = 120
KILLS = 2

COUNTING_AGENT = """
import os, time

class Counting:
    def reset(self, scenario):
        time.sleep(0.01)
        with open({log!r}, "a") as log:
            log.write("x")

    def act(self, view):
        return 2
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'shared.db'}"
    return str(request.getfixturevalue("postgres"))


@pytest.fixture
def any_store(url: str) -> Iterator[Store]:
    opened = Store(url)
    yield opened
    opened.close()


def start_resumes(url: str, id_: str, count: int) -> list[subprocess.Popen[bytes]]:
    """Start processes that resume a run, all at the same time."""
    command = [sys.executable, "-m", "tests.runs.killed_run", url, "0", id_]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(count)
    ]
    for process in processes:
        assert process.stdout
        with process.stdout as ready:
            ready.readline()
    for process in processes:
        assert process.stdin
        process.stdin.close()
    return processes


def counting_agent(folder: Path) -> tuple[str, Path]:
    log, file = folder / "plays", folder / "counting.py"
    log.touch()
    file.write_text(COUNTING_AGENT.format(log=str(log)))
    return f"{file}:Counting", log


def leases_of(store: Store, run: str) -> list[Any]:
    with store.connection() as connection:
        return list(connection.execute(leases.select().where(leases.c.run == run)))


def digest(store: Store, id_: str) -> str:
    """Return the digest of all of a run but its name and how long it took."""
    run = replace(store.run(id_), id="", created=datetime.fromtimestamp(0, UTC))
    return content_digest(
        run,
        [
            replace(one, episode=replace(one.episode, seconds=0, usage=Usage()))
            for one in store.episodes(id_)
        ],
    )


def test_two_resumes_play_every_episode_once(any_store: Store, url: str, tmp_path: Path) -> None:
    spec, log = counting_agent(tmp_path)
    started = any_store.add(make_plan(SMALL.id, [spec], episodes=200))
    both = start_resumes(url, started.id, 2)
    runners = set()
    while any(process.poll() is None for process in both):
        runners |= {lease.process for lease in leases_of(any_store, started.id)}
        sleep(0.05)
    assert [process.wait() for process in both] == [0, 0]
    assert runners == {process.pid for process in both}
    assert any_store.run(started.id).complete
    assert log.stat().st_size == 200
    assert leases_of(any_store, started.id) == []


def test_killing_either_of_two_loses_and_doubles_nothing(any_store: Store, url: str) -> None:
    chance = random.Random(3)
    agents = ["random", "forward-jumping", "rule-based"]
    started = any_store.add(make_plan(SMALL.id, agents, episodes=EPISODES, seed=4))
    both = start_resumes(url, started.id, 2)
    for _ in range(KILLS):
        before = any_store.run(started.id).played
        while any_store.run(started.id).played == before < len(agents) * EPISODES:
            sleep(0.01)
        sleep(chance.uniform(0, 0.2))
        victim = chance.randrange(2)
        both[victim].send_signal(signal.SIGKILL)
        both[victim].wait()
        both[victim] = start_resumes(url, started.id, 1)[0]
    assert [process.wait() for process in both] == [0, 0]
    assert any_store.played_numbers(started.id) == set(range(len(agents) * EPISODES))
    calm = run(SMALL.id, agents, store=any_store, episodes=EPISODES, seed=4)
    assert digest(any_store, calm.id) == digest(any_store, started.id)


# ---- leases


def add_run(store: Store, episodes: int = 6) -> Run:
    return store.add(make_plan(SMALL.id, ["idle"], episodes=episodes))


def add_lease(store: Store, run: Run, runner: Runner, last: int, expires: float) -> None:
    values = {f"{name}": value for name, value in asdict(runner).items() if name != "id"}
    row = {**values, "runner": runner.id, "run": run.id, "first": 0, "last": last}
    with store.transaction() as connection:
        connection.execute(leases.insert().values(**row, expires=expires))


def numbers(queue: LeasedEpisodes, count: int) -> list[int]:
    return [planned.number for planned in queue.take(count)]


def dead_runner() -> Runner:
    """Return what a process of this machine that was killed has left."""
    runner = Runner.here()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return Runner("dead", runner.machine, ended.pid, runner.started)


def test_a_lease_keeps_others_away_until_it_is_given_back(any_store: Store) -> None:
    run = add_run(any_store)
    first, second = LeasedEpisodes(run, any_store), LeasedEpisodes(run, any_store)
    assert numbers(first, 2) == [0, 1]
    assert numbers(second, 9) == [2, 3, 4, 5]
    assert not first
    second.close()
    first._next_claim = 0
    assert numbers(first, 9) == [2, 3, 4, 5]
    first.close()


def test_the_episodes_of_a_killed_process_of_this_machine_are_free_at_once(
    any_store: Store,
) -> None:
    run = add_run(any_store)
    add_lease(any_store, run, dead_runner(), 3, time() + 50)
    queue = LeasedEpisodes(run, any_store)
    assert numbers(queue, 9) == [0, 1, 2, 3, 4, 5]
    queue.close()


def test_a_number_that_another_process_has_now_does_not_keep_a_lease(any_store: Store) -> None:
    run, here = add_run(any_store), Runner.here()
    add_lease(any_store, run, Runner("older", here.machine, os.getpid(), "1"), 3, time() + 50)
    queue = LeasedEpisodes(run, any_store)
    assert numbers(queue, 1) == [0]
    queue.close()


def test_before_the_machine_started_anew_there_were_other_processes(any_store: Store) -> None:
    run, here = add_run(any_store), Runner.here()
    older = Runner("older", here.machine.partition(".")[0] + ".older", here.process, here.started)
    add_lease(any_store, run, older, 3, time() + 50)
    queue = LeasedEpisodes(run, any_store)
    assert numbers(queue, 1) == [0]
    queue.close()


@pytest.mark.parametrize(
    ("expires", "expected"),
    [(+50, [4, 5]), (-1, [0, 1, 2, 3, 4, 5]), (+4000, [0, 1, 2, 3, 4, 5])],
    ids=["in time", "expired", "of a clock that was set back since"],
)
def test_a_process_of_another_machine_holds_its_lease_while_it_renews_it(
    any_store: Store, expires: float, expected: list[int]
) -> None:
    run = add_run(any_store)
    add_lease(any_store, run, Runner("far", "far.1", os.getpid(), "1"), 3, time() + expires)
    queue = LeasedEpisodes(run, any_store)
    assert numbers(queue, 9) == expected
    queue.close()


def test_renewing_moves_the_end_of_the_lease(any_store: Store) -> None:
    run = add_run(any_store)
    queue = LeasedEpisodes(run, any_store)
    queue.take(1)
    with any_store.transaction() as connection:
        connection.execute(leases.update().values(expires=1.0))
    queue._renew()
    (lease,) = leases_of(any_store, run.id)
    assert lease.expires > time()
    queue.close()


def test_a_late_duplicate_is_dropped(any_store: Store) -> None:
    run = add_run(any_store, episodes=1)
    finished = [
        score_episode(SMALL, episode) for (episode,) in Here().play(run.plan, run.plan.episodes)
    ]
    any_store.add_episodes(run.id, finished)
    (stored,) = any_store.episodes(run.id)
    any_store.add_episodes(run.id, finished)
    assert any_store.episodes(run.id) == [stored]


def test_what_others_store_is_heard_of(any_store: Store) -> None:
    run = add_run(any_store)
    played = [
        score_episode(SMALL, episode) for (episode,) in Here().play(run.plan, run.plan.episodes)
    ]
    queue = LeasedEpisodes(run, any_store)
    add_lease(any_store, run, Runner("far", "far.1", 1, "1"), 2, time() + 50)
    assert numbers(queue, 1) == [3]
    any_store.add_episodes(run.id, played[:2])
    assert [one.episode.number for one in queue.read_others(at_once=True)] == [0, 1]
    assert queue.read_others(at_once=True) == []
    queue.close()


def test_what_was_stored_since_the_caller_read_is_heard_of_too(any_store: Store) -> None:
    run = add_run(any_store)
    played = [
        score_episode(SMALL, episode) for (episode,) in Here().play(run.plan, run.plan.episodes)
    ]
    any_store.add_episodes(run.id, played)
    heard: list[int] = []
    continue_run(
        run,
        any_store,
        executor=Here(),
        on_episode=lambda one: heard.append(one.episode.number),
        known=[0, 1],
    )
    assert heard == [2, 3, 4, 5]


def test_whoever_waits_for_others_says_so(
    any_store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(running, "QUIET_LOOKS", 1)
    run = add_run(any_store)
    add_lease(any_store, run, Runner("far", "far.1", 1, "1"), 3, time() + 1)
    assert continue_run(run, any_store, executor=Here()).complete
    (line,) = (record.getMessage() for record in caplog.records)
    assert line == f"waiting for 4 episodes of run {run.id} that another process plays"


def test_a_run_that_pauses_gives_its_episodes_back(any_store: Store) -> None:
    run = add_run(any_store)

    def pause(_: object) -> None:
        raise Paused("enough")

    with pytest.raises(Paused):
        continue_run(run, any_store, executor=LocalExecutor(1), on_episode=pause)
    assert leases_of(any_store, run.id) == []


def test_a_run_that_is_deleted_while_it_is_played_is_one_line(any_store: Store) -> None:
    run = add_run(any_store, episodes=50)
    with pytest.raises(RunError, match="was deleted while it was played"):
        continue_run(run, any_store, executor=Here(), on_episode=lambda _: any_store.delete(run.id))
