from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from ludus.boards.ledger import (
    GENESIS,
    LedgerDraft,
    LedgerEvent,
    LedgerEventKind,
    append_events,
    check_ledger,
    find_broken_line,
    read_ledger,
    seal_events,
)
from ludus.boards.ledger_files import export_ledger, read_ledger_file
from ludus.errors import BoardError, OptionError, StoreError
from ludus.runs import Store
from ludus.runs.schema import events as table

WORDS = st.text(max_size=12)
DRAFTS = st.builds(
    LedgerDraft,
    st.sampled_from(LedgerEventKind),
    WORDS,
    st.integers(1, 9),
    st.dictionaries(
        WORDS,
        st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), WORDS),
        max_size=3,
    ),
)
CHAINS = st.lists(DRAFTS, min_size=1, max_size=8).map(
    lambda drafts: list(seal_events(drafts, None))
)


def draft(**body: Any) -> LedgerDraft:
    return LedgerDraft(LedgerEventKind.ACCEPTED, "test/small", 1, body)


def add(store: Store, *bodies: dict[str, Any]) -> list[LedgerEvent]:
    return append_events(store, lambda _: [draft(**body) for body in bodies])


def test_an_empty_ledger_is_whole(store: Store) -> None:
    assert read_ledger(store) == []
    assert check_ledger(store) is None


def test_each_line_holds_the_digest_of_the_one_before(store: Store) -> None:
    first, second = add(store, {"agent": "a"}, {"agent": "b"})
    (third,) = add(store, {"agent": "c"})
    assert [event.number for event in read_ledger(store)] == [1, 2, 3]
    assert first.previous == GENESIS
    assert second.previous == first.digest
    assert third.previous == second.digest
    assert read_ledger(store) == [first, second, third]
    assert check_ledger(store) is None


def test_lines_of_one_benchmark(store: Store) -> None:
    add(store, {"agent": "a"})
    append_events(store, lambda _: [LedgerDraft(LedgerEventKind.REMOVED, "test/other", 1, {})])
    assert [event.number for event in read_ledger(store, "test/other")] == [2]


@given(CHAINS)
def test_what_was_sealed_is_whole(events: list[LedgerEvent]) -> None:
    assert find_broken_line(events) is None


CHANGES: dict[str, Any] = {
    "number": lambda value: value + 1,
    "at": lambda value: value + "0",
    "kind": lambda value: value + "x",
    "benchmark": lambda value: value + "x",
    "version": lambda value: value + 1,
    "text": lambda value: value + " ",
    "previous": lambda value: value[::-1] + "0",
    "digest": lambda value: value[:-1] + ("0" if value[-1] != "0" else "1"),
}


@given(CHAINS, st.data())
def test_a_change_of_any_line_is_found(events: list[LedgerEvent], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(events) - 1))
    field = data.draw(st.sampled_from(sorted(CHANGES)))
    changed = replace(events[place], **{field: CHANGES[field](getattr(events[place], field))})
    broken = find_broken_line([*events[:place], changed, *events[place + 1 :]])
    assert broken is not None
    assert broken.number == place + 1


@given(CHAINS, st.data())
def test_a_line_changed_and_sealed_again_breaks_the_next(
    events: list[LedgerEvent], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(events) - 1))
    changed = replace(events[place], text='{"agent": "me, of course"}')
    changed = replace(changed, digest=changed.seal)
    broken = find_broken_line([*events[:place], changed, *events[place + 1 :]])
    if place == len(events) - 1:
        assert broken is None  # that is what the published last digest is for
    else:
        assert broken is not None
        assert broken.number == place + 2


@given(CHAINS.filter(lambda events: len(events) > 1), st.data())
def test_a_line_that_is_missing_is_found(events: list[LedgerEvent], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(events) - 2))
    broken = find_broken_line(events[:place] + events[place + 1 :])
    assert broken is not None
    assert broken.number == place + 1
    assert "missing" in broken.reason


@given(CHAINS.filter(lambda events: len(events) > 1), st.data())
def test_lines_in_another_order_are_found(events: list[LedgerEvent], data: st.DataObject) -> None:
    order = data.draw(st.permutations(events))
    first = next((k for k, (a, b) in enumerate(zip(events, order, strict=True)) if a != b), None)
    broken = find_broken_line(order)
    assert (broken is None) == (first is None)
    if broken and first is not None:
        assert broken.number == first + 1


