"""A ledger is not checked from its start for every new line, and lies are noticed all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludus.boards.checked_head import CheckedHead, read_checked_head, write_checked_head
from ludus.boards.ledger import (
    LedgerDraft,
    LedgerEvent,
    LedgerEventKind,
    append_events,
    check_ledger,
    read_ledger,
)
from ludus.errors import StoreError
from ludus.runs import Store
from ludus.runs.schema import events as table

MINE, OTHER = "test/mine", "test/other"


def add(store: Store, benchmark: str = MINE, *, agent: str = "a") -> LedgerEvent:
    """Add a line about a benchmark, decided upon by its own lines."""
    drafts = [LedgerDraft(LedgerEventKind.ACCEPTED, benchmark, 1, {"agent": agent})]
    (event,) = append_events(store, lambda _: drafts, benchmark)
    return event


def change(store: Store, number: int, **values: object) -> None:
    with store.transaction() as connection:
        connection.execute(table.update().where(table.c.number == number).values(**values))


@pytest.fixture
def filled(store: Store) -> Store:
    for benchmark in (OTHER, MINE, OTHER, MINE):
        add(store, benchmark)
    return store


def head_of(event: LedgerEvent) -> CheckedHead:
    return CheckedHead(event.number, event.digest)


def test_what_was_checked_is_remembered(filled: Store) -> None:
    assert read_checked_head(filled) == head_of(read_ledger(filled)[-2])
    add(filled)
    assert read_checked_head(filled) == head_of(read_ledger(filled)[-2])
    assert check_ledger(filled) is None


def test_lines_of_other_benchmarks_are_not_checked_again(filled: Store) -> None:
    change(filled, 1, body='{"agent": "me, of course"}')
    assert add(filled).number == 5
    broken = check_ledger(filled)
    assert broken is not None
    assert broken.number == 1


def test_a_line_that_is_decided_upon_is_checked_each_time(filled: Store) -> None:
    change(filled, 2, body='{"agent": "me, of course"}')
    with pytest.raises(StoreError, match="line 2 of the ledger is not as it was written"):
        add(filled)


def test_lines_that_others_added_are_checked(filled: Store) -> None:
    add(filled, OTHER)
    change(filled, 5, body='{"agent": "me, of course"}')
    with pytest.raises(StoreError, match="line 5 of the ledger is not as it was written"):
        add(filled)


@pytest.mark.parametrize("column", ["digest", "body"])
def test_all_is_checked_if_the_last_checked_line_is_another(filled: Store, column: str) -> None:
    change(filled, 1, body="{}")
    change(filled, 3, **{column: "1" * 64})
    with pytest.raises(StoreError, match="line 1 of the ledger is not as it was written"):
        add(filled)


def test_a_ledger_that_lost_lines_is_checked_from_its_beginning(filled: Store) -> None:
    with filled.transaction() as connection:
        connection.execute(table.delete().where(table.c.number > 2))
    assert add(filled).number == 3
    assert check_ledger(filled) is None


@pytest.mark.parametrize("content", ["", "[1]", "[1, 2]", '["1", "x"]', "[true, null]", "{}", "\0"])
def test_a_file_that_says_nothing_is_no_loss(filled: Store, content: str) -> None:
    (file,) = filled.folder_beside("checked").iterdir()
    file.write_text(content)
    assert read_checked_head(filled) is None
    assert add(filled).number == 5
    assert read_checked_head(filled) is not None


def test_two_stores_are_not_mistaken_for_each_other(tmp_path: Path) -> None:
    first, second = Store(str(tmp_path / "a.db")), Store(str(tmp_path / "b.db"))
    add(first)
    add(first)
    assert read_checked_head(second) is None
    assert read_checked_head(Store("sqlite://")) is None


def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(filled: Store) -> None:
    folder = filled.folder_beside("checked")
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    folder.write_text("in the way")
    assert add(filled).number == 5
    write_checked_head(filled, CheckedHead(1, "x"))


def test_all_lines_are_checked_where_all_decide(filled: Store) -> None:
    change(filled, 1, body='{"agent": "me, of course"}')
    with pytest.raises(StoreError, match="line 1 of the ledger"):
        append_events(filled, lambda _: [])


# ---- the lines that a decision takes


@pytest.mark.parametrize(
    "name", ["a", 'say "a"', "100%", "under_score", "back\\slash", "Zoë", "\U0001f41b"]
)
def test_lines_on_an_agent_are_found_whatever_its_name_is(store: Store, name: str) -> None:
    for agent in ("b", name, "c", f"{name}!"):
        add(store, agent=agent)
    agents = [event.body["agent"] for event in read_ledger(store, MINE, [name])]
    assert name in agents
    assert len(read_ledger(store, MINE, [name, *map(str, range(50))])) == 4


def test_a_line_with_letters_written_otherwise_is_found(store: Store) -> None:
    add(store, agent="abc")
    change(store, 1, body='{"agent": "\\u0061bc"}')
    (event,) = read_ledger(store, MINE, ["abc"])
    assert event.body["agent"] == "abc"


def test_lines_on_seasons_are_always_read(store: Store) -> None:
    drafts = [LedgerDraft(LedgerEventKind.SEASON_STARTED, MINE, 1, {"season": "s"})]
    append_events(store, lambda _: drafts, MINE)
    add(store, agent="b")
    assert [event.number for event in read_ledger(store, MINE, ["a"])] == [1]
