"""Small worlds for tests."""

from __future__ import annotations

from dataclasses import replace
from math import pi
from typing import Any

from ludus.games.worm import Reward, Task, World

UP, DOWN, WEST, EAST = pi / 2, -pi / 2, pi, 0.0
FORWARD, LEFT, RIGHT, STAY = range(4)

#: Rewards for nothing: what a test is about it switches on.
NOTHING = Reward(
    distance=0,
    exploration=0,
    dither=0,
    step=0,
    wall=0,
    proximity=0,
    goal=0,
    healing=0,
    damage=0,
    death=0,
    starvation=0,
)

#: One food, far from where worms begin; none of the usual rewards.
BARE = Task(name="bare", foods=1, target=3, exclusion=0.0, reward=NOTHING)


def world(task: Task = BARE, seed: int = 0, **situation: Any) -> World:
    """Begins a world and sets up a situation; food lies in the far corner unless told."""
    made = World(task, seed)
    made.arrange(**{"foods": [[0, 0]], **situation})
    return made


def paying(**reward: Any) -> Reward:
    """Gives rewards for what is named, and for nothing else."""
    return replace(NOTHING, **reward)
