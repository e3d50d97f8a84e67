"""Plays recorded games, dense positions and the DATC's cases again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import pytest
from tests.conformance.diplomacy import digest_orders, digest_position, recordings

from ludus.games.diplomacy import Board

CHOICES = {
    ("6.A.5", None): "a support for a move to one's own place is no order, as all illegal texts",
    ("6.B.9", None): "the recorded text names no coast; a wrong coast in a support is void",
    ("6.B.15", None): "a support without coast counts for either coast, so both bounce",
    ("6.G.2", "1971"): "rules of 2023: foreign convoys do not carry off an adjacent army",
    ("6.G.7", "1971"): "rules of 2023, likewise",
    ("6.G.8", None): "an army ordered by sea to a neighbour walks if no route was ordered",
    ("6.G.19", "1971"): "rules of 2023, likewise",
    ("6.J.9", "2023"): "A ALB is three steps away, F SKA two",
    ("6.J.11", "1971"): "rules of 2023: the nearest centre of the power counts",
}
"""Where the suite expects something else, and why; docs/adjudicator.md says more."""

TRANSCRIPT = "26faf10d7697dddb"
"""A digest of what came between all units and their orders."""


def without_empty(lists: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {name: items for name, items in lists.items() if items}


def play(phase: Mapping[str, Any], **rules: str) -> tuple[Board, dict[str, list[str]]]:
    board = Board.from_record({"centers": {}, **phase}, **rules)
    return board, board.step(phase["orders"])


def is_done(text: str, orders: Mapping[str, list[str]], codes: list[str]) -> bool:
    """Return whether an order of the suite has succeeded."""
    if not any(text in own for own in orders.values()):
        return False
    if text.split()[2] in ("H", "C"):
        return "dislodged" not in codes
    return not [code for code in codes if text.split()[2] != "S" or code != "dislodged"]


def differences(case: Mapping[str, Any]) -> list[str]:
    """Return what a case expects and does not get."""
    found = []
    for phase in case["phases"]:
        board, results = play(phase, civil_disorder="2023")
        for text, wanted in phase.get("expected", {}).items():
            codes = results.get(" ".join(text.split()[:2]), [])
            if phase["name"][-1] == "M" and is_done(text, phase["orders"], codes) != (
                wanted == "succeeds"
            ):
                found.append(text)
        standing = {unit for units in board.units().values() for unit in units}
        found += [unit for unit in phase.get("expected_gone", ()) if unit in standing]
    return found


def test_every_case_of_the_datc_comes_out_as_documented() -> None:
    cases = [case for case in recordings()["cases"] if case["suite"] == "DATC v3"]
    assert len(cases) == 171
    differing = {(case["id"], case.get("edition")) for case in cases if differences(case)}
    assert differing == set(CHOICES)


def test_cases_end_as_recorded_but_for_the_swap_by_a_convoy_of_ones_own() -> None:
    other = set()
    for case in recordings()["cases"]:
        for phase in case["phases"]:
            board, _ = play(phase)
            if without_empty(board.units()) != without_empty(phase["after"]):
                other.add(case["id"])
    assert other == {"6.G.11"}


def test_dense_positions_end_as_the_rulebook_says() -> None:
    positions = recordings()["positions"]
    assert len(positions) > 2500
    transcript = hashlib.sha256()
    for units, orders, after, dislodged in positions:
        board, results = play({"name": "S1901M", "units": units, "orders": orders})
        assert without_empty(board.units()) == without_empty(after)
        assert sorted(u for u, codes in results.items() if "dislodged" in codes) == dislodged
        transcript.update(json.dumps([results, board.to_record()]).encode())
    assert transcript.hexdigest()[:16] == TRANSCRIPT


def test_legal_orders_are_those_recorded() -> None:
    for units, legal in recordings()["legal"]:
        board = Board.from_record({"name": "S1901M", "units": units})
        assert digest_orders(board.legal_orders()) == legal


def policies() -> list[str]:
    return sorted({policy for policy, _ in recordings()["games"]})


@pytest.mark.parametrize("policy", policies())
def test_games_go_as_recorded(policy: str) -> None:
    steps = 0
    for stretch in (s for name, game in recordings()["games"] if name == policy for s in game):
        board = Board.from_record(stretch[0])
        for orders, legal, after in stretch[1]:
            assert legal is None or digest_orders(board.legal_orders()) == legal
            board.step(orders)
            assert digest_position(board.to_record()) == after
            steps += 1
    assert steps > 10
