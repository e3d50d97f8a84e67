from __future__ import annotations

from ludus.agents import names


def test_the_baseline_players_are_registered_with_a_line_each() -> None:
    registered = names("platformer")
    assert list(registered)[:6] == [
        "idle",
        "random",
        "forward-jumping",
        "rule-based",
        "linear",
        "astar",
    ]
    assert all(line and "\n" not in line for line in registered.values())
