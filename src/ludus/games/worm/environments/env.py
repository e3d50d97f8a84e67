"""The Gymnasium environment ``ludus/Worm-v0``."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ludus.errors import EpisodeOver, OptionError
from ludus.games.one_thread import Turn, one_thread
from ludus.games.saved_state import Restorable
from ludus.games.worm.batch import SEEDS, Batch
from ludus.games.worm.codes import Ending
from ludus.games.worm.environments.spaces import action_space, observation_space, to_action_array
from ludus.games.worm.frozen_tasks import find_recorded_task
from ludus.games.worm.task import Task
from ludus.games.worm.world import World

__all__ = ["WormEnv"]


class WormEnv(Restorable, gymnasium.Env[NDArray[np.float32], Any]):
    """One episode of a worm after another.

    An episode that completes its food, starves or dies is terminated, one that runs out of steps is
    truncated. After ``reset(seed=S)`` the coming episodes have the seeds S, S + 1 and so on.

    Args:
        task: A task, or the name of one.
        actions: ``"discrete"`` for forward, left, right, stay; ``"steering"`` for speed and turn on
            a dish; None for what is natural to the task.
        render_mode: None, ``"rgb_array"`` or ``"ansi"``.

    ``info`` holds the episode's figures (see ``FIGURES``) and the worm's place.

    Example:
        >>> import gymnasium
        >>> env = gymnasium.make("ludus/Worm-v0", task="pursuit-small")
        >>> observation, info = env.reset(seed=7)
        >>> observation.shape
        (4,)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as declared by Gymnasium
        "render_modes": ["rgb_array", "ansi"],
        "render_fps": 20,
    }

    def __init__(
        self,
        task: Task | str = "foraging-small",
        *,
        actions: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise OptionError(f"render_mode {render_mode!r} is unknown: try 'rgb_array' or 'ansi'")
        self.render_mode = render_mode
        self.task = find_recorded_task(task) if isinstance(task, str) else task
        self.action_space = action_space(self.task, actions)
        self.observation_space = observation_space(self.task)
        self._batch = Batch(self.task, 1)
        self._started = False
        self._turn = Turn()
        self._path: list[tuple[float, float]] = []

    @property
    def world(self) -> World:
        """A copy of the world as it is: look ahead with it, it changes nothing here."""
        return self._batch.world(0)

    @one_thread
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode, with this seed or the next one."""
        super().reset(seed=seed)
        if seed is None and self._started:
            self._batch.restart([True])
        else:
            first = int(self.np_random.integers(SEEDS)) if seed is None else seed
            self._batch.begin([first])
        self._started = True
        self._path = [self._position()]
        return self._batch.features[0].copy(), self._info()

    @one_thread
    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play one step."""
        if self._started and self._batch.ended[0]:
            raise EpisodeOver("the episode is finished: call reset() before the next step")
        self._batch.step(to_action_array(action, self.action_space)[None])
        self._path.append(self._position())
        ended = Ending(int(self._batch.ended[0]))
        truncated = ended is Ending.MAX_STEPS
        return (
            self._batch.features[0].copy(),
            float(self._batch.rewards[0]),
            bool(ended) and not truncated,
            truncated,
            self._info(),
        )

    def render(self) -> Any:
        """Return the dish as pixels or as text, or None without a render mode."""
        from ludus.games.worm import pictures

        if self.render_mode == "rgb_array":
            return pictures.frame(self.world, np.array(self._path))
        if self.render_mode == "ansi":
            return pictures.dish_text(self.world)
        return None

    def _clone_worlds(self) -> bytes:
        return self._batch.clone_state()

    def _restore_worlds(self, worlds: bytes) -> None:
        self._batch.restore_state(worlds)
        self._path = [self._position()]

    def _position(self) -> tuple[float, float]:
        x, y = self._batch.places()[0].tolist()
        return x, y

    def _info(self) -> dict[str, Any]:
        figures = {name: float(values[0]) for name, values in self._batch.figures().items()}
        x, y = self._path[-1]
        reason = Ending(int(figures["ending"])).reason
        return {**figures, "x": x, "y": y, "reason": reason}
