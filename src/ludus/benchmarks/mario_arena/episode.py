"""What the arena score is computed from: one episode, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from operator import attrgetter, le
from typing import Any, NamedTuple, NoReturn

from ludus.errors import OptionError, show_value

__all__ = ["LEVELS", "MOST", "REQUIRED", "STEP_CAP", "ArenaEpisode"]

STEP_CAP = 1_000_000
"""More decisions than this no episode may take: the promise that completion wins rests on it."""

LEVELS = 32

MOST = {
    "world": 8,
    "stage": 4,
    "max_x_pos": 65_535,
    "steps": STEP_CAP,
    "coins": 99,
    "time_remaining": 999,
    "lives": 255,
    "power": 2,
    "jumps": STEP_CAP,
    "kills": STEP_CAP,
    "variety": 8,
}
LEAST = {"world": 1, "stage": 1}


class Ranges(NamedTuple):
    """The least and the most that each number of an episode can be, in the order of ``MOST``."""

    least: tuple[int, ...]
    most: tuple[int, ...]


RANGES = Ranges(tuple(LEAST.get(name, 0) for name in MOST), tuple(MOST.values()))
GAME_RANGES = RANGES._replace(
    most=tuple(most * LEVELS if name == "coins" else most for name, most in MOST.items())
)
"""Those of an episode of a level, and of the whole game."""

READ_NUMBERS = attrgetter(*MOST)

Reader = Callable[[str, Any], int]

REQUIRED = ("world", "stage", "completed", "max_x_pos", "steps", "coins", "time_remaining")

TRUTHS = ("completed", "full_game")

LONGEST = 12
"""Numbers of more digits are nobody's figures."""

YES = ("true", "yes", "1", "1.0")
NO = ("false", "no", "0", "0.0")

SPELT = {"True": True, "true": True, "1": True, "False": False, "false": False, "0": False}
"""How most files write a yes or a no."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaEpisode:
    """One play of a level, or of the whole game.

    Attributes:
        world: The level's world, 1 to 8; of the whole game, that of the furthest level reached.
        stage: The level's stage, 1 to 4; likewise.
        completed: Whether the level, or the whole game, was completed.
        max_x_pos: The furthest x in that level, in pixels.
        steps: Decisions of the player.
        coins: Coins collected, at most 99 in a level.
        time_remaining: What was left on the clock.
        lives: Lives left at the end.
        power: 0 small, 1 large, 2 with fire at the end; 0 if dead.
        jumps: Jumps.
        kills: Creatures defeated.
        variety: How many of the eight kinds of feats were shown.
        full_game: Whether it was the whole game.
    """

    world: int
    stage: int
    completed: bool
    max_x_pos: int
    steps: int
    coins: int = 0
    time_remaining: int = 0
    lives: int = 0
    power: int = 0
    jumps: int = 0
    kills: int = 0
    variety: int = 0
    full_game: bool = False

    def __post_init__(self) -> None:
        ranges = GAME_RANGES if self.full_game else RANGES
        values = READ_NUMBERS(self)
        if False in map(le, ranges.least, values) or False in map(le, values, ranges.most):
            _refuse_numbers(values, ranges)
        if self.completed and not self.steps:
            raise OptionError("'steps' is 0, but the level was completed: count every decision")
        if self.completed and self.full_game and self.level != LEVELS:
            raise OptionError(
                f"the full game is 'completed' in {self.world}-{self.stage}, which cannot be: "
                "it ends in 8-4"
            )

    @property
    def level(self) -> int:
        """The level's place in the game, 1 to 32."""
        return 4 * (self.world - 1) + self.stage

    @classmethod
    def from_values(cls, values: Mapping[str, Any], needed: Iterable[str] = ()) -> ArenaEpisode:
        """Return the episode that plain values describe: numbers of any kind, or their text.

        Args:
            values: The values by name; further names are ignored.
            needed: What must be there beside what always must.

        Raises:
            OptionError: A value is missing, no whole number, or impossible.
        """
        names, kinds, readers = _find_readers(tuple(values))
        found = [values[name] for name in names]
        types = [*map(type, found)]
        if types == kinds:
            given = dict(zip(names, found, strict=True))
        elif types.count(str) == len(types) and (read := _read_texts(found, kinds)):
            given = dict(zip(names, read, strict=True))
        else:
            given = _read_values(zip(names, found, readers, strict=True))
        if not given.keys() >= (REQUIRED_NAMES.union(needed) if needed else REQUIRED_NAMES):
            missing = [name for name in (*REQUIRED, *needed) if name not in given]
            needs = "it" if len(missing) == 1 else "them"
            raise OptionError(f"{', '.join(map(repr, missing))} missing: every row needs {needs}")
        return cls(**given)


def _refuse_numbers(values: Iterable[Any], ranges: Ranges) -> NoReturn:
    """Refuse numbers of which one is out of its range."""
    for name, value, least, most in zip(MOST, values, *ranges, strict=True):
        if not least <= value <= most:
            raise OptionError(
                f"{name!r} is {value}, which cannot be: it goes from {least} to {most:,}"
            )
    raise OptionError("a number of an episode cannot be compared")


def _read_truth(name: str, value: Any) -> bool:
    """Return the yes or no that a value is or spells."""
    if type(value) is bool:
        return value
    word = str(value).strip().lower()
    if word in YES:
        return True
    if word in NO:
        return False
    raise OptionError(f"{name!r} is {show_value(value)}, which is neither true nor false")


def _read_integer(name: str, value: Any) -> int:
    """Return the whole number that a value is or spells, of whatever type."""
    if type(value) is int:
        return value
    if type(value) is str and value.isdecimal() and len(value) <= LONGEST:
        return int(value)
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite() or number.adjusted() > LONGEST or number % 1:
        raise OptionError(f"{name!r} is {show_value(value)}, which is not a whole number")
    return int(number)


REQUIRED_NAMES = frozenset(REQUIRED)
READERS: dict[str, tuple[type, Reader]] = {
    field.name: (bool, _read_truth) if field.name in TRUTHS else (int, _read_integer)
    for field in fields(ArenaEpisode)
}
"""What each value of an episode is, and how another is read, by its name."""


@lru_cache(maxsize=64)
def _find_readers(names: tuple[str, ...]) -> tuple[list[str], list[type], list[Reader]]:
    """Return which of these values an episode has, numbers first, their types and readers.

    The rows of a file mostly have the same names, and most rows lack what is optional.
    """
    known = [name for name in (*MOST, *TRUTHS) if name in names]
    return known, [READERS[name][0] for name in known], [READERS[name][1] for name in known]


def _read_texts(texts: Sequence[str], kinds: Sequence[type]) -> list[Any]:
    """Return the values that texts spell as most files do; nothing if one is spelt otherwise."""
    numbers = kinds.count(int)  # they come first
    try:
        return [*map(int, texts[:numbers]), *map(SPELT.__getitem__, texts[numbers:])]
    except (KeyError, ValueError):
        return []


def _read_values(values: Iterable[tuple[str, Any, Reader]]) -> dict[str, Any]:
    """Return values by name, without those that are empty."""
    return {
        name: read(name, value)
        for name, value, read in values
        if value is not None and (type(value) is not str or value.strip())
    }
