"""PNG files, written with nothing but the standard library and numpy."""

from __future__ import annotations

import struct
import zlib
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError

__all__ = ["png_bytes", "write_png"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB, _PALETTE = 2, 3  # colour types


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _filtered(rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return RGB rows, each led and treated by the filter (none, left, up) that leaves least."""
    left, up = np.zeros_like(rows), np.zeros_like(rows)
    left[:, 3:] = rows[:, :-3]
    up[1:] = rows[:-1]
    candidates = np.stack([rows, rows - left, rows - up])
    remains = np.abs(candidates.view(np.int8).astype(np.int16)).sum(axis=2, dtype=np.int64)
    best = remains.argmin(axis=0)
    chosen = candidates[best, np.arange(len(rows))]
    return np.concatenate([best[:, None].astype(np.uint8), chosen], axis=1)


def png_bytes(rgb: NDArray[np.uint8]) -> bytes:
    """Return a picture as a PNG: with a palette if 256 colours are enough, else in full RGB.

    Raises:
        OptionError: If the array is not uint8 of shape ``(height, width, 3)`` with a pixel in it.
    """
    if rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3 or not rgb.size:
        raise OptionError(f"a picture is uint8 (height, width, 3), not {rgb.dtype} {rgb.shape}")
    height, width = rgb.shape[:2]
    wide = rgb.astype(np.uint32)
    colours, places = np.unique(
        wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2], return_inverse=True
    )
    chunks = []
    if len(colours) <= 256:
        kind = _PALETTE
        palette = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
        chunks.append(_chunk(b"PLTE", palette.astype(np.uint8).tobytes()))
        indices = places.reshape(height, width).astype(np.uint8)
        rows = np.pad(indices, ((0, 0), (1, 0)))  # filter 0 leads every row
    else:
        kind = _RGB
        rows = _filtered(rgb.reshape(height, width * 3))
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0))
    body = _chunk(b"IDAT", zlib.compress(rows.tobytes(), 9))
    return b"".join([_SIGNATURE, header, *chunks, body, _chunk(b"IEND", b"")])


def write_png(path: str | PathLike[str], rgb: NDArray[np.uint8]) -> None:
    """Write a picture to a PNG file.

    Args:
        path: The file; one that exists is replaced.
        rgb: uint8, shape ``(height, width, 3)``.

    Raises:
        OptionError: If the array is not such a picture.
    """
    Path(path).write_bytes(png_bytes(rgb))
