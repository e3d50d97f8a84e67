"""Names for the engine's numbers: buttons, statuses, kinds, events and observation codes."""

from __future__ import annotations

from enum import IntEnum, IntFlag

from ludus.errors import ActionError

__all__ = [
    "Button",
    "CompetitionButton",
    "Enemy",
    "EventKind",
    "Kind",
    "Scene",
    "Status",
    "buttons_of",
    "check_framework_buttons",
    "renumber_buttons",
]


class Button(IntFlag):
    """The bits of an action under the rules ``framework`` and ``ludus``."""

    LEFT = 1
    RIGHT = 2
    DOWN = 4
    SPEED = 8
    JUMP = 16


class CompetitionButton(IntFlag):
    """The bits of an action under the rules of the competitions, ``2009`` and ``2010``."""

    LEFT = 1
    RIGHT = 2
    DOWN = 4
    JUMP = 8
    SPEED = 16
    UP = 32  #: 2010 alone


def buttons_of(rules: str) -> type[Button] | type[CompetitionButton]:
    """Return the bits that actions have under these rules.

    Example:
        >>> int(buttons_of("framework").JUMP), int(buttons_of("2009").JUMP)
        (16, 8)
    """
    return CompetitionButton if rules in ("2009", "2010") else Button


def renumber_buttons(buttons: int, rules: str) -> int:
    """Return buttons of the rules ``framework`` as these rules number them.

    Example:
        >>> renumber_buttons(Button.RIGHT | Button.JUMP, "2009")
        10
    """
    if buttons_of(rules) is Button:
        return int(buttons)
    others = buttons & ~(Button.SPEED | Button.JUMP)
    jump = CompetitionButton.JUMP if buttons & Button.JUMP else 0
    speed = CompetitionButton.SPEED if buttons & Button.SPEED else 0
    return int(others | jump | speed)


def check_framework_buttons(rules: str) -> None:
    """Make sure that actions have the bits of the framework.

    Raises:
        ActionError: They have those of a competition.
    """
    if buttons_of(rules) is not Button:
        raise ActionError(
            f"was trained with other buttons and blocks than the rules {rules!r} have"
        )


class Status(IntEnum):
    """Whether a game is running, and how it ended."""

    RUNNING = 0
    WIN = 1
    LOSE = 2
    TIME_OUT = 3


class Kind(IntEnum):
    """The kinds of sprites."""

    GOOMBA = 2
    GOOMBA_WINGED = 3
    RED_KOOPA = 4
    RED_KOOPA_WINGED = 5
    GREEN_KOOPA = 6
    GREEN_KOOPA_WINGED = 7
    SPIKY = 8
    SPIKY_WINGED = 9
    BULLET_BILL = 10
    ENEMY_FLOWER = 11
    MUSHROOM = 12
    FIRE_FLOWER = 13
    SHELL = 14
    LIFE_MUSHROOM = 15
    FIREBALL = 16
    WAVE_GOOMBA = 17
    PRINCESS = 18
    GREEN_MUSHROOM = 19


class EventKind(IntEnum):
    """The kinds of events."""

    BUMP = 1
    STOMP_KILL = 2
    FIRE_KILL = 3
    SHELL_KILL = 4
    FALL_KILL = 5
    JUMP = 6
    LAND = 7
    COLLECT = 8
    HURT = 9
    KICK = 10
    LOSE = 11
    WIN = 12


class Scene(IntEnum):
    """Codes of the scene and merged grids; detail 2 knows OBJECT alone."""

    NONE = 0
    SOLID = 17
    PYRAMID_SOLID = 18
    CANNON = 19
    CANNON_NECK = 20
    CANNON_BODY = 21
    BRICK = 22
    QUESTION_BLOCK = 24
    USED_BLOCK = 30
    COIN = 31
    PIPE = 34
    PIPE_TOP_RIGHT = 35
    PIPE_BODY_LEFT = 36
    PIPE_BODY_RIGHT = 37
    FLAG_TOP = 55
    FLAG_POLE = 56
    PLATFORM = 59
    PLATFORM_LEFT = 60
    PLATFORM_RIGHT = 61
    PLATFORM_CENTRE = 62
    BACKGROUND = 63
    THIN_PIPE_TOP = 68
    THIN_PIPE_BODY = 69
    LADDER = 80
    LADDER_TOP = 81
    KEY = 82
    LOCK = 85
    SWITCH = 88
    SWITCH_PRESSED = 91
    DOOR_CLOSED = 94
    DOOR_OPEN = 97
    OBJECT = 100


class Enemy(IntEnum):
    """Codes of the enemy grid; detail 2 knows ENEMY alone."""

    NONE = 0
    ENEMY = 1
    STOMPABLE = 2
    NONSTOMPABLE = 8
    SPECIAL_ITEM = 12
    FIREBALL = 16
