"""Films of other sizes and speeds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ludus.errors import OptionError
from ludus.games.media.film_options import FilmOptions
from ludus.games.media.video import write_film


@pytest.mark.parametrize(
    ("options", "natural", "rate", "chosen"),
    [
        (FilmOptions(), 30, 30, [0, 1, 2, 3, 4, 5]),
        (FilmOptions(speed=2), 30, 30, [0, 2, 4]),
        (FilmOptions(speed=0.5), 30, 15, [0, 1, 2, 3, 4, 5]),
        (FilmOptions(fps=10), 30, 10, [0, 3]),
        (FilmOptions(fps=15, speed=0.25), 30, 15, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]),
        (FilmOptions(speed=10), 1.25, 12.5, [0, 1, 2, 3, 4, 5]),
        (FilmOptions(speed=1.5), 30, 30, [0, 1, 3, 4]),
    ],
)
def test_which_frames_a_film_shows(
    options: FilmOptions, natural: float, rate: float, chosen: list[int]
) -> None:
    assert options.rate(natural) == rate
    assert list(options.choose(range(6), natural)) == chosen


def test_a_film_lasts_as_long_as_its_speed_says(tmp_path: Path) -> None:
    frames = [np.full((4, 6, 3), 8 * n, np.uint8) for n in range(30)]
    counted: list[int] = []
    for name, options in [
        ("plain", FilmOptions(on_frame=counted.append)),
        ("slow", FilmOptions(speed=0.5, scale=3)),
    ]:
        write_film(tmp_path / f"{name}.gif", frames, 30, options=options)
    assert counted == list(range(1, 16))  # a GIF shows every other frame, so that it is small
    assert _length(tmp_path / "plain.gif") == ((6, 4), 1000)
    assert _length(tmp_path / "slow.gif") == ((18, 12), 2000)


def _length(path: Path) -> tuple[tuple[int, int], int]:
    with Image.open(path) as film:
        total = 0
        for number in range(getattr(film, "n_frames", 1)):
            film.seek(number)
            total += film.info["duration"]
        return film.size, total


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"scale": 0}, "scale must be from 1 to 8: 0"),
        ({"speed": -1.0}, "speed must be from 0.1 to 100: -1"),
        ({"fps": float("nan")}, "fps must be from 1 to 120: nan"),
    ],
)
def test_films_that_cannot_be(values: dict[str, float], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        FilmOptions(**values)  # type: ignore[arg-type]
