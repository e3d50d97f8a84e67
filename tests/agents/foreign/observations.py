"""What a forward model shows, in the words of the recorded checks, as Getters.java writes it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from tests.conformance.test_traces import CENTRES, bits, describe_model, fnv_rows

from ludus.games.platformer import ForwardModel

__all__ = ["GRIDS_SHAPE", "describe", "hash_grids"]

Centre = Literal["mario", "screen"]
Grid = npt.NDArray[np.int32]

GRIDS_SHAPE = (2, 15, 16, 16)
UNKNOWN = -42
ITEMS, STOMPABLE, FIREBALL = {12, 13, 15}, {2, 3, 4, 5, 6, 7, 10, 14}, 16


def describe(model: ForwardModel, grids: Grid) -> dict[str, int]:
    """Return every getter of a model; the grids that are hashed later go to `grids`."""
    found = describe_model(model, grids)
    dimensions = bits([16 * model.level.width, 16 * model.level.height]).tolist()
    found["completion"] = int(bits(model.completion))
    found["width"], found["height"] = dimensions
    found["kills"] = found["fall"] + found["fire"] + found["shell"] + found["stomp"]
    found["defaults"] = _sum(_list_defaults(model))
    for centre, name in zip(CENTRES, ("unknownM", "unknownS"), strict=True):
        found[name] = _sum(_list_unknown(model, centre))
    return {name: int(value) for name, value in found.items()}


def hash_grids(grids: Grid) -> npt.NDArray[np.int64]:
    """Return the two recorded hashes for each description."""
    return fnv_rows(grids.reshape(2 * len(grids), -1), zero_bytes=3).reshape(-1, 2)


def _sum(grids: Iterator[Grid]) -> int:
    value = 0
    for grid in grids:
        value = zlib.crc32(grid.astype(np.uint8).tobytes(), value)
    return value


def _list_defaults(model: ForwardModel) -> Iterator[Grid]:
    for centre in CENTRES:
        yield model.observe("scene", 1, centre)
        yield model.observe("enemies", 0, centre)
        yield model.observe("merged", (1, 0), centre)


def _list_unknown(model: ForwardModel, centre: Centre) -> Iterator[Grid]:
    """Return what details that nobody knows show, by the words of the specification."""
    column, row = _find_centre(model, centre)
    columns, rows = np.arange(column - 8, column + 8), np.arange(row - 8, row + 8)
    tiles = model.tiles
    width, height = tiles.shape
    clamped = tiles[np.clip(columns, 0, width - 1)][:, np.clip(rows, 0, height - 1)]
    scene = np.where(clamped != 0, UNKNOWN, 0).astype(np.int32)
    yield scene
    yield _put_sprites(model, column, row, np.zeros_like(scene), 3)
    inside = np.where((rows >= 0) & (rows < height), scene, 0).astype(np.int32)
    for detail in range(4):
        yield _put_sprites(model, column, row, inside.copy(), detail)


def _find_centre(model: ForwardModel, centre: Centre) -> tuple[int, int]:
    if centre == "mario":
        return _cell(model.mario.x), _cell(model.mario.y)
    return _cell(float(np.float32(model.camera[0]) + np.float32(128))), 8


def _cell(pixel: float) -> int:
    return int(int(pixel) / 16)


def _put_sprites(model: ForwardModel, column: int, row: int, grid: Grid, detail: int) -> Grid:
    for sprite in model.sprites:
        x, y = int(sprite.x / 16), int(sprite.y / 16)
        near = max(column - 8, -1) < x < column + 8 and max(row - 8, -1) < y < row + 8
        if near and (code := _code(sprite, detail)):
            grid[x - column + 8, y - row + 8] = code
    return grid


def _code(sprite: Any, detail: int) -> int:
    if detail == 3:
        return UNKNOWN
    if detail == 2:
        return int(sprite.kind not in ITEMS | {FIREBALL})
    if sprite.kind == FIREBALL:
        return FIREBALL
    if sprite.kind in ITEMS:
        return 12
    return 2 if sprite.kind in STOMPABLE else 8
