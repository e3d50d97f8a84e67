"""Files as users of NematodeBench have them on disk: small ones of the same form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ludus.benchmarks.nematode.reference import score_session
from ludus.benchmarks.score_files import ScoredFiles, score_files
from ludus.cli import main
from ludus.errors import OptionError

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"


def write_session(
    file: Path,
    wins: str = "000" + "1" * 37,
    *,
    brain: str = "mlp",
    config: str = "mlp_foraging_small.yml",
    predators: bool = False,
    **stored: Any,
) -> Path:
    """Write a session as the reference does; the stored figures are true unless others are set."""
    flags = [sign == "1" for sign in wins]
    efficiencies = [0.5 if won else 0.1 for won in flags]
    true = score_session(flags, efficiencies)
    results = {
        "total_runs": len(flags),
        "success_rate": true.success_rate,
        "composite_benchmark_score": true.composite,
        "convergence_run": true.convergence_run,
        "learning_speed": true.learning_speed,
        "stability": true.stability,
        **stored,
        "per_run_results": [
            {
                "run": number,
                "seed": 77 + number,
                "success": won,
                "steps": 200,
                "total_reward": 1.5,
                "termination_reason": "completed_all_food" if won else "max_steps",
                "foods_collected": 10 if won else number % 2,
                "distance_efficiency": efficiency,
            }
            for number, (won, efficiency) in enumerate(
                zip(flags, efficiencies, strict=True), start=1
            )
        ],
    }
    summary = {"brain_type": brain, "grid_size": 20, "predators_enabled": predators}
    values = {
        "experiment_id": file.stem,
        "config_file": f"configs/examples/{config}",
        "config_summary": summary,
        "results": results,
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(values), encoding="utf-8")
    return file


def write_submission(root: Path, *files: str) -> Path:
    sessions = [{"experiment_id": "x", "file_path": file, "num_runs": 40} for file in files]
    values = {"submission_id": "s", "sessions": sessions, "contributor": "someone"}
    file = root / "benchmarks" / "foraging_small" / "classical" / "s.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(values), encoding="utf-8")
    return file


def groups(scored: ScoredFiles) -> dict[str, dict[str, Any]]:
    return {row["submission"]: row for row in scored.rows if "submission" in row}


def test_a_session_is_scored_over_its_own_length(tmp_path: Path) -> None:
    scored = score_files("nematode", write_session(tmp_path / "one.json"))
    row = groups(scored)["foraging-small"]
    assert row["learning_speed"] == pytest.approx(1 - 11 / 40)
    assert (row["brain"], row["episodes"], row["trainings"]) == ("mlp", 40, 1)
    assert row["success_rate"] == pytest.approx(37 / 40)
    assert row["success_rate_late"] == pytest.approx(39 / 40)  # two of three late with some food
    assert "1 of 1 sessions give what their files say" in scored.report


def test_unlike_sessions_are_never_pooled(tmp_path: Path) -> None:
    write_session(tmp_path / "a" / "1.json")
    write_session(tmp_path / "a" / "2.json")
    write_session(tmp_path / "a" / "3.json", brain="mlpppo")
    write_session(tmp_path / "b" / "c" / "4.json", predators=True)
    write_session(tmp_path / "b" / "c" / "5.json", config="mlp_small_klinotaxis.yml")
    write_session(tmp_path / "b" / "c" / "6.json", "1" * 50)
    (tmp_path / "b" / "config.yml").write_text("brain: mlp", encoding="utf-8")
    (tmp_path / "b" / "other.json").write_text("[1, 2]", encoding="utf-8")
    scored = score_files("nematode", tmp_path)
    assert scored.faults == []
    assert {name: row["trainings"] for name, row in groups(scored).items()} == {
        "foraging-small, mlp, 40 episodes": 2,
        "foraging-small, mlpppo, 40 episodes": 1,
        "foraging-small, mlp, 50 episodes": 1,
        "predator-small": 1,
        "foraging-small+klinotaxis": 1,
    }


def test_a_submission_leads_to_its_sessions_and_each_counts_once(tmp_path: Path) -> None:
    place = "artifacts/benchmarks/s"
    for name in ("1", "2"):
        write_session(tmp_path / place / f"{name}.json")
    file = write_submission(tmp_path, f"{place}/1.json", f"{place}/2.json", f"{place}/3.json")
    scored = score_files("nematode", file)
    assert groups(scored)["foraging-small"]["trainings"] == 2
    (fault,) = scored.faults
    assert f"its session '{place}/3.json' is not there" in fault
    both = score_files("nematode", [tmp_path, file])
    assert groups(both)["foraging-small"]["trainings"] == 2


@pytest.mark.parametrize("name", ["../secret.json", "/etc/passwd", "a/../../secret.json"])
def test_a_submission_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    write_session(tmp_path / "secret.json")
    file = write_submission(tmp_path / "tree", name)
    scored = score_files("nematode", file)
    assert scored.rows == []
    assert "is not there" in scored.faults[0]


def test_what_cannot_be_scored_is_named_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    complete = write_session(tmp_path / "good.json").read_text(encoding="utf-8")
    (tmp_path / "pointer.json").write_text(POINTER, encoding="utf-8")
    (tmp_path / "half.json").write_text(complete[: len(complete) // 2], encoding="utf-8")
    results = {"total_runs": 20, "success_rate": 0.8}
    (tmp_path / "old.json").write_text(json.dumps({"results": results}), encoding="utf-8")
    assert main(["score", "nematode", str(tmp_path)]) == 1
    caught = capsys.readouterr()
    assert "foraging-small: mlp, 1 training" in caught.out
    said = " ".join(caught.err.split())
    assert "is a pointer of Git LFS, not the session: run 'git lfs pull'" in said
    assert "if it was broken off while it was written, copy it again" in said
    assert "cannot be scored again" in said
    assert "It says: success 0.8000 in 20 runs." in said


@pytest.mark.parametrize("rule", ["document", "reference"])
def test_stored_figures_that_differ_are_shown(tmp_path: Path, rule: str) -> None:
    file = write_session(tmp_path / "one.json", composite_benchmark_score=0.99)
    scored = score_files("nematode", file, rule)
    assert "0 of 1 sessions give what their files say" in scored.report
    assert "one: composite_benchmark_score is stored as 0.99, its episodes give" in scored.report
    assert list(scored.rows[0]["stored_differences"]) == ["composite_benchmark_score"]


def test_a_tree_without_sessions_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    with pytest.raises(OptionError, match="there is no session among the files"):
        score_files("nematode", tmp_path)


def test_a_copy_of_a_session_counts_once(tmp_path: Path) -> None:
    write_session(tmp_path / "experiments" / "1.json")
    write_session(tmp_path / "benchmarks" / "s" / "1.json")
    write_session(tmp_path / "benchmarks" / "s" / "2.json")
    scored = score_files("nematode", tmp_path)
    assert groups(scored)["foraging-small"]["trainings"] == 2


def test_an_episode_says_whether_it_succeeded(tmp_path: Path) -> None:
    file = write_session(tmp_path / "one.json")
    values = json.loads(file.read_text(encoding="utf-8"))
    values["results"]["per_run_results"][4]["success"] = "yes"
    file.write_text(json.dumps(values), encoding="utf-8")
    faults = score_files("nematode", tmp_path).faults
    assert faults == [f"{file}: 'success' of episode 5 is 'yes', not true or false"]
