"""A recording: one level and the buttons of every life that was played on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ludus.errors import OptionError, one_line
from ludus.games.platformer import World
from ludus.games.platformer.codes import Status, buttons_of
from ludus.games.platformer.records import Event, Mario, Sprite
from ludus.games.platformer.scenario import Scenario
from ludus.json_files import NotJson, read_json

__all__ = ["COMPETITION_RULES", "Recording", "Tick", "play_life", "read_recording"]

COMPETITION_RULES = ("2009", "2010")
"""Rules whose corpses stay visible for a while."""

MOST_LIVES = 100
MOST_TICKS = 1_000_000
"""The most lives of a recording, and the most ticks of all of them together."""


@dataclass(frozen=True, slots=True)
class Recording:
    r"""What somebody played: a scenario and the buttons of each life.

    Attributes:
        scenario: The level, Mario's mode at the start of each life, and the clock.
        lives: The buttons of every tick, life by life; every life but the last was lost.

    Raises:
        OptionError: There are no lives or too many, a life goes on after its end, or a further
            life follows one that was not lost.

    Example:
        >>> from ludus.games.platformer import Level
        >>> scenario = Scenario("short", Level.parse("M---F\nXXXXX"))
        >>> Recording(scenario, (bytes([2] * 18),)).ticks
        18
    """

    scenario: Scenario
    lives: tuple[bytes, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.lives) <= MOST_LIVES:
            raise OptionError(f"{len(self.lives)} lives are out of range: give 1 to {MOST_LIVES}")
        if self.ticks > MOST_TICKS:
            raise OptionError(f"{self.ticks} ticks are too many: give at most {MOST_TICKS}")
        for number, life in enumerate(self.lives):
            self._check_life(number, life)

    def _check_life(self, number: int, life: bytes) -> None:
        world = self.begin()
        actions = _known_actions(life, world.rules)
        for played, action in enumerate(actions):
            if world.status != Status.RUNNING:
                raise OptionError(
                    f"life {number} is over after {played} of {len(life)} ticks: cut the rest off"
                )
            world.step(action)
        if number < len(self.lives) - 1 and world.status in (Status.RUNNING, Status.WIN):
            raise OptionError(f"life {number} was not lost, yet another follows: leave it out")

    @property
    def ticks(self) -> int:
        """Ticks of all lives."""
        return sum(map(len, self.lives))

    def begin(self) -> World:
        """Return the world at the start of a life."""
        scenario = self.scenario
        return World(scenario.level, scenario.mode, scenario.time_limit)

    def to_dict(self) -> dict[str, Any]:
        """Return the recording as plain values, the buttons as hexadecimal digits."""
        return {"scenario": self.scenario.to_dict(), "lives": [life.hex() for life in self.lives]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Recording:
        """Return the recording that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one.
        """
        try:
            unknown = sorted(set(values) - {"scenario", "lives"})
            if unknown:
                raise OptionError(f"a recording has no field {unknown[0]!r:.40}: leave it out")
            lives = tuple(bytes.fromhex(life) for life in values["lives"])
            return cls(Scenario.from_dict(values["scenario"]), lives)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, OptionError):
                raise
            raise OptionError(f"this is no recording: {one_line(error)}") from None


def read_recording(path: str | Path) -> Recording:
    """Read the recording in a file of JSON.

    Raises:
        OptionError: The file cannot be read or holds no recording.
    """
    try:
        return Recording.from_dict(read_json(path))
    except NotJson as error:
        raise OptionError(f"{str(path)!r} {error}") from None


class Tick(NamedTuple):
    """One tick of a life.

    Attributes:
        world: The world after the tick.
        buttons: The buttons that were held, by the bits of the rules.
        before: Mario before the tick.
        after: Mario after it.
        sprites_before: The other sprites before the tick.
        sprites: The other sprites after it.
        events: What happened in it.
        paused: Whether the world stood still, apart from Mario.
    """

    world: World
    buttons: int
    before: Mario
    after: Mario
    sprites_before: list[Sprite]
    sprites: list[Sprite]
    events: list[Event]
    paused: bool


def play_life(recording: Recording, life: bytes) -> Iterator[Tick]:
    """Play the buttons of a life again, and yield its ticks."""
    world = recording.begin()
    logs_paused = world.rules in COMPETITION_RULES
    after, sprites = world.mario, world.sprites
    for action in life:
        before, sprites_before, number = after, sprites, world.tick
        world.step(action)
        paused = world.tick == number
        after, sprites = world.mario, world.sprites
        # the framework keeps the events of the tick before while its world stands still
        events = world.events if logs_paused or not paused else []
        yield Tick(world, action, before, after, sprites_before, sprites, events, paused)


def _known_actions(life: bytes, rules: str) -> bytes:
    allowed = sum(buttons_of(rules)) & (63 if rules == "2010" else 31)
    wrong = next((action for action in life if action & ~allowed), None)
    if wrong is not None:
        raise OptionError(f"action {wrong} holds a button that the rules {rules!r} do not have")
    return life
