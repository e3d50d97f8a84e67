"""Level texts in the legend of the Video Game Level Corpus, and in the framework's alone.

The corpus writes a Super Mario Bros. level as rows of 13 characters, all of which mean the same in
a level text: ``X`` solid ground, ``S`` breakable block, ``-`` empty, ``?`` question block with a
power-up ("full"), ``Q`` question block with a coin ("empty"), ``E`` enemy, ``<`` ``>`` ``[`` ``]``
pipe, ``o`` coin, ``B`` and ``b`` cannon. Reading one loses nothing; an enemy is a goomba, and Mario
starts and ends on the ground of the first and the last column.

Writing a level in the legend loses

- the start and the exit;
- what a creature is, and the flower in a pipe;
- what a brick holds; hidden blocks and scenery, which become empty;
- the difference between ground, ``#`` blocks, used blocks and platforms to jump through: solid;
- the width of a thin pipe, which becomes the left half of a pipe;
- elements (ladders, keys, locks, switches, doors, moving platforms), which become empty, and
  everything that stands in a ``;ludus`` line.
"""

from __future__ import annotations

from ludus.errors import LevelError
from ludus.games.platformer.levels.level import Level

__all__ = ["LEGEND", "framework_rows", "read_vglc", "vglc_rows"]

LEGEND = "XS-?QE<>[]oBb"
"""The characters of the corpus."""

_ELEMENTS = str.maketrans(dict.fromkeys("lhijHIJnpzNPZ()_=v.:", "-"))
_LEGEND_OF = {
    **{character: character for character in LEGEND},
    **dict.fromkeys("#D%", "X"),
    **dict.fromkeys("CUL", "S"),
    **dict.fromkeys("gGkKrRyY", "E"),
    "@": "?",
    "!": "Q",
    "*": "B",
    "t": "<",
    "T": "<",
}
_MARK = "\ufeff"  # an empty cell that a reader would take for no part of the text
_BY_TILE = {3: "B", 4: "b", 5: "b", 18: "<", 19: ">", 20: "[", 21: "]", 52: "<", 53: "["}


def read_vglc(text: str) -> Level:
    """Return the level of a text in the corpus's legend.

    Raises:
        LevelError: A character is not in the legend, or the rows differ in length.
    """
    level = Level.parse(text)
    for number, row in enumerate(level.text.split("\n")):
        for column, character in enumerate(row):
            if character not in LEGEND:
                raise LevelError(
                    f"row {number} has {character!r} at column {column}: "
                    f"the corpus knows {' '.join(LEGEND)}",
                    number,
                    column,
                    character,
                )
    return level


def vglc_rows(level: Level) -> list[str]:
    """Return the rows that come closest to a level in the corpus's legend."""
    tiles = level.tile_level.tiles
    rows = []
    for number, row in enumerate(level.text.split("\n")):
        cells = []
        for column, character in enumerate(row):
            legend_character = _LEGEND_OF.get(character, "-")
            if character in "*tT":
                legend_character = _BY_TILE.get(int(tiles[column, number]), legend_character)
            cells.append(legend_character)
        rows.append("".join(cells))
    return rows


def framework_rows(level: Level) -> list[str]:
    """Return the rows as the framework's rules read them, without elements."""
    text = level.text if level.rules == "framework" else level.text.translate(_ELEMENTS)
    if text.startswith(_MARK):
        text = "-" + text.removeprefix(_MARK)
    return text.split("\n")
