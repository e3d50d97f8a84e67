"""The benchmark's interfaces used directly: an environment, and a task that evaluates an agent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from statistics import fmean
from typing import Any

from ludus.contract import Agent
from ludus.games.game import Facts
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.tasks.match import TaskMatch
from ludus.games.platformer.tasks.observation import Observation
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.task import DEFAULT_TASK, Task
from ludus.games.platformer.tasks.view import TaskView

__all__ = ["Environment", "evaluate"]


class Environment:
    """A level and a task, to be played step by step.

    Args:
        level: A scenario, a level, or a text of the options of 2010 such as ``"-ld 3 -ls 4"``.
        task: What the agent sees, and what its play is worth; that of the scenario if None.

    Raises:
        OptionError: The text holds no such options.

    Example:
        >>> from ludus.agents import load
        >>> environment = Environment("-ld 0 -ls 0", Task(evaluation="weighted-2010"))
        >>> agent = load("forward-jumping", "platformer")
        >>> agent.reset(environment.scenario)
        >>> while not environment.over:
        ...     environment.step(agent.act(environment.observation))
        >>> environment.fitness
        7720.0
    """

    def __init__(self, level: TaskScenario | Level | str, task: Task | None = None) -> None:
        self._scenario = _make_scenario(level, task)
        self.reset()

    def reset(self) -> None:
        """Begin the level from its start."""
        self._match = TaskMatch(self._scenario)

    @property
    def scenario(self) -> TaskScenario:
        """What an agent may know of the level and the task; its ``reset`` takes it."""
        return self._scenario.for_agent()

    @property
    def over(self) -> bool:
        """Whether the play has ended."""
        return self._match.over

    @property
    def observation(self) -> TaskView | Observation:
        """What the agent sees now."""
        return self._match.observation

    def step(self, action: Any) -> None:
        """Play an action: a number of bits, or five truth values.

        Raises:
            ActionError: It is neither.
        """
        self._match.step(action)

    @property
    def facts(self) -> Facts:
        """The figures of the play so far."""
        return self._match.facts()

    @property
    def fitness(self) -> float:
        """What the play is worth so far, by the task's evaluation."""
        return float(self._match.facts()["fitness"] or 0)


def evaluate(
    task: Task, agent: Agent[Any, Any, Any], levels: Iterable[TaskScenario | Level | str]
) -> float:
    """Return what an agent's play is worth: the mean over all levels and attempts.

    The agent is reset before every attempt. Noise is drawn anew in each, from the seed of the
    level and the number of the attempt.

    Args:
        task: What the agent sees, what its play is worth, and how often it plays each level.
        agent: Who plays.
        levels: Scenarios, levels, or texts of the options of 2010.

    Example:
        >>> from ludus.agents import load
        >>> evaluate(Task(), load("idle", "platformer"), ["-lf on -tl 10", "-ld 0 -tl 10"])
        32.0
    """
    scenarios = [_make_scenario(level, task) for level in levels]
    return fmean(
        _play(agent, replace(scenario, seed=scenario.seed + attempt))
        for scenario in scenarios
        for attempt in range(task.attempts)
    )


def _play(agent: Agent[Any, Any, Any], scenario: TaskScenario) -> float:
    environment = Environment(scenario)
    agent.reset(environment.scenario)
    while not environment.over:
        environment.step(agent.act(environment.observation))
    return environment.fitness


def _make_scenario(level: TaskScenario | Level | str, task: Task | None) -> TaskScenario:
    if isinstance(level, TaskScenario):
        return level if task is None else replace(level, task=task)
    if isinstance(level, Level):
        return TaskScenario("level", level, task or DEFAULT_TASK)
    return TaskScenario.from_options(level, task or DEFAULT_TASK)
