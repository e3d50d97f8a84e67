"""Lets threads loose on one object and writes which errors they met; a crash ends the process.

Run as ``python -m tests.attacks.many_threads NAME``.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from collections.abc import Callable

import numpy as np

from ludus.games.platformer import Level, World
from ludus.games.platformer._native import solve
from ludus.games.platformer.environments import PlatformerEnv, PlatformerVectorEnv
from ludus.games.worm.batch import Batch
from ludus.games.worm.environments import WormVectorEnv

THREADS, CALLS = 4, 250


def race(*calls: Callable[[], object]) -> set[str]:
    """Call at random from several threads; return the names of the errors."""
    errors: set[str] = set()
    begin = threading.Barrier(THREADS)

    def work(seed: int) -> None:
        chance = random.Random(seed)
        begin.wait()
        for _ in range(CALLS):
            try:
                chance.choice(calls)()
            except Exception as error:
                errors.add(type(error).__name__)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def race_vector_env(threads: int = 1) -> set[str]:
    env = PlatformerVectorEnv(512, threads=threads, actions="discrete", observation="merged")
    env.reset(seed=1)
    actions = np.full(512, 3)
    return race(lambda: env.step(actions), lambda: env.reset(seed=2), lambda: env.world(7))


def race_env() -> set[str]:
    env = PlatformerEnv(actions="discrete", observation="merged", frame_skip=50)
    env.reset(seed=1)

    def step() -> None:
        if any(env.step(3)[2:4]):
            env.reset()

    return race(step, lambda: env.world, env.reset) - {"EpisodeOver"}


def race_worm() -> set[str]:
    batch = Batch("foraging-small", 2048, threads=2, autoreset="same_step")
    batch.begin(1)
    actions = np.zeros(2048, np.int32)
    return race(lambda: batch.step(actions), lambda: batch.begin(3), lambda: batch.world(2000))


def race_worm_env() -> set[str]:
    env = WormVectorEnv(2048, threads=2)
    env.reset(seed=1)
    actions = np.zeros(2048, np.int32)
    return race(lambda: env.step(actions), env.reset, lambda: env.world(5))


def race_practice() -> set[str]:
    from ludus.learning.platformer.practice import Practice
    from ludus.learning.platformer.settings import Reward

    practice = Practice(
        ["1-1", "1-2"], range(256), groups=1, slots=4, observe="fields", reward=Reward()
    )
    practice.begin()
    choices = np.full(256, 5, np.uint8)
    return race(lambda: practice.step(2, choices), practice.begin, practice.state)


def race_solver() -> set[str]:
    world = World(Level.parse("M-g--k" + "-" * 60 + "F\n" + "X" * 67))
    quiet = solve(world.clone(), 1000)
    assert solve(world, 1000) == quiet

    def step() -> None:
        if not world.status:
            world.step(random.randrange(32))

    return race(lambda: solve(world, 50), step)


def race_world() -> set[str]:
    """Every step counts, whoever plays it."""
    world = World(Level.parse("M" + "-" * 400 + "F\n" + "X" * 402))
    played = []

    def step() -> None:
        world.step(0)
        played.append(1)

    errors = race(step, world.clone, world.clone_state, lambda: world.mario)
    return errors if world.result().ticks == len(played) else {*errors, "LostSteps"}


def step_after_fork() -> set[str]:
    """Step an environment whose threads a fork has left behind."""
    env = PlatformerVectorEnv(64, threads=2, actions="discrete", observation="merged")
    env.reset(seed=1)
    env.step(np.full(64, 3))
    child = os.fork()
    if not child:
        env.step(np.full(64, 3))
        del env
        os._exit(0)
    return set() if os.waitpid(child, 0)[1] == 0 else {"child"}


RACES: dict[str, Callable[[], set[str]]] = {
    "vector": race_vector_env,
    "vector with threads": lambda: race_vector_env(2),
    "env": race_env,
    "worm": race_worm,
    "worm vector": race_worm_env,
    "practice": race_practice,
    "solver": race_solver,
    "world": race_world,
    "fork": step_after_fork,
}

if __name__ == "__main__":
    sys.setswitchinterval(1e-6)
    sys.stdout.write(" ".join(sorted(RACES[sys.argv[1]]())))
