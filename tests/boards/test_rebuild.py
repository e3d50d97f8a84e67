from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.boards.making import hero, played
from tests.runs.small import SMALL

from ludus import parallel
from ludus.benchmarks import benchmarks
from ludus.boards import accept, board, export_ledger, rebuild, remove, verify_entry
from ludus.boards.formats import board_to_dict
from ludus.boards.rebuild import differences
from ludus.errors import BoardError, RunError
from ludus.execution.in_process import InProcessExecutor
from ludus.runs import Run, Store, export
from ludus.runs import run as run_benchmark

SPRINT = "platformer/sprint"


def written(run: Run, store: Store, folder: Path) -> Path:
    path = folder / f"{run.id}.jsonl"
    export(run.id, store, path)
    return path


def published(store: Store) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(json.dumps(board_to_dict(board(SMALL.id, store))))
    return values


def test_runs_alone_give_the_same_board(store: Store, tmp_path: Path) -> None:
    runs = [played(store, "idle", "random"), played(store, "forward-jumping")]
    for run in runs:
        accept(run.id, store, by="me")
    rebuilt = rebuild([written(run, store, tmp_path) for run in runs])
    assert rebuilt.problems == []
    (made,) = rebuilt.boards
    assert differences(made, published(store)) == []
    assert all(row.verified for row in made.rows)


def test_without_replaying_nothing_is_verified(store: Store, tmp_path: Path) -> None:
    file = written(played(store, "idle"), store, tmp_path)
    (made,) = rebuild([file], replay=False).boards
    assert [row.verified for row in made.rows] == [None]


def test_the_better_of_two_runs_stands(store: Store, tmp_path: Path) -> None:
    weak, strong = played(store, hero(tmp_path, "still")), played(store, hero(tmp_path, "fast"))
    files = [written(run, store, tmp_path) for run in (strong, weak)]
    (made,) = rebuild(files).boards
    assert [row.entry.run for row in made.rows] == [strong.id]


def test_the_ledger_decides_who_is_on_it(store: Store, tmp_path: Path) -> None:
    run = played(store, "idle", "random")
    accept(run.id, store, by="me")
    verify_entry(run.id, store, by="judge")
    remove(SMALL.id, "random", store, by="judge", why="peeked")
    export_ledger(store, tmp_path / "ledger.jsonl")
    rebuilt = rebuild([tmp_path / "ledger.jsonl", written(run, store, tmp_path)])
    assert rebuilt.problems == []
    (made,) = rebuilt.boards
    assert [row.entry.agent for row in made.rows] == ["idle"]
    assert made.rows[0].by == "me"
    assert differences(made, published(store)) == []


def test_boards_of_all_seeds_come_back(store: Store, tmp_path: Path) -> None:
    runs = [played(store, "idle", "random"), played(store, "idle", seed=4)]
    rebuilt = rebuild([written(run, store, tmp_path) for run in runs])
    assert [(one.key.seed, len(one.rows)) for one in rebuilt.boards] == [(0, 2), (4, 1)]


def test_a_run_that_is_missing_is_named(store: Store, tmp_path: Path) -> None:
    run = played(store, "idle")
    accept(run.id, store, by="me")
    export_ledger(store, tmp_path / "ledger.jsonl")
    assert rebuild([tmp_path / "ledger.jsonl"]).problems == [
        f"idle: run {run.id} is not among the files"
    ]


def test_every_run_that_is_missing_is_named(store: Store, tmp_path: Path) -> None:
    runs = [played(store, "idle"), played(store, "random")]
    for one in runs:
        accept(one.id, store, by="me")
    export_ledger(store, tmp_path / "ledger.jsonl")
    assert sorted(rebuild([tmp_path / "ledger.jsonl"]).problems) == [
        f"idle: run {runs[0].id} is not among the files",
        f"random: run {runs[1].id} is not among the files",
    ]


def test_a_ledger_that_was_meddled_with_is_named(store: Store, tmp_path: Path) -> None:
    runs = [played(store, "idle"), played(store, "random")]
    for run in runs:
        accept(run.id, store, by="me")
    place = tmp_path / "ledger.jsonl"
    export_ledger(store, place)
    place.write_text(place.read_text().replace("accepted", "removed", 1))
    rebuilt = rebuild([place, *(written(run, store, tmp_path) for run in runs)])
    assert rebuilt.problems[0].startswith("line 1 of the ledger is not as it was written")
    assert rebuilt.boards == []


def sealed_again(path: Path, change: Any) -> None:
    """Change a run's file as somebody would who knows how it is sealed."""
    seal, lines = "", []
    for number, line in enumerate(path.read_text().splitlines()):
        values = json.loads(line)
        del values["digest"]
        change(number, values)
        text = json.dumps(values, sort_keys=True, separators=(",", ":"))
        seal = hashlib.sha256(f"{seal}\n{text}".encode()).hexdigest()
        lines.append(json.dumps({**values, "digest": seal}))
    path.write_text("\n".join(lines) + "\n")


