"""Writes what the pages need besides the engine's module: the art, the knobs, the map of Diplomacy.

    python scripts/write_web_data.py

writes ``art.json``, ``knobs.json`` and ``map.json`` into ``src/ludus/web/static/engine``. A test
compares them with what this script would write.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import annotated_types
import numpy as np
from numpy.typing import NDArray

from ludus.games.diplomacy.map.colours import POWER_COLOURS
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.map.outlines import (
    ANCHORS,
    LAKES,
    NEUTRAL,
    SEA_BORDERS,
    SIZE,
    outlines,
    project,
)
from ludus.games.diplomacy.map.place_names import NAMES, SEAS
from ludus.games.platformer import generators
from ludus.games.platformer.art import dress, figures, map_tiles, scenery
from ludus.games.platformer.art.atlas import atlas
from ludus.games.platformer.art.elements import SLAB_HEIGHT, TRACK
from ludus.games.platformer.art.themes import THEMES, Theme
from ludus.games.platformer.codes import Kind

__all__ = ["FOLDER", "art", "diplomacy_map", "knobs"]

FOLDER = Path(__file__).parents[1] / "src/ludus/web/static/engine"
GENERATORS = ("ludus", "notch-2009", "notch-framework", "tunable-2010")
"""Those that are native; the others need Python."""

LONGEST_RUN = 255


class Frames:
    """Different frames, and the colours in them."""

    def __init__(self, colours: dict[bytes, int]) -> None:
        self._colours = colours
        self._numbers: dict[bytes, int] = {}
        self._runs = bytearray()

    def number(self, frame: NDArray[np.uint8]) -> int:
        """Return the frame's number; a new one is kept."""
        key = frame.tobytes()
        if key not in self._numbers:
            self._numbers[key] = len(self._numbers)
            self._keep(frame)
        return self._numbers[key]

    def _keep(self, frame: NDArray[np.uint8]) -> None:
        """Write the frame as runs: how many pixels, and the number of their colour."""
        pixels = [
            self._colours.setdefault(pixel.tobytes(), len(self._colours))
            for pixel in frame.reshape(-1, 4)
        ]
        start = 0
        for place in range(1, len(pixels) + 1):
            ends = place == len(pixels) or pixels[place] != pixels[start]
            if ends or place - start == LONGEST_RUN:
                self._runs += bytes((place - start, pixels[start]))
                start = place

    def text(self) -> str:
        """Return the runs of all frames as base64."""
        return base64.b64encode(bytes(self._runs)).decode()


def art() -> dict[str, Any]:
    """Return palette, frames and themes, and what the figures are called."""
    colours: dict[bytes, int] = {}
    tiles, sprites = Frames(colours), Frames(colours)
    themes = {theme: _theme(theme, tiles, sprites) for theme in THEMES}
    first = atlas().scenery
    return {
        "palette": [colour.hex() for colour in colours],
        "tiles": tiles.text(),
        "sprites": sprites.text(),
        "names": {name: n for name, n in atlas().sprites.items() if n < first},
        "scenery": first,
        "themes": themes,
        "creatures": {str(int(kind)): name for kind, name in figures._CREATURES.items()},
        "paces": {str(int(kind)): pace for kind, pace in figures._PACE.items()},
        "map_codes": map_tiles._lookup_table().tolist(),
        "growth": dress._growth().tolist(),
        "slab_height": SLAB_HEIGHT,
        "track": TRACK,
        "kinds": {kind.name.lower(): int(kind) for kind in Kind},
    }


def _theme(theme: Theme, tiles: Frames, sprites: Frames) -> dict[str, Any]:
    drawn = atlas(theme)
    scene = scenery._scene(theme)
    return {
        "tiles": [tiles.number(frame) for frame in drawn.tile_frames],
        "tile_index": drawn.tile_index.tolist(),
        "map_index": drawn.map_index.tolist(),
        "sprites": [sprites.number(frame) for frame in drawn.sprite_frames],
        "pieces": scenery._pieces(theme)[0],
        "layers": [
            {
                "slowness": layer.slowness,
                "period": layer.period,
                "moments": layer.moments,
                "from_bottom": layer.from_bottom,
                "every": layer.every,
                "margin": layer.margin,
            }
            for layer in scene.layers
        ],
        "bands": [_band(*band) for band in scene.bands],
    }


def _band(above_bottom: int, colours: tuple[str, ...], count: int) -> dict[str, Any]:
    """Return where a band of the backdrop ends, and its shades from the top down."""
    stops = np.array([tuple(bytes.fromhex(colour)) for colour in colours])
    shades = np.linspace(0, len(stops) - 1, count)
    ramp = [np.interp(shades, range(len(stops)), stops[:, n]) for n in range(3)]
    rows = np.rint(np.stack(ramp, axis=1)).astype(int)
    return {"above_bottom": above_bottom, "shades": rows.tolist()}


def knobs() -> dict[str, Any]:
    """Return the options of the generators, with ranges and descriptions."""
    return {name: _knobs(generators.load(name)) for name in GENERATORS}


def _knobs(generator: Any) -> dict[str, Any]:
    return {
        "summary": generator.summary,
        "version": generator.version,
        "options": [
            {"name": name, **_knob(name, field)}
            for name, field in generator.options.model_fields.items()
        ],
    }


def _knob(name: str, field: Any) -> dict[str, Any]:
    ends: dict[type, Any] = {type(limit): limit for limit in field.metadata}
    knob: dict[str, Any] = {"value": field.default, "description": field.description}
    if annotated_types.Ge in ends:
        least, most = ends[annotated_types.Ge].ge, ends[annotated_types.Le].le
        safe = 2**53 - 1  # the whole numbers that JavaScript has
        knob |= {"least": max(least, -safe), "most": min(most, safe)}
        knob["step"] = 0.01 if float in _kinds(field.annotation) else 1
    elif bool in _kinds(field.annotation):
        knob["switch"] = True
    elif name == "type":
        knob["choices"] = list(THEMES)
    knob["optional"] = field.default is None
    return knob


def _kinds(annotation: Any) -> tuple[Any, ...]:
    return getattr(annotation, "__args__", (annotation,))


def diplomacy_map() -> dict[str, Any]:
    """Return the shapes of the map in pixels, with the names of places and the powers' colours."""
    return {
        "size": list(SIZE),
        "names": NAMES,
        "seas": sorted(SEAS),
        "centres": list(geography().centres),
        "anchors": {name: _corner(place) for name, place in ANCHORS.items()},
        "land": {name: _corners(shape) for name, shape in outlines().items()},
        "neutral": [_corners(shape) for shape in NEUTRAL.values()],
        "lakes": [_corners(shape) for shape in LAKES],
        "borders": [_corners(shape) for shape in SEA_BORDERS],
        "colours": POWER_COLOURS,
    }


def _corners(shape: Iterable[tuple[float, float]]) -> list[list[float]]:
    return [_corner(place) for place in shape]


def _corner(place: tuple[float, float]) -> list[float]:
    return [round(number, 1) for number in project(place)]


if __name__ == "__main__":
    for name, values in (
        ("art.json", art()),
        ("knobs.json", knobs()),
        ("map.json", diplomacy_map()),
    ):
        text = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
        (FOLDER / name).write_text(f"{text}\n", encoding="utf-8")
