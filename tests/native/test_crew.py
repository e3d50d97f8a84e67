"""Threads share the items of a job out among themselves, under the sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.native.building import NATIVE, SANITIZED, STRICT, run


@pytest.mark.parametrize("sanitizer", [SANITIZED, ("-O1", "-g", "-fsanitize=thread")])
def test_every_item_is_done_once(sanitizer: tuple[str, ...], tmp_path: Path) -> None:
    sources = Path(__file__).with_name("crew_test.c"), NATIVE / "common" / "crew.c"
    flags = (*STRICT, *sanitizer, f"-I{NATIVE}", "-pthread")
    run("gcc", *flags, *sources, "-o", tmp_path / "crew")
    run(tmp_path / "crew")
