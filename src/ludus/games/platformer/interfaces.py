"""What agents of the 2009 competition and the 2010 benchmark are shown, number by number.

Grids are indexed ``[row][column]``, as those agents index them. Sparkles, coins that fly up and
bricks that burst are not in the lists: nothing but a picture shows them.

Example:
    >>> from ludus.games.platformer import World
    >>> from ludus.games.platformer.generators import generate
    >>> shown = Interface2009(World(generate("notch-2009", seed=3), mode=2, time_limit=200))
    >>> shown.level_scene().shape, len(shown.level_bitmap), shown.mario_mode
    ((22, 22), 31, 2)
    >>> shown = Interface2010(World(generate("tunable-2010", seed=3)))
    >>> shown.tiles().shape, len(shown.vector)
    ((19, 19), 11)
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.platformer import _native
from ludus.games.platformer._native import ForwardModel, World

__all__ = ["Entity2010", "Interface2009", "Interface2010", "Mario2010"]

Grid = NDArray[np.int8]

FIELD_2009 = 22
_CELLS = FIELD_2009 * FIELD_2009
_ALWAYS_SET = chr(0x00FF) * (_CELLS // 8) + chr(0x000F)
"""The reference asks whether cells are not -1, which none is."""


class Interface2009:
    """A world of the rules ``2009`` as agents of that year's competition see it.

    Args:
        world: The world; what is asked for is of the tick that it is at.

    Raises:
        OptionError: The world has other rules.
    """

    def __init__(self, world: World | ForwardModel) -> None:
        _check_rules(world, "2009")
        self._world = world

    def level_scene(self, detail: int = 1) -> Grid:
        """Return the 22 × 22 map bytes around Mario, who is at ``[11][11]``."""
        return self._grid("scene", detail)

    def enemies(self, detail: int = 0) -> Grid:
        """Return the 22 × 22 kinds of sprites around Mario."""
        return self._grid("enemies", detail)

    def merged(self, scene_detail: int = 1, enemy_detail: int = 0) -> Grid:
        """Return both in one grid."""
        return self._grid("merged", (scene_detail, enemy_detail))

    def _grid(
        self, kind: Literal["scene", "enemies", "merged"], detail: int | tuple[int, int]
    ) -> Grid:
        return self._world.observe(kind, detail=detail, size=FIELD_2009).T.astype(np.int8)

    @property
    def level_bitmap(self) -> str:
        """The level scene at detail 1 in bits, 16 cells a character, the lowest bit first."""
        return "".join(map(chr, np.frombuffer(_native.extra_bytes(self._world), "<u2")))

    @property
    def enemies_bitmap(self) -> str:
        """The enemies in bits, 8 cells a character: all are set, as in the reference."""
        return _ALWAYS_SET

    @property
    def enemies_float_pos(self) -> NDArray[np.float32]:
        """Kind, x and y of creatures, corpses, shells and mushrooms, one after the other."""
        return self._world.enemies(relative=False).ravel()

    @property
    def mario_float_pos(self) -> tuple[float, float]:
        """Mario's x and y."""
        mario = self._world.mario
        return mario.x, mario.y

    @property
    def mario_mode(self) -> int:
        """0 small, 1 large, 2 fire."""
        return self._world.mario.mode

    @property
    def is_mario_on_ground(self) -> bool:
        """Whether he stands after the whole tick."""
        return self._world.mario.on_ground

    @property
    def may_mario_jump(self) -> bool:
        """Whether JUMP would have lifted him when the tick began."""
        return self._world.mario.may_jump

    @property
    def is_mario_carrying(self) -> bool:
        """Whether he carries a shell."""
        return self._world.mario.carrying


class Entity2010(NamedTuple):
    """A sprite in the receptive field of 2010."""

    type: int  #: the code of its kind, by the detail asked for
    column: int  #: cells to the right of Mario's cell
    row: int  #: cells below it
    dx: float  #: Mario's x without the entity's
    dy: float  #: Mario's y without the entity's
    height: float  #: its y
    speed_x: float  #: pixels that its last update moved it
    speed_y: float
    threat: int  #: 0 worst, 6 none
    moving: bool  #: a shell on its way, told at detail 0 alone


class Mario2010(NamedTuple):
    """What an agent of 2010 is told about Mario."""

    speed_x: float  #: pixels that his last update moved him
    speed_y: float  #: 0 on the ground
    height: float  #: his y
    in_tile_x: int  #: pixels in his cell
    in_tile_y: int
    may_shoot: bool
    time_spent: int  #: seconds of 15 ticks
    time_left: int
    mode: int  #: 0 small, 1 large, 2 fire
    on_ground: bool
    may_jump: bool
    carrying: bool


class Interface2010:
    """A world of the rules ``2010`` as agents of that benchmark see it.

    The receptive field is that of the world's options: 19 × 19 unless ``-rfw`` and ``-rfh`` say
    otherwise, with Mario in row ``-mer`` and column ``-mec``; ``-zs`` and ``-ze`` set the details.

    Args:
        world: The world; what is asked for is of the tick that it is at.

    Raises:
        OptionError: The world has other rules.
    """

    def __init__(self, world: World | ForwardModel) -> None:
        _check_rules(world, "2010")
        self._world = world
        options = world.options
        self._tile_detail = 0 if options is None else options.tile_detail
        self._entity_detail = 0 if options is None else options.entity_detail

    @property
    def ego(self) -> tuple[int, int]:
        """Mario's row and column in the field."""
        _, _, row, column = _native.field_2010(self._world)
        return row, column

    def tiles(self, detail: int | None = None) -> Grid:
        """Return the codes of the tiles in the field."""
        return _native.grid_2010(
            self._world, False, self._tile_detail if detail is None else detail
        )

    def entities(self, detail: int | None = None) -> Grid:
        """Return the code of the worst entity in each cell of the field, 0 where there is none."""
        return _native.grid_2010(
            self._world, True, self._entity_detail if detail is None else detail
        )

    def entity_list(self, detail: int | None = None) -> list[Entity2010]:
        """Return the entities in the field, in engine order."""
        detail = self._entity_detail if detail is None else detail
        return list(map(Entity2010._make, _native.entities_2010(self._world, detail)))

    @property
    def enemies_float_pos(self) -> NDArray[np.float32]:
        """Kind, x and y from Mario of creatures and shells, one after the other."""
        return _native.creatures_2010(self._world).ravel()

    @property
    def creatures_float_pos(self) -> NDArray[np.float32]:
        """Mario's x and y, then :attr:`enemies_float_pos`."""
        mario = self._world.mario
        return np.concatenate([np.array([mario.x, mario.y], np.float32), self.enemies_float_pos])

    @property
    def vector(self) -> NDArray[np.int32]:
        """The state vector; ``records.VECTOR_FIELDS`` names its numbers."""
        return np.frombuffer(_native.extra_bytes(self._world), np.int32)

    @property
    def mario(self) -> Mario2010:
        """What an agent is told about Mario."""
        mario = self._world.mario
        own = (mario.mode, mario.on_ground, mario.may_jump, mario.carrying)
        return Mario2010(*_native.summary_2010(self._world), *own)


def _check_rules(world: World | ForwardModel, rules: str) -> None:
    if world.rules != rules:
        raise OptionError(
            f"a world of the rules {world.rules!r} is not seen as in {rules}: give rules={rules!r}"
        )
