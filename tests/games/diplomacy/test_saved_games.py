from __future__ import annotations

import json
from typing import Any

import pytest
from tests.games.diplomacy.play import played

from ludus.errors import OptionError
from ludus.games.diplomacy.records import POWERS, Message
from ludus.games.diplomacy.saved_games import read_saved_game, turn_from_json, turn_to_json
from ludus.games.diplomacy.table import Table


def test_a_restored_table_is_the_same_and_goes_on_alike() -> None:
    for seed in range(4):
        table = played(seed)
        table.submit("FRANCE", ["nonsense", *[o[0] for o in table.legal("FRANCE").values()]])
        table.add_message(Message("FRANCE", "ITALY", "Piedmont?", table.phase, 1))
        again = Table.restore(table.snapshot())
        assert again.snapshot() == table.snapshot()
        assert again.history == table.history
        assert again.step() == table.step()
        assert again.snapshot() == table.snapshot()


def test_a_table_restored_among_retreats_is_the_same() -> None:
    position = {"units": {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]}}
    table = Table.start(position)
    table.submit("GERMANY", ["A MUN - BUR", "A RUH S A MUN - BUR"])
    table.step()
    again = Table.restore(table.snapshot())
    for one in (table, again):
        one.submit("FRANCE", ["A BUR R PAR"])
    assert again.step() == table.step()


@pytest.mark.parametrize("snapshot", [b"", b"nonsense", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_what_is_no_snapshot_is_refused(snapshot: bytes) -> None:
    with pytest.raises(OptionError, match="snapshot"):
        Table.restore(snapshot)


def test_turns_survive_json() -> None:
    for turn in played(3).history:
        assert turn_from_json(json.loads(json.dumps(turn_to_json(turn)))) == turn


def test_a_saved_game_comes_back_as_it_was() -> None:
    table = played(2)
    saved = json.loads(json.dumps(table.to_saved_game(phase_summaries={"S1901M": "quiet"})))
    assert saved["phase_summaries"] == {"S1901M": "quiet"}
    again = Table.from_saved_game(saved)
    assert (again.phase, again.units, again.centres) == (table.phase, table.units, table.centres)
    assert [turn.phase for turn in again.history] == [turn.phase for turn in table.history]
    assert again.to_saved_game()["phases"] == saved["phases"]
    for one in (table, again):
        one.submit("FRANCE", [orders[-1] for orders in one.legal("FRANCE").values()])
        one.step()
    assert again.units == table.units


def test_a_finished_game_knows_its_winner_again() -> None:
    centres = ["BRE", "MAR", "PAR", "SPA", "POR", "BEL", "HOL", "MUN", "KIE", "BER", "DEN", "SWE"]
    centres += ["NWY", "LON", "EDI", "LVP", "ROM"]
    position = {"phase": "F1905M", "units": {"FRANCE": ["A TUN"], "ITALY": ["A NAP"]}}
    table = Table.start({**position, "centres": {"FRANCE": centres, "ITALY": ["NAP"]}})
    table.step()
    again = Table.from_saved_game(json.loads(json.dumps(table.to_saved_game())))
    assert (again.over, again.winner, again.year) == (True, "FRANCE", 1905)


def test_messages_are_numbered_in_their_order() -> None:
    table = Table.start()
    for text in ("one", "two"):
        table.add_message(Message("FRANCE", "GLOBAL", text, table.phase, 1))
        table.step()
    phases = table.to_saved_game()["phases"]
    assert [one["time_sent"] for phase in phases for one in phase["messages"]] == [1, 2]
    assert phases[0]["messages"][0]["message"] == "one"
    assert "NO_PRESS" not in table.to_saved_game()["rules"]
    assert "NO_PRESS" in Table.start().to_saved_game()["rules"]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ([], "phases"),
        ({}, "phases"),
        ({"phases": {}}, "phases"),
        ({"phases": []}, "no phase"),
        ({"phases": [{}], "map": "modern"}, "modern"),
        ({"phases": [{}]}, "cannot be read"),
        ({"phases": [{"name": "S1901M", "state": 7}]}, "cannot be read"),
    ],
)
def test_what_is_no_saved_game_is_refused(game: Any, words: str) -> None:
    for read in (read_saved_game, Table.from_saved_game):
        with pytest.raises(OptionError, match=words):
            read(game)


def test_powers_that_a_file_leaves_out_have_nothing() -> None:
    phase = {"name": "S1905M", "state": {"units": {"FRANCE": ["A PAR"]}, "centers": {}}}
    turn = read_saved_game({"phases": [phase]})[0]
    assert turn.units == {**{power: [] for power in POWERS}, "FRANCE": ["A PAR"]}
    assert turn.centres["FRANCE"] == []
