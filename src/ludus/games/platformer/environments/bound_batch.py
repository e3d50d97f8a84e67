"""Binds a native batch of worlds to the arrays that the environments read and write."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import astuple
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import ActionError, show_value
from ludus.games.platformer._native import PICTURES, SCREEN_SIDE, SIGHT_FIELDS, Batch
from ludus.games.platformer.environments.learner_views import BUFFERS, CONVERSIONS
from ludus.games.platformer.environments.options import EnvOptions
from ludus.games.platformer.records import COURSE_FIELDS, INFO_FIELDS

__all__ = ["BoundBatch", "read_action", "write_actions"]

_AUTORESET = ("next_step", "same_step", "disabled")
_EXTRA = ("bitmap", "vector")


class BoundBatch:
    """``n`` worlds of one native batch, and the buffers that it is bound to.

    Attributes:
        options: The options of the environments.
        levels: All levels that the environments draw from.
        buffers: What the last step wrote, by name.
        last: The same of the last observations of finished episodes.
        seen: The observations in ``buffers`` by part, in the layout that was asked for.
        seen_last: Those in ``last``.
        native: The batch itself.
    """

    def __init__(self, options: EnvOptions, n: int, autoreset: str, threads: int) -> None:
        self.options = options
        self._made_of = (options, n, autoreset, threads)
        starts = options.make_starts(n)
        self.levels = starts.levels
        self.buffers = self._make_buffers(n, with_courses=starts.course[0] > 0)
        self.last = {name: self._make_part(name, n) for name in self._native_parts().values()}
        self.seen = self._show_parts(self.buffers)
        self.seen_last = self._show_parts(self.last)
        columns, rows = options.grid_size
        self.native = Batch(
            starts.worlds,
            starts.pools,
            {**self.buffers, **{f"last_{part}": buffer for part, buffer in self.last.items()}},
            (columns, rows, *options.details, options.centre == "screen"),
            astuple(options.reward),
            options.frame_skip,
            options.max_steps,
            _AUTORESET.index(autoreset),
            threads,
            options.latency,
            starts.course,
            ("x", "y", *INFO_FIELDS, "is_success", *COURSE_FIELDS),
        )

    def show(self, part: str, env: int | slice = slice(None)) -> NDArray[Any]:
        """Return a part of what is seen, of one environment or of all.

        It is a view of the bound buffer, unless it has to be made of it.
        """
        return _convert(part, self.seen[part][env])

    def show_last(self, part: str, env: int) -> NDArray[Any]:
        """Return a part of what was seen last in an environment's episode that has ended."""
        return _convert(part, self.seen_last[part][env]).copy()

    def clone_state(self) -> bytes:
        """Return the state of all worlds, with the pictures of the steps before."""
        pictures = self.buffers.get("pixels")
        return self.native.clone_state() + (b"" if pictures is None else pictures.tobytes())

    def restore_state(self, state: bytes) -> None:
        """Go on from a state; a wrong one changes nothing."""
        pictures = self.buffers.get("pixels")
        size = 0 if pictures is None else pictures.nbytes
        worlds = state[: max(0, len(state) - size)]
        self.native.restore_state(worlds)
        if pictures is not None:
            pictures[...] = np.frombuffer(state[len(worlds) :], np.uint8).reshape(pictures.shape)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "made_of": self._made_of,
            "worlds": self.native.clone_state(),
            "buffers": self.buffers,
            "last": self.last,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        BoundBatch.__init__(self, *state["made_of"])
        self.native.restore_state(state["worlds"])
        for bound, arrays in ((self.buffers, state["buffers"]), (self.last, state["last"])):
            for name, array in arrays.items():
                bound[name][...] = array

    def __copy__(self) -> BoundBatch:
        return deepcopy(self)

    def _native_parts(self) -> dict[str, str]:
        """Return the name of its buffer for each part that the engine fills."""
        parts = [part for part in self.options.parts if part != "rgb"]
        return {part: "extra" if part in _EXTRA else BUFFERS.get(part, part) for part in parts}

    def _make_part(self, name: str, n: int) -> NDArray[Any]:
        """Return a buffer as the engine fills it: grids column by column, extras as bytes."""
        if name == "state":
            space = self.options.part_space(name)
            return np.zeros((n, *space.shape), space.dtype)
        if name == "fields":
            return np.zeros((n, SIGHT_FIELDS), np.int8)
        if name == "pixels":
            return np.zeros((n, PICTURES, SCREEN_SIDE, SCREEN_SIDE), np.uint8)
        if name == "extra":
            part = next(part for part in self.options.parts if part in _EXTRA)
            space = self.options.part_space(part)
            return np.zeros((n, space.shape[0] * space.dtype.itemsize), np.uint8)
        return np.zeros((n, *self.options.grid_size), np.uint8)

    def _show_parts(self, buffers: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Return buffers as observations, without copying them."""
        shown = {}
        for part, name in self._native_parts().items():
            array = buffers[name]
            if part not in BUFFERS:
                array = array.view(self.options.part_space(part).dtype)
            turned = array.ndim == 3 and self.options.layout == "rows"
            shown[part] = array.transpose(0, 2, 1) if turned else array
        return shown

    def _make_buffers(self, n: int, *, with_courses: bool) -> dict[str, NDArray[Any]]:
        courses = {"courses": np.zeros((n, len(COURSE_FIELDS)), np.int32)} if with_courses else {}
        return {
            **courses,
            "actions": np.zeros(n, np.uint8),
            "rewards": np.zeros(n, np.float64),
            "terminated": np.zeros(n, np.bool_),
            "truncated": np.zeros(n, np.bool_),
            "won": np.zeros(n, np.bool_),
            "places": np.zeros((n, 2), np.float32),
            "infos": np.zeros((n, len(INFO_FIELDS)), np.int32),
            **{name: self._make_part(name, n) for name in self._native_parts().values()},
        }


def _convert(part: str, array: NDArray[Any]) -> NDArray[Any]:
    return CONVERSIONS[part](array) if part in CONVERSIONS else array


def read_action(options: EnvOptions, action: Any) -> int:
    """Return one environment's action as button bits.

    Raises:
        ActionError: It has the wrong shape or type, or is out of range.
    """
    bits = np.zeros((), np.uint8)
    write_actions(options, action, bits)
    return int(bits)


def write_actions(options: EnvOptions, actions: Any, to: NDArray[np.uint8]) -> None:
    """Turn a batch of actions, or one alone, into button bits.

    Raises:
        ActionError: They have the wrong shape or type, or an action is out of range.
    """
    table = options.action_table
    bits = options.button_bits
    wanted = to.shape if table is not None else (*to.shape, len(bits))
    try:
        given = np.asarray(actions)
    except ValueError:  # a list with lists of different lengths
        raise ActionError(f"actions {show_value(actions)} have no shape: give {wanted}") from None
    if given.shape != wanted:
        hint = f"give {wanted}" if wanted else "give one number"
        raise ActionError(f"actions have shape {given.shape}: {hint}")
    if given.dtype.kind not in ("biu" if table is not None else "biuf"):
        raise ActionError(f"actions are {given.dtype}, not whole numbers: give int")
    limit = 1 if table is None else len(table) - 1
    wrong = (given != 0) & (given != 1) if table is None else (given < 0) | (given > limit)
    if wrong.any():
        raise ActionError(f"action {given[wrong].flat[0]} is out of range: give 0 to {limit}")
    if table is None:
        to[...] = given.astype(np.uint8) @ bits
    else:
        np.take(table, given, out=to, mode="clip")
