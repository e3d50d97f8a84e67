from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean, pstdev

import pytest
from tests.benchmarks.nematode.published import published, unpack

from ludus.benchmarks.nematode.intervals import bootstrap_interval
from ludus.benchmarks.score_files import score_files
from ludus.cli import main
from ludus.errors import OptionError


def test_the_reference_rule_gives_what_was_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = unpack(tmp_path / "sessions")
    assert main(["score", "nematode", str(folder), "--rule", "reference", "--json"]) == 0
    rows = {row["session"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert len(rows) == len(published())
    for session in published():
        said, row = session["expected"], rows[session["session"]]
        assert row["composite"] == pytest.approx(said["composite_published"], abs=1e-9)
        assert row["convergence_run"] == said["convergence_run"]
        for name in ("success_rate", "learning_speed", "stability"):
            assert row[name] == pytest.approx(said[name], abs=1e-9)


def test_one_file_is_scored(tmp_path: Path) -> None:
    folder = unpack(tmp_path / "sessions")
    first = published()[0]
    made = score_files("nematode", folder / f"{first['session']}.json", "reference")
    assert [row["session"] for row in made.rows] == [first["session"]]
    assert first["session"] in made.report


def test_the_document_takes_a_folder_for_one_submission(tmp_path: Path) -> None:
    group = [one for one in published() if one["group"] == "leaderboard/20251228_151306"]
    for session in group:
        place = tmp_path / f"{session['session']}.json"
        place.write_text(json.dumps({**session, "group": ""}), encoding="utf-8")
    made = score_files("nematode", tmp_path)
    *trainings, whole = made.rows
    assert len(trainings) == whole["trainings"] == 3
    assert whole["submission"] == tmp_path.stem
    assert whole["composite"] == pytest.approx(sum(whole["parts"].values()))
    assert whole["composite"] == pytest.approx(fmean(row["composite"] for row in trainings))
    rates = [row["final_success"] for row in trainings]
    assert whole["stability"] == pytest.approx(1 - pstdev(rates) / fmean(rates))
    assert whole["success_rate"] == pytest.approx(fmean(row["success_rate"] for row in trainings))
    assert whole["valid"] is False
    assert "3 of 50 trainings" in made.report


def test_groups_are_submissions_of_their_own(tmp_path: Path) -> None:
    made = score_files("nematode", unpack(tmp_path / "sessions"))
    groups = [row["submission"] for row in made.rows if "submission" in row]
    assert groups == list(dict.fromkeys(groups))
    assert set(groups) == {session["group"] for session in published()}


def test_broken_files_are_named_and_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = unpack(tmp_path / "sessions")
    (folder / "broken.json").write_text('{"success": "01"}', encoding="utf-8")
    assert main(["score", "nematode", str(folder), "--json"]) == 1
    caught = capsys.readouterr()
    assert "broken.json: 'distance_efficiency' is None" in caught.err
    assert len(caught.out.splitlines()) > len(published())


@pytest.mark.parametrize("rule", ["document", "reference", "reference-plateau"])
def test_people_are_shown_something(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: str
) -> None:
    assert main(["score", "nematode", str(unpack(tmp_path / "s")), "--rule", rule]) == 0
    shown = capsys.readouterr().out
    assert "composite" in shown
    assert max(len(line) for line in shown.splitlines() if "/" not in line) <= 80


def test_wrong_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        [str(tmp_path)],
        [str(tmp_path / "nowhere")],
        [str(tmp_path), "--rule", "other"],
    ):
        assert main(["score", "nematode", *words]) == 2
        said = capsys.readouterr().err
        assert said.startswith("error: ")
        assert said.count("\n") == 1
    with pytest.raises(OptionError, match="no mode 'other'"):
        score_files("nematode", tmp_path, "other")


def test_the_bootstrap_holds_the_score_and_is_narrow_for_equals() -> None:
    assert bootstrap_interval([0.5], [0.9]) is None
    low, high = bootstrap_interval([0.7] * 50, [0.9] * 50) or (0, 0)
    assert (low, high) == pytest.approx((0.8, 0.8))
    sums, finals = [0.6 + 0.002 * k for k in range(50)], [0.8 + 0.002 * k for k in range(50)]
    low, high = bootstrap_interval(sums, finals) or (0, 0)
    composite = fmean(sums) + 0.1 * (1 - pstdev(finals) / fmean(finals))
    assert low < composite < high
    assert high - low < 0.02
    assert bootstrap_interval([0.0, 0.0], [0.0, 0.0]) == (0.0, 0.0)


def test_a_reason_that_many_files_share_is_not_printed_for_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    for number in range(25):
        (tmp_path / f"{number:02d}.json").write_text(pointer, encoding="utf-8")
    assert main(["score", "nematode", str(tmp_path)]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 21
    assert all("run 'git lfs pull'" in line for line in lines[:20])
    assert lines[-1] == "… and 5 more for this reason"
