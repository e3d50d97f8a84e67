"""An agent that looks up recorded decisions leads in practice, and falls in a sealed season."""

from __future__ import annotations

from typing import Any

import pytest
from perf.learned_by_heart import HONEST, play_boards

Rows = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rows, Rows]:
    """Return the rows in practice and in the season, by agent."""
    practice, season = (
        {row["agent"]: row for row in board.to_dicts()}
        for board in play_boards(tmp_path_factory.mktemp("by-heart"))
    )
    return practice, season


def test_who_learned_by_heart_leads_in_practice(boards: tuple[Rows, Rows]) -> None:
    practice, _ = boards
    assert practice["by-seed"]["rank"] == practice["by-name"]["rank"] == 1
    assert practice["by-seed"]["ties"]["success"] == 1
    assert all(practice[agent]["rank"] > 2 for agent in HONEST)


def test_looking_up_seeds_is_worth_no_more_than_chance_in_a_season(
    boards: tuple[Rows, Rows],
) -> None:
    _, season = boards
    learned, chance = season["by-seed"], season["random"]
    assert learned["ties"]["success"] == chance["ties"]["success"] == 0
    assert learned["ties"]["mean"] <= chance["ties"]["mean"]
    assert learned["rank"] >= chance["rank"]


def test_a_list_of_decisions_fails_under_other_chance_where_a_policy_does_not(
    boards: tuple[Rows, Rows],
) -> None:
    practice, season = boards
    assert practice["by-name"]["ties"]["success"] == 1
    assert season["by-name"]["ties"]["success"] <= 0.6
    assert season["ppo-1m"]["ties"]["success"] >= 0.9


def test_both_columns_stand_side_by_side(boards: tuple[Rows, Rows]) -> None:
    practice, season = boards
    assert practice.keys() == season.keys()
    for agent, row in practice.items():
        assert row["beside"]["headline"] == season[agent]["headline"]
        assert season[agent]["beside"]["headline"] == row["headline"]
