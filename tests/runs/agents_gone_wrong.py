"""Agents that do what agents must not do."""

from __future__ import annotations

import os
import time
from typing import Any

CALLS = 5


class Base:
    def __init__(self) -> None:
        self.calls = 0

    def reset(self, scenario: Any) -> None:
        self.calls = 0

    def act(self, view: Any) -> Any:
        self.calls += 1
        return 2 if self.calls < CALLS else self.wrong()

    def wrong(self) -> Any:
        raise NotImplementedError


class Raises(Base):
    name = "raises"

    def wrong(self) -> Any:
        raise ZeroDivisionError("cannot\nshare")


class Nonsense(Base):
    name = "nonsense"

    def wrong(self) -> Any:
        return "jump!"


class TooMuch(Base):
    name = "too-much"

    def wrong(self) -> Any:
        return 99


class Hangs(Base):
    name = "hangs"

    def wrong(self) -> Any:
        time.sleep(3600)


class Dies(Base):
    name = "dies"

    def wrong(self) -> Any:
        os._exit(3)


class FailsReset(Base):
    name = "fails-reset"

    def reset(self, scenario: Any) -> None:
        raise RuntimeError("not today")


class Mute:
    """Has no act."""

    name = "mute"

    def reset(self, scenario: Any) -> None: ...


class CannotBeMade(Base):
    def __init__(self) -> None:
        raise OSError("no weights")


class Chatter(Base):
    """Fine, but counts what it is told to let go."""

    name = "chatter"

    def wrong(self) -> Any:
        return 10

    def close(self) -> None:
        print("closed")  # noqa: T201
