"""A level that is learned: training plays one after the other, then the play that counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ludus.errors import ActionError
from ludus.games.game import Facts
from ludus.games.platformer.tasks.learning.checkpoint import write_checkpoint
from ludus.games.platformer.tasks.learning.curve import LearningCurve
from ludus.games.platformer.tasks.learning.facts import describe_outcome, learning_facts
from ludus.games.platformer.tasks.learning.record import LearningRecord, write_record
from ludus.games.platformer.tasks.learning.scenario import LearningScenario
from ludus.games.platformer.tasks.match import TaskMatch

__all__ = ["LearningMatch"]

Learn = Callable[[Mapping[str, Any]], None]


class LearningMatch:
    """A level being learned. The match counts the plays: nothing that an agent does adds one.

    Args:
        scenario: The level.
        curve: What training plays scored before the match was left; None if it was not.
        memory: What the agent remembered then.

    Attributes:
        memory: The same, for the stage.
        checkpoint_due: Whether a part of the curve has just been finished.
    """

    empty_action = 0
    worth_checkpointing = False

    def __init__(
        self, scenario: LearningScenario, curve: LearningCurve | None = None, memory: Any = None
    ) -> None:
        self._scenario = scenario
        self._curve = curve or LearningCurve(scenario.training_plays)
        self._learn: Learn | None = None
        self._reset: Callable[[Any], None] | None = None
        self._skipped = curve is None
        self._counts = self._skipped or self._curve.complete
        self._play = TaskMatch(scenario.scenario)
        self.memory = memory
        self.checkpoint_due = False

    def after_each_training_play(self, learn: Learn | None) -> None:
        """Call ``learn`` with what came of each training play; without it there are none."""
        self._learn = learn
        self._skipped = learn is None and not self._curve.plays
        self._counts = self._skipped or self._curve.complete

    def before_each_round(self, reset: Callable[[Any], None], declared: Mapping[str, Any]) -> None:
        """Call ``reset`` before every play; the stage has done so before the first."""
        self._reset = reset
        if self._number > 1:
            reset(self._scenario.next_play(self._number))

    @property
    def over(self) -> bool:
        """Whether the play that counts has ended."""
        return self._counts and self._play.over

    @property
    def observation(self) -> Any:
        """What the task shows of the play under way."""
        return self._play.observation

    def step(self, action: Any) -> None:
        """Hold these buttons for one tick; at the end of a training play, let the agent learn.

        Raises:
            ActionError: It is no action of the game, or the play that counts has ended.
        """
        play = self._play
        if self._counts and play.over:
            raise ActionError("the play that counts has ended: no action comes after it")
        play.step(action)
        self.checkpoint_due = False
        if not self._counts and play.over:
            self._end_training_play()

    def record(self) -> bytes:
        """Return the learning curve, and the buttons of the play that counts."""
        buttons = self._play.record() if self._counts else b""
        return write_record(LearningRecord(self._curve, self._skipped, buttons))

    def facts(self) -> Facts:
        """Return the figures of the play that counts, and of the training."""
        counted = self._play if self._counts else TaskMatch(self._scenario.scenario)
        return learning_facts(counted, self._curve)

    def checkpoint(self, memory: Any = None) -> bytes:
        """Return the curve and the agent's memory; a play under way is begun anew."""
        return write_checkpoint(self._curve, memory)

    @property
    def _number(self) -> int:
        """The number of the play under way."""
        return self._scenario.training_plays + 1 if self._skipped else self._curve.plays + 1

    def _end_training_play(self) -> None:
        outcome = describe_outcome(self._play.facts(), self._number)
        self._curve.add(outcome["score"])
        self._counts = self._curve.complete
        self._play = TaskMatch(self._scenario.scenario)
        self.checkpoint_due = self._curve.at_end_of_part
        if self._learn:
            self._learn(outcome)
        if self._reset:
            self._reset(self._scenario.next_play(self._number))
