"""The observation of the platformer: the world, which cannot be changed through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import ActionError
from ludus.games.media.palette import Picture
from ludus.games.platformer._native import (
    AgentLibrary,
    ForwardModel,
    World,
    pack_frame,
    sight_fields,
    sight_picture,
    wide_fields,
)
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.records import Mario

__all__ = ["Tape", "View"]


class Tape(NamedTuple):
    """How a world came to where it is; another process plays it to the same world.

    Attributes:
        stage: The level of the campaign; empty for the level of the scenario.
        mode: How Mario began.
        time_limit: Seconds on the clock at the start; None for those of the level.
        ticks: The buttons of every tick, which grow with the world.
    """

    stage: str
    mode: int
    time_limit: int | None
    ticks: bytearray


class View:
    r"""The world as an agent may see it, always at the current tick.

    Grids are indexed ``[column][row]`` and hold Mario at ``[8][8]``. They are made when asked for.
    Whoever wants to know what would happen plays it out on a :meth:`forward_model`.

    Attributes:
        scene: 16 × 16 blocks around Mario, at the default detail.
        enemies: 16 × 16 creatures around Mario, at the default detail.
        merged: Both in one grid.
        mario: Mario: where he is, how fast, what he can do.
        tick: Ticks played so far.
        timer: What is left on the clock, 30 a tick; 0 without a limit.
        coins: Coins collected.
        level: The level.
        level_size: Width and height of the level in pixels.
        exit: Column and row of the exit.
        rules: The name of the rules; ``codes.buttons_of`` gives the bits of their buttons.
        enemy_positions: Kind, x and y of every creature in play, in pixels.
        tape: How the world came to where it is, if a match has recorded it.

    Example:
        >>> from ludus.games.platformer.levels.level import Level
        >>> view = View(World(Level.parse("M---F\nXXXXX")))
        >>> view.scene.shape, view.level_size
        ((16, 16), (80, 32))
    """

    __slots__ = ("__closed", "__world", "tape")

    def __init__(self, world: World, tape: Tape | None = None) -> None:
        self.__world = world
        self.__closed = False
        self.tape = tape

    @property
    def scene(self) -> NDArray[np.int32]:
        """The blocks around Mario."""
        return self.__world.observe("scene")

    @property
    def enemies(self) -> NDArray[np.int32]:
        """The creatures around Mario."""
        return self.__world.observe("enemies")

    @property
    def merged(self) -> NDArray[np.int32]:
        """Blocks and creatures around Mario; a creature hides the block behind it."""
        return self.__world.observe("merged")

    def grid(
        self,
        kind: Literal["scene", "enemies", "merged"] = "merged",
        *,
        detail: int | tuple[int, int] | None = None,
        centre: Literal["mario", "screen"] = "mario",
        size: int | tuple[int, int] = 16,
    ) -> NDArray[np.int32]:
        """Return a grid of the chosen kind, detail, centre and size.

        Args:
            kind: Blocks, creatures, or both.
            detail: 0 tells everything apart, 1 groups alike things, 2 tells something from
                nothing; a pair sets blocks and creatures of a merged grid.
            centre: Mario, or the middle of the screen.
            size: Columns and rows, or one number for both.
        """
        return self.__world.observe(kind, detail=detail, centre=centre, size=size)

    @property
    def mario(self) -> Mario:
        """Mario: where he is, how fast, what he can do."""
        return self.__world.mario

    @property
    def tick(self) -> int:
        """Ticks played so far."""
        return self.__world.tick

    @property
    def timer(self) -> int:
        """What is left on the clock, 30 a tick; 0 without a limit."""
        return self.__world.timer

    @property
    def coins(self) -> int:
        """Coins collected."""
        return self.__world.coins

    @property
    def level_size(self) -> tuple[int, int]:
        """Width and height of the level in pixels."""
        level = self.__world.level
        return 16 * level.width, 16 * level.height

    @property
    def level(self) -> Level:
        """The level that is played."""
        return self.__world.level

    @property
    def exit(self) -> tuple[int, int]:
        """Column and row of the exit."""
        return self.__world.level.exit

    @property
    def rules(self) -> str:
        """The name of the rules that the world is played by."""
        return self.__world.rules

    @property
    def kill_events(self) -> list[tuple[int, int]]:
        """Kind and parameter of each event that ends the game as lost."""
        return self.__world.kill_events

    @property
    def enemy_positions(self) -> NDArray[np.float32]:
        """Kind, x and y of every creature in play, one a row."""
        return self.__world.enemies()

    def forward_model(self) -> ForwardModel:
        """Return a copy of the game, in which the agent may play ahead.

        Raises:
            ActionError: The benchmark allows no forward model.
        """
        if self.__closed:
            raise ActionError("asked for a forward model, which the benchmark does not allow")
        return self.__world.forward_model()

    def clone_state(self) -> bytes:
        """Return the whole state as bytes, for a world of the same level in another process."""
        return self.__world.clone_state()

    def ask_library(self, library: AgentLibrary, model: ForwardModel | None) -> int:
        """Return the action of a library's agent, which is shown this view.

        Args:
            library: The library.
            model: What it may play ahead on.
        """
        return library.act(self.__world, model)

    def pack_frame(self, parts: int) -> bytes:
        """Return the message of the agent protocol that shows this view, as a binary frame.

        Args:
            parts: The bits of the parts to show.

        Returns:
            Nothing if a frame cannot hold all creatures.
        """
        return pack_frame(self.__world, parts)

    def ask_java(self, act: Callable[[bool, int], int], *, begins: bool) -> int:
        """Return the action of an agent in a virtual machine of this process, which is shown this.

        Args:
            act: Asks the agent, with the place of the engine's world in memory.
            begins: Whether this is the first decision of an episode.
        """
        return act(begins, self.__world.address)

    def close_forward_model(self) -> None:
        """Refuse a forward model from now on."""
        self.__closed = True

    def state(self) -> NDArray[np.float32]:
        """Return Mario's state as numbers."""
        return self.__world.state()

    def picture(self) -> Picture:
        """Return the screen, as its camera sees the world."""
        from ludus.games.platformer.pictures import frame

        return frame(self.__world)

    def sight_fields(self) -> NDArray[np.int8]:
        """Return what a learner sees as one row of numbers."""
        return sight_fields(self.__world)

    def wide_fields(self) -> NDArray[np.int8]:
        """Return what a learner sees as one row of numbers, with the ground ahead and platforms."""
        return wide_fields(self.__world)

    def sight_picture(self) -> NDArray[np.uint8]:
        """Return what a learner sees as a grey picture."""
        return sight_picture(self.__world)

    def __repr__(self) -> str:
        mario = self.mario
        return f"<View tick {self.tick}, Mario at ({mario.x:.1f}, {mario.y:.1f})>"
