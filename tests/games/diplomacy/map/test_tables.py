"""The engine's tables of the map are those that the script would write."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[4]


def test_the_tables_are_up_to_date() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "write_diplomacy_map.py"))
    assert script["TABLES"].read_text() == script["write_tables"]()


def test_there_are_as_many_convoy_routes_as_counted_by_hand() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "write_diplomacy_map.py"))
    routes = script["Map"]().routes
    assert (len(routes), sum(len(ends) for _, _, ends in routes)) == (892, 2094)
