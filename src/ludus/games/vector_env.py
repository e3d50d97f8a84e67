"""The base of vector environments whose worlds are stepped by one native call."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from sys import getrefcount
from typing import Any, TypeVar

import numpy as np
from gymnasium.spaces import Space
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ludus.errors import OptionError, show_value
from ludus.games.one_thread import Turn
from ludus.games.option_kinds import read_whole
from ludus.games.saved_state import Restorable
from ludus.seeds import check_stream_seed

__all__ = ["NativeVectorEnv", "expand_seeds", "reset_mask"]

ObservationT = TypeVar("ObservationT")

MOST_ENVIRONMENTS = 1_000_000
"""More than anybody steps at once: their observations alone would fill the memory."""


class NativeVectorEnv(Restorable, VectorEnv[ObservationT, Any, NDArray[Any]]):
    """What the vector environments of all games share: options, spaces, copies, pictures.

    Args:
        num_envs: How many environments.
        spaces: The action space and the observation space of one environment.
        threads: How many cores step them; 0 for all cores.
        autoreset_mode: When a finished episode is followed by the next, as Gymnasium defines it.
        copy: Whether arrays are copied before they are returned. False returns the bound buffers
            themselves, which the next step overwrites: faster, for learners that copy anyway.
        render_mode: None, or ``"rgb_array"`` for one picture per environment.

    Raises:
        OptionError: An option is out of range.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as declared by Gymnasium
        "render_modes": ["rgb_array"],
        "render_fps": 30,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int,
        spaces: tuple[Space[Any], Space[Any]],
        *,
        threads: int,
        autoreset_mode: AutoresetMode | str,
        copy: bool,
        render_mode: str | None,
    ) -> None:
        _check_counts(num_envs, threads)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise OptionError(f"render_mode {render_mode!r} is unknown: try 'rgb_array'")
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.autoreset_mode = _find_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_action_space, self.single_observation_space = spaces
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._copies = _CopyPool() if copy else None
        self._started = False
        self._turn = Turn()

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Return a picture of every environment, or None without a render mode."""
        if self.render_mode is None:
            return None
        return tuple(self._draw(k) for k in range(self.num_envs))

    @abstractmethod
    def _draw(self, env: int) -> NDArray[np.uint8]:
        """Return a picture of one environment."""

    def _output(self, buffer: NDArray[Any]) -> NDArray[Any]:
        """Return a buffer as ``step`` returns it: a copy, unless the user wants the buffer."""
        return buffer if self._copies is None else self._copies.copy(buffer)


class _CopyPool:
    """Copies buffers. A copy that nobody uses any more is filled again: new memory is slow."""

    def __init__(self) -> None:
        self._pools: dict[int, list[NDArray[Any]]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _CopyPool, ()  # whoever is copied has other buffers

    def copy(self, buffer: NDArray[Any]) -> NDArray[Any]:
        """Return a copy that nobody else uses."""
        pool = self._pools.setdefault(id(buffer), [])
        for number in range(len(pool)):
            if _count_references(pool, number) == _UNUSED:
                np.copyto(pool[number], buffer)
                return pool[number]
        new = buffer.copy()
        if len(pool) < _MOST_COPIES:
            pool.append(new)
        return new


def _count_references(held: Sequence[object], number: int) -> int:
    """Return how many references Python counts to one of the objects that a list holds."""
    return getrefcount(held[number])


#: References to what only a list holds. Each version of Python counts its own in this, so it is
#: counted, not known: taken too high, a copy that somebody still uses would be filled again.
_UNUSED = _count_references([object()], 0)
_MOST_COPIES = 4


def expand_seeds(seed: int | Sequence[int | None], num_envs: int) -> list[int | None]:
    """Return a seed for each environment: those given, or counted up from one.

    Raises:
        OptionError: There are too few or too many, or one is no whole number or out of range.

    Example:
        >>> expand_seeds(7, 3)
        [7, 8, 9]
    """
    seeds: list[int | None]
    if isinstance(seed, Iterable) and not isinstance(seed, str):
        seeds = list(seed)
    else:
        first = check_stream_seed(seed)
        seeds = [first + k for k in range(num_envs)]
    if len(seeds) != num_envs:
        raise OptionError(f"{len(seeds)} seeds were given: give one, or {num_envs}")
    return [own if own is None else check_stream_seed(own) for own in seeds]


def reset_mask(options: Mapping[str, Any], num_envs: int) -> NDArray[np.bool_]:
    """Return which environments a reset is for: those of ``options["reset_mask"]``, or all.

    Raises:
        OptionError: The mask has another shape or type, or masks everything.

    Example:
        >>> reset_mask({}, 2).tolist()
        [True, True]
    """
    mask = np.asarray(options.get("reset_mask", np.ones(num_envs, np.bool_)))
    if mask.shape != (num_envs,) or mask.dtype != np.bool_ or not mask.any():
        raise OptionError(
            f"reset_mask has shape {mask.shape} and type {mask.dtype}: give {num_envs} "
            "booleans, one of them true"
        )
    return mask


def _check_counts(num_envs: int, threads: int) -> None:
    if read_whole("num_envs", num_envs) < 1:
        raise OptionError(f"num_envs {num_envs} is too small: give 1 or more")
    if num_envs > MOST_ENVIRONMENTS:
        raise OptionError(f"num_envs {num_envs} is too large: give at most {MOST_ENVIRONMENTS:,}")
    if read_whole("threads", threads) < 0:
        raise OptionError(f"threads {threads} is negative: give 0 for all cores")


def _find_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(repr(each.value) for each in AutoresetMode)
        raise OptionError(f"autoreset_mode {show_value(mode)} is unknown: try {known}") from None
