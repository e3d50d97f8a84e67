"""Six levels look as they did: the picture is kept in the docs.

`python -m tests.golden.test_level_pictures` draws it anew; look at it then.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ludus.games.platformer import Level
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.campaign import campaign_level
from ludus.games.platformer.pictures import level_picture

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "six-levels.png"
COLUMNS = 120
BORDER = 4


def levels() -> list[Level]:
    return [
        generate("ludus", seed=11, difficulty=2, length=COLUMNS),
        generate("ludus", seed=12, difficulty=6, length=COLUMNS, type="underground"),
        generate("ludus", seed=13, length=COLUMNS, ladders=40, moving_platforms=40, keys=30),
        generate("notch-framework", seed=3, difficulty=4, width=COLUMNS),
        generate("tunable-2010", seed=5, difficulty=4, width=COLUMNS, dead_ends=True),
        campaign_level("1-4"),
    ]


def sheet() -> NDArray[np.uint8]:
    drawn = [level_picture(level)[:, : 16 * COLUMNS] for level in levels()]
    height = sum(picture.shape[0] + BORDER for picture in drawn)
    paper = np.full((height, 16 * COLUMNS, 3), 255, np.uint8)
    top = 0
    for picture in drawn:
        paper[top : top + picture.shape[0], : picture.shape[1]] = picture
        top += picture.shape[0] + BORDER
    return paper


def test_the_six_levels_look_as_they_did() -> None:
    with Image.open(PICTURE) as kept:
        assert np.array_equal(np.asarray(kept.convert("RGB")), sheet())


if __name__ == "__main__":
    from ludus.games.media.png import write_png

    write_png(PICTURE, sheet())
