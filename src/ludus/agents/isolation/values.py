"""Plain values and arrays as bytes. Reading them runs no code of whoever wrote them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from operator import attrgetter, index
from struct import Struct
from typing import Any

import numpy as np

__all__ = ["Opaque", "decode", "encode"]

_INT = Struct("<q")
_FLOAT = Struct("<d")
_LENGTH = Struct("<I")
_WORD = 2**63
_BIG_INT = 256  # bytes
_DEPTH = 32
_DTYPE = re.compile(rb"[<|]([biu][1248]|f[248]|c8|c16)")
_OPAQUE = 200  # signs


class Opaque:
    """Stands for an object that has no plain value; its ``repr`` is the object's.

    Args:
        text: That ``repr``.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


# ---- writing


def encode(value: Any, *, records: bool = False) -> bytes:
    """Return a value as bytes: what is not plain becomes :class:`Opaque`.

    Args:
        value: The value.
        records: Whether named tuples and dataclasses keep their class. Otherwise a named tuple is
            a tuple, and a dataclass is not plain.

    Raises:
        ValueError: It is nested too deep.
    """
    kind = type(value)
    if kind is int and -_WORD <= value < _WORD:  # most actions
        return b"i" + _INT.pack(value)
    if kind is bytes:
        return b"b" + _LENGTH.pack(len(value)) + bytes(value)
    writer = _Writer(records)
    writer.write(value, 0)
    return b"".join(writer.parts)


class _Writer:
    """Writes values as bytes."""

    def __init__(self, records: bool) -> None:
        self.parts: list[bytes] = []
        self._records = records

    def write(self, value: Any, depth: int) -> None:
        if depth > _DEPTH:
            raise ValueError(f"values are nested more than {_DEPTH} deep")
        if value is None or value is True or value is False:
            self.parts.append({None: b"N", True: b"T", False: b"F"}[value])
        elif isinstance(value, str):  # before numbers of NumPy, which may be texts as well
            self._write_bytes(b"s", _to_utf8(value))
        elif isinstance(value, bytes | bytearray):
            self._write_bytes(b"b", bytes(value))
        elif isinstance(value, np.ndarray | np.generic):
            self._write_array(value)
        elif isinstance(value, int):
            self._write_int(int(value))
        elif isinstance(value, float):
            self.parts.append(b"f" + _FLOAT.pack(value))
        else:
            self._write_container(value, depth)

    def _write_container(self, value: Any, depth: int) -> None:
        record = _record_parts(value) if self._records else None
        if record is not None:
            kind = type(value)
            self.parts.append(b"r")
            self.write(f"{kind.__module__}:{kind.__qualname__}", depth + 1)
            self.write(record, depth + 1)
        elif isinstance(value, list | tuple):
            tag = b"l" if isinstance(value, list) else b"t"
            self.parts.append(tag + _LENGTH.pack(len(value)))
            for item in value:
                self.write(item, depth + 1)
        elif isinstance(value, Mapping):
            self.parts.append(b"d" + _LENGTH.pack(len(value)))
            for key, item in value.items():
                self.write(key, depth + 1)
                self.write(item, depth + 1)
        else:
            self._write_unknown(value)

    def _write_unknown(self, value: Any) -> None:
        """Write what can stand for an index as a number, and anything else as opaque."""
        try:
            number = index(value)
        except TypeError:
            self._write_bytes(b"o", _to_utf8(repr(value)[:_OPAQUE]))
        else:
            self._write_int(number)

    def _write_int(self, value: int) -> None:
        if -_WORD <= value < _WORD:
            self.parts.append(b"i" + _INT.pack(value))
        elif value.bit_length() < 8 * _BIG_INT:
            self._write_bytes(b"I", value.to_bytes(_BIG_INT, "little", signed=True))
        else:
            self._write_bytes(b"o", f"a number of {value.bit_length()} bits".encode())

    def _write_array(self, value: Any) -> None:
        dtype = value.dtype.newbyteorder("<").str.encode()
        if not _DTYPE.fullmatch(dtype):
            self._write_bytes(b"o", _to_utf8(repr(value)[:_OPAQUE]))
            return
        self.parts += [
            b"n" if isinstance(value, np.generic) else b"a",
            bytes([len(dtype)]) + dtype + bytes([value.ndim]),
            b"".join(map(_LENGTH.pack, value.shape)),
            np.ascontiguousarray(value, dtype.decode()).tobytes(),
        ]

    def _write_bytes(self, tag: bytes, content: bytes) -> None:
        self.parts += [tag + _LENGTH.pack(len(content)), content]


