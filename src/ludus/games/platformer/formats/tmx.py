"""Levels as maps for the Tiled editor: a layer of tiles, a layer of objects, and a picture.

A tile's number in the tileset is its code in the game. The objects are the start, the exit, the
creatures and the moving platforms, in pixels; a platform has its track as properties. The rules,
physics, time limit, labels and recipe are properties of the map.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

import numpy as np

from ludus.games.media.png import png_bytes
from ludus.games.platformer.art.atlas import NOTHING, atlas
from ludus.games.platformer.art.themes import find_theme
from ludus.games.platformer.codes import Kind, Scene
from ludus.games.platformer.formats.document import check_characters, write_settings
from ludus.games.platformer.levels.level import Level

__all__ = ["encode_tmx", "tileset_png"]

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
TILE = 16
COLUMNS = 16
TILES = 128  # more than there are codes, so that a tileset stays the same when codes are added

_SCENE = {scene - 16: scene.name for scene in Scene if Scene.NONE < scene < Scene.OBJECT}
_NAMES = {
    **_SCENE,
    7: "COIN_BRICK",
    8: "POWER_UP_QUESTION_BLOCK",
    11: "COIN_QUESTION_BLOCK",
    48: "HIDDEN_LIFE_BLOCK",
    49: "HIDDEN_COIN_BLOCK",
    50: "POWER_UP_BRICK",
    51: "LIFE_BRICK",
}

Properties = Mapping[str, str | int]


def encode_tmx(level: Level, image: str) -> str:
    """Return a level as the XML of a Tiled map.

    Args:
        level: The level.
        image: The name of the tileset's picture, seen from the map.

    Raises:
        LevelError: The level has a character that no file can hold.
    """
    check_characters(level.text.split("\n"))
    root = _map_element(level)
    _add_tileset(root, image)
    layer = ElementTree.SubElement(
        root, "layer", id="1", name="tiles", width=str(level.width), height=str(level.height)
    )
    ElementTree.SubElement(layer, "data", encoding="csv").text = _csv(level)
    group = ElementTree.SubElement(root, "objectgroup", id="2", name="objects")
    count = 0
    for name, box, properties in _objects(level):
        count += 1
        _add_object(group, count, name, box, properties)
    root.set("nextobjectid", str(count + 1))
    ElementTree.indent(root, " ")
    return f"{DECLARATION}\n{ElementTree.tostring(root, encoding='unicode')}\n"


def _map_element(level: Level) -> ElementTree.Element:
    """Return the map's own element, with the level's settings as properties."""
    root = ElementTree.Element(
        "map",
        version="1.10",
        tiledversion="1.10.2",
        orientation="orthogonal",
        renderorder="right-down",
        width=str(level.width),
        height=str(level.height),
        tilewidth=str(TILE),
        tileheight=str(TILE),
        infinite="0",
        nextlayerid="3",
    )
    settings = json.loads(write_settings(level)).items()
    _add_properties(
        root, {name: v if isinstance(v, str | int) else json.dumps(v) for name, v in settings}
    )
    return root


def tileset_png(level: Level) -> bytes:
    """Return the picture of a level's tileset, in its theme: 16 tiles in a row, in their order."""
    art = atlas(find_theme(level))
    sheet = np.zeros((TILES // COLUMNS * TILE, COLUMNS * TILE, 4), np.uint8)
    for code in range(TILES):
        frame = int(art.map_index[code])
        if frame != NOTHING:
            top, left = code // COLUMNS * TILE, code % COLUMNS * TILE
            sheet[top : top + TILE, left : left + TILE] = art.tile_frames[frame]
    return png_bytes(sheet)


def _csv(level: Level) -> str:
    """Return the global numbers of the tiles: 0 for none, else the code and 1."""
    codes = level.tile_level.tiles.T
    numbers = np.where(codes > 0, codes.astype(np.int64) + 1, 0)
    return "\n" + ",\n".join(",".join(map(str, row)) for row in numbers.tolist()) + "\n"


def _add_tileset(root: ElementTree.Element, image: str) -> None:
    tileset = ElementTree.SubElement(
        root,
        "tileset",
        firstgid="1",
        name="ludus",
        tilewidth=str(TILE),
        tileheight=str(TILE),
        tilecount=str(TILES),
        columns=str(COLUMNS),
    )
    width, height = COLUMNS * TILE, TILES // COLUMNS * TILE
    ElementTree.SubElement(tileset, "image", source=image, width=str(width), height=str(height))
    for code, name in sorted(_NAMES.items()):
        ElementTree.SubElement(tileset, "tile", id=str(code), type=name.lower())


def _add_properties(parent: ElementTree.Element, values: Properties) -> None:
    if not values:
        return
    properties = ElementTree.SubElement(parent, "properties")
    for name, value in values.items():
        element = ElementTree.SubElement(properties, "property", name=name)
        if isinstance(value, int):
            element.set("type", "int")
        element.set("value", str(value))


Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""


def _add_object(
    group: ElementTree.Element, number: int, name: str, box: Box, properties: Properties
) -> None:
    left, top, width, height = map(str, box)
    thing = ElementTree.SubElement(
        group,
        "object",
        id=str(number),
        name=name,
        type=name,
        x=left,
        y=top,
        width=width,
        height=height,
    )
    _add_properties(thing, properties)


def _objects(level: Level) -> Iterator[tuple[str, Box, Properties]]:
    yield "start", _cell(*level.start), {}
    yield "exit", _cell(*level.exit), {}
    for column, row, kind in level.tile_level.templates:
        yield Kind(kind).name.lower(), _cell(column, row), {"kind": kind}
    if level.platforms:
        yield from _platforms(level.text.split("\n"))


def _cell(column: int, row: int) -> Box:
    return column * TILE, row * TILE, TILE, TILE


def _platforms(rows: list[str]) -> Iterator[tuple[str, Box, Properties]]:
    """Yield the moving platforms where they are drawn, with the ends of their tracks in pixels."""
    upright = ["".join(column) for column in zip(*rows, strict=True)]
    for row, cells in enumerate(rows):
        for column, character in enumerate(cells):
            if character not in "=v" or cells[:column].endswith(character):
                continue
            length = _run(cells, column, character)
            box = (column * TILE, row * TILE, length * TILE, TILE)
            if character == "=":
                before = _run(cells[::-1], len(cells) - column, ".")
                after = _run(cells, column + length, ".")
                ends = {"left": column - before, "right": column + length + after}
            else:
                before = _run(upright[column][::-1], len(rows) - row, ":")
                after = _run(upright[column], row + 1, ":")
                ends = {"top": row - before, "bottom": row + after}
            yield "platform", box, {name: end * TILE for name, end in ends.items()}


def _run(cells: str, start: int, character: str) -> int:
    """Return how many of a character stand in a row from a place on."""
    rest = cells[start:]
    return len(rest) - len(rest.lstrip(character))
