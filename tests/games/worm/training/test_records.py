from __future__ import annotations

import base64
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.games.worm.training import Declaration, pack_actions, unpack_actions
from ludus.games.worm.training.records import read_record, write_record

ACTIONS = st.lists(st.integers(0, 3), max_size=200).map(bytes)


@given(ACTIONS, st.booleans(), st.integers(0, 2**50))
def test_records_come_back(actions: bytes, learning: bool, parameters: int) -> None:
    declared = Declaration(learning, "with CMA-ES", 7, parameters)
    assert read_record(write_record(declared, actions)) == (declared, actions)
    assert unpack_actions(pack_actions(actions)) == actions


def test_nothing_is_a_training_not_begun() -> None:
    assert read_record(b"") == (Declaration(), b"")


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (b"x", "does not begin as one"),
        (b"[]\n" + zlib.compress(b""), "does not begin as one"),
        (b"{}\nno", "hold no actions"),
        (b"{}\n" + zlib.compress(b"\x00" * 9)[:-3], "break off"),
        (b"{}\n" + zlib.compress(b"\x09\x00\x00\x00" + b"\x00" * 2), "break off"),
        (b"{}\n" + zlib.compress(b"\x01"), "break off"),
        (b'{"learning": 1}\n' + zlib.compress(b""), "neither true nor false"),
        (b'{"parameters": -1}\n' + zlib.compress(b""), "'parameters' is -1"),
        (b'{"pretrained": 3}\n' + zlib.compress(b""), "is no line"),
    ],
)
def test_what_is_no_record_is_told(record: bytes, told: str) -> None:
    with pytest.raises(OptionError, match=told):
        read_record(record)


@pytest.mark.parametrize("text", ["ä", "AAAA", "x", 3])
def test_what_holds_no_actions_is_told(text: Any) -> None:
    with pytest.raises(OptionError, match="actions"):
        unpack_actions(text)


def test_what_is_no_action_is_not_packed() -> None:
    with pytest.raises(OptionError, match="4 is no action of the worm"):
        pack_actions([0, 4])


def test_actions_are_short() -> None:
    assert len(pack_actions(bytes([0, 1, 2, 3]) * 1000)) < 100


def test_a_bomb_is_not_unpacked() -> None:
    bomb = base64.b64encode(zlib.compress(b"\x00" * 30_000_000, 9)).decode()
    assert len(bomb) < 50_000
    with pytest.raises(OptionError, match="more than 20,000,000 actions"):
        unpack_actions(bomb)
