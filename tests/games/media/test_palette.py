from __future__ import annotations

import numpy as np
import pytest

from ludus.games.media.palette import MOST_COLOURS, count_colours, reduce_colours, split_palette


@pytest.mark.parametrize("colours", [1, 2, 300])
def test_palette_and_indices_make_the_picture_again(colours: int) -> None:
    generator = np.random.default_rng(colours)
    picture = generator.integers(0, 256, (colours, 3), np.uint8)[
        generator.integers(0, colours, (20, 31))
    ]
    palette, indices = split_palette(picture)
    assert np.array_equal(palette[indices], picture)
    assert len(palette) == count_colours(picture) == len(np.unique(palette, axis=0))


def test_frames_are_reduced_alike_until_they_fit_a_gif() -> None:
    ramp = np.linspace(0, 255, 40 * 40 * 3).reshape(40, 40, 3).astype(np.uint8)
    noise = np.random.default_rng(1).integers(0, 256, (40, 40, 3), np.uint8)
    assert count_colours(ramp) > MOST_COLOURS / 2
    first, second, third = reduce_colours(iter([ramp, ramp, noise]))
    assert np.array_equal(first, second)
    assert count_colours(first) < count_colours(ramp)
    assert np.abs(first.astype(int) - ramp).max() <= 8
    assert third.dtype == np.uint8
