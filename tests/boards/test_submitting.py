from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from tests.benchmarks.nematode.making import (
    NoseTrainer,
    change,
    small_submission,
    train,
    whole_submission,
)

from ludus.benchmarks import benchmarks
from ludus.benchmarks.nematode.retraining import Retrainer
from ludus.benchmarks.nematode.submitting import SubmittedTrainings, read_trainings
from ludus.boards import board, check_acceptable, export_ledger, read_ledger, rebuild, verify_entry
from ludus.boards.columns import cells, headings
from ludus.boards.formats import caption
from ludus.boards.proofs import format_proof
from ludus.boards.submitting import (
    CheckedSubmission,
    SubmissionOutcome,
    check_submission,
    submit,
)
from ludus.errors import AgentError, MissingExtra, RunError
from ludus.runs import Store, export, make_plan, verify
from ludus.runs.proof import Proof
from ludus.runs.rerun import rerun


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(str(tmp_path / "kept.db"))
    yield store
    store.close()


def check_folder(
    folder: Path,
    *,
    store: Store | None = None,
    retrain: int = 1,
    retrainer: Retrainer | None = None,
) -> CheckedSubmission:
    return check_submission(read_trainings(folder, retrainer), store=store, rerun=retrain)


def place(folder: Path, store: Store, *, by: str, retrain: int) -> SubmissionOutcome:
    return submit(read_trainings(folder), store, by=by, rerun=retrain)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return whole_submission(tmp_path / "nose")


def test_a_submission_comes_on_the_board(folder: Path, store: Store) -> None:
    placed = place(folder, store, by="me", retrain=0)
    assert placed.checked.good
    assert placed.checked.replayed == 50
    assert placed.decision is not None
    assert placed.decision.outcome == "new"
    assert placed.run is not None
    found = board("nematode/foraging-small", store)
    (row,) = found.rows
    assert isinstance(placed.checked.submission, SubmittedTrainings)
    submission = placed.checked.submission.trainings
    summary = row.entry.summary
    assert (row.entry.agent, summary.episodes) == ("nose", 50)
    assert summary.headline.value == pytest.approx(submission.score.total)
    own, published = summary.headline.margin, submission.score.margin
    assert own is not None
    assert published is not None
    assert own > published  # which covers too little
    assert summary.seconds == pytest.approx(25)
    assert summary.steps == sum(sum(one.steps) for one in submission.sessions)
    columns = dict(zip((c.name for c in found.benchmark.columns), summary.columns, strict=True))
    assert columns["learns"] == 0
    assert columns["stability"] == pytest.approx(submission.score.values["stability"])
    assert verify(placed.run.id, store=store).good
    assert verify_entry(placed.run.id, store, by="me").good
    assert board("nematode/foraging-small", store).rows[0].verified


def test_the_same_again_is_refused(folder: Path, store: Store) -> None:
    first = place(folder, store, by="me", retrain=0)
    assert first.run is not None
    again = place(folder, store, by="me", retrain=0)
    assert again.run is None
    assert f"on the board already: run {first.run.id} of nose" in again.checked.problems[0]
    for file in folder.glob("*.json"):
        change(file, brain="thief")
    stolen = check_folder(folder, store=store, retrain=0)
    assert f"on the board already: run {first.run.id} of nose" in stolen.problems[0]
    file = folder / "0000.json"
    told = json.loads(file.read_text(encoding="utf-8"))
    change(file, success=told["success"][:-1] + ("0" if told["success"][-1] == "1" else "1"))
    found = " ".join(check_folder(folder, store=store, retrain=0).problems)
    assert "is a copy of an episode of nose" in found
    assert len(read_ledger(store)) == 1


