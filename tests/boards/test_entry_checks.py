"""Particulars of a ledger that no Ludus has written are refused before a board is made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.making import unsealed_ledger

from ludus.boards.entry_checks import check_particulars


@pytest.fixture
def body(tmp_path: Path) -> dict[str, Any]:
    """Return the particulars of an entry that was accepted."""
    first: dict[str, Any] = json.loads(unsealed_ledger(tmp_path).splitlines()[0])["text"]
    check_particulars(first)
    return first


@pytest.mark.parametrize("method", [7, None, [], {}, "x" * 100_000])
def test_the_method_of_an_interval_is_a_word(body: dict[str, Any], method: object) -> None:
    body["entry"]["headline"]["method"] = method
    with pytest.raises(ValueError, match=r"'headline\.method' is"):
        check_particulars(body)
