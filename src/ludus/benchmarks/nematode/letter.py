"""Sessions read by the letter of the benchmark's description, where we read it otherwise.

An episode succeeds also if the worm is alive at its last step and has eaten; its efficiency is the
straight line from the start to the first food that it ate over the whole way that it went, at most
1, and 0 without food.
"""

from __future__ import annotations

import math
from dataclasses import replace

from ludus.errors import OptionError
from ludus.games.worm import Task, World, find_task
from ludus.games.worm.training import Session, TrainingScenario, unpack_actions

__all__ = ["read_by_letter"]


def read_by_letter(session: Session) -> Session:
    """Return a session with successes and efficiencies by the letter; its actions are played again.

    Raises:
        OptionError: The session has no actions, seeds or task to be played again from.
    """
    if session.actions is None or session.task is None or session.first_seed is None:
        raise OptionError(
            "the letter measures the way to the first food, which this session does not hold: "
            "it has no actions to play again; try --rule document"
        )
    task, actions = find_task(session.task), unpack_actions(session.actions)
    scenario = TrainingScenario(session.name, task, session.first_seed, len(session.successes))
    efficiencies, start = [], 0
    for number, steps in enumerate(session.steps):
        episode = actions[start : start + steps]
        efficiencies.append(_measure_way(task, scenario.dish(number).seed, episode))
        start += steps
    return replace(session, successes=session.late, efficiencies=tuple(efficiencies))


def _measure_way(task: Task, seed: int, actions: bytes) -> float:
    """Return the straight line to the first food over the whole way."""
    world = World(task, seed)
    foods = {tuple(food) for food in world.foods[:, :2].tolist()}
    start = last = world.worm
    line, way = 0.0, 0
    for action in actions:
        world.step(action)
        way += world.worm != last
        last = world.worm
        if not line and last in foods:  # none is set anew before the first is eaten
            line = math.dist(start, last)
    return min(line / way, 1.0) if way else 0.0
