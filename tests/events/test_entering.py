"""Entering: copied as data, in time, under one's own name."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from time import sleep

import pytest
import sqlalchemy as sa
from tests.events.conftest import NAME, RUNNER, create

import ludus
from ludus.boards import check_ledger, read_ledger
from ludus.boards.ledger import LedgerDraft, LedgerEventKind, insert_events, seal_events
from ludus.errors import BoardError, OptionError, StoreError
from ludus.events import Description, Event, close_event, enter, find_event_problems, withdraw
from ludus.events.entering import Receipt
from ludus.events.organising import open_event
from ludus.events.packing import PackedAgent, pack_agent
from ludus.events.unpacking import find_spec
from ludus.runs import Store
from ludus.runs.entry_files import load_files, store_files
from ludus.runs.schema import entry_files
from ludus.runs.schema import events as lines_table

PACKED = PackedAgent("runner.py:Runner", {"runner.py": RUNNER.encode()})


def put(store: Store, entrant: str = "Robin", claim: float = 1.0, **more: object) -> Receipt:
    values = {"entrant": entrant, "claim": claim, "by": "me", **more}
    return enter(NAME, PACKED, store, **values)  # type: ignore[arg-type]


def entrants(store: Store) -> list[str]:
    return [entry.entrant for entry in open_event(NAME, store).playing]


def test_an_entry_is_copied_and_its_token_stored_nowhere(
    event: Event, store: Store, runner: Path
) -> None:
    packed = pack_agent(f"{runner}:Runner", "platformer")
    described = Description("A*", "R. B.", "ITU", "MIT", "It runs.\nThen it jumps.")
    receipt = enter(
        NAME, packed, store, entrant="Robin", claim=12.5, by="me", description=described
    )
    runner.write_text("class Runner: pass  # another one")
    entry = receipt.event.find_entry("robin")
    assert (entry.claim, entry.number, entry.description) == (12.5, 1, described)
    assert load_files(entry.digest, store) == {"runner.py": RUNNER.encode()}
    text = json.dumps([line.text for line in read_ledger(store)])
    assert receipt.token not in text
    assert len(receipt.token) >= 20
    assert check_ledger(store) is None


def test_the_copy_is_played_whatever_becomes_of_its_folder(event: Event, store: Store) -> None:
    entry = put(store).entry
    file = Path(find_spec(entry, store).removesuffix(":Runner"))
    assert file.read_text() == RUNNER
    file.write_text("import os")
    (file.parent / "more.py").write_text("x")
    find_spec(entry, store)
    assert file.read_text() == RUNNER
    assert [one.name for one in file.parent.iterdir()] == ["runner.py"]


@pytest.mark.parametrize("content", [b"import os", None])
def test_files_that_were_changed_in_the_store_are_refused(
    event: Event, store: Store, content: bytes | None
) -> None:
    entry = put(store).entry
    with store.transaction() as connection:
        if content is None:
            connection.execute(entry_files.delete())
        else:
            connection.execute(entry_files.update().values(content=content))
    with pytest.raises(StoreError, match=r"files of entry .* (were changed|are gone)"):
        find_spec(entry, store)


def test_a_path_that_leads_out_of_the_store_is_not_written(event: Event, store: Store) -> None:
    evil = {"evil.py": b"x", "../../evil.py": b"x"}
    entry = enter(
        NAME, PackedAgent("evil.py:E", evil), store, entrant="Eve", claim=1, by="me"
    ).entry
    with pytest.raises(StoreError, match="no entry may have"):
        find_spec(entry, store)
    assert not list(Path(store.folder_beside("events")).parent.rglob("evil.py"))


@pytest.mark.parametrize(
    "changes",
    [
        {"spec": "../other/runner.py:Runner"},
        {"spec": "/etc/evil.py:Evil"},
        {"spec": "os:system"},
        {"spec": "runner.py:Runner", "files": 0},
        {"spec": "llm:model@http://elsewhere", "files": 0},
    ],
)
def test_a_forged_spec_loads_nothing_but_an_entry(
    event: Event, store: Store, changes: dict[str, object]
) -> None:
    entry = replace(put(store).entry, **changes)  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="is no agent among the files of 'Robin'"):
        find_spec(entry, store)


# ---- names and tokens


def test_an_entry_is_replaced_with_its_token_alone(event: Event, store: Store) -> None:
    first, other = put(store), put(store, "Eve")
    count = len(read_ledger(store))
    for token in (None, other.token, "", first.token + "x", first.token.upper()):
        with pytest.raises(BoardError, match="Robin"):
            put(store, "ROBIN ", 99.0, token=token)
    with pytest.raises(BoardError, match="not the token of 'Robin'"):
        withdraw(NAME, "robin", store, token=other.token, by="me")
    assert len(read_ledger(store)) == count
    again = put(store, "robin", 2.0, token=first.token)
    assert (again.entry.number, again.entry.claim, again.token) == (2, 2.0, first.token)
    assert [entry.claim for entry in again.event.history] == [1.0, 1.0, 2.0]
    assert len(again.event.playing) == 2


def test_a_token_is_worth_nothing_elsewhere(event: Event, store: Store) -> None:
    token = put(store).token
    create(store, "cup-2027")
    enter("cup-2027", PACKED, store, entrant="Robin", claim=1, by="other")
    with pytest.raises(BoardError, match="not the token"):
        enter("cup-2027", PACKED, store, entrant="Robin", claim=1, by="me", token=token)
    with pytest.raises(BoardError, match="nobody called 'New' has entered"):
        put(store, "New", token=token)


def test_a_withdrawn_entry_does_not_play_and_can_come_back(event: Event, store: Store) -> None:
    token = put(store).token
    withdraw(NAME, "Robin", store, token=token, by="me")
    assert entrants(store) == []
    with pytest.raises(BoardError, match="has entered already"):
        put(store)
    put(store, token=token)
    assert entrants(store) == ["Robin"]


@pytest.mark.parametrize(
    "name", ["", " ", "x" * 61, "a\nb", "\x1b[31mred", "a\u202eb", "zero\u200bwidth", None, 5]
)
def test_names_that_cannot_be_seen_are_refused(event: Event, store: Store, name: str) -> None:
    with pytest.raises(OptionError, match="name of an entrant"):
        put(store, name)
    assert entrants(store) == []


@pytest.mark.parametrize("claim", [math.nan, math.inf, -math.inf, 1e300, 10**400, "7", True, None])
def test_a_claim_is_a_finite_number(event: Event, store: Store, claim: float) -> None:
    with pytest.raises(OptionError, match="is no score"):
        put(store, claim=claim)


def test_a_description_that_hides_something_is_refused(event: Event, store: Store) -> None:
    for described in (
        Description(approach="x" * 41),
        Description(author="a\x00b"),
        Description(method="fine\n\x1b]0;title\x07"),
        Description(method="x" * 10_001),
    ):
        with pytest.raises(OptionError):
            put(store, description=described)


# ---- times


def test_late_and_early_entries_are_refused(store: Store) -> None:
    create(store, hours=1, opens=store.now() + timedelta(minutes=30))
    with pytest.raises(BoardError, match="opens at"):
        put(store)
    create(store, "short", hours=1.5 / 3600)
    token = enter("short", PACKED, store, entrant="Robin", claim=1, by="me").token
    sleep(2.5)
    for entrant, given in (("Eve", None), ("Robin", token)):
        with pytest.raises(BoardError, match="takes no more entries"):
            enter("short", PACKED, store, entrant=entrant, claim=1, by="me", token=given)
    with pytest.raises(BoardError, match="takes no more entries"):
        withdraw("short", "Robin", store, token=token, by="me")


def test_nobody_enters_after_it_was_closed(event: Event, store: Store) -> None:
    put(store)
    closed = close_event(NAME, store, by="me", why="the lesson is over")
    assert closed.closed is not None
    with pytest.raises(BoardError, match="takes no more entries"):
        put(store, "Eve")
    with pytest.raises(BoardError, match="takes no more entries"):
        close_event(NAME, store, by="me")
    assert find_event_problems(read_ledger(store)) == []


def test_a_clock_that_was_set_back_is_noticed(event: Event, store: Store) -> None:
    """After a line of later, as if the clock had been right when it was written."""
    lines = read_ledger(store)
    later = (store.now() + timedelta(minutes=5)).isoformat(timespec="seconds")
    draft = LedgerDraft(LedgerEventKind.EVENT_CLOSED, event.terms.benchmark, 1, {}, later)
    insert_events(store, list(seal_events([draft], lines[-1])))
    with pytest.raises(BoardError, match="set the clock right"):
        put(store)


# ---- lines that somebody wrote past the commands


def forge(
    store: Store, kind: LedgerEventKind, body: dict[str, object], minutes: float = 0
) -> list[str]:
    """Add a line to the ledger, sealed as it should be, and return what is wrong then."""
    at = (store.now() + timedelta(minutes=minutes)).isoformat(timespec="seconds")
    values = {"event": NAME, "by": "eve", "why": "", **body}
    draft = LedgerDraft(kind, open_event(NAME, store).terms.benchmark, 1, values, at)
    insert_events(store, list(seal_events([draft], read_ledger(store)[-1])))
    return find_event_problems(read_ledger(store))


def body_of(store: Store, **changes: object) -> dict[str, object]:
    line = next(one for one in read_ledger(store) if one.kind == "event-entered")
    return {**line.body, **changes}


def test_a_late_line_counts_for_nothing_and_is_named(event: Event, store: Store) -> None:
    put(store)
    body = body_of(store, entrant="Eve")
    (problem,) = forge(store, LedgerEventKind.EVENT_ENTERED, body, 90)
    assert "takes no more entries" in problem
    assert entrants(store) == ["Robin"]


def test_a_line_of_before_is_named(event: Event, store: Store) -> None:
    put(store)
    (problem,) = forge(store, LedgerEventKind.EVENT_ENTERED, body_of(store, entrant="Eve"), -1)
    assert "but comes after one of" in problem
    assert entrants(store) == ["Robin"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"token": "0" * 64}, "replaced without its token"),
        ({"entrant": "a\x1bb"}, "cannot be seen"),
        ({"claim": "much"}, "'claim' is 'much'"),
        ({"digest": "../../etc"}, "digest '../../etc' is none"),
        ({"files": -1.5}, "'files'"),
        ({"description": {"approach": "x" * 99}}, "approach"),
        ({"description": {"evil": "x"}}, "evil"),
        ({"event": "other"}, "was never created"),
    ],
)
def test_a_line_that_no_command_writes_counts_for_nothing(
    event: Event, store: Store, changes: dict[str, object], words: str
) -> None:
    put(store)
    (problem,) = forge(store, LedgerEventKind.EVENT_ENTERED, body_of(store, **changes))
    assert words in problem
    assert open_event(NAME, store).find_entry("Robin").number == 1


def test_a_changed_line_breaks_the_ledger(event: Event, store: Store) -> None:
    put(store)
    body = json.dumps(body_of(store, claim=99.0), sort_keys=True)
    with store.transaction() as connection:
        last = connection.scalar(sa.select(sa.func.max(lines_table.c.number)))
        connection.execute(
            lines_table.update().where(lines_table.c.number == last).values(body=body)
        )
    with pytest.raises(StoreError, match="nothing is added"):
        put(store, "Eve")


def test_events_on_postgres_go_by_the_clock_of_the_server(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    store = Store(postgres)
    try:
        event = create(store)
        put(store)
        assert open_event(NAME, store).find_entry("Robin").at >= event.created
        digest = store_files(PACKED.files, store)
        assert load_files(digest, store) == PACKED.files
        clock = sa.text("SELECT clock_timestamp()")
        with store.connection() as connection:
            before = connection.scalar(clock)
            now = store.now()
            after = connection.scalar(clock)
        assert before <= now <= after
        close_event(NAME, store, by="me")
        with pytest.raises(BoardError, match="takes no more entries"):
            put(store, "Eve")
        (row,) = ludus.run_event(NAME, store=store).to_dicts()
        assert (row["competitor"], row["disqualified"]) == ("Robin", 0)
        ludus.reveal_event(NAME, store=store)
        ludus.publish_event(NAME, tmp_path / "published", store=store)
        assert ludus.verify_event(tmp_path / "published")
    finally:
        store.close()
