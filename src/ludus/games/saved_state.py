"""Environments whose state is kept as bytes and restored, as those of ALE are."""

from __future__ import annotations

import copy
import hashlib
import json
import struct
from abc import abstractmethod
from typing import Any, TypeVar

import numpy as np

from ludus.errors import OptionError, show_value
from ludus.games.one_thread import Turn, one_thread
from ludus.json_files import NotJson, parse_json

__all__ = ["Restorable"]

RestorableT = TypeVar("RestorableT", bound="Restorable")

_MAGIC, _VERSION = b"LUES", 1
_HEAD = struct.Struct("<4sII32s")  # magic, version, bytes of the notes, SHA-256 of what follows


class Restorable:
    """An environment that can be saved, restored, copied and pickled.

    A state holds the worlds, the chance of the episodes to come, and whether one has begun. It
    fits an environment of the same kind and with the same options.
    """

    _turn: Turn
    _started: bool
    _np_random: np.random.Generator | None
    _np_random_seed: int | None

    @abstractmethod
    def _clone_worlds(self) -> bytes:
        """Return the state of the worlds."""

    @abstractmethod
    def _restore_worlds(self, worlds: bytes) -> None:
        """Go on from a state of the worlds; a wrong one changes nothing."""

    @one_thread
    def clone_state(self) -> bytes:
        """Return the whole state as bytes, for :meth:`restore_state`."""
        notes = {
            "environment": type(self).__name__,
            "started": self._started,
            "np_random": _generator_state(self._np_random),
            "np_random_seed": self._np_random_seed,
        }
        return _write_state(notes, self._clone_worlds())

    @one_thread
    def restore_state(self, state: bytes) -> None:
        """Go on from a state; what it shows is returned by the next step.

        Raises:
            OptionError: It is none of an environment of this kind with these options; then nothing
                has changed.
        """
        notes, worlds = _read_state(_read_bytes(state), type(self).__name__)
        generator = _make_generator(notes.get("np_random"))
        self._restore_worlds(worlds)
        self._np_random, self._np_random_seed = generator, notes.get("np_random_seed")
        self._started = notes.get("started") is True

    def __copy__(self: RestorableT) -> RestorableT:
        return copy.deepcopy(self)


def _generator_state(generator: np.random.Generator | None) -> dict[str, Any] | None:
    if generator is None:
        return None
    if not isinstance(generator.bit_generator, np.random.PCG64):
        name = type(generator.bit_generator).__name__
        raise OptionError(f"chance from {name} cannot be saved: let reset(seed=…) make np_random")
    return dict(generator.bit_generator.state)


def _make_generator(state: object) -> np.random.Generator | None:
    if state is None:
        return None
    bits = np.random.PCG64()
    try:
        bits.state = state  # type: ignore[assignment]
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise OptionError(
            f"np_random of the state is no generator of chance: {str(state)[:60]}"
        ) from error
    return np.random.Generator(bits)


def _write_state(notes: dict[str, Any], worlds: bytes) -> bytes:
    text = json.dumps(notes).encode()
    digest = hashlib.sha256(text + worlds).digest()
    return _HEAD.pack(_MAGIC, _VERSION, len(text), digest) + text + worlds


def _read_bytes(state: Any) -> bytes:
    if not isinstance(state, bytes | bytearray | memoryview):
        raise OptionError(f"{show_value(state)} is no state: give what clone_state() has returned")
    return bytes(state)


def _read_state(state: bytes, environment: str) -> tuple[dict[str, Any], bytes]:
    """Return the notes of a state and what it holds of the worlds."""

    def refuse(reason: str) -> OptionError:
        return OptionError(
            f"these {len(state)} bytes are no state of a {environment}: {reason}: give what "
            "clone_state() of one with the same options has returned"
        )

    if len(state) < _HEAD.size:
        raise refuse("they are too few")
    magic, version, size, digest = _HEAD.unpack_from(state)
    if magic != _MAGIC:
        raise refuse("they begin otherwise")
    if version != _VERSION:
        raise refuse("another version of Ludus wrote them")
    content = state[_HEAD.size :]
    if hashlib.sha256(content).digest() != digest:
        raise refuse("they are damaged or cut off")
    try:
        notes = parse_json(content[:size])
    except NotJson as error:
        raise refuse(str(error)) from error
    if not isinstance(notes, dict) or notes.get("environment") != environment:
        raise refuse("another environment wrote them")
    if not isinstance(notes.get("np_random_seed"), int | None):
        raise refuse("their seed is no number")
    return notes, content[size:]
