from __future__ import annotations

import pytest
from tests.golden.transcripts import GAMES, HERE, MAPS, OPTIONS, transcript


@pytest.mark.parametrize("name", [*GAMES, *MAPS, *OPTIONS])
def test_the_game_goes_as_written_down(name: str) -> None:
    assert transcript(name) == (HERE / f"{name}.txt").read_text(encoding="utf-8")
