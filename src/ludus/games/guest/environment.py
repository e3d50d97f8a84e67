"""Wraps environments of other people, of Gymnasium's interface or of gym's older one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import EnvironmentFault, OptionError, clean_text, format_error, show_value
from ludus.games.guest.codec import GuestCodec
from ludus.games.guest.loading import make_environment
from ludus.games.guest.played import (
    USUAL_FRAME_RATE,
    Environment,
    GuestFrame,
    PlainValue,
    Played,
    is_frame_rate,
)

__all__ = ["MOST_ACTIONS", "GuestEnv", "GuestTraits", "probe"]

MOST_ACTIONS = 2**16
SMALL_SEED = 2**31
NO_OP = 0
COUNTED = ("x_pos", "world", "stage", "coins", "time", "life", "flag_get")
"""The values of an ``info`` that the arena counts."""


class GuestEnv:
    """An environment of either interface behind one: reset, step, close.

    It runs the environment's code, so Ludus makes it in the environment's own process only.

    Args:
        spec: What names the environment.
        filming: Whether it draws pictures.
        on_error: Called with what the environment raises in an episode.

    Attributes:
        actions: How many actions there are, numbered from 0.
        frame_rate: How many frames it plays in a second of its game.
    """

    def __init__(
        self,
        spec: str,
        *,
        filming: bool = False,
        on_error: Callable[[Exception], None] | None = None,
    ) -> None:
        self._on_error = on_error
        self._env = make_environment(spec, filming=filming)
        self._filming = filming
        self._codec = GuestCodec()
        self.actions = _count_actions(spec, self._env)
        self.frame_rate = _read_frame_rate(self._env)

    def reset(self, seed: int) -> Played:
        """Begin an episode and return its first frame, or why there is none."""
        try:
            observation, info = _split_first(self._reset(seed % SMALL_SEED))
            return self._played([self._frame(observation, info, False, False)], observation)
        except MemoryError:
            raise  # its process says how much it may take
        except Exception as error:
            return self._fail((), error)

    def step(self, actions: list[int]) -> Played:
        """Play a frame with each action, up to the end of the episode or to an error."""
        frames: list[GuestFrame] = []
        observation = None
        try:
            for action in actions:
                observation, info, over, truncated = _split_step(self._env.step(action))
                frames.append(self._frame(observation, info, over, truncated))
                if frames[-1].over:
                    break
            return self._played(frames, observation)
        except MemoryError:
            raise
        except Exception as error:
            return self._fail(tuple(frames), error)

    def close(self) -> None:
        """Close the environment, if it can be closed."""
        if callable(closing := getattr(self._env, "close", None)):
            closing()

    def _reset(self, seed: int) -> Any:
        try:
            return self._env.reset(seed=seed)
        except TypeError:  # the older interface seeds by itself, if at all
            if callable(seeding := getattr(self._env, "seed", None)):
                seeding(seed)
            return self._env.reset()

    def _frame(
        self, observation: Any, info: Mapping[str, Any], over: bool, truncated: bool
    ) -> GuestFrame:
        picture = self._picture(observation) if self._filming else None
        return GuestFrame(_plain_values(info), over, truncated, picture)

    def _played(self, frames: list[GuestFrame], observation: Any) -> Played:
        return Played(tuple(frames), self._codec.encode_observation(observation))

    def _fail(self, frames: tuple[GuestFrame, ...], error: Exception) -> Played:
        if self._on_error:
            self._on_error(error)
        return Played(frames, fault=clean_text(format_error(error)))

    def _picture(self, observation: Any) -> NDArray[np.uint8] | None:
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


def _split_first(answer: Any) -> tuple[Any, Mapping[str, Any]]:
    """Return the observation and the ``info`` of a reset; older environments give no ``info``."""
    if isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], Mapping):
        return answer
    return answer, {}


def _split_step(answer: Any) -> tuple[Any, Mapping[str, Any], bool, bool]:
    """Return observation, ``info``, whether it is over, and whether it was cut short.

    Raises:
        ValueError: It is not what either interface returns.
    """
    if not isinstance(answer, tuple | list) or len(answer) not in (4, 5):
        number = f"{len(answer)} values" if isinstance(answer, tuple | list) else show_value(answer)
        raise ValueError(f"step() returned {number}: return 5, or 4 as the older interface does")
    info = answer[-1]
    if not isinstance(info, Mapping):
        raise ValueError(f"the info of step() is {show_value(info)}: return a dict")
    if len(answer) == 5:
        observation, _, terminated, truncated, _ = answer
        return observation, info, bool(terminated or truncated), bool(truncated)
    observation, _, done, _ = answer
    return observation, info, bool(done), bool(info.get("TimeLimit.truncated", False))


def _plain_values(info: Mapping[str, Any]) -> dict[str, PlainValue]:
    """Return those values that are plain, numbers of any kind as Python's own.

    Raises:
        ValueError: A value that is counted is no finite number.
    """
    values: dict[str, PlainValue] = {}
    for name, value in info.items():
        plain = str(value) if isinstance(value, str) else _plain_number(value)
        if name in COUNTED and not _can_count(plain):
            shown = show_value(plain) if isinstance(plain, str) else plain
            raise ValueError(f"{name!r} in its info is {shown}, which is no number")
        if plain is not None:
            values[str(name)] = plain
    return values


def _can_count(plain: PlainValue | None) -> bool:
    """Tell whether a value is no text and, if it is there, finite."""
    return not isinstance(plain, str) and (not isinstance(plain, float) or isfinite(plain))


def _plain_number(value: Any) -> int | float | None:
    """Return a number of any real type as Python's own; None if it is none."""
    if isinstance(value, np.bool_):
        return int(value)
    try:
        return index(value)
    except TypeError:
        pass
    if not hasattr(value, "__float__") or getattr(value, "shape", ()) != ():
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


