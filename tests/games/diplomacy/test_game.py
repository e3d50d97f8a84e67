from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest
from tests.games.diplomacy.play import finished

from ludus.errors import ActionError, OptionError
from ludus.games.diplomacy.game import DiplomacyGame
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.packing import MOST_BYTES, unpack
from ludus.games.diplomacy.records import POWERS, Message
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.game import Filmable, find_game

GAME = DiplomacyGame()


def test_the_game_is_found_by_its_name() -> None:
    game = find_game("diplomacy")
    assert game.name == "diplomacy"
    assert game.rules([]) == "diplomacy@3"
    assert game.provenance.keys() >= {"compiler", "flags", "source_hash", "state_digest"}
    assert isinstance(game, Filmable)


@pytest.mark.parametrize("spec", ["hold", "random", "dumb"])
def test_a_replay_needs_nobody_and_ends_the_same(spec: str) -> None:
    scenario, match = finished(spec, seed=3, max_year=1905)
    nobody = Scenario.from_dict({**scenario.to_dict(), "opponents": "nobody at all"})
    assert GAME.replay(nobody, match.record()) == match.facts()


def test_rejected_texts_messages_and_faults_are_replayed() -> None:
    class Broken:
        name = "broken"

        def reset(self, scenario: Scenario) -> None:
            pass

        def act(self, view: object) -> None:
            raise RuntimeError

    scenario = Scenario(press="full", rounds=1, max_year=1901)
    match = DiplomacyMatch(scenario, {"ITALY": Broken()})
    match.step([Message("", "ITALY", "hello \ud800 there")])
    match.step(["A PAR - BUR", "\x00", "A PAR - \U0001f600"])
    facts = GAME.replay(scenario, match.record())
    assert facts == match.facts()
    assert (facts["orders_illegal"], facts["messages_sent"], facts["opponent_faults"]) == (2, 1, 1)


def test_nothing_played_has_an_empty_record() -> None:
    scenario = Scenario(first_year=1910)
    match = DiplomacyMatch(scenario)
    assert match.record() == b""
    facts = GAME.replay(scenario, b"")
    assert facts == match.facts()
    assert facts["stopped_early"] is True
    assert (facts["first_year"], facts["last_year"], facts["phases"]) == (1910, None, 0)


def test_a_record_that_stops_early_says_so() -> None:
    scenario, match = finished()
    assert match.facts()["stopped_early"] is False
    values = unpack(match.record())
    shorter = zlib.compress(json.dumps({"turns": values["turns"][:2]}).encode())
    facts = GAME.replay(scenario, shorter)
    assert (facts["stopped_early"], facts["phases"], facts["last_year"]) == (True, 2, 1901)


def packed(values: object) -> bytes:
    return zlib.compress(json.dumps(values).encode())


@pytest.mark.parametrize(
    "record",
    [
        b"nonsense",
        packed([]),
        packed({}),
        packed({"turns": {}}),
        packed({"turns": [7]}),
        packed({"turns": [{"phase": "S1901M"}]}),
        packed({"turns": [{"phase": "F1901M", "orders": {}}]}),
        packed({"turns": [{"phase": "S1901M", "orders": {"FRANCE": ["A PAR - MOS"]}}]}),
        packed({"turns": [{"phase": "S1901M", "orders": {"FRANCE": ["a par - bur"]}}]}),
        packed({"turns": [{"phase": "S1901M", "orders": {"SPAIN": []}}]}),
        packed({"turns": [{"phase": "S1901M", "orders": {}, "messages": [[1]]}]}),
        zlib.compress(b" " * (MOST_BYTES + 1)),
    ],
)
def test_what_is_no_record_is_refused(record: bytes) -> None:
    with pytest.raises(ActionError):
        GAME.replay(Scenario(), record)


def test_facts_are_plain_and_the_same_after_json() -> None:
    facts = finished()[1].facts()
    assert json.loads(json.dumps(facts)) == facts
    assert sum(facts[f"centres_{power}"] for power in POWERS) <= 34  # type: ignore[misc]


def test_a_game_can_be_shown(tmp_path: Path) -> None:
    scenario, match = finished(max_year=1901)
    starts = {".png": b"\x89PNG", ".gif": b"GIF89a", ".mp4": b"\0\0\0", ".svg": b"<svg"}
    for suffix, start in starts.items():
        path = tmp_path / f"game{suffix}"
        GAME.write_film(scenario, match.record(), path)
        assert path.read_bytes().startswith(start)
    GAME.write_film(scenario, match.record(), tmp_path / "game.json")
    saved = json.loads((tmp_path / "game.json").read_text())
    assert saved["phases"][0]["name"] == "S1901M"
    with pytest.raises(OptionError, match=r"\.svg, \.png, \.gif, \.mp4, \.json"):
        GAME.write_film(scenario, match.record(), tmp_path / "game.bmp")