def test_only_a_better_one_takes_the_place(tmp_path: Path, store: Store) -> None:
    brains: Any = (
        ({}, "new"),
        ({"calm": 0.01}, "not better"),
        ({"noise": 0.1, "calm": 0}, "better"),
    )
    for config, outcome in brains:
        own = tmp_path / outcome
        train("foraging-small", "nose", config=config, folder=own)
        placed = place(own, store, by="me", retrain=0)
        assert placed.decision is not None
        assert placed.decision.outcome == outcome
        notes = " ".join(placed.checked.notes)
        assert ("50 of its seeds are those of run" in notes) == (outcome != "new")
    assert len(board("nematode/foraging-small", store).rows) == 1
    kinds = [event.kind for event in read_ledger(store)]
    assert kinds == ["accepted", "superseded", "accepted"]


def test_problems_keep_it_off_the_board(tmp_path: Path, store: Store) -> None:
    few = small_submission(tmp_path / "few")
    placed = place(few, store, by="me", retrain=0)
    assert placed.run is None
    assert placed.decision is None
    assert "3 trainings are too few" in placed.checked.problems[0]
    assert store.runs() == []


def test_other_rules_are_told(folder: Path, store: Store) -> None:
    for file in folder.glob("*.json"):
        change(file, engine="worm@9")
    (problem,) = check_folder(folder, store=store, retrain=0).problems
    assert "it was played by 'worm@9', this Ludus plays 'worm@1'" in problem


@pytest.mark.parametrize("engine", ["0123456789abcdef" * 4, "worm@1"])
def test_folders_from_before_versions_are_as_good(folder: Path, store: Store, engine: str) -> None:
    for file in folder.glob("*.json"):
        change(file, engine=engine)
    assert check_folder(folder, store=store, retrain=0).good


def test_frozen_and_trained_before_are_shown(folder: Path, store: Store) -> None:
    for file in folder.glob("*.json"):
        change(file, pretrained="CMA-ES, 30 generations", pretraining_steps=123_456)
    placed = place(folder, store, by="me", retrain=0)
    notes = " ".join(placed.checked.notes)
    assert "frozen" in notes
    assert "trained before: CMA-ES, 30 generations" in notes
    assert "123,456 steps" in notes
    found = board("nematode/foraging-small", store)
    names = [column.name for column in found.benchmark.columns]
    shown = dict(zip(names, found.rows[0].entry.summary.columns, strict=True))
    assert (shown["learns"], shown["steps before"]) == (0, 123_456)


def test_a_board_takes_more_trainings_but_not_fewer() -> None:
    assert check_acceptable(make_plan("nematode/foraging-small", ["gradient"], episodes=60))
    with pytest.raises(RunError, match="takes 50 or more episodes an agent, not 49"):
        check_acceptable(make_plan("nematode/foraging-small", ["gradient"], episodes=49))


def test_anybody_can_make_the_board_again(folder: Path, store: Store, tmp_path: Path) -> None:
    placed = place(folder, store, by="me", retrain=0)
    assert placed.run is not None
    export(placed.run.id, store, tmp_path / "run.jsonl")
    export_ledger(store, tmp_path / "ledger.jsonl")
    made = rebuild([tmp_path / "run.jsonl", tmp_path / "ledger.jsonl"])
    assert made.problems == []
    assert made.boards[0].rows[0].entry == board("nematode/foraging-small", store).rows[0].entry


def learned(folder: Path) -> None:
    """Let a submission say that its brain learns."""
    for file in folder.glob("*.json"):
        change(file, learning=True)


def test_a_sample_is_trained_again(folder: Path) -> None:
    learned(folder)
    good = check_folder(folder, retrain=2, retrainer=NoseTrainer(learning=True))
    assert (good.problems, good.rerun) == ((), 2)
    for file in folder.glob("*.json"):
        told = json.loads(file.read_text(encoding="utf-8"))
        change(file, config={**told["config"], "noise": 0.1})
    lying = check_folder(folder, retrain=1, retrainer=NoseTrainer(learning=True))
    assert "another training comes of its seed and settings" in lying.problems[0]


