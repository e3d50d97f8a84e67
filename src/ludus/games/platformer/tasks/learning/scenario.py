"""Scenarios of ``mario-ai-learning``: a level that is played again and again, and learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ludus.errors import OptionError
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.task import GRIDS, ReceptiveField, Task

__all__ = ["LEARNING_TASK", "TRAINING_PLAYS", "LearningScenario", "Play"]

TRAINING_PLAYS = 10_000
WEIGHTED = "weighted-2010"
MOST_PLAYS = 10_000_000
FIELD = (22, 22)

LEARNING_TASK = Task(
    kinds=(*GRIDS, "positions", "state"),
    scene=ReceptiveField(FIELD, 1),
    enemies=ReceptiveField(FIELD, 0),
    merged=ReceptiveField(FIELD, (1, 1)),
    reward=True,
    evaluation=WEIGHTED,
    forward_model=False,
)
"""What learners see: the fields of 2010, places, Mario's state, and what every tick pays."""


@dataclass(frozen=True, slots=True)
class Play:
    """One play of a level, as its agent may know it: nothing in it tells the level or the time.

    Attributes:
        name: What tables call the level.
        task: What the agent sees.
        rules: The name of the level's rules.
        mode: How Mario starts: 0 small, 1 large, 2 with fire.
        time_limit: Seconds on the level's clock.
        seed: The agent's own seed, the same in all plays of the level.
        play: The number of the play, from 1.
        plays: The number of the play that counts, the last one.
        level: Always None: the level is what the agent has to learn.
    """

    name: str
    task: Task
    rules: str
    mode: int
    time_limit: int
    seed: int
    play: int
    plays: int
    level: None = None


@dataclass(frozen=True, slots=True)
class LearningScenario:
    """A level to be learned, and the play of it that comes next.

    Attributes:
        scenario: The level and its task.
        training_plays: How many plays come before the one that counts.
        play: The number of the next play, from 1.

    Example:
        >>> scenario = TaskScenario.from_options("-ld 2 -ls 3", LEARNING_TASK, "level 1")
        >>> told = LearningScenario(scenario, training_plays=100).for_agent()
        >>> told.play, told.plays, told.level
        (1, 101, None)
    """

    scenario: TaskScenario
    training_plays: int = TRAINING_PLAYS
    play: int = 1

    def __post_init__(self) -> None:
        if type(self.training_plays) is not int or not 1 <= self.training_plays <= MOST_PLAYS:
            raise OptionError(
                f"{self.training_plays!r:.40} training plays: give 1 to {MOST_PLAYS:,}"
            )
        if self.scenario.task.forward_model:
            raise OptionError(
                "a level is learned without a forward model: give forward_model=False"
            )
        if self.scenario.task.attempts != 1 or self.scenario.task.evaluation != WEIGHTED:
            raise OptionError(
                "a level is learned for one play that counts by its weighted fitness: "
                f"give attempts=1 and evaluation={WEIGHTED!r}"
            )
        if self.scenario.level is None or not self.scenario.time_limit:
            raise OptionError("a level is learned against its clock: give a level and a time limit")

    @property
    def name(self) -> str:
        """What tables call the level."""
        return self.scenario.name

    @property
    def seed(self) -> int:
        """What the agent's own seed is derived from."""
        return self.scenario.seed

    def next_play(self, play: int) -> LearningScenario:
        """Return the scenario with another play coming next."""
        return replace(self, play=play)

    def for_agent(self) -> Play:
        """Return the next play as its agent may know it."""
        told = self.scenario.for_agent()
        return Play(
            name=told.name,
            task=told.task,
            rules=told.rules,
            mode=told.mode,
            time_limit=told.time_limit,
            seed=told.seed,
            play=self.play,
            plays=self.training_plays + 1,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the scenario as plain values."""
        return {**self.scenario.to_dict(), "training_plays": self.training_plays}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> LearningScenario:
        """Return the scenario that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one.
        """
        if "training_plays" not in values:
            raise OptionError("not a scenario of mario-ai-learning: it has no 'training_plays'")
        rest = {name: value for name, value in values.items() if name != "training_plays"}
        return cls(TaskScenario.from_dict(rest), values["training_plays"])
