from __future__ import annotations

import pytest
from tests.golden.transcripts import GAMES, HERE, MAPS, transcript


@pytest.mark.parametrize("name", [*GAMES, *MAPS])
def test_the_game_goes_as_written_down(name: str) -> None:
    assert transcript(name) == (HERE / f"{name}.txt").read_text(encoding="utf-8")
