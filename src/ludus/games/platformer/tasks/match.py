"""One play of a level for a task."""

from __future__ import annotations

from typing import Any

from ludus.errors import OptionError
from ludus.games.game import Facts
from ludus.games.platformer._native import World
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.reference import FORMATS
from ludus.games.platformer.tasks.actions import read_action
from ludus.games.platformer.tasks.figures import measure, total_reward
from ludus.games.platformer.tasks.observation import Observation
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.senses import Senses
from ludus.games.platformer.tasks.view import TaskView
from ludus.games.platformer.view import Tape

__all__ = ["TaskMatch"]

CELL = 16


class TaskMatch:
    """One play of a scenario.

    Under the rules of the competitions an agent answers after every tick, and its answer counts
    for the next one. It is asked after the last tick, too, and that answer is not played: what a
    player carries over to its next level depends on it.

    Raises:
        OptionError: The level of the scenario is hidden.
    """

    empty_action = 0

    def __init__(self, scenario: TaskScenario) -> None:
        if scenario.level is None:
            raise OptionError("a scenario without its level cannot be played: that is an agent's")
        self._scenario = scenario
        self._rules = scenario.rules
        level = scenario.level.with_recipe(None)  # agents see the level, not the seed of it
        self._world = World(level, scenario.mode, scenario.time_limit)
        self._answers_last = self._rules in FORMATS
        self._ticks = bytearray()
        self._last_answer: int | None = None
        self._mode = scenario.mode
        self._mode_switches = 0
        self._paid = 0
        self._show()

    def _show(self) -> None:
        """Prepare what the agent sees first."""
        scenario, task = self._scenario, self._scenario.task
        self._senses: Senses | None = None
        self._observation: Observation | None = None
        if task.forward_model:
            tape = Tape("", scenario.mode, scenario.time_limit, self._ticks)
            self._view = TaskView(self._world, tape, task)
        else:
            self._senses = Senses(task, scenario.seed)
            self._paid = total_reward(self._world) if task.reward else 0

    @property
    def over(self) -> bool:
        """Whether the game has ended, and the last answer was given where one is asked for."""
        if self._world.status == 0:
            return False
        return not self._answers_last or self._last_answer is not None

    @property
    def observation(self) -> TaskView | Observation:
        """What the agent sees now: the whole game, or values."""
        if self._senses is None:
            return self._view
        if self._observation is None:
            task = self._scenario.task
            reward = total_reward(self._world) - self._paid if task.reward else None
            self._observation = self._senses.sense(self._world, reward)
        return self._observation

    def step(self, action: Any) -> None:
        """Hold these buttons for one tick; after the last tick, only note the answer."""
        buttons = read_action(action, self._rules)
        if self._world.status != 0:
            self._last_answer = buttons
            return
        self._begin_decision()
        self._world.step(buttons)
        self._ticks.append(buttons)
        mode = self._world.mode
        self._mode_switches += mode != self._mode
        self._mode = mode

    def _begin_decision(self) -> None:
        if self._senses is None:
            self._view.begin_decision()
        elif self._scenario.task.reward:
            self._paid = total_reward(self._world)
        self._observation = None

    @property
    def ticks(self) -> bytes:
        """The buttons of every tick."""
        return bytes(self._ticks)

    def record(self) -> bytes:
        """Return the buttons of every answer, the one after the last tick included."""
        last = [] if self._last_answer is None else [self._last_answer]
        return bytes([*self._ticks, *last])

    def facts(self) -> Facts:
        """Return the figures of the play, and what the level is grouped by."""
        figures, task = measure(self._world), self._scenario.task
        return {
            **_describe_level(self._scenario.level),
            **figures,
            "mode_switches": self._mode_switches,
            "answers": sum(answer != 0 for answer in self.record()),
            "fitness": float(task.evaluate(figures)),
            "state": f"{self._world.hash():016x}",
        }


def _describe_level(level: Level | None) -> dict[str, int]:
    """Return what tables and scores group levels by, as far as it is known."""
    if level is None:
        return {}
    known = {"exit_x": CELL * level.exit[0]}
    if level.reference is not None:
        return {"difficulty": level.reference.difficulty, "type": level.reference.type, **known}
    difficulty = level.recipe.options.get("difficulty") if level.recipe else None
    return {"difficulty": difficulty, **known} if isinstance(difficulty, int) else known
