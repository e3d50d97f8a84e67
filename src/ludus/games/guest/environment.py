"""Wraps environments of other people, of Gymnasium's interface or of gym's older one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError, format_error
from ludus.games.guest.loading import make_environment

__all__ = ["GuestEnv", "GuestTraits", "probe"]

MOST_ACTIONS = 2**16
SMALL_SEED = 2**31
NO_OP = 0

PlainValue = int | float | str


class GuestEnv:
    """An environment of either interface behind one: reset, step, picture, close.

    Attributes:
        actions: How many actions there are, numbered from 0.
        info: The plain values of its last ``info``.
        over: Whether its episode has ended.
        truncated: Whether its episode was cut short.
    """

    def __init__(self, spec: str, *, filming: bool = False) -> None:
        self._env = make_environment(spec, filming=filming)
        self.actions = _count_actions(spec, self._env)
        self.info: dict[str, PlainValue] = {}
        self.over = self.truncated = False

    def reset(self, seed: int) -> Any:
        """Begin an episode and return the first observation."""
        small = seed % SMALL_SEED
        try:
            answer = self._env.reset(seed=small)
        except TypeError:  # the older interface seeds by itself, if at all
            if callable(seeding := getattr(self._env, "seed", None)):
                seeding(small)
            answer = self._env.reset()
        self.over = self.truncated = False
        if isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], Mapping):
            self.info = _plain_values(answer[1])
            return answer[0]
        self.info = {}
        return answer

    def step(self, action: int) -> Any:
        """Play one frame and return the observation after it."""
        answer = self._env.step(action)
        if len(answer) == 5:
            observation, _, terminated, truncated, info = answer
            self.over, self.truncated = bool(terminated or truncated), bool(truncated)
        else:
            observation, _, done, info = answer
            self.over = bool(done)
            self.truncated = bool(info.get("TimeLimit.truncated", False))
        self.info = _plain_values(info)
        return observation

    def picture(self, observation: Any) -> NDArray[np.uint8] | None:
        """Return what it draws, or its observation if that is a picture, or None."""
        for candidate in (self._render(), observation):
            if isinstance(candidate, np.ndarray) and candidate.dtype == np.uint8:
                picture: NDArray[np.uint8] = candidate
                if picture.ndim == 3 and picture.shape[2] == 3:
                    return picture.copy()
        return None

    def _render(self) -> Any:
        render = getattr(self._env, "render", None)
        if not callable(render):
            return None
        try:
            return render() if getattr(self._env, "render_mode", None) else render("rgb_array")
        except Exception:  # a guest that cannot draw here may still be played
            return None

    def close(self) -> None:
        """Close the environment, if it can be closed."""
        if callable(closing := getattr(self._env, "close", None)):
            closing()


def _plain_values(info: Mapping[str, Any]) -> dict[str, PlainValue]:
    """Return those values that are plain, numbers of any kind as Python's own."""
    values: dict[str, PlainValue] = {}
    for name, value in info.items():
        if isinstance(value, str | float):
            values[str(name)] = value if isinstance(value, str) else float(value)
            continue
        try:
            values[str(name)] = int(value) if isinstance(value, np.bool_) else index(value)
        except TypeError:
            continue
    return values


class GuestTraits(NamedTuple):
    """What an environment is like: the number of its actions, and its first ``info``."""

    actions: int
    info: dict[str, PlainValue]


@cache
def probe(spec: str) -> GuestTraits:
    """Play one frame of an environment without an action, and return what it is like.

    Raises:
        OptionError: It cannot be made, or cannot be played in the arena.
    """
    guest = GuestEnv(spec)
    try:
        guest.reset(0)
        guest.step(NO_OP)
        if "x_pos" not in guest.info:
            keys = ", ".join(sorted(guest.info)) or "nothing"
            raise OptionError(f"environment {spec!r} tells no 'x_pos' in its info, but {keys}")
        return GuestTraits(guest.actions, guest.info)
    except (TypeError, ValueError, AttributeError) as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(
            f"environment {spec!r} cannot be played: {format_error(error)}"
        ) from error
    finally:
        guest.close()


def _count_actions(spec: str, env: Any) -> int:
    space = getattr(env, "action_space", None)
    try:
        number = index(getattr(space, "n", None))  # type: ignore[arg-type] # that is the question
    except TypeError:
        raise OptionError(
            f"environment {spec!r} has no numbered actions but {space}: wrap it so that it has"
        ) from None
    if not 1 <= number <= MOST_ACTIONS:
        raise OptionError(f"environment {spec!r} has {number} actions: 1 to {MOST_ACTIONS} will do")
    return number
