from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from tests.games.diplomacy.play import finished, played

from ludus.errors import MissingExtra, OptionError
from ludus.games.diplomacy.map.colours import POWER_COLOURS
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.map.outlines import ANCHORS, SIZE, outlines, project
from ludus.games.diplomacy.map.pictures import (
    THEMES,
    current_turn,
    turn_picture,
    turn_svg,
    write_replay,
    write_svg,
)
from ludus.games.diplomacy.map.place_names import NAMES, SEAS
from ludus.games.diplomacy.records import Turn
from ludus.games.diplomacy.table import Table


def inside(point: tuple[float, float], corners: tuple[tuple[float, float], ...]) -> bool:
    """Return whether a point lies in a polygon."""
    x, y = point
    crossed = False
    for (x1, y1), (x2, y2) in pairwise([*corners, corners[0]]):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            crossed = not crossed
    return crossed


def test_every_place_is_on_the_map() -> None:
    assert set(NAMES) == set(geography().provinces)
    assert set(outlines()) == set(geography().provinces) - SEAS
    assert set(ANCHORS) == set(geography().locations)


def test_neighbours_on_the_map_are_neighbours_in_the_game() -> None:
    board = geography()
    sides: dict[frozenset[tuple[float, float]], list[str]] = {}
    for place, corners in outlines().items():
        for one, other in pairwise([*corners, corners[0]]):
            sides.setdefault(frozenset((one, other)), []).append(place)
    drawn = {frozenset(places) for places in sides.values() if len(places) > 1}
    near = {
        frozenset((unit[1][:3], to))
        for unit, several in board.reach.items()
        for to in several
        if unit[1][:3] not in SEAS and to not in SEAS
    }
    assert drawn == near


def test_units_stand_where_they_belong() -> None:
    for place, anchor in ANCHORS.items():
        within = {province for province, shape in outlines().items() if inside(anchor, shape)}
        assert within == (set() if place in SEAS else {place[:3]}), place
        x, y = project(anchor)
        assert 0 < x < SIZE[0]
        assert 0 < y < SIZE[1]


def elements(text: str) -> list[str]:
    return [one.tag.rpartition("}")[2] for one in ElementTree.fromstring(text)]


@pytest.mark.parametrize("theme", THEMES)
def test_every_phase_can_be_drawn(theme: str) -> None:
    for seed in range(2):
        table = played(seed, years=2)
        for turn in [*table.history, current_turn(table)]:
            assert "polygon" in elements(turn_svg(turn, theme))


def test_an_order_adds_strokes() -> None:
    table = Table.start()
    bare = elements(turn_svg(current_turn(table)))
    table.submit("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE H"])
    turn = table.step()
    drawn = elements(turn_svg(turn))
    assert drawn.count("polyline") == bare.count("polyline") + 2
    assert drawn.count("polygon") == bare.count("polygon") + 1  # the head of the arrow
    assert drawn.count("circle") == bare.count("circle") + 2
    assert THEMES["light"].failed not in turn_svg(turn)


def test_what_failed_has_its_own_colour() -> None:
    table = Table.start()
    table.submit("FRANCE", ["A PAR - BUR"])
    table.submit("GERMANY", ["A MUN - BUR"])
    assert THEMES["light"].failed in turn_svg(table.step())


def test_a_centre_has_its_owners_colour() -> None:
    place = tuple(round(x) for x in project((2.6, 47.2)))
    table = Table.start({"units": {}, "centres": {"TURKEY": ["PAR"]}})
    pale = turn_picture(current_turn(table)).getpixel(place)
    table = Table.start({"units": {}, "centres": {"AUSTRIA": ["PAR"]}})
    other = turn_picture(current_turn(table)).getpixel(place)
    assert pale != other
    assert pale[2] < pale[0]  # yellow
    assert len(set(POWER_COLOURS.values())) == 7


def test_dislodged_units_and_convoys_are_drawn() -> None:
    units = {"FRANCE": ["A BUR", "F ENG", "A BRE"], "GERMANY": ["A MUN", "A RUH"]}
    table = Table.start({"units": units})
    table.submit("GERMANY", ["A MUN - BUR", "A RUH S A MUN - BUR"])
    table.submit("FRANCE", ["A BRE - WAL VIA", "F ENG C A BRE - WAL"])
    assert 'stroke-dasharray="2.5"' in turn_svg(table.step())
    assert THEMES["light"].failed in turn_svg(current_turn(table))


def test_pictures_and_films_are_written(tmp_path: Path) -> None:
    _, match = finished(max_year=1901)
    table = match.table
    write_replay(tmp_path / "map.png", table)
    write_svg(tmp_path / "map.svg", table, "dark")
    write_replay(tmp_path / "film.gif", table)
    with Image.open(tmp_path / "map.png") as image:
        assert image.size == (SIZE[0], SIZE[1] + 46)
    with Image.open(tmp_path / "film.gif") as film:
        assert film.n_frames == len(table.history) + 1  # type: ignore[attr-defined]
    assert ElementTree.parse(tmp_path / "map.svg").getroot().tag.endswith("svg")


def test_the_end_has_a_title() -> None:
    turn = current_turn(Table.start())
    over = Turn("COMPLETED", turn.state, turn.orders)
    assert ">The end, 1901<" in turn_svg(over)
    assert ">Spring 1901, movement<" in turn_svg(turn)


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(OptionError, match="light, dark"):
        turn_svg(current_turn(Table.start()), "sepia")


def test_a_missing_pillow_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(MissingExtra, match=r"ludus-arena\[pictures\]"):
        turn_picture(current_turn(Table.start()))