def test_a_forged_fact_is_found_by_playing_again(store: Store, tmp_path: Path) -> None:
    path = written(played(store, "idle"), store, tmp_path)

    def forge(number: int, values: dict[str, Any]) -> None:
        if number == 3:
            values["facts"]["x"] = 600.0
            values["score"] = values["parts"]["distance"] = 600

    sealed_again(path, forge)
    assert rebuild([path], replay=False).problems == []
    problems = rebuild([path]).problems
    assert any("episode 2: x is stored as 600.0" in problem for problem in problems)


def test_an_entry_that_its_run_does_not_give_is_found(store: Store, tmp_path: Path) -> None:
    run = played(store, "idle")
    accept(run.id, store, by="me")
    export_ledger(store, tmp_path / "ledger.jsonl")
    path = written(run, store, tmp_path)

    def forge(number: int, values: dict[str, Any]) -> None:
        if number == 3:
            values["facts"]["x"] = 600.0

    sealed_again(path, forge)
    problems = rebuild([tmp_path / "ledger.jsonl", path], replay=False).problems
    assert any(problem.startswith("idle: headline is") for problem in problems)
    assert any(problem.startswith("idle: digest is") for problem in problems)


def test_a_damaged_run_is_refused(store: Store, tmp_path: Path) -> None:
    path = written(played(store, "idle"), store, tmp_path)
    path.write_text(path.read_text().replace('"score": ', '"score": 1', 1))
    with pytest.raises(RunError, match="line 2"):
        rebuild([path])


def test_what_cannot_be_accepted_is_a_problem(store: Store, tmp_path: Path) -> None:
    path = written(played(store, "idle", episodes=2), store, tmp_path)
    rebuilt = rebuild([path])
    assert rebuilt.boards == []
    assert "takes 6 episodes" in rebuilt.problems[0]


def test_other_rules_cannot_replay(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ludus.games.game import find_game

    path = written(played(store, "idle"), store, tmp_path)
    monkeypatch.setattr(find_game("platformer"), "rules", lambda _: "framework@2")
    assert "cannot be played again here" in rebuild([path]).problems[0]


@pytest.mark.parametrize("text", ["", "x", "[]", "{}", '{"ludus": "level"}'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(text)
    with pytest.raises(BoardError, match="neither a run nor a ledger"):
        rebuild([file])


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="neither a run nor a ledger"):
        rebuild([tmp_path / "none.jsonl"])


def test_two_ledgers_are_one_too_many(store: Store, tmp_path: Path) -> None:
    accept(played(store, "idle").id, store, by="me")
    for name in "ab":
        export_ledger(store, tmp_path / name)
    with pytest.raises(BoardError, match="2 ledgers"):
        rebuild([tmp_path / "a", tmp_path / "b"])


def test_every_difference_is_a_line(store: Store, tmp_path: Path) -> None:
    run = played(store, "idle", "random")
    accept(run.id, store, by="me")
    (made,) = rebuild([written(run, store, tmp_path)]).boards
    said = published(store)
    said["rows"][0]["rank"] = 7
    said["rows"][1]["agent"] = "somebody"
    names = {row.entry.agent for row in made.rows}
    kept = said["rows"][0]["agent"]
    (other,) = names - {kept}
    assert differences(made, said) == sorted(
        [
            f"{kept}: rank is published as 7, the files give 1",
            f"{other} is in the files, but not published",
            "somebody is published, but not in the files",
        ]
    )


def test_another_version_is_not_mixed_in(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(played(store, "idle"), store, tmp_path)
    monkeypatch.setitem(benchmarks(), SMALL.id, replace(SMALL, version=2))
    assert "has version 2 here, not 1" in rebuild([path], replay=False).problems[0]


def test_several_processes_make_the_same_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only benchmarks that every process finds are shared."""
    monkeypatch.setattr(parallel, "ALONE_SECONDS", 0.0)
    monkeypatch.delitem(benchmarks(), SMALL.id)
    store, files = Store("sqlite://"), []
    for agent in ("forward-jumping", "random", "idle"):
        made = run_benchmark(SPRINT, [agent], store=store, executor=InProcessExecutor())
        files.append(written(made, store, tmp_path))
    sealed_again(files[1], lambda number, values: values.update(seconds=1.0) if number else None)
    alone, together = (rebuild(files, workers=workers) for workers in (1, 2))
    assert alone.problems == together.problems
    assert [[row.entry for row in one.rows] for one in alone.boards] == [
        [row.entry for row in one.rows] for one in together.boards
    ]
    assert len(alone.boards[0].rows) == 3


def test_a_file_that_comes_twice_counts_once(store: Store, tmp_path: Path) -> None:
    path = written(played(store, "idle"), store, tmp_path)
    copy, other = tmp_path / "copy.jsonl", tmp_path / "other.jsonl"
    copy.write_bytes(path.read_bytes())
    assert rebuild([path, copy]).problems == []
    other.write_bytes(path.read_bytes())
    sealed_again(other, lambda number, values: values.update(seconds=1.0) if number else None)
    (problem,) = rebuild([path, other], replay=False).problems
    assert problem.startswith("two files hold different runs of the id")
