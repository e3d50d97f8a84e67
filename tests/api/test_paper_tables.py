from __future__ import annotations

from pathlib import Path

import pytest

from ludus.api.families.paper_tables import PaperTableResult, paper_table
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.mario_ai.published import PAPER_TABLES, PaperTable
from ludus.errors import OptionError
from ludus.reports.paper_tables import merge_rows

AGENTS = ["idle", "forward-jumping"]


def play(store: Path, number: str = "I") -> PaperTableResult:
    return paper_table(number, agents=AGENTS, episodes=1, workers=1, store=str(store))


def test_the_players_of_ludus_stand_among_the_published(tmp_path: Path) -> None:
    result = play(tmp_path / "store.db")
    scores = [row.score for row in result.rows if row.score is not None]
    assert scores == sorted(scores, reverse=True)
    own = {row.player: row for row in result.rows if row.source == "Ludus"}
    assert set(own) == set(AGENTS)
    assert own["idle"].score == 32.0
    assert own["forward-jumping"].approach == "rules"
    published = [row.player for row in result.rows if row.source == "paper"]
    assert published[0] == "Robin Baumgarten"
    assert "the first 1 of 40 levels" in str(result)


def test_what_is_stored_is_not_played_again(tmp_path: Path) -> None:
    first, second = play(tmp_path / "store.db"), play(tmp_path / "store.db")
    assert first.race.played_now == 2
    assert second.race.played_now == 0
    assert first.race.id == second.race.id


def test_an_unknown_table_is_refused() -> None:
    with pytest.raises(OptionError, match="no table 'VII'; there are I, II"):
        paper_table("VII")


@pytest.mark.parametrize("table", PAPER_TABLES.values(), ids=PAPER_TABLES)
def test_every_column_of_the_paper_is_one_of_the_track(table: PaperTable) -> None:
    benchmark = find_benchmark(table.benchmark)
    known = {column.name for column in benchmark.columns}
    known |= {breaker.name for breaker in benchmark.tie_breakers}
    assert set(table.columns) <= known | {"disqualified", "ms/step"}


def test_rows_without_a_score_come_last() -> None:
    table = PAPER_TABLES["II"]
    assert merge_rows(table, find_benchmark(table.benchmark), [])[-1].player == "Erek Speed"
