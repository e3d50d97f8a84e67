from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from ludus.games.media.moments import draw_moments


def frames(count: int) -> Iterator[NDArray[np.uint8]]:
    for number in range(count):
        yield np.full((2, 3, 3), number % 256, np.uint8)


def shown(count: int) -> list[int]:
    sheet = draw_moments(frames(count))
    return [int(value) for value in sheet[::6, ::7, 0].ravel() if value != 255]


def test_moments_are_spread_from_first_to_last() -> None:
    assert shown(1) == [0]
    assert shown(5) == [0, 1, 2, 3, 4]
    picked = shown(200)
    assert (len(picked), picked[0], picked[-1]) == (12, 0, 199)
    steps = np.diff(picked)
    assert steps.min() > 0
    assert steps.max() - steps.min() <= 10


def test_no_frames_are_refused() -> None:
    with pytest.raises(ValueError, match="no frames"):
        draw_moments([])
