"""Inputs for parsers: valid files, changed in ways that files go wrong or are made to."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

__all__ = ["mutate"]

NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 10**26, 10**39, 0.5, -0.0,
    1e308, 5e-324, "", "0", "x", "\u202egnp.exe", "\x1b[2J", "=1+1", "a" * 5_000, "…\u0301" * 50,
    "../../etc/passwd", "/dev/zero", "os:abort", "nan", "1e999", [], {}, [[]], [None], [0] * 300,
    {"": None}, {"name": {}}, [[[[[[[[[[]]]]]]]]]], "framework@1", "S1901M", "FRANCE", "idle",
)  # fmt: skip
RAW = (
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"9" * 5_000, b"\\ud800", b"\\u0000", b"\x00",
    b"\xff\xfe", b"\xef\xbb\xbf", b"[" * 2_000, b'{"a":' * 500, b"\n", b"\r\n", b",", b'"', b"'",
    b"\xed\xa0\x80", b"PK\x03\x04", b"PK\x05\x06", b"\x93NUMPY", b"{", b"}", b"-", b"+",
)  # fmt: skip


def mutate(random: Random, seeds: list[bytes]) -> bytes:
    """Return a seed that was changed in one to four ways, or bytes by chance."""
    if random.random() < 0.03:
        return random.randbytes(random.randrange(200))
    data = random.choice(seeds)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        data = random.choice(_ways(data))(random, data, seeds)
    return data


Way = Callable[[Random, bytes, list[bytes]], bytes]


def _ways(data: bytes) -> tuple[Way, ...]:
    """Return the ways to change data; what has a structure is mostly changed within it."""
    if data.startswith(b"PK"):
        return (*BYTES, _change_member, _change_member, _change_member)
    if data.lstrip()[:1] in (b"{", b"["):
        return (*BYTES, *[_change_json] * 12)
    return BYTES


# ---- bytes


def _flip(random: Random, data: bytes, _: list[bytes]) -> bytes:
    changed = bytearray(data or b"\0")
    for _bit in range(random.choice((1, 1, 3, 20))):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _truncate(random: Random, data: bytes, _: list[bytes]) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _drop(random: Random, data: bytes, _: list[bytes]) -> bytes:
    start = random.randrange(len(data) + 1)
    return data[:start] + data[start + random.randrange(40) :]


def _repeat(random: Random, data: bytes, _: list[bytes]) -> bytes:
    start = random.randrange(len(data) + 1)
    piece = data[start : start + random.randrange(60)]
    return data[:start] + piece * random.choice((2, 3, 50)) + data[start:]


def _splice(random: Random, data: bytes, seeds: list[bytes]) -> bytes:
    other = random.choice(seeds)
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]


def _insert(random: Random, data: bytes, _: list[bytes]) -> bytes:
    start = random.randrange(len(data) + 1)
    return data[:start] + random.choice(RAW) + data[start + random.choice((0, 0, 1, 4)) :]


BYTES: tuple[Way, ...] = (_flip, _truncate, _drop, _repeat, _splice, _insert)


# ---- values of JSON, in one text or line by line


def _change_json(random: Random, data: bytes, seeds: list[bytes]) -> bytes:
    lines = data.split(b"\n") if b"}\n{" in data else [data]
    number = random.randrange(len(lines))
    try:
        value = json.loads(lines[number])
        lines[number] = json.dumps(_change_value(random, value)).encode()
    except (ValueError, RecursionError):
        return _insert(random, data, seeds)
    return b"\n".join(lines)


def _change_value(random: Random, value: Any) -> Any:
    """Change one place of a value, which is reached by a way down that is taken by chance."""
    if random.random() < 0.15 or not isinstance(value, dict | list) or not value:
        return random.choice(NASTY)
    changed: Any = dict(value) if isinstance(value, dict) else list(value)
    keys: list[Any] = list(changed) if isinstance(changed, dict) else [*range(len(changed))]
    key = random.choice(keys)
    way = random.random()
    if way < 0.12:
        del changed[key]
    elif way < 0.2:
        if isinstance(changed, dict):
            changed[random.choice(("", "x", "name", *map(str, keys)))] = changed.pop(key)
        else:
            changed[key:key] = [changed[key]] * random.choice((1, 1, 7))
    elif way < 0.26 and len(keys) > 1:
        changed[key] = changed[random.choice(keys)]
    else:
        changed[key] = _change_value(random, changed[key])
    return changed


# ---- members of an archive


def _change_member(random: Random, data: bytes, seeds: list[bytes]) -> bytes:
    """Change a member of an archive and pack all again, so that sums and sizes are right."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except Exception:
        return _flip(random, data, seeds)
    name = random.choice([*members, ""])
    content = members.pop(name, b"")
    way = random.choice((_flip, _truncate, _insert, _change_header))
    members[name or "x.npy"] = way(random, content, seeds)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", random.choice((0, 8)), compresslevel=1) as archive:
        for key, value in members.items():
            archive.writestr(key, value)
    return packed.getvalue()


def _change_header(random: Random, data: bytes, _: list[bytes]) -> bytes:
    """Give an array another kind or shape, in a header of the same length."""
    shapes = ("(1,)", "(-1,)", "(99999999999,)", "()", "(2, 3)", "(0, 4611686018427387904)")
    kinds = ("'|O'", "'<f8'", "'<U999999999'", "[('a', '<i4')]", "'<M8[s]'", "'|b1'", "'<f4'")
    columns = random.choice(("True", "False"))
    header = (
        f"{{'descr': {random.choice(kinds)}, 'fortran_order': {columns}, "
        f"'shape': {random.choice(shapes)}, }}"
    ).encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data[-64:]
