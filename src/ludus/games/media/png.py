"""Writes PNG files, with nothing but the standard library and numpy."""

from __future__ import annotations

import struct
import zlib
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.media.palette import MOST_COLOURS, split_palette

__all__ = ["png_bytes", "write_png"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB, _PALETTE, _RGBA = 2, 3, 6  # colour types

Rows = tuple[int, list[bytes], NDArray[np.uint8]]
"""The colour type, the chunks before the pixels, and the rows, each led by its filter."""


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _filter_rows(rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return RGB rows, each led and treated by the filter (none, left, up) that leaves least."""
    left, up = np.zeros_like(rows), np.zeros_like(rows)
    left[:, 3:] = rows[:, :-3]
    up[1:] = rows[:-1]
    candidates = np.stack([rows, rows - left, rows - up])
    remains = np.abs(candidates.view(np.int8).astype(np.int16)).sum(axis=2, dtype=np.int64)
    best = remains.argmin(axis=0)
    filtered = candidates[best, np.arange(len(rows))]
    return np.concatenate([best[:, None].astype(np.uint8), filtered], axis=1)


def png_bytes(pixels: NDArray[np.uint8]) -> bytes:
    r"""Return a picture as a PNG: with a palette if 256 colours are enough, else in full.

    Args:
        pixels: RGB or RGBA, uint8, shape ``(height, width, 3)`` or ``(height, width, 4)``.

    Raises:
        OptionError: If the array is not such a picture, or has no pixel.

    Example:
        >>> png_bytes(np.zeros((2, 2, 3), np.uint8))[:4]
        b'\x89PNG'
    """
    if pixels.dtype != np.uint8 or pixels.shape[2:] not in ((3,), (4,)) or not pixels.size:
        wrong = f"{pixels.dtype} {pixels.shape}"
        raise OptionError(f"a picture is uint8 (height, width, 3) or (…, 4), not {wrong}")
    height, width = pixels.shape[:2]
    kind, chunks, rows = _rgba_rows(pixels) if pixels.shape[2] == 4 else _rgb_rows(pixels)
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0))
    body = _chunk(b"IDAT", zlib.compress(rows.tobytes(), 9))
    return b"".join([_SIGNATURE, header, *chunks, body, _chunk(b"IEND", b"")])


def _rgb_rows(rgb: NDArray[np.uint8]) -> Rows:
    palette, indices = split_palette(rgb)
    if len(palette) > MOST_COLOURS:
        return _RGB, [], _filter_rows(rgb.reshape(len(rgb), -1))
    return (
        _PALETTE,
        [_chunk(b"PLTE", palette.tobytes())],
        _add_filter_bytes(indices.astype(np.uint8)),
    )


def _rgba_rows(rgba: NDArray[np.uint8]) -> Rows:
    return _RGBA, [], _add_filter_bytes(rgba.reshape(len(rgba), -1))


def _add_filter_bytes(rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.pad(rows, ((0, 0), (1, 0)))  # filter 0 leads every row


def write_png(path: str | PathLike[str], pixels: NDArray[np.uint8]) -> None:
    """Write a picture to a PNG file.

    Args:
        path: The file; one that exists is replaced.
        pixels: RGB or RGBA, uint8, as :func:`png_bytes` takes it.

    Raises:
        OptionError: If the array is not such a picture.
    """
    Path(path).write_bytes(png_bytes(pixels))
