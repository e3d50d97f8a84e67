"""The whole game as an agent sees it under a task that hides nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.errors import ActionError
from ludus.games.platformer._native import World
from ludus.games.platformer.tasks.figures import total_reward
from ludus.games.platformer.tasks.task import Task
from ludus.games.platformer.view import Tape, View

__all__ = ["TaskView"]


class TaskView(View):
    """A ``View`` whose grids have the task's fields, with the reward that the task pays.

    Args:
        world: The game.
        tape: How it came to where it is.
        task: What it is played for.
    """

    __slots__ = ("__paid", "__task", "__world")

    def __init__(self, world: World, tape: Tape, task: Task) -> None:
        super().__init__(world, tape)
        self.__world = world
        self.__task = task
        self.__paid = 0
        self.begin_decision()

    def begin_decision(self) -> None:
        """Count what is paid from now on as the next reward."""
        if self.__task.reward:
            self.__paid = total_reward(self.__world)

    @property
    def scene(self) -> NDArray[np.int32]:
        """The blocks around Mario."""
        field = self.__task.scene
        return self.grid("scene", detail=field.detail, size=field.size)

    @property
    def enemies(self) -> NDArray[np.int32]:
        """The creatures around Mario."""
        field = self.__task.enemies
        return self.grid("enemies", detail=field.detail, size=field.size)

    @property
    def merged(self) -> NDArray[np.int32]:
        """Blocks and creatures around Mario; a creature hides the block behind it."""
        field = self.__task.merged
        return self.grid("merged", detail=field.detail, size=field.size)

    @property
    def reward(self) -> int:
        """What was paid since the last decision."""
        if not self.__task.reward:
            raise ActionError("the task pays no intermediate reward")
        return total_reward(self.__world) - self.__paid
