"""A training as bytes: what is declared about the brain, and every action it took."""

from __future__ import annotations

import base64
import binascii
import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ludus.errors import OptionError
from ludus.json_files import NotJson, parse_json

__all__ = [
    "ACTIONS",
    "Declaration",
    "pack_actions",
    "read_record",
    "record_of",
    "unpack_actions",
    "write_record",
]

ACTIONS = 4
"""Forward, left, right, stay."""

MOST_ACTIONS = 20_000_000
MOST_WORDS = 500
END = b"\n"
COUNT = struct.Struct("<I")
SHIFTS = np.arange(0, 8, 2, dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Declaration:
    """What whoever trained a brain says about it; no replay can show it.

    Attributes:
        learning: Whether it learns in its trainings; a frozen one does not.
        pretrained: What it had learned before, and from what; empty if nothing.
        pretraining_steps: How many steps of the world that took.
        parameters: How many numbers it can change.
    """

    learning: bool = False
    pretrained: str = ""
    pretraining_steps: int = 0
    parameters: int = 0

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Declaration:
        """Return what plain values declare.

        Raises:
            OptionError: One of them is not what it should be.
        """
        learning, pretrained = values.get("learning", False), values.get("pretrained") or ""
        if not isinstance(learning, bool):
            raise OptionError(f"'learning' is {learning!r}, neither true nor false")
        if not isinstance(pretrained, str) or len(pretrained) > MOST_WORDS:
            raise OptionError(f"'pretrained' is no line of up to {MOST_WORDS} signs")
        counts = {name: values.get(name, 0) for name in ("pretraining_steps", "parameters")}
        for name, count in counts.items():
            if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count < 2**53:
                raise OptionError(f"{name!r} is {count!r}, no number from 0 on")
        return cls(learning, " ".join(pretrained.split()), **counts)


def write_record(declaration: Declaration, actions: bytes) -> bytes:
    """Return a training as bytes."""
    return _head(declaration) + _deflated(actions)


def record_of(declaration: Declaration, packed: str) -> bytes:
    """Return a training as bytes, from the text that :func:`pack_actions` wrote."""
    return _head(declaration) + base64.b64decode(packed)


def read_record(record: bytes) -> tuple[Declaration, bytes]:
    """Return what a record declares and its actions; no bytes are a training not begun.

    Raises:
        OptionError: The bytes are no training.
    """
    if not record:
        return Declaration(), b""
    head, _, packed = record.partition(END)
    try:
        values = parse_json(head)
    except NotJson as error:
        raise OptionError(f"the record of a training does not begin as one: it {error}") from error
    if not isinstance(values, dict):
        raise OptionError("the record of a training does not begin as one")
    declaration, actions = Declaration.from_dict(values), _inflated(packed)
    if head + END != _head(declaration):
        raise OptionError(f"the record of a training begins with {head[:40]!r}, not as written")
    return declaration, actions


def pack_actions(actions: Sequence[int] | bytes) -> str:
    """Return the actions of a training, all episodes one after the other, as a short text.

    Example:
        >>> list(unpack_actions(pack_actions([0, 1, 2, 3, 0])))
        [0, 1, 2, 3, 0]
    """
    return base64.b64encode(_deflated(bytes(actions))).decode("ascii")


def unpack_actions(text: str) -> bytes:
    """Return the actions that :func:`pack_actions` wrote, one byte each.

    Raises:
        OptionError: The text holds no actions, or more than any training has.
    """
    try:
        packed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError) as error:
        raise OptionError(f"the text holds no actions of a training: {error}") from error
    return _inflated(packed)


def _head(declaration: Declaration) -> bytes:
    return json.dumps(asdict(declaration), sort_keys=True).encode() + END


def _deflated(actions: bytes) -> bytes:
    """Return actions as their number and four to a byte, deflated."""
    if actions and max(actions) >= ACTIONS:
        raise OptionError(f"{max(actions)} is no action of the worm: there are 0 to {ACTIONS - 1}")
    four = np.zeros((-(-len(actions) // 4), 4), np.uint8)
    four.reshape(-1)[: len(actions)] = np.frombuffer(actions, np.uint8)
    return zlib.compress(
        COUNT.pack(len(actions)) + (four << SHIFTS).sum(axis=1, dtype=np.uint8).tobytes()
    )


def _inflated(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, MOST_ACTIONS)
    except zlib.error as error:
        raise OptionError(f"the bytes hold no actions of a training: {error}") from error
    if unpacker.unconsumed_tail or len(data) >= MOST_ACTIONS:
        raise OptionError(f"there are more than {MOST_ACTIONS:,} actions: no training has so many")
    if unpacker.unused_data:
        raise OptionError("the record of a training goes on behind its actions")
    if not unpacker.eof or len(data) < COUNT.size:
        raise OptionError("the actions of a training break off")
    count, four = COUNT.unpack_from(data)[0], np.frombuffer(data, np.uint8, offset=COUNT.size)
    if len(four) != -(-count // 4):
        raise OptionError("the actions of a training break off")
    if count % 4 and four[-1] >> SHIFTS[count % 4]:
        raise OptionError("the record of a training goes on behind its actions")
    return ((four[:, np.newaxis] >> SHIFTS) % ACTIONS).astype(np.uint8).tobytes()[:count]
