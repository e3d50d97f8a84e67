"""Boards: records, orders, what comes of them, copies, and what is refused."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import ActionError, EpisodeOver, OptionError
from ludus.games.diplomacy import Board
from ludus.games.diplomacy.records import POWERS

FAR = {
    "name": "W1905A",
    "units": {"RUSSIA": ["A TUN", "A MOS"]},
    "centers": {"RUSSIA": ["MOS"], "ITALY": ["TUN"]},
}


def random_orders(board: Board, chance: random.Random) -> dict[str, list[str]]:
    legal, orderable = board.list_by_owner()
    builds = board.builds()
    orders = {}
    for power in POWERS:
        own = [chance.choice(legal[place]) for place in orderable[power]]
        orders[power] = own[: abs(builds[power]["count"])] if board.phase[-1] == "A" else own
    return orders


def random_board(seed: int, phases: int) -> Board:
    board, chance = Board(), random.Random(seed)
    for _ in range(phases):
        if not board.over:
            board.step(random_orders(board, chance))
    return board


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), phases=st.integers(0, 40))
def test_records_lead_back_to_the_board(seed: int, phases: int) -> None:
    board = random_board(seed, phases)
    record = board.to_record()
    again = Board.from_record(record)
    assert again.to_record() == record
    assert again.legal_orders() == board.legal_orders()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), phases=st.integers(0, 40))
def test_copies_go_the_same_way_and_disturb_nothing(seed: int, phases: int) -> None:
    board = random_board(seed, phases)
    before, state = board.to_record(), board.snapshot()
    copies = [board.copy(), pickle.loads(pickle.dumps(board)), Board()]
    copies[2].restore(state)
    if not board.over:
        orders = random_orders(board, random.Random(seed))
        ends = {str(copy.step(orders)) + str(copy.digest()) for copy in copies}
        assert len(ends) == 1
    assert board.to_record() == before
    assert board.snapshot() == state


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_units_and_centres_add_up(seed: int) -> None:
    board, chance = Board(), random.Random(seed)
    for _ in range(30):
        if board.over:
            return
        kind, owned = board.phase[-1], sum(map(len, board.centres().values()))
        units = sum(map(len, board.marked_units().values()))
        board.step(random_orders(board, chance))
        places = [unit[2:5] for own in board.units().values() for unit in own]
        assert len(places) == len(set(places)), "no two units stand in one province"
        assert 22 <= owned <= sum(map(len, board.centres().values())) <= 34
        if kind == "A":
            assert all(
                len(board.units()[power]) <= max(len(board.centres()[power]), 0) for power in POWERS
            )
        else:
            assert len(places) <= units


def test_civil_disorder_measures_from_owned_centres_or_from_homes() -> None:
    record = {
        "name": "W1905A",
        "units": {"RUSSIA": ["A BUD", "A WAR"]},
        "centers": {"RUSSIA": ["BUD"], "ITALY": ["WAR"]},
    }
    new, old = (Board.from_record(record, civil_disorder=rule) for rule in ("2023", "package"))
    assert new.step({}) == {"A WAR": [""]}
    assert old.step({}) == {"A BUD": [""]}


def test_eighteen_centres_win_at_once_or_in_a_year_of_growth() -> None:
    centres = Board.from_record(FAR).centres()
    full = random_board(1, 0).centres()
    eighteen = [place for power in POWERS for place in full[power]][:18]
    record = {**FAR, "name": "F1905M", "centers": {"RUSSIA": eighteen}}
    new, old = (Board.from_record(record, victory=rule) for rule in ("2023", "package"))
    new.step({}), old.step({})
    assert (new.over, new.outcome, new.note) == (True, ["W1905A", "RUSSIA"], "Victory by: RUS")
    assert not Board.from_record({**record, "units": {"RUSSIA": ["A MOS"]}}).over
    assert centres["RUSSIA"] == ["MOS"]
    with pytest.raises(EpisodeOver):
        new.step({})


def test_results_have_the_form_of_records() -> None:
    assert Board().step({"FRANCE": ["A PAR - BUR"]}) == {}
    board = Board.from_record(FAR)
    assert board.step({"RUSSIA": ["A MOS D"]}) == {"A MOS": [""]}


@pytest.mark.parametrize(
    ("power", "text", "words"),
    [
        ("FRANCE", "A PAR - LON", "FRANCE may not order 'A PAR - LON' now"),
        ("FRANCE", "A MUN H", "may not order 'A MUN H'"),
        ("FRANCE", "army Paris holds", "is not written as an order"),
        ("FRANCE", "A PAR B", "may not order"),
        ("FRANCE", 7, "cannot order 7"),
        ("MOON", "A PAR H", "no power 'MOON'"),
    ],
)
def test_illegal_orders_are_refused_and_change_nothing(power: str, text: Any, words: str) -> None:
    board = Board()
    before = board.digest()
    with pytest.raises(ActionError, match=words):
        board.step({power: [text]})
    assert board.digest() == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": "X1901M"}, "no phase 'X1901M'"),
        ({"name": "W1901M"}, "no phase"),
        ({"units": {"MOON": ["A PAR"]}}, "no power 'MOON'"),
        ({"units": {"FRANCE": ["F PAR"]}}, "FRANCE cannot have 'F PAR'"),
        ({"units": {"FRANCE": ["F SPA"]}}, "FRANCE cannot have 'F SPA'"),
        ({"units": {"FRANCE": ["A PAR"], "ITALY": ["A PAR"]}}, "ITALY cannot have 'A PAR'"),
        ({"units": ["A PAR"]}, "'units' of a record lists what each power has"),
        ({"centers": {"FRANCE": ["BUR"]}}, "FRANCE cannot have 'BUR'"),
        ({"centers": {"FRANCE": ["PAR", "PAR"]}}, "FRANCE cannot have 'PAR'"),
        (
            {"name": "S1901R", "retreats": {"FRANCE": {"A GAS": ["LON"]}}},
            "FRANCE cannot have 'A GAS R LON'",
        ),
    ],
)
def test_bad_records_are_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Board.from_record({"name": "S1901M", "units": {}, "centers": {}, **change})


@pytest.mark.parametrize("nothing", [[], (), None])
def test_powers_without_anything_may_be_written_in_several_ways(nothing: Any) -> None:
    lists: dict[str, Any] = {"units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}}
    bare = {"ITALY": nothing}
    fuller = {name: {**listed, **bare} for name, listed in lists.items()}
    board = Board.from_record({"name": "S1901M", **fuller, "retreats": bare})
    assert board.to_record() == Board.from_record({"name": "S1901M", **lists}).to_record()


@pytest.mark.parametrize("option", ["civil_disorder", "victory"])
def test_unknown_rules_are_refused(option: str) -> None:
    with pytest.raises(OptionError, match=f"no {option} '1971'; try 2023 or package"):
        Board.from_record(FAR, **{option: "1971"})


def test_forged_states_are_refused() -> None:
    board = Board()
    state = bytearray(board.snapshot())
    state[-1] ^= 1
    for forged in (b"", b"x", bytes(state), bytes(state[:-1])):
        with pytest.raises(OptionError, match="no state of a board"):
            board.restore(forged)
    assert board.phase == "S1901M"
