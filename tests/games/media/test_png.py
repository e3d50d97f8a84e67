from __future__ import annotations

import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from ludus.errors import OptionError
from ludus.games.media.png import png_bytes
from ludus.games.platformer import World
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.pictures import frame, level_picture, write_png

Picture = NDArray[np.uint8]


def read_png(data: bytes) -> Picture:
    """Decode a PNG of 8 bits a sample, with a palette or in RGB."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + body)
        chunks[kind] = chunks.get(kind, b"") + body
        at += 12 + length
    order = list(chunks)
    assert (order[0], order[-1]) == (b"IHDR", b"IEND")
    width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, rest) == (8, [0, 0, 0])
    samples = {2: 3, 3: 1}[colour]
    raw = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8)
    lines = raw.reshape(height, 1 + width * samples)
    rows = np.zeros((height, width * samples), np.uint8)
    for y, line in enumerate(lines):
        if line[0] == 0:
            rows[y] = line[1:]
        elif line[0] == 1:
            pixels = line[1:].reshape(width, samples)
            rows[y] = np.cumsum(pixels, axis=0, dtype=np.uint8).ravel()
        else:
            assert line[0] == 2
            rows[y] = line[1:] + (rows[y - 1] if y else np.uint8(0))
    if colour == 2:
        return rows.reshape(height, width, 3)
    palette = np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)
    return palette[rows]


def test_a_png_holds_the_picture(tmp_path: Path) -> None:
    level = bundled_level("sprint-01")
    pictures_to_keep = {
        "frame": frame(World(level)),
        "level": level_picture(level, [(10, 10), (600, 200)]),
        "noise": np.random.default_rng(1).integers(0, 256, (33, 17, 3), np.uint8),
        "dot": np.array([[[1, 2, 3]]], np.uint8),
        "slope": np.add.outer(np.arange(90) * 3, np.arange(120))[..., None]
        .repeat(3, 2)
        .astype(np.uint8)
        * np.array([1, 2, 3], np.uint8),
    }
    for name, picture in pictures_to_keep.items():
        path = tmp_path / f"{name}.png"
        write_png(path, picture)
        assert np.array_equal(read_png(path.read_bytes()), picture), name


def test_pngs_are_small(tmp_path: Path) -> None:
    level = bundled_level("sprint-01")
    write_png(tmp_path / "a.png", frame(World(level)))
    assert (tmp_path / "a.png").stat().st_size < 12_000
    picture = level_picture(level, [(10, 10), (600, 200)])[:, :640]
    write_png(str(tmp_path / "b.png"), picture)
    assert (tmp_path / "b.png").stat().st_size < 40_000


@pytest.mark.parametrize(
    "array", [np.zeros((2, 2), np.uint8), np.zeros((2, 2, 3)), np.zeros((0, 2, 3), np.uint8)]
)
def test_what_is_not_a_picture_is_no_png(array: Any, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="uint8"):
        write_png(tmp_path / "a.png", array)
    assert not list(tmp_path.iterdir())


def test_transparent_pictures_keep_their_alpha() -> None:
    rgba = np.random.default_rng(2).integers(0, 256, (9, 5, 4), np.uint8)
    with Image.open(BytesIO(png_bytes(rgba))) as image:
        assert image.mode == "RGBA"
        assert np.array_equal(np.array(image), rgba)
