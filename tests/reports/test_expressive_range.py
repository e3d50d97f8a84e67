from __future__ import annotations

import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ludus.errors import MissingExtra, OptionError
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.metrics import Description, describe
from ludus.reports import draw_ranges, measure_ranges, write_ranges
from ludus.reports.expressive_range import LIMIT, MEASURES, check_drawable
from ludus.reports.sheet import STYLES

Found = dict[str, tuple[Description, ...]]


@pytest.fixture(scope="module")
def found() -> Found:
    return measure_ranges(["notch-framework", "tunable-2010", "notch-2009"], 20, difficulty=3)


def only(found: Found, count: int) -> Found:
    return dict(list(found.items())[:count])


def test_every_generator_is_measured_on_the_same_seeds(found: Found) -> None:
    assert [len(levels) for levels in found.values()] == [20, 20, 20]
    for name, levels in found.items():
        assert levels[7] == describe(generate(name, seed=7, difficulty=3))


def test_each_level_is_told_of() -> None:
    told: list[str] = []
    measure_ranges(["notch-2009", "tunable-2010"], 2, on_level=lambda name, _: told.append(name))
    assert told == ["notch-2009"] * 2 + ["tunable-2010"] * 2


def test_nothing_is_made_if_an_option_is_wrong() -> None:
    told: list[str] = []
    with pytest.raises(OptionError, match="notch-2009 has no option 'height'"):
        measure_ranges(
            ["notch-framework", "notch-2009"], 2, on_level=lambda n, _: told.append(n), height=20
        )
    assert told == []


def test_there_must_be_levels() -> None:
    with pytest.raises(OptionError, match="0 levels have no range"):
        measure_ranges(["notch-2009"], 0)
    with pytest.raises(OptionError, match="no levels of 'notch-2009'"):
        draw_ranges({"notch-2009": ()})


@pytest.mark.parametrize(("columns", "panels"), [(1, 2 + 4), (2, 4 + 4), (3, 6 + 4)])
def test_every_generator_has_its_maps_and_all_share_histograms(
    found: Found, columns: int, panels: int
) -> None:
    figure = draw_ranges(only(found, columns))
    assert len(figure.axes) == panels
    titles = [panel.get_title(loc="left") for panel in figure.axes]
    assert [title for title in titles if title] == [
        f"{name} · 20 levels" for name in only(found, columns)
    ]
    assert [panel.get_xlabel() for panel in figure.axes[-4:]] == [
        measure.replace("_", " ") for measure in MEASURES
    ]


def test_the_maps_of_all_generators_have_the_same_axes(found: Found) -> None:
    maps = draw_ranges(found).axes[:6]
    for row in (maps[:3], maps[3:]):
        assert len({(panel.get_xlim(), panel.get_ylim()) for panel in row}) == 1


def test_a_map_shows_every_level(found: Found) -> None:
    figure = draw_ranges(only(found, 1))
    for panel in figure.axes[:2]:
        counts = panel.collections[0].get_array()
        assert counts is not None
        assert np.ma.sum(counts) == 20


def test_levels_that_are_all_alike_can_be_drawn(tmp_path: Path) -> None:
    flat = measure_ranges(["tunable-2010"], 3, flat=True)
    write_ranges(tmp_path / "flat.png", flat)
    assert (tmp_path / "flat.png").stat().st_size > 1000


@pytest.mark.parametrize("style", STYLES)
def test_the_picture_has_the_paper_of_its_style(found: Found, style: str, tmp_path: Path) -> None:
    path = tmp_path / "range.png"
    write_ranges(path, only(found, 2), title="difficulty 3", style=style)
    picture = np.asarray(Image.open(path).convert("RGB"))
    paper = tuple(int(STYLES[style].paper[n : n + 2], 16) for n in (1, 3, 5))
    assert tuple(picture[2, 2]) == paper
    assert struct.unpack(">I", path.read_bytes()[16:20]) == (picture.shape[1],)
    assert picture.shape[1] >= 1000


@pytest.mark.parametrize("count", [1, 2, 3])
def test_everything_has_room(found: Found, count: int) -> None:
    figure = draw_ranges(only(found, count), title="difficulty 3")
    figure.draw_without_rendering()
    boxes = [panel.get_tightbbox() for panel in figure.axes]
    for number, box in enumerate(boxes):
        assert box is not None
        assert min(box.x0, box.y0) >= 0
        assert (box.x1, box.y1) <= tuple(figure.bbox.size)
        for other in boxes[number + 1 :]:
            assert other is not None
            assert not box.padded(-2).overlaps(other)


def test_other_formats_can_be_written(found: Found, tmp_path: Path) -> None:
    write_ranges(tmp_path / "range.svg", only(found, 1))
    assert "<svg" in (tmp_path / "range.svg").read_text()


def test_what_cannot_be_drawn_says_so(found: Found, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no style 'pink'; try one of light, dark"):
        draw_ranges(found, style="pink")
    many = {str(n): found["notch-2009"] for n in range(LIMIT + 1)}
    with pytest.raises(OptionError, match="7 generators do not fit a picture: give 1 to 6"):
        draw_ranges(many)
    with pytest.raises(OptionError, match="0 generators"):
        draw_ranges({})
    with pytest.raises(OptionError, match=r"cannot write .*No such file"):
        write_ranges(tmp_path / "none" / "x.png", only(found, 1))
    with pytest.raises(OptionError, match=r"cannot write .*xyz"):
        write_ranges(tmp_path / "x.xyz", only(found, 1))


def test_without_matplotlib_the_error_says_what_to_install(
    found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r'pip install "ludus-arena\[plots\]"'):
        draw_ranges(found)
    with pytest.raises(MissingExtra):
        check_drawable(["notch-2009"])
