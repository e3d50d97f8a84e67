"""What a task shows, in an agent's process: a world of its own, or values alone."""

from __future__ import annotations

from typing import Any

from ludus.games.platformer.codec import PlatformerCodec
from ludus.games.platformer.tasks.observation import Observation
from ludus.games.platformer.tasks.packed import Layout, PackedObservation
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.view import TaskView
from ludus.games.platformer.view import Tape, View

__all__ = ["TaskCodec"]


class TaskCodec(PlatformerCodec):
    """Sends ticks where the task offers a forward model, and elsewhere what it shows.

    Under a task without forward model the agent's process has neither world nor level.
    """

    def __init__(self) -> None:
        super().__init__(TaskScenario.from_dict)
        self._layout: Layout | None = None

    def encode_observation(self, observation: View | Observation) -> Any:
        """Return the new ticks, or what is shown."""
        if isinstance(observation, Observation):
            return observation.to_values()
        return super().encode_observation(observation)

    def decode_observation(self, values: Any) -> View | Observation:  # type: ignore[override]
        """Return the view of a world that has played the ticks, or what is shown."""
        scenario: TaskScenario = self._scenario
        if scenario.task.forward_model:
            return super().decode_observation(values)
        if not isinstance(values, bytes):
            return Observation.from_values(scenario.task, scenario.rules, values)
        if self._layout is None or self._layout.task != scenario.task:
            self._layout = Layout(scenario.task)
        return PackedObservation.from_content(self._layout, scenario.rules, values)

    def _make_view(self, tape: Tape) -> View:
        return TaskView(self._world, tape, self._scenario.task)

    def _play(self, ticks: bytes) -> None:
        if isinstance(self._shown, TaskView):
            self._shown.begin_decision()
        super()._play(ticks)
