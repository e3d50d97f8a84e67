"""Submissions of the reference, shown as claimed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ludus.benchmarks.claim import Claim
from ludus.benchmarks.nematode.reference_claim import read_claim
from ludus.boards import board, read_ledger
from ludus.boards.claims import add_claim
from ludus.boards.formats import board_to_dict, to_html, to_markdown
from ludus.boards.ledger import LedgerDraft, LedgerEventKind, append_events
from ludus.cli import main
from ludus.errors import BoardError, OptionError
from ludus.runs.store import Store

BENCHMARK, OLD = "nematode/foraging-small", {"world": "e25"}
SESSIONS = [f"artifacts/benchmarks/S1/{name}.json" for name in ("first", "second")]


def write_submission(root: Path, **fields: Any) -> Path:
    """Write a repository of the reference with one submission of two sessions of four runs."""
    for number, name in enumerate(SESSIONS):
        runs = [
            {
                "run": k + 1, "seed": 100 * number + k, "success": k > number, "steps": 9,
                "foods_collected": 1, "distance_efficiency": 0.5, "termination_reason": "x",
            }
            for k in range(4)
        ]  # fmt: skip
        summary = {"brain_type": "mlp", "grid_size": 20, "predators_enabled": False}
        values = {"config_summary": summary, "results": {"per_run_results": runs}}
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(json.dumps(values), encoding="utf-8")
    values = {
        "submission_id": "S1",
        "timestamp": "2025-12-29T10:51:38+00:00",
        "brain_type": "mlp",
        "environment": {"grid_size": 20, "predators_enabled": False},
        "sessions": [{"file_path": name, "num_runs": 4} for name in SESSIONS],
        "metrics": {"composite_score": {"mean": 0.81}},
        "contributor": "Ada",
        "notes": "REINFORCE",
        **fields,
    }
    (root / "submission.json").write_text(json.dumps(values), encoding="utf-8")
    return root / "submission.json"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'kept.db'}")


def test_a_submission_is_shown_as_claimed_and_not_ranked(store: Store, tmp_path: Path) -> None:
    claim, faults = read_claim(write_submission(tmp_path))
    assert faults == []
    # 0.4 success + 0.3 efficiency + 0.1 stability; four episodes never hold eight successes
    rates = [0.75, 0.5]
    stability = 1 - (rates[0] - rates[1]) / 2 / (sum(rates) / 2)
    assert claim.value == pytest.approx(0.4 * 0.625 + 0.3 * 0.5 + 0.1 * stability)
    assert (claim.published, claim.contributor, claim.options) == (0.81, "Ada", OLD)
    add_claim(claim, store, by="me")
    shown = board(BENCHMARK, store, options=OLD)
    assert (shown.rows, shown.claims) == ((), (claim,))
    assert board(BENCHMARK, store).claims == ()
    line = f"mlp: {claim.value:.3f} ± {claim.margin:.3f}, published 0.810; 2 × 4 episodes; by Ada"
    for page in (to_markdown(shown), to_html(shown)):
        assert line in page
        assert "Claimed elsewhere" in page
    assert board_to_dict(shown)["claims"] == [claim.to_dict()]
    with pytest.raises(BoardError, match="S1 of mlp is there already"):
        add_claim(claim, store, by="me")


def test_sessions_that_are_missing_leave_the_score_open(tmp_path: Path) -> None:
    file = write_submission(tmp_path)
    (tmp_path / SESSIONS[0]).unlink()
    claim, (fault,) = read_claim(file)
    assert (claim.value, claim.published) == (None, 0.81)
    assert "is not there: keep the tree" in fault


FORGED: list[tuple[dict[str, Any], str]] = [
    ({"brain_type": "mlp\x1b[2J"}, "U+001B"),
    ({"brain_type": 7}, "name of an agent"),
    ({"contributor": "x" * 500}, "name of the contributor"),
    ({"submission_id": None}, "name of the submission"),
    ({"environment": {}}, "no 'grid_size'"),
    ({"metrics": {"composite_score": {"mean": 7}}}, "7.0 is no score from 0 to 1"),
    ({"sessions": "all"}, "is no submission"),
    ({"sessions": [{"file_path": "x" * 5_000, "num_runs": 1e308}]}, "1e+308 is no number"),
    ({"notes": "x" * 10_000}, "longer than"),
]


@pytest.mark.parametrize(("fields", "reason"), FORGED, ids=lambda value: str(value)[:30])
def test_forged_submissions_are_refused_in_one_line(
    tmp_path: Path, fields: dict[str, Any], reason: str
) -> None:
    with pytest.raises(OptionError) as caught:
        read_claim(write_submission(tmp_path, **fields))
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("fields", [{"source": 7}, {"options": ["world"]}, {"length": 10**12}])
def test_a_line_that_holds_no_claim_is_named(store: Store, fields: dict[str, Any]) -> None:
    claim = Claim(BENCHMARK, "mlp", "Ada", "S1").to_dict()
    body = {"by": "me", "why": "", "claim": claim | fields}
    draft = LedgerDraft(LedgerEventKind.CLAIMED, BENCHMARK, 1, body)
    append_events(store, lambda _: [draft], BENCHMARK)
    assert len(read_ledger(store)) == 1
    with pytest.raises(BoardError, match="line 1 of the ledger holds no claim"):
        board(BENCHMARK, store)


def test_the_command_says_where_to_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDUS_STORE", str(tmp_path / "kept.db"))
    assert main(["import", "nematode", str(write_submission(tmp_path))]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[-1] == f"See it: ludus board {BENCHMARK} --world e25"
    assert main(["board", BENCHMARK, "--world", "e25"]) == 0
    assert "by Ada" in capsys.readouterr().out
    assert main(["import", "platformer", "x.json"]) == 2
    assert "imports no files of others; there is nematode" in capsys.readouterr().err
    for words in (["history", BENCHMARK], ["check"]):  # what reads the ledger reads past it
        assert main(["board", *words]) == 0


def test_a_claim_needs_a_score_that_is_one() -> None:
    with pytest.raises(ValueError, match="no score"):
        Claim(BENCHMARK, "mlp", "Ada", "S1", value=float("nan"))
