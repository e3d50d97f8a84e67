"""Seasons: started, played, revealed, checked; and what is refused on the way."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from tests.boards.making import Here
from tests.runs.small import SMALL

from ludus.api.sealed_seasons import play_season
from ludus.boards import (
    accept,
    board,
    export_ledger,
    read_ledger,
    rebuild,
    remove,
    verify_entry,
)
from ludus.boards.formats import board_to_dict, title, to_csv, to_html, to_markdown
from ludus.boards.ledger import (
    LedgerDraft,
    LedgerEvent,
    LedgerEventKind,
    insert_events,
    seal_events,
)
from ludus.boards.organising import open_seasons, reveal_season, start_season
from ludus.boards.seasons import Season, check_season_open, find_season_problems, read_seasons
from ludus.errors import BoardError, OptionError, RunError, StoreError
from ludus.execution.plan import make_season_plan
from ludus.execution.sealing import SeasonTerms
from ludus.runs import Run, Store, continue_run, export, import_run, run, verify
from ludus.runs.sealed import secret_file

SECRET = bytes(range(32))
NAME = "2026-autumn"


@pytest.fixture
def season(store: Store) -> Season:
    return start_season(SMALL.id, store, name=NAME, by="me", secret=SECRET, episodes=3)


def enter(season: Season, store: Store, *agents: str) -> Run:
    """Play agents in a season and put them on its board."""
    plan = make_season_plan(season.terms, SECRET, agents or ["idle", "random"])
    played = continue_run(store.add(plan), store, executor=Here())
    accept(played.id, store, by="me")
    return played


def write(played: Run, store: Store, folder: Path) -> list[Path]:
    """Export a run and the ledger."""
    files = [folder / f"{played.id}.jsonl", folder / "ledger.jsonl"]
    export(played.id, store, files[0])
    export_ledger(store, files[1])
    return files


# ---- from start to reveal


def test_a_start_publishes_the_commitment_and_keeps_the_secret(store: Store) -> None:
    season = start_season(SMALL.id, store, name=NAME, by="me", ends=date(2126, 12, 31))
    (line,) = read_ledger(store)
    file = secret_file(season.mark, store)
    secret = json.loads(file.read_text())["secret"]
    assert line.kind == LedgerEventKind.SEASON_STARTED
    assert line.body["commitment"] == season.commitment
    assert season.terms == SeasonTerms(NAME, SMALL.id, 1, SMALL.episodes)
    assert season.terms.commit(bytes.fromhex(secret)) == season.commitment
    assert secret not in line.text
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_two_seasons_have_two_secrets(store: Store) -> None:
    first, second = (
        start_season(SMALL.id, store, name=name, by="me") for name in ("2026-autumn", "2027-spring")
    )
    files = [secret_file(season.mark, store).read_text() for season in (first, second)]
    assert json.loads(files[0])["secret"] != json.loads(files[1])["secret"]


def test_a_season_is_played_revealed_and_verified_by_anybody(
    season: Season, store: Store, tmp_path: Path
) -> None:
    played = enter(season, store)
    assert verify_entry(played.id, store, by="me").good
    revealed = reveal_season(NAME, store, by="me")
    assert revealed.secret == SECRET.hex()
    files = write(played, store, tmp_path)
    rebuilt = rebuild(files)
    assert rebuilt.problems == []
    (anew,) = rebuilt.boards
    assert [row.entry.agent for row in anew.rows] == [
        row.entry.agent for row in board(SMALL.id, store, season=NAME).rows
    ]
    assert all(row.verified for row in anew.rows)


def test_before_the_reveal_nothing_that_is_published_holds_the_secret(
    season: Season, store: Store, tmp_path: Path
) -> None:
    played = enter(season, store)
    files = write(played, store, tmp_path)
    export(played.id, store, tmp_path / "run.csv", "csv")
    standing = board(SMALL.id, store, season=NAME)
    texts = [file.read_text() for file in (*files, tmp_path / "run.csv")]
    texts += [json.dumps(board_to_dict(standing)), to_csv(standing)]
    texts += [to_markdown(standing), to_html(standing), played.text, repr(season)]
    seed = season.terms.derive_seed(SECRET)
    hidden = [SECRET.hex(), str(seed), *(str(1000 * seed + k) for k in range(3))]
    assert not [text for text in texts for secret in hidden if secret in text]


def test_others_are_told_that_a_run_is_sealed_until_they_have_the_ledger(
    season: Season, store: Store, tmp_path: Path
) -> None:
    played = enter(season, store)
    run_file, ledger = write(played, store, tmp_path)
    other = Store(str(tmp_path / "other.db"))
    import_run(run_file, other)
    with pytest.raises(RunError, match=f"sealed until season '{NAME}' is revealed"):
        verify(played.id, store=other)
    assert open_seasons(ledger, other) == []
    reveal_season(NAME, store, by="me")
    export_ledger(store, ledger)
    assert [one.name for one in open_seasons(ledger, other)] == [NAME]
    assert verify(played.id, store=other).good
    assert open_seasons(ledger, other)[0].secret == SECRET.hex()
    other.close()


def test_a_rebuilt_board_says_what_cannot_be_checked_yet(
    season: Season, store: Store, tmp_path: Path
) -> None:
    files = write(enter(season, store), store, tmp_path)
    for published in (files, files[1:]):  # runs are published after the reveal
        rebuilt = rebuild(published)
        assert rebuilt.problems == []
        assert rebuilt.sealed == {NAME: 2}
        assert len(rebuilt.boards[0].rows) == 2
        assert not any(row.verified for row in rebuilt.boards[0].rows)
    assert rebuild(files[:1]).problems == [
        f"run {files[0].stem} is of season '{NAME}': give its ledger as well"
    ]
    reveal_season(NAME, store, by="me")
    export_ledger(store, files[1])
    rebuilt = rebuild(files[1:])
    assert rebuilt.sealed == {}
    assert len(rebuilt.problems) == 2


# ---- boards


def test_practice_and_season_stand_side_by_side(season: Season, store: Store) -> None:
    public = run(SMALL.id, ["idle", "forward-jumping"], store=store, executor=Here())
    accept(public.id, store, by="me")
    enter(season, store)
    practice, sealed = board(SMALL.id, store), board(SMALL.id, store, season=NAME)
    assert title(practice).endswith("seed 0, practice")
    assert title(sealed).endswith(f"season {NAME}, sealed")
    assert {row.entry.agent for row in practice.rows} == {"idle", "forward-jumping"}
    assert {row.entry.agent for row in sealed.rows} == {"idle", "random"}
    beside = {row["agent"]: row["beside"] for row in board_to_dict(practice)["rows"]}
    assert beside["forward-jumping"] is None
    assert beside["idle"]["from"] == f"season {NAME}"
    beside = {row["agent"]: row["beside"] for row in board_to_dict(sealed)["rows"]}
    assert beside["random"] is None
    assert beside["idle"]["from"] == "practice"
    assert "| practice |" in to_markdown(sealed)
    assert f"season {NAME}" in to_csv(practice).splitlines()[0]
    assert "Practice: the seed is public" in to_markdown(practice)
    assert season.commitment in to_markdown(sealed)


def test_results_of_other_code_under_one_name_are_marked(season: Season, store: Store) -> None:
    public = run(SMALL.id, ["idle"], store=store, executor=Here())
    accept(public.id, store, by="me")
    enter(season, store, "idle")
    practice = board(SMALL.id, store)
    assert practice.beside
    entry = practice.beside.entries["idle"]
    other = replace(entry, summary=replace(entry.summary, fingerprint="another"))
    changed = replace(practice, beside=practice.beside._replace(entries={"idle": other}))
    assert "(other code)" not in to_markdown(practice)
    assert "(other code)" in to_markdown(changed)


def test_a_season_has_options_and_a_number_of_episodes_of_its_own(store: Store) -> None:
    season = start_season(
        SMALL.id, store, name="short", by="me", secret=SECRET, episodes=2, options={"clock": "3"}
    )
    played = enter(season, store, "idle")
    (row,) = board(SMALL.id, store, season="short").rows
    assert row.entry.options == {"clock": "3"}
    assert played.planned == 2


def test_an_agent_can_be_removed_from_a_season(season: Season, store: Store) -> None:
    enter(season, store)
    remove(SMALL.id, "idle", store, by="me", why="a test", season=NAME)
    assert [row.entry.agent for row in board(SMALL.id, store, season=NAME).rows] == ["random"]


# ---- what is refused


def test_a_name_is_taken_once(season: Season, store: Store) -> None:
    before = sorted(secret_file(season.mark, store).parent.iterdir())
    with pytest.raises(BoardError, match=f"there is a season '{NAME}' since"):
        start_season(SMALL.id, store, name=NAME, by="me")
    assert len(read_ledger(store)) == 1
    assert sorted(secret_file(season.mark, store).parent.iterdir()) == before


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"name": "No Name"}, "cannot name a season"),
        ({"episodes": 0}, "0 episodes are too few"),
        ({"options": {"speed": "3"}}, "no option 'speed'"),
        ({"ends": date(2020, 1, 1)}, "would have ended on 2020-01-01"),
        ({"secret": b"short"}, "a secret of 5 bytes"),
    ],
)
def test_impossible_terms_start_nothing(
    terms: dict[str, object], message: str, store: Store
) -> None:
    with pytest.raises(OptionError, match=message):
        start_season(SMALL.id, store, **{"name": NAME, "by": "me", **terms})  # type: ignore[arg-type]
    assert read_ledger(store) == []
    assert not store.folder_beside("seasons").exists()


def test_nobody_enters_after_the_reveal(season: Season, store: Store) -> None:
    plan = make_season_plan(season.terms, SECRET, ["idle"])
    late = continue_run(store.add(plan), store, executor=Here())
    reveal_season(NAME, store, by="me")
    with pytest.raises(BoardError, match="it takes no more entries"):
        accept(late.id, store, by="me")
    with pytest.raises(BoardError, match="it takes no more entries"):
        play_season(NAME, "idle", store=store)
    with pytest.raises(BoardError, match="was revealed on"):
        reveal_season(NAME, store, by="me")
    assert board(SMALL.id, store, season=NAME).rows == ()


def test_nobody_enters_after_the_last_day(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    start_season(SMALL.id, store, name=NAME, by="me", ends=date(2126, 12, 31))
    monkeypatch.setattr(Season, "over", True)
    with pytest.raises(BoardError, match="ended on 2126-12-31"):
        play_season(NAME, "idle", store=store)


def test_an_early_reveal_has_to_be_meant(store: Store) -> None:
    start_season(SMALL.id, store, name=NAME, by="me", ends=date(2126, 12, 31))
    with pytest.raises(BoardError, match="goes on until 2126-12-31"):
        reveal_season(NAME, store, by="me")
    assert reveal_season(NAME, store, by="me", early=True).state == "revealed"


def test_an_unknown_season_is_named_with_those_there_are(season: Season, store: Store) -> None:
    with pytest.raises(BoardError, match=f"no season 'x'; there is {NAME}"):
        board(SMALL.id, store, season="x")
    with pytest.raises(BoardError, match=f"season '{NAME}' is of test/small@1"):
        board("platformer/bundled", store, season=NAME)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps({"secret": bytes(32).hex()}), "does not hold the secret that season"),
        (json.dumps({"secret": "00"}), "holds no secret"),
        ("[]", "holds no secret"),
        ("", "holds no secret"),
    ],
)
def test_a_changed_secret_is_noticed(text: str, message: str, season: Season, store: Store) -> None:
    secret_file(season.mark, store).write_text(text)
    for attempt in (
        lambda: play_season(NAME, "idle", store=store),
        lambda: reveal_season(NAME, store, by="me"),
    ):
        with pytest.raises(StoreError, match=message):
            attempt()
    assert store.runs() == []
    assert len(read_ledger(store)) == 1


def test_a_secret_that_others_can_read_is_refused(season: Season, store: Store) -> None:
    secret_file(season.mark, store).chmod(0o644)
    with pytest.raises(StoreError, match="others can read the secret of a season: chmod 600"):
        play_season(NAME, "idle", store=store)


def test_without_the_secret_nobody_plays_or_reveals(season: Season, store: Store) -> None:
    secret_file(season.mark, store).unlink()
    with pytest.raises(BoardError, match="is not here: only the store that started it has it"):
        play_season(NAME, "idle", store=store)
    with pytest.raises(BoardError, match="is not here"):
        reveal_season(NAME, store, by="me")


def test_a_public_run_cannot_be_passed_off_as_a_sealed_one(store: Store) -> None:
    track = start_season("mario-arena/1-1", store, name=NAME, by="me", secret=SECRET, episodes=2)
    sealed = make_season_plan(track.terms, SECRET, ["random"])
    public = run("mario-arena/1-1", ["random"], store=store, episodes=2, executor=Here())
    scored = store.episodes(public.id)
    forged = store.add_run("00000000-00000000", public.created, sealed, scored)
    assert forged.plan.season == track.mark
    assert verify(public.id, store=store).good
    assert not verify(forged.id, store=store).good


def test_a_season_takes_runs_on_its_own_terms_alone(season: Season, store: Store) -> None:
    events = read_ledger(store)
    check_season_open(make_season_plan(season.terms, SECRET, ["idle"]), events)
    for terms, secret in ((replace(season.terms, episodes=4), SECRET), (season.terms, bytes(32))):
        with pytest.raises(BoardError, match="on other terms than those of season"):
            check_season_open(make_season_plan(terms, secret, ["idle"]), events)


# ---- ledgers of others


def forge(events: list[LedgerEvent], number: int, **changes: object) -> list[LedgerEvent]:
    """Change what a line says and seal the ledger again, as a forger would."""
    forged: list[LedgerEvent] = []
    for event in events:
        body = {**event.body, **changes} if event.number == number else event.body
        draft = replace(event, text=json.dumps(body, sort_keys=True))
        previous = forged[-1].digest if forged else event.previous
        unsealed = replace(draft, previous=previous)
        forged.append(replace(unsealed, digest=unsealed.seal))
    return forged


@pytest.mark.parametrize(
    ("line", "changes", "problem"),
    [
        (1, {"commitment": "0" * 64}, "the secret is not the one that season"),
        (1, {"commitment": "zz"}, "is no commitment of a season"),
        (1, {"episodes": 4}, "played on other terms"),
        (1, {"season": "another"}, "which was not started"),
        (4, {"secret": "0" * 64}, "the secret is not the one that season"),
        (4, {"secret": 7}, "reveals no secret"),
        (4, {"season": "another"}, "revealed, but was never started"),
    ],
)
def test_a_forged_line_of_a_season_is_named(
    line: int, changes: dict[str, object], problem: str, season: Season, store: Store
) -> None:
    enter(season, store)
    reveal_season(NAME, store, by="me")
    events = read_ledger(store)
    assert list(find_season_problems(events)) == []
    problems = list(find_season_problems(forge(events, line, **changes)))
    assert any(problem in one for one in problems), problems


@pytest.mark.parametrize("kind", ["season-started", "season-revealed", "accepted"])
@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        "null",
        "not json",
        '{"season": []}',
        '{"season": {"a": 1}, "entry": 3}',
        '{"season": "2026-autumn", "entry": {"levels": 7}, "options": 3}',
        '{"season": "2026-autumn", "commitment": 3, "episodes": "x", "options": [], "by": 1}',
    ],
)
def test_a_senseless_line_is_named_and_breaks_nothing(
    kind: str, text: str, season: Season, store: Store
) -> None:
    (started,) = read_ledger(store)
    events = [started, replace(started, number=2, kind=kind, text=text)]
    assert read_seasons(events) == {NAME: season}
    problems = list(find_season_problems(events))
    assert all(problem.startswith("line 2 of the ledger: ") for problem in problems)
    assert problems or kind == "accepted"


def test_entries_after_the_reveal_are_named(season: Season, store: Store) -> None:
    enter(season, store, "idle")
    reveal_season(NAME, store, by="me")
    started, accepted, revealed = read_ledger(store)
    swapped = [started, replace(revealed, number=2), replace(accepted, number=3)]
    (problem,) = find_season_problems(swapped)
    assert problem == (
        f"line 3 of the ledger: idle was accepted to season '{NAME}' after its reveal"
    )


def test_a_second_start_in_a_ledger_counts_for_nothing(season: Season, store: Store) -> None:
    (started,) = read_ledger(store)
    again = replace(started, text=json.dumps({**started.body, "commitment": "0" * 64}))
    events = [started, replace(again, number=2)]
    assert read_seasons(events)[NAME].commitment == season.commitment
    assert ["was started before" in one for one in find_season_problems(events)] == [True]


def test_a_forged_reveal_opens_no_run(season: Season, store: Store, tmp_path: Path) -> None:
    run_file, ledger = write(enter(season, store), store, tmp_path)
    other = Store(str(tmp_path / "other.db"))
    import_run(run_file, other)
    events = read_ledger(store)
    body = {"season": NAME, "secret": "0" * 64, "by": "you", "why": ""}
    kind = LedgerEventKind.SEASON_REVEALED
    forged = list(seal_events([LedgerDraft(kind, SMALL.id, 1, body)], events[-1]))
    insert_events(other, [*events, *forged])
    with pytest.raises(RunError, match="sealed until"):
        verify(import_run(run_file, other).id, store=other)
    export_ledger(other, ledger)
    with pytest.raises(BoardError, match="the secret is not the one"):
        open_seasons(ledger, other)
    other.close()
