"""Threads that share an object are refused or follow each other; they never crash the process.

The races run in a process of their own, so that a crash is a failure and not the end of the tests.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from tests.attacks.many_threads import RACES

from ludus.errors import ThreadError
from ludus.games.platformer.environments import PlatformerEnv, PlatformerVectorEnv
from ludus.games.worm.batch import Batch

ROOT = Path(__file__).parents[2]
EXPECTED = {"solver": {""}, "world": {""}, "fork": {""}, "env": {"", "ThreadError"}}
"""What races end with that any number of threads may run, and one that may go well by chance."""


@pytest.mark.parametrize("race", RACES)
def test_threads_that_share_an_object_do_not_crash(race: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.attacks.many_threads", race],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=600,
    )
    assert done.returncode == 0, f"ended by signal {-done.returncode}: {done.stderr[-500:]}"
    assert done.stdout.strip() in EXPECTED.get(race, {"ThreadError"})


class Elsewhere:
    """Steps in another thread until it is told to stop."""

    def __init__(self, env: PlatformerVectorEnv) -> None:
        self._env = env
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._step)

    def _step(self) -> None:
        actions = np.full(self._env.num_envs, 3)
        while not self._stop.is_set():
            with suppress(ThreadError):
                self._env.step(actions)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def test_a_thread_is_told_that_another_one_is_at_work() -> None:
    env = PlatformerVectorEnv(256, actions="discrete", frame_skip=20)
    env.reset(seed=1)

    def insist() -> None:
        while True:
            env.reset()

    with Elsewhere(env), pytest.raises(ThreadError, match="is in use by another thread: give each"):
        insist()


def test_an_env_of_its_own_for_each_thread_plays_as_alone() -> None:
    def play(seed: int) -> int:
        env = PlatformerEnv(actions="discrete", observation="merged")
        env.reset(seed=seed)
        for k in range(200):
            if any(env.step((seed + k // 7) % 12)[2:4]):
                env.reset()
        return env.world.hash()

    hashes: dict[int, int] = {}
    threads = [
        threading.Thread(target=lambda seed=seed: hashes.update({seed: play(seed)}))
        for seed in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hashes == {seed: play(seed) for seed in range(4)}


def test_a_bound_array_cannot_be_resized_away() -> None:
    env = PlatformerVectorEnv(4, copy=False, actions="discrete", observation="merged")
    observations, _ = env.reset(seed=1)
    assert isinstance(observations, np.ndarray)
    with pytest.raises(ValueError, match="cannot resize"):
        observations.resize((400, 16, 16), refcheck=False)
    batch = Batch("foraging-small", 4)
    with pytest.raises(ValueError, match="cannot resize"):
        batch.features.resize((4000, 2), refcheck=False)


def test_bound_arrays_outlive_their_environment() -> None:
    env = PlatformerVectorEnv(4, copy=False, actions="discrete", observation="merged")
    observations, _ = env.reset(seed=1)
    assert isinstance(observations, np.ndarray)
    before = observations.copy()
    del env
    assert np.array_equal(observations, before)


def test_steering_that_is_no_number_leads_nowhere() -> None:
    batch = Batch("c3-continuous", 8)
    batch.begin(1)
    batch._steering[:] = np.nan  # as another thread might, after it was checked
    batch._native.step(True)
    assert np.isfinite(batch.places()).all()