class GuestTraits(NamedTuple):
    """What an environment is like: the number of its actions, and its first ``info``."""

    actions: int
    info: Mapping[str, PlainValue]


def probe(spec: str, env: Environment) -> GuestTraits:
    """Play one frame of an environment without an action, and return what it is like.

    Args:
        spec: What names it.
        env: The environment; it is closed afterwards.

    Raises:
        OptionError: It cannot be played in the arena.
    """
    try:
        for played in (env.reset(0), env.step([NO_OP])):
            if played.fault:
                raise EnvironmentFault(played.fault)
        info = played.frames[-1].info
    except EnvironmentFault as error:
        raise OptionError(f"environment {spec!r} cannot be played: {error}") from error
    finally:
        env.close()
    if "x_pos" not in info:
        keys = ", ".join(sorted(info)) or "nothing"
        raise OptionError(f"environment {spec!r} tells no 'x_pos' in its info, but {keys[:200]}")
    return GuestTraits(env.actions, info)


def _read_frame_rate(env: Any) -> float:
    """Return the frames a second that an environment tells, by the newer name or the older one."""
    metadata = getattr(env, "metadata", None)
    for name in ("render_fps", "video.frames_per_second"):
        value = metadata.get(name) if isinstance(metadata, Mapping) else None
        rate = None if value is None or isinstance(value, str) else _plain_number(value)
        if rate is not None and is_frame_rate(rate):
            return float(rate)
    return USUAL_FRAME_RATE


def _count_actions(spec: str, env: Any) -> int:
    space = getattr(env, "action_space", None)
    try:
        number = index(getattr(space, "n", None))  # type: ignore[arg-type] # that is the question
    except TypeError:
        if space is None:
            shown = show_value(env)
            raise OptionError(
                f"environment {spec!r} is {shown}, without an action_space: return an environment"
            ) from None
        raise OptionError(
            f"environment {spec!r} has no numbered actions but {space}: wrap it so that it has"
        ) from None
    if not 1 <= number <= MOST_ACTIONS:
        raise OptionError(f"environment {spec!r} has {number} actions: 1 to {MOST_ACTIONS} will do")
    return number