def test_a_frozen_brain_is_trained_again_too(folder: Path) -> None:
    honest = check_folder(folder, retrain=2, retrainer=NoseTrainer())
    assert (honest.problems, honest.rerun) == ((), 2)
    other = check_folder(folder, retrain=1, retrainer=NoseTrainer(noise=0.1))
    assert "another training comes of its seed and settings" in other.problems[0]


def test_a_training_is_done_again_from_the_stored_run(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    placed = submit(read_trainings(folder, NoseTrainer()), store, by="me", rerun=1)
    assert placed.run is not None
    assert placed.run.plan.provenance["seconds"] == "measured here in 1 of 50"
    name = "nematode/foraging-small"
    (row,) = board(name, store).rows
    assert (row.proof, row.rerun) == (Proof.RERUN, 1)
    trains = benchmarks()[name].train_again
    monkeypatch.setattr(trains, "retrainer", NoseTrainer())
    honest = rerun(placed.run.id, store=store, episodes=2)
    assert (honest.differences, honest.notes, honest.episodes) == ((), (), {"nose": 2})
    monkeypatch.setattr(trains, "retrainer", NoseTrainer(noise=0.1))
    forged = rerun(placed.run.id, store=store, episodes=1)
    assert forged.differences[0].field.startswith("action of step ")
    assert forged.episodes == {}


def test_what_was_not_trained_again_ranks_behind_and_replaces_nothing(
    folder: Path, store: Store, tmp_path: Path
) -> None:
    submit(read_trainings(folder, NoseTrainer()), store, by="me", rerun=1)
    for name in ("nose", "cheat"):
        better = tmp_path / name / "better"
        train("foraging-small", name, config={"noise": 0.1, "calm": 0}, folder=better, seed=0)
        placed = place(better, store, by="me", retrain=0)
        assert placed.run is not None
        assert placed.run.plan.provenance["seconds"] == "claimed"
        assert placed.decision is not None
        assert placed.decision.outcome == ("new" if name == "cheat" else "not better")
    found = board("nematode/foraging-small", store)
    assert [(row.rank, row.entry.agent, row.proof) for row in found.rows] == [
        (1, "nose", Proof.RERUN),
        (2, "cheat", Proof.REPLAYED),
    ]
    first, second = (row.entry.summary.headline.value for row in found.rows)
    assert second > first
    proofs = [format_proof(found.benchmark, row) for row in found.rows]
    assert proofs == ["retrained 1/50", "replayed, own code"]
    times = [cells(found, row)[headings(found).index("seconds")] for row in found.rows]
    assert [time.endswith("(claimed)") for time in times] == [False, True]
    assert found.rows[1].entry.category == "own code"
    again = rerun(found.rows[1].entry.run, store=store)
    assert again.episodes == {}
    assert again.notes[0].startswith("cheat was not played again: it is code of its submitter")
    assert "ranks behind the one before" in " ".join(caption(found))


def test_what_cannot_be_checked_is_refused(folder: Path) -> None:
    class WithoutExtra(NoseTrainer):
        def describe(self, *_: Any, **__: Any) -> NoReturn:
            raise MissingExtra('jax is not installed: pip install "ludus-arena[learn]"')

    class Unable(NoseTrainer):
        def train(self, *_: Any, **__: Any) -> NoReturn:
            raise AgentError("no brain 'nose'")

    (missing,) = check_folder(folder, retrainer=WithoutExtra()).problems
    assert "its brain cannot be checked: jax is not installed" in missing
    nobody = check_folder(folder, retrainer=Unable())
    assert "cannot be trained again: no brain 'nose'" in nobody.problems[0]


def test_code_of_others_is_not_run(folder: Path, tmp_path: Path) -> None:
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'done')!r}, 'w')", encoding="utf-8")
    for file in folder.glob("*.json"):
        change(file, brain=f"{evil}:Brain", learning=True)
    checked = check_folder(folder)
    assert checked.good
    assert checked.rerun == 0
    assert any("the folder has no brain.py" in note for note in checked.notes)
    assert not (tmp_path / "done").exists()
