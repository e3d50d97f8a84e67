"""Events: created, closed, run, revealed; and what is refused on the way."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.boards.making import Here
from tests.events.conftest import NAME, RUNNER, SECRET, create
from tests.runs.small import SMALL

import ludus
from ludus.api.settings import make_context
from ludus.boards import read_ledger
from ludus.boards.ledger import LedgerDraft, LedgerEventKind, insert_events, seal_events
from ludus.boards.organising import reveal_season
from ludus.boards.seasons import check_season_open
from ludus.errors import BoardError, OptionError, RunError, StoreError
from ludus.events import Event, EventTerms, close_event, create_event, find_event_problems
from ludus.events.organising import begin_run, open_event, reveal_event
from ludus.events.playing import plan_event
from ludus.events.terms import read_event_file, read_time
from ludus.limits import Limits
from ludus.runs import ScoredEpisode, Store, continue_run, verify
from ludus.runs.schema import episodes
from ludus.runs.sealed import secret_file


def put(store: Store, runner: Path, entrant: str = "Robin", score: float = 1.0) -> str:
    return ludus.enter_event(
        NAME, f"{runner}:Runner", entrant=entrant, score=score, store=store
    ).token


def test_a_creation_publishes_terms_and_commitment(store: Store) -> None:
    limits = replace(SMALL.limits, memory=2**29)
    event = create(store, limits=limits, rules="Play fair.\n\nNo humans.", public_seed=7)
    assert [line.kind for line in read_ledger(store)] == ["season-started", "event-created"]
    assert event.season.terms.limits == limits
    assert event.terms.sealed.commit(SECRET) == event.terms.commitment == event.season.commitment
    assert EventTerms.from_dict(json.loads(json.dumps(event.to_dict()))) == event.terms
    assert SECRET.hex() not in json.dumps([line.text for line in read_ledger(store)])
    assert find_event_problems(read_ledger(store)) == []


def test_the_commitment_covers_the_limits(store: Store) -> None:
    usual = create(store)
    other = create(store, "cup-2027", limits=Limits(seconds=1))
    assert usual.season.terms.limits is None
    sealed = replace(other.season.terms, limits=None)
    assert sealed.commit(SECRET) != other.terms.commitment


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"hours": -1}, "give a deadline to come"),
        ({"name": "Not A Name"}, "cannot name a season"),
        ({"name": NAME}, "there is a season"),
        ({"rules": "x" * 20_001}, "20,000 are the most"),
        ({"rules": "\x1b[2J"}, "cannot be seen"),
        ({"public_seed": 2**70}, "cannot be played"),
    ],
)
def test_bad_terms_change_nothing(
    event: Event, store: Store, changes: dict[str, Any], line: str
) -> None:
    before = read_ledger(store)
    with pytest.raises((OptionError, BoardError), match=line):
        create(store, **{"name": "other", **changes})
    assert read_ledger(store) == before
    assert len(list(secret_file(event.season.mark, store).parent.iterdir())) == 1


# ---- event files


def test_a_changed_event_file_is_refused(event: Event, tmp_path: Path) -> None:
    file = tmp_path / "event.json"
    whole = event.to_dict()
    file.write_text(json.dumps(whole))
    assert read_event_file(file) == event.terms
    changes: dict[str, Any] = {
        "deadline": "2199-01-01T00:00:00+00:00",
        "commitment": "0" * 64,
        "limits": {**whole["limits"], "seconds": 9999.0},
        "public_seed": 8,
        "episodes": 1,
        "rules": "Others.",
        "benchmark": "platformer/sprint",
        "digest": "0" * 64,
    }
    for name, value in changes.items():
        file.write_text(json.dumps({**whole, name: value}))
        with pytest.raises(BoardError, match="not as they were written"):
            read_event_file(file)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"ludus": "run"}', '{"ludus": "event", "name": 5}', "NaN", "[" * 10_000],
)
def test_a_file_that_is_no_event_is_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "event.json"
    file.write_text(text)
    with pytest.raises(BoardError, match="is no event") as raised:
        read_event_file(file)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "change", [{"limits": {"seconds": -1}}, {"opens": "soon"}, {"options": 3}, {"episodes": 0}]
)
def test_terms_that_make_no_sense_are_refused(event: Event, change: dict[str, Any]) -> None:
    with pytest.raises(BoardError, match="no terms of an event"):
        EventTerms.from_dict({**event.terms.to_dict(), **change})


@pytest.mark.parametrize("text", ["tomorrow", "", "2026-13-01", "12:00", "9999999-01-01"])
def test_times_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(OptionError, match="is no time"):
        read_time(text)


# ---- order


def test_nothing_is_run_or_revealed_before_the_deadline(
    event: Event, store: Store, runner: Path
) -> None:
    put(store, runner)
    entered = open_event(NAME, store)
    run = store.add(plan_event(entered, store, make_context()))
    for call in (
        lambda: ludus.run_event(NAME, store=store),
        lambda: ludus.reveal_event(NAME, store=store),
        lambda: begin_run(entered, run, store, by="me"),
    ):
        with pytest.raises(BoardError, match="takes entries until"):
            call()
    with pytest.raises(BoardError, match="is an event's"):
        reveal_season(NAME, store, by="me", early=True)
    with pytest.raises(BoardError, match="is an event's"):
        ludus.play_season(NAME, "idle", store=store)
    assert open_event(NAME, store).season.secret is None
    assert open_event(NAME, store).run is None


def test_it_is_revealed_after_its_run_and_not_run_after(
    event: Event, store: Store, runner: Path
) -> None:
    put(store, runner)
    close_event(NAME, store, by="me")
    with pytest.raises(BoardError, match="have not all played"):
        reveal_event(NAME, store, by="me")
    result = ludus.run_event(NAME, store=store)
    assert result.played.run.complete
    assert reveal_event(NAME, store, by="me").season.secret == SECRET.hex()
    assert verify(result.played.id, store=store).good
    for call in (
        lambda: reveal_event(NAME, store, by="me"),
        lambda: ludus.run_event(NAME, store=store),
    ):
        with pytest.raises(BoardError, match="was revealed on"):
            call()
    assert find_event_problems(read_ledger(store)) == []


def test_an_event_without_entries_has_nothing_to_run(event: Event, store: Store) -> None:
    close_event(NAME, store, by="me")
    with pytest.raises(BoardError, match="nobody has entered"):
        ludus.run_event(NAME, store=store)
    with pytest.raises(BoardError, match="no results yet"):
        ludus.event_results(NAME, store=store)


def test_a_changed_secret_plays_nothing(event: Event, store: Store, runner: Path) -> None:
    put(store, runner)
    close_event(NAME, store, by="me")
    file = secret_file(event.season.mark, store)
    file.write_text(json.dumps({"secret": "11" * 32}))
    for call in (ludus.run_event, ludus.reveal_event):
        with pytest.raises((StoreError, BoardError), match=r"committed to|have not all played"):
            call(NAME, store=store)
    assert open_event(NAME, store).run is None


def test_one_run_counts_and_goes_on_after_it_was_stopped(
    event: Event, store: Store, runner: Path
) -> None:
    put(store, runner)
    put(store, runner, "Eve")
    close_event(NAME, store, by="me")

    class Stop:
        """Breaks off after the first episode."""

        def __init__(self, *_: object) -> None: ...

        def __enter__(self) -> Any:
            return self._stop

        def __exit__(self, *_: object) -> None: ...

        def _stop(self, scored: ScoredEpisode) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ludus.run_event(NAME, store=store, watch=Stop)
    started = open_event(NAME, store).run
    assert started is not None
    assert 0 < store.run(started).played < 4
    assert not ludus.event_results(NAME, store=store).played.run.complete
    result = ludus.run_event(NAME, store=store)
    assert result.played.id == started
    assert result.played.run.complete
    assert len(store.runs(SMALL.id)) == 1
    assert [one.outcome for one in ludus.run_event(NAME, store=store).played.decisions] == [
        "there already"
    ] * 2


def test_a_run_with_other_limits_does_not_come_on_the_board(
    event: Event, store: Store, runner: Path
) -> None:
    put(store, runner)
    plan = plan_event(open_event(NAME, store), store, make_context(from_outside=True))
    run = store.add(replace(plan, limits=Limits(seconds=9999)))
    with pytest.raises((RunError, StoreError), match="committed to"):
        continue_run(run, store, executor=Here())
    with pytest.raises(BoardError, match="played on other terms"):
        check_season_open(run.plan, read_ledger(store))


# ---- claims


def test_a_true_claim_is_confirmed_and_a_false_one_shown(
    event: Event, store: Store, runner: Path
) -> None:
    terms = ludus.event_terms(NAME, store=store)
    score = ludus.check(f"{runner}:Runner", event=terms).score
    put(store, runner, "Honest", round(score, SMALL.digits))
    put(store, runner, "Boaster", score + 500)
    broken = runner.with_name("broken.py")
    broken.write_text("raise RuntimeError('no \\x1b[31m')\nclass Runner: pass\n")
    put(store, broken, "Broken", score)
    checked = ludus.check_claims(NAME, store=store)
    verdicts = {entry.entrant: entry.check for entry in checked.checked}
    assert [one.verdict for one in verdicts.values() if one] == [
        "confirmed",
        "not confirmed",
        "faulty",
    ]
    boast, fault = verdicts["Boaster"], verdicts["Broken"]
    assert boast
    assert boast.measured == score
    assert fault
    assert "RuntimeError: no" in fault.reason
    assert "\x1b" not in fault.reason
    assert "events/" not in fault.reason
    assert ludus.check_claims(NAME, store=store).checked == []
    assert len(ludus.check_claims(NAME, store=store, again=True).checked) == 3


def test_an_entry_that_is_replaced_is_measured_anew(
    event: Event, store: Store, runner: Path
) -> None:
    token = put(store, runner)
    ludus.check_claims(NAME, store=store)
    runner.write_text(RUNNER.replace("return 2", "return 0"))
    ludus.enter_event(NAME, f"{runner}:Runner", entrant="Robin", score=5, token=token, store=store)
    assert open_event(NAME, store).find_entry("Robin").check is None
    (entry,) = ludus.check_claims(NAME, store=store).checked
    assert entry.check


def test_entries_that_play_once_more_are_confined_as_well(
    event: Event, store: Store, runner: Path, tmp_path: Path
) -> None:
    """Whether they play for the run or for their claims, and by whichever command."""
    out = tmp_path / "out.txt"
    write = f"__import__('pathlib').Path({str(out)!r}).write_text('out')"
    runner.write_text(f"try:\n    {write}\nexcept OSError:\n    pass\n{RUNNER}")
    put(store, runner)
    ludus.check_claims(NAME, store=store)
    close_event(NAME, store, by="me")
    ludus.run_event(NAME, store=store)
    runs = store.runs(SMALL.id)
    assert len(runs) == 2
    for run in runs:
        assert ludus.verify(run.id, again=True, store=store, workers=1).verification.reruns
        with store.transaction() as connection:
            connection.execute(episodes.delete().where(episodes.c.run == run.id))
        assert ludus.resume(run.id, store=store).played_now == 2
    assert not out.exists()


# ---- lines that somebody wrote past the commands


def forge(store: Store, kind: LedgerEventKind, hours: float, **body: object) -> list[str]:
    at = (store.now() + timedelta(hours=hours)).isoformat(timespec="seconds")
    values = {"event": NAME, "by": "eve", "why": "", **body}
    draft = LedgerDraft(kind, SMALL.id, 1, values, at)
    insert_events(store, list(seal_events([draft], read_ledger(store)[-1])))
    return find_event_problems(read_ledger(store))


def test_a_run_of_others_or_too_early_is_named(event: Event, store: Store, runner: Path) -> None:
    put(store, runner)
    kind = LedgerEventKind.EVENT_RUN
    (problem,) = forge(store, kind, 0, run="x", entries={})
    assert "takes entries until" in problem
    _, problem = forge(store, kind, 2, run="x", entries={})
    assert "with other entries than it has" in problem
    assert open_event(NAME, store).run is None


def test_an_event_with_other_terms_than_its_season_is_none(event: Event, store: Store) -> None:
    terms = replace(event.terms, name="other", episodes=9)
    (problem,) = forge(
        store, LedgerEventKind.EVENT_CREATED, 0, event="other", terms=terms.to_dict()
    )
    assert "other" in problem
    changed = replace(event.terms, episodes=9)
    problems = forge(store, LedgerEventKind.EVENT_CREATED, 0, terms=changed.to_dict())
    assert "was created before" in problems[-1]
    assert open_event(NAME, store).terms == event.terms


def test_a_reveal_before_the_deadline_is_named(event: Event, store: Store) -> None:
    reveal_season(NAME, store, by="me", of_event=True)
    (problem,) = find_event_problems(read_ledger(store))
    assert "revealed before its deadline" in problem


def test_a_deadline_is_no_time_of_day_of_somewhere(store: Store) -> None:
    """Times are compared as moments, whatever zone they are given in."""
    created = create_event(
        SMALL.id,
        store,
        name=NAME,
        by="me",
        deadline=read_time("2126-01-01T01:00+01:00"),
    )
    assert created.terms.to_values()["deadline"] == "2126-01-01T00:00:00+00:00"
