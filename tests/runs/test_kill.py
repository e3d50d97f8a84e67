"""A run that is killed again and again ends as if nothing had happened."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from tests.runs.small import SMALL

from ludus.execution.local import LocalExecutor
from ludus.runs.running import resume, run
from ludus.runs.store import Store
from ludus.runs.verify import verify

EPISODES = 150
KILLS = 4


def everything(store: Store, id_: str) -> list[tuple[Any, ...]]:
    """All of a run but how long it took."""
    return [
        (e.number, e.agent, e.scenario, e.ending, e.record, e.facts, e.steps, one.score)
        for one in store.episodes(id_)
        for e in [one.episode]
    ]


def play_until_killed(url: str, chance: random.Random, id_: str | None) -> None:
    """Let a process of its own play, wait until it has kept something, and kill it."""
    store = Store(url)
    before = len(store.played_numbers(id_)) if id_ else 0
    command = [sys.executable, "-m", "tests.runs.killed_run", url, str(EPISODES)]
    process = subprocess.Popen([*command, id_] if id_ else command)
    patience = monotonic() + 60
    while process.poll() is None and monotonic() < patience:
        runs = store.runs(SMALL.id)
        if runs and runs[0].played > before:
            break
        sleep(0.01)
    sleep(chance.uniform(0, 0.15))
    process.send_signal(signal.SIGKILL)
    process.wait()
    store.close()


def kill_and_resume(url: str) -> None:
    chance = random.Random(7)
    store = Store(url)
    play_until_killed(url, chance, None)
    (begun,) = store.runs(SMALL.id)
    kept = store.played_numbers(begun.id)
    for _ in range(KILLS - 1):
        if store.run(begun.id).complete:
            break
        play_until_killed(url, chance, begun.id)
        now = store.played_numbers(begun.id)
        assert kept <= now
        kept = now
    assert kept
    ended = resume(begun.id, store=store, executor=LocalExecutor(2))
    assert ended.complete
    assert store.played_numbers(begun.id) == set(range(3 * EPISODES))
    assert verify(begun.id, store=store).good
    agents = ["random", "forward-jumping", "rule-based"]
    calm = run(SMALL.id, agents, store=store, episodes=EPISODES, seed=4)
    assert calm.identity == ended.identity
    assert everything(store, calm.id) == everything(store, ended.id)
    store.close()


def test_sqlite_survives_kill(tmp_path: Path) -> None:
    kill_and_resume(f"sqlite:///{tmp_path / 'killed.db'}")


def test_postgresql_survives_kill(postgres: str) -> None:
    kill_and_resume(postgres)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_two_processes_share_a_store(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    if kind == "postgres":
        url = str(request.getfixturevalue("postgres"))
    store = Store(url)
    before = {found.id for found in store.runs()}
    command = [sys.executable, "-m", "tests.runs.killed_run", url, "10"]
    both = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    made = [found for found in store.runs() if found.id not in before]
    assert [found.played for found in made] == [30, 30]
    assert everything(store, made[0].id) == everything(store, made[1].id)
    store.close()
