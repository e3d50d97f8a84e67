"""What agents cost stands on boards and in standings, and cannot be changed behind their backs."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.boards.making import hero, played
from tests.runs.small import SMALL

from ludus.boards import accept, board, verify_entry
from ludus.boards.columns import cells, headings, legend
from ludus.boards.costs import find_cost_columns
from ludus.boards.entry import BoardEntry, make_entries
from ludus.boards.formats import board_to_dict, to_csv
from ludus.errors import BoardError
from ludus.limits import MEBIBYTE, Usage
from ludus.reports.standings import standings_values, standings_view
from ludus.runs import Store, summarise, verify
from ludus.runs.schema import episodes
from ludus.runs.summary import Summary


@pytest.fixture
def summary(store: Store) -> Summary:
    made = played(store, "idle")
    (found,) = summarise(SMALL, made.plan, store.episodes(made.id))
    return replace(found, steps=10)


def measured(summary: Summary, **usage: Any) -> Summary:
    return replace(summary, usage=Usage(**usage))


def test_agents_of_ludus_alone_need_no_columns_of_cost(summary: Summary) -> None:
    assert summary.usage.processor_seconds is not None
    assert not find_cost_columns([summary])
    assert not find_cost_columns([])


def test_costs_are_shown_by_step(summary: Summary) -> None:
    costly = measured(
        summary, units=12_340, peak_memory=50 * MEBIBYTE, processor_seconds=0.05, over_budget=2
    )
    columns = {column.name: column.cell(costly) for column in find_cost_columns([costly])}
    assert columns == {
        "units/step": "1,234",
        "over budget": "2",
        "CPU ms/step": "5.000",
        "peak MiB": "50",
    }


def test_what_nobody_measured_is_a_dash(summary: Summary) -> None:
    pair = [measured(summary, peak_memory=MEBIBYTE), measured(summary)]
    columns = find_cost_columns(pair)
    assert [column.name for column in columns] == ["CPU ms/step", "peak MiB"]
    assert [column.cell(pair[1]) for column in columns] == ["–", "–"]
    never_asked = replace(measured(summary, units=5, processor_seconds=1.0), steps=0)
    assert [column.cell(never_asked) for column in find_cost_columns([never_asked])] == 3 * ["–"]


def test_standings_have_columns_of_cost(summary: Summary) -> None:
    costly = measured(summary, units=40, peak_memory=MEBIBYTE, processor_seconds=0.01)
    view = standings_view(SMALL, [costly], {}, "")
    row = dict(zip(view.headings, view.rows[0], strict=True))
    assert (row["units/step"], row["CPU ms/step"], row["peak MiB"]) == ("4", "1.000", "1")
    assert all(word in view.footer for word in ("units:", "CPU:", "peak:"))
    narrow = view.narrow(view.headings.index("CPU ms/step") + 1).footer
    assert "CPU:" in narrow
    assert "peak:" not in narrow
    (values,) = standings_values(SMALL, [costly], {})
    assert values["usage"] == {
        "units": 40,
        "peak_memory": MEBIBYTE,
        "processor_seconds": 0.01,
        "over_budget": None,
        **dict.fromkeys(("calls", "failed_calls", "tokens", "usd")),
    }


def test_boards_have_columns_of_cost(store: Store, tmp_path: Path) -> None:
    accept(played(store, hero(tmp_path, "fast"), "idle").id, store, by="me")
    shown = board(SMALL.id, store)
    rows = [dict(zip(headings(shown), cells(shown, row), strict=True)) for row in shown.rows]
    by_agent = {row["agent"]: row for row in rows}
    assert float(by_agent["hero"]["peak MiB"]) > 0
    assert by_agent["idle"]["peak MiB"] == "–"
    assert float(by_agent["idle"]["CPU ms/step"]) > 0
    assert legend(shown).keys() == {"CPU ms/step", "peak MiB"}
    written = {row["agent"]: row for row in csv.DictReader(io.StringIO(to_csv(shown)))}
    assert int(written["hero"]["peak_memory"]) > MEBIBYTE
    assert written["idle"]["peak_memory"] == written["hero"]["units"] == ""
    plain = {row["agent"]: row["usage"] for row in board_to_dict(shown)["rows"]}
    assert plain["hero"]["peak_memory"] == int(written["hero"]["peak_memory"])


def test_an_entry_comes_back_with_its_costs(store: Store, tmp_path: Path) -> None:
    made = played(store, hero(tmp_path, "fast"))
    (entry,) = make_entries(made, store.episodes(made.id))
    values = json.loads(json.dumps(entry.to_dict()))
    assert BoardEntry.from_dict(values).summary.usage == entry.summary.usage
    with pytest.raises(BoardError):
        BoardEntry.from_dict({**values, "usage": {"units": -1}})


def test_costs_that_were_changed_in_the_store_are_found(store: Store, tmp_path: Path) -> None:
    made = played(store, hero(tmp_path, "fast"))
    accept(made.id, store, by="me")
    with store.transaction() as connection:
        connection.execute(episodes.update().values(peak_memory=1))
    outcome = verify_entry(made.id, store, by="me")
    assert any("usage" in one.field for one in outcome.differences)


@pytest.mark.parametrize("value", [-1, 1.5, "many"])
def test_costs_that_are_none_are_found(store: Store, tmp_path: Path, value: object) -> None:
    made = played(store, hero(tmp_path, "fast"))
    with store.transaction() as connection:
        connection.execute(sa.text("UPDATE episodes SET units = :units"), {"units": value})
    assert {one.field for one in verify(made.id, store=store).differences} >= {"units"}