def _record_parts(value: Any) -> dict[str, Any] | None:
    """Return the parts of a named tuple or of a dataclass by name, or None if it is neither."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return dict(zip(value._fields, value, strict=True))
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: getattr(value, part.name) for part in fields(value)}
    return None


def _to_utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


# ---- reading


def decode(content: bytes, *, records: bool = False, most_values: int | None = None) -> Any:
    """Return the value that :func:`encode` wrote.

    Args:
        content: The bytes; they may be anything.
        records: Whether records are made into objects of their classes, which are imported. A
            referee never allows it.
        most_values: How many values containers may hold together, which bounds the time that
            reading takes; None for any number. An array counts as one.

    Raises:
        ValueError: The bytes are no value, more than one, or hold too many.
    """
    if len(content) == 1 + _INT.size and content[0] == 0x69:  # most actions
        return _INT.unpack_from(content, 1)[0]
    if content[:1] == b"b" and content[1:5] == _LENGTH.pack(max(len(content) - 5, 0)):
        return content[5:]
    reader = _Reader(content, records, most_values)
    try:
        value = reader.read(0)
    except (IndexError, UnicodeDecodeError, TypeError, KeyError) as error:
        raise ValueError(f"no plain value: {error}") from None
    if reader.place != len(content):
        raise ValueError(f"{len(content) - reader.place} bytes too many behind a value")
    return value


class _Reader:
    """Reads values from bytes that may be anything."""

    def __init__(self, content: bytes, records: bool, most_values: int | None) -> None:
        self._content, self._records = content, records
        self._values, self._most_values = 0, most_values
        self.place = 0

    def read(self, depth: int) -> Any:
        if depth > _DEPTH:
            raise ValueError(f"values are nested more than {_DEPTH} deep")
        tag = self._take(1)
        simple = _SIMPLE.get(tag)
        if simple:
            return simple(self)
        if tag in (b"l", b"t"):
            items = [self.read(depth + 1) for _ in range(self._count_values())]
            return items if tag == b"l" else tuple(items)
        if tag == b"d":
            return {self.read(depth + 1): self.read(depth + 1) for _ in range(self._count_values())}
        if tag == b"r" and self._records:
            return self._record(depth)
        raise ValueError(f"no value begins with {tag!r}")

    def _record(self, depth: int) -> Any:
        name, parts = self.read(depth + 1), self.read(depth + 1)
        module, _, path = name.partition(":")
        return attrgetter(path)(import_module(module))(**parts)

    def _take(self, length: int) -> bytes:
        part = self._content[self.place : self.place + length]
        if len(part) != length:
            raise ValueError("a value breaks off")
        self.place += length
        return part

    def _count(self) -> int:
        count = int(_LENGTH.unpack(self._take(_LENGTH.size))[0])
        if count > len(self._content) - self.place:
            raise ValueError("a value breaks off")
        return count

    def _count_values(self) -> int:
        count = self._count()
        self._values += count
        if self._most_values is not None and self._values > self._most_values:
            raise ValueError(f"more than {self._most_values:,} values in one message")
        return count

    def text(self) -> str:
        text = self._take(self._count()).decode()
        if "\0" in text:
            raise ValueError("a text holds a NUL")
        return text

    def bytes(self) -> bytes:
        return self._take(self._count())

    def integer(self) -> int:
        return int(_INT.unpack(self._take(_INT.size))[0])

    def big_integer(self) -> int:
        return int.from_bytes(self._take(min(self._count(), _BIG_INT)), "little", signed=True)

    def float(self) -> float:
        return float(_FLOAT.unpack(self._take(_FLOAT.size))[0])

    def array(self) -> Any:
        name = self._take(self._take(1)[0])
        if not _DTYPE.fullmatch(name):
            raise ValueError(f"no array holds {name!r}")
        dtype = np.dtype(name.decode())
        shape = [_LENGTH.unpack(self._take(4))[0] for _ in range(self._take(1)[0])]
        size = dtype.itemsize
        for length in shape:
            size *= length
        return np.frombuffer(self._take(size), dtype).reshape(shape).copy()

    def scalar(self) -> Any:
        array = self.array()
        if array.shape != ():
            raise ValueError("a number has no shape")
        return array[()]


_SIMPLE: Mapping[bytes, Callable[[_Reader], Any]] = {
    b"N": lambda _: None,
    b"T": lambda _: True,
    b"F": lambda _: False,
    b"i": _Reader.integer,
    b"I": _Reader.big_integer,
    b"f": _Reader.float,
    b"s": _Reader.text,
    b"b": _Reader.bytes,
    b"o": lambda reader: Opaque(reader.text()),
    b"a": _Reader.array,
    b"n": _Reader.scalar,
}
