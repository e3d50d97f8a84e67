from __future__ import annotations

import pytest
from tests.golden import diplomacy_transcripts
from tests.golden.transcripts import GAMES, HERE, MAPS, OPTIONS, transcript


@pytest.mark.parametrize("name", [*GAMES, *MAPS, *OPTIONS])
def test_the_game_goes_as_written_down(name: str) -> None:
    assert transcript(name) == (HERE / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", diplomacy_transcripts.GAMES)
def test_a_game_of_diplomacy_goes_as_written_down(name: str) -> None:
    text = diplomacy_transcripts.write_game(diplomacy_transcripts.GAMES[name])
    assert text == (HERE / f"{name}.txt").read_text(encoding="utf-8")
