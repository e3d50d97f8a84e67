"""Short levels to be learned, and agents that learn them, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.games.platformer.codes import CompetitionButton
from ludus.games.platformer.tasks.learning import LEARNING_TASK, LearningScenario
from ludus.games.platformer.tasks.scenario import TaskScenario

FLAT = "-lf on -ll 30 -tl 10"
RUN = int(CompetitionButton.RIGHT | CompetitionButton.SPEED)


def flat_scenario(plays: int, options: str = FLAT) -> LearningScenario:
    """Return a level without anything on it."""
    return LearningScenario(TaskScenario.from_options(options, LEARNING_TASK, "flat"), plays)


class Waiter:
    """Runs after a pause that is shorter in every play, and shows the best in the one that counts.

    Args:
        pause: The ticks that it waits in the first play.
    """

    name = "waiter"

    def __init__(self, pause: int = 60) -> None:
        self.first = pause
        self.calls: list[Any] = []

    def reset(self, scenario: Any) -> None:
        self.calls.append((scenario.play, scenario.plays))
        if scenario.play == 1:
            self.best = (-1, 0)
        counts = scenario.play == scenario.plays
        self.pause = self.best[1] if counts else max(self.first - 10 * scenario.play, 0)
        self.ticks = 0

    def act(self, view: Any) -> int:
        self.ticks += 1
        return RUN if self.ticks > self.pause else 0

    def learn(self, outcome: Mapping[str, Any]) -> None:
        self.calls.append(dict(outcome))
        self.best = max(self.best, (outcome["score"], self.pause))
