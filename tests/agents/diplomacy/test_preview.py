"""A prompt can be read before anybody is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.agents.diplomacy.test_llm import PRESS, SHORT, played
from tests.agents.llm.server import Scripted, kind_of

from ludus.api.families.diplomacy import preview_prompt
from ludus.errors import OptionError


@pytest.mark.parametrize(
    ("scenario", "settings"),
    [(SHORT, "diary=no"), (SHORT, ""), ({**PRESS, "rounds": 3, "opponents": "dumb"}, "diary=no")],
)
def test_it_is_exactly_what_a_model_gets(
    server: Scripted, tmp_path: Path, scenario: dict[str, Any], settings: str
) -> None:
    match, _ = played(server.spec(settings), scenario)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(match.table.to_saved_game()))
    asked = [one["messages"] for one in server.requests if kind_of(one) == "orders"]
    for phase, (system, question) in zip(("S1901M", "F1901M"), asked, strict=False):
        shown = preview_prompt(file, phase, year=1901)
        assert shown.system == system["content"]
        assert without_rounds(shown.text) == without_rounds(question["content"])
        assert 500 < shown.tokens < 3000


def without_rounds(text: str) -> list[str]:
    """Return lines without the rounds of messages, which saved games do not keep."""
    lines = text.splitlines()
    return [
        json.dumps({**json.loads(line), "round": 0}) if line.startswith('{"phase"') else line
        for line in lines
    ]


@pytest.mark.parametrize(
    ("text", "phase", "power", "message"),
    [
        ("{}", "S1901M", "FRANCE", "no saved game"),
        ("nonsense", "S1901M", "FRANCE", "no saved game"),
        (None, "S1955M", "FRANCE", "has no phase 'S1955M'; it has S1901M"),
        (None, "S1901M", "NARNIA", "no power 'NARNIA': give one of AUSTRIA"),
    ],
)
def test_wrong_games_and_phases_are_named(
    tmp_path: Path, text: str | None, phase: str, power: str, message: str
) -> None:
    from ludus.games.diplomacy.table import Table

    file = tmp_path / "game.json"
    file.write_text(json.dumps(Table.start().to_saved_game()) if text is None else text)
    with pytest.raises(OptionError, match=message) as caught:
        preview_prompt(file, phase, power=power)
    assert "game.json" in str(caught.value)


def test_the_last_year_and_the_press_are_those_of_the_game(tmp_path: Path) -> None:
    from ludus.games.diplomacy.table import Table

    table = Table.start()
    for _ in range(2):
        table.step()
    file = tmp_path / "lmvsgame.json"
    file.write_text(json.dumps(table.to_saved_game()))
    assert "ends after the year 1901." in preview_prompt(file, "F1901M").system
    settings = {"max_year": 1907, "num_negotiation_rounds": 3}
    (tmp_path / "overview.jsonl").write_text(json.dumps(settings))
    shown = preview_prompt(file, "F1901M").system
    assert "ends after the year 1907." in shown
    assert "There is no talking" not in shown
    assert "ends after the year 1903." in preview_prompt(file, "F1901M", year=1903).system
