"""Arrays in ``.npz`` files that somebody else wrote, read within limits and without pickle.

The archive's list of members is checked before anything is unpacked, and each array's header before
memory is taken for it. Only plain numbers and texts are read: no objects, no records.
"""

from __future__ import annotations

import io
import math
import warnings
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ludus.errors import one_line
from ludus.foreign_files import (
    ARCHIVE_BYTES,
    ARCHIVE_MEMBERS,
    ARCHIVE_RATIO,
    MB,
    UNPACKED_BYTES,
    UnreadableFile,
    read_bytes,
)

__all__ = ["NotArrays", "read_arrays"]

KINDS = "biufcUS"
ENDING = ".npy"
ENCRYPTED = 1
LAST_LETTER = 0x10FFFF
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


class NotArrays(ValueError):
    """A file holds no arrays; the message says why, and the caller where."""


def read_arrays(path: str | Path, most_unpacked: int = UNPACKED_BYTES) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file by their names.

    Args:
        path: The file, as ``numpy.savez`` writes it.
        most_unpacked: How many bytes all arrays may have together.

    Raises:
        OSError: The file cannot be opened.
        NotArrays: It is no archive of arrays, is damaged, or is larger than the limits.
    """
    try:
        packed = read_bytes(path, ARCHIVE_BYTES)
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            members = archive.infolist()
            _check_members(members, len(packed), most_unpacked)
            return {
                member.filename.removesuffix(ENDING): _read_array(archive, member)
                for member in members
            }
    except (NotArrays, OSError):
        raise
    except UnreadableFile as error:
        raise NotArrays(str(error)) from error
    except Exception as error:  # a damaged archive or header leads its readers anywhere
        raise NotArrays(one_line(error) or type(error).__name__) from error


def _check_members(members: list[zipfile.ZipInfo], packed: int, most_unpacked: int) -> None:
    """Refuse an archive that would unpack to too much, before any of it is unpacked."""
    if len(members) > ARCHIVE_MEMBERS:
        raise NotArrays(f"holds {len(members):,} arrays; {ARCHIVE_MEMBERS:,} are the most")
    if len({member.filename for member in members}) < len(members):
        raise NotArrays("holds two arrays of one name")
    unpacked = sum(member.file_size for member in members)
    if unpacked > most_unpacked:
        raise NotArrays(f"unpacks to more than {most_unpacked // MB} MB")
    if unpacked > ARCHIVE_RATIO * packed:
        raise NotArrays(f"unpacks to {unpacked / packed:,.0f} times its size: it packs bytes twice")
    for member in members:
        if not member.filename.endswith(ENDING):
            raise NotArrays(f"holds {member.filename[:40]!a}, which is no array")
        if member.compress_type not in METHODS or member.flag_bits & ENCRYPTED:
            raise NotArrays(f"packs {member.filename[:40]!a} in a way that is not read")


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """Return an array, of whose header it was made sure that it tells the member's true size."""
    name = member.filename[:40]
    with archive.open(member) as file:
        shape, in_columns, dtype = _read_header(file, name)  # type: ignore[arg-type]
        size = math.prod(shape) * dtype.itemsize
        if dtype.kind not in KINDS or any(not 0 <= side < 2**31 for side in shape):
            raise NotArrays(
                f"{name!a} is of shape {shape!s:.60} and kind {dtype!s:.40}, no numbers"
            )
        if size > member.file_size:
            raise NotArrays(f"{name!a} breaks off: its shape {shape!s:.60} needs {size:,} bytes")
        data = file.read(size + 1)
    if len(data) != size:
        raise NotArrays(f"{name!a} has {len(data):,} bytes or more; its shape needs {size:,}")
    if dtype.kind == "U":
        _check_letters(np.frombuffer(data, np.dtype(np.uint32).newbyteorder(dtype.byteorder)), name)
    return np.frombuffer(data, dtype).reshape(shape, order="F" if in_columns else "C").copy()


def _check_letters(codes: NDArray[np.uint32], name: str) -> None:
    """Refuse numbers that are no letters: Python cannot make a text of them."""
    if ((codes > LAST_LETTER) | ((codes >= 0xD800) & (codes <= 0xDFFF))).any():
        raise NotArrays(f"{name!a} holds a text with what are no letters")


def _read_header(file: BinaryIO, name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    read = HEADERS.get(npy.read_magic(file))
    if read is None:
        raise NotArrays(f"{name!a} is of a version that is not read")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a header that numpy has to repair is none
        shape, in_columns, dtype = read(file)
    if dtype.hasobject:
        raise NotArrays(f"{name!a} holds objects, not numbers")
    return shape, in_columns, dtype