@pytest.mark.parametrize("column", [column.name for column in table.columns])
def test_a_change_in_the_store_is_named(store: Store, column: str) -> None:
    add(store, *({"agent": str(number)} for number in range(5)))
    value: Any = 99 if column in ("number", "version") else "x"
    with store.transaction() as connection:
        connection.execute(sa.update(table).where(table.c.number == 3).values({column: value}))
    broken = check_ledger(store)
    assert broken is not None
    assert broken.number == 3


def test_nothing_is_added_to_a_broken_ledger(store: Store) -> None:
    add(store, {"agent": "a"}, {"agent": "b"})
    with store.transaction() as connection:
        connection.execute(sa.delete(table).where(table.c.number == 1))
    with pytest.raises(StoreError, match="line 1 of the ledger is missing"):
        add(store, {"agent": "c"})
    assert len(read_ledger(store)) == 1


def test_whoever_decides_is_asked_again_if_others_were_faster(store: Store) -> None:
    asked = []

    def decide(events: Sequence[LedgerEvent]) -> list[LedgerDraft]:
        asked.append(len(events))
        if len(asked) == 1:
            add(store, {"agent": "somebody else"})
        return [draft(agent="me", after=len(events))]

    (event,) = append_events(store, decide)
    assert asked == [0, 1]
    assert event.number == 2
    assert event.body == {"agent": "me", "after": 1}
    assert check_ledger(store) is None


def test_deciding_for_nothing_adds_nothing(store: Store) -> None:
    assert append_events(store, lambda _: []) == []
    assert read_ledger(store) == []


def test_others_that_never_stop_are_an_error(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["ludus.boards.ledger"], "_try_insert", lambda *_: False)
    monkeypatch.setattr(sys.modules["ludus.boards.ledger"], "PAUSE", 0)
    with pytest.raises(StoreError, match="try again"):
        add(store, {"agent": "a"})


WRITER = """
import sys
from ludus.boards.ledger import LedgerDraft, LedgerEventKind, append_events
from ludus.runs import Store
store = Store(sys.argv[1])
for number in range(25):
    body = {"agent": sys.argv[2], "number": number}
    draft = LedgerDraft(LedgerEventKind.ACCEPTED, "test/small", 1, body)
    append_events(store, lambda _: [draft] * 2)
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_many_processes_write_one_chain(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    if kind == "postgres":
        url = str(request.getfixturevalue("postgres"))
    store = Store(url)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, url, str(number)]) for number in range(3)
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert check_ledger(store) is None
    lines = [(event.body["agent"], event.body["number"]) for event in read_ledger(store)]
    assert len(lines) == 3 * 25 * 2
    for writer in "012":
        own = [number for agent, number in lines if agent == writer]
        assert own == [number for number in range(25) for _ in range(2)]
    assert lines[::2] == lines[1::2]  # what was added together stands together
    store.close()


def test_an_exported_ledger_reads_the_same(store: Store, tmp_path: Path) -> None:
    add(store, {"agent": "a"}, {"agent": "Ünï ⌊x⌋"})
    assert export_ledger(store, tmp_path / "ledger.jsonl") == 2
    assert read_ledger_file(tmp_path / "ledger.jsonl") == read_ledger(store)


@pytest.mark.parametrize("line", ["", "{}", "[]", "x", '{"ludus": "run"}', '{"ludus": "ledger"}'])
def test_what_is_no_line_of_a_ledger_is_named(store: Store, tmp_path: Path, line: str) -> None:
    add(store, {"agent": "a"})
    export_ledger(store, tmp_path / "ledger.jsonl")
    first, _ = (tmp_path / "ledger.jsonl").read_text().splitlines()  # the head is the last line
    (tmp_path / "ledger.jsonl").write_text(f"{first}\n{line}\n")
    with pytest.raises(BoardError, match="line 2"):
        read_ledger_file(tmp_path / "ledger.jsonl")


def test_a_ledger_that_cannot_be_written(store: Store) -> None:
    with pytest.raises(OptionError, match=r"cannot write .*: No such file or directory$"):
        export_ledger(store, "/no/such/place.jsonl")


def test_the_body_is_sealed_as_it_is_kept(store: Store) -> None:
    (event,) = add(store, {"b": 1, "a": [0.1, None]})
    assert json.loads(event.text) == {"a": [0.1, None], "b": 1}
    with pytest.raises(ValueError, match="Out of range"):
        add(store, {"a": float("nan")})
