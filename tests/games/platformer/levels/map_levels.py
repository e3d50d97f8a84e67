"""Levels of map bytes for tests: any that hypothesis thinks of, and small ones by hand."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ludus.games.platformer.levels.reference import Creature, Reference

KINDS = {
    "2009": [(kind, wings) for kind in range(5) for wings in (False, True)],
    "2010": [
        (80, False), (81, False), (82, False), (93, False), (91, False), (49, False),
        (95, True), (96, True), (97, True), (98, True), (99, True),
    ],
}  # fmt: skip
MOST = 2**31 - 1


@st.composite
def references(draw: st.DrawFn) -> Reference:
    """Draw a map of either format."""
    number_format = draw(st.sampled_from(["2009", "2010"]))
    width, height = draw(st.integers(1, 20)), draw(st.integers(1, 16))
    cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    kinds = st.sampled_from(KINDS[number_format])
    values = st.integers(-128, 127).filter(bool)
    creatures = draw(st.dictionaries(cells, kinds, max_size=8))
    blocks = draw(st.dictionaries(cells, values, max_size=8))
    counts = st.dictionaries(
        st.sampled_from(["coins", "dead_ends", "hidden"]), st.integers(0, MOST)
    )
    return Reference(
        format=number_format,
        height=height,
        map=draw(st.binary(min_size=width * height, max_size=width * height)),
        exit=draw(cells),
        creatures=tuple(Creature(*cell, *kind) for cell, kind in sorted(creatures.items())),
        data=tuple((*cell, value) for cell, value in sorted(blocks.items())),
        counts=draw(counts),
        type=draw(st.integers(0, 2)),
        difficulty=draw(st.integers(-1, 99)),
    )


def make_record(gen: str = "2009", **changes: Any) -> dict[str, Any]:
    """Return a small level as files of levels hold it."""
    rows = ["000000220000", "000000000000", "818282818181"]
    sprites = [[1, 1, 2, 1], [4, 1, 0, 0]] if gen == "2009" else [[1, 1, 95], [5, 1, 49]]
    record = {
        "gen": gen, "width": 6, "height": 3, "exit": [5, 1], "rows": rows, "sprites": sprites,
        "type": 0, "difficulty": 3, "counters": {}, "data": [],
    }  # fmt: skip
    return record | changes
