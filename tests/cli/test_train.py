from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Ludus, refused

from ludus.cli.training_options import parse_count
from ludus.errors import OptionError

SMALL = (
    *("--steps", "256", "--evaluation-episodes", "2", "--set", "games=16", "--set", "slots=8"),
    *("--set", "hidden=8", "--set", "patience=10"),
)


def test_a_trained_policy_is_an_agent(ludus: Ludus, tmp_path: Path) -> None:
    done = ludus("train", "mario-arena/1-1", *SMALL, "--out", "runs/first", "--json").json
    assert done["steps"] == 256
    assert done["benchmark"] == "mario-arena/1-1"
    assert done["policies"] == [str(Path("runs/first/best.npz"))]
    for file in (*done["policies"], *done["pictures"], "runs/first/policy.npz"):
        assert (tmp_path / file).is_file()
    told = ludus("run", "mario-arena/1-1", "runs/first/best.npz", "--episodes", "1", "--json").json
    assert told["standings"][0]["agent"] == "best"
    told = "--resume goes on with the settings of its folder: leave --steps out"
    assert told in refused(ludus("train", "--resume", "runs/first", "--steps", "5k", code=2))
    again = ludus("train", "--resume", "runs/first")
    assert "256 decisions × 1" in again.words
    assert "ludus run mario-arena/1-1 runs/first/best.npz" in again.out
    assert "curve.csv" in again.out
    assert "holds a training" in refused(
        ludus("train", "mario-arena/1-1", "--out", "runs/first", code=2)
    )


def test_the_best_of_several_policies_is_named_to_play(ludus: Ludus) -> None:
    words = ("train", "mario-arena/1-1", *SMALL, "--seeds", "3", "--out", "runs/three")
    said = ludus(*words).out
    done = ludus("train", "--resume", "runs/three", "--json").json
    results = [(one["success"], one["furthest"]) for one in done["best"]]
    best = done["policies"][results.index(max(results))]
    assert f"play it: ludus run mario-arena/1-1 {best}" in said
    assert " in 0 s (" not in said


def test_a_policy_for_generated_levels_is_called_by_its_name(ludus: Ludus, tmp_path: Path) -> None:
    words = ("mario-arena/ludus?length=60", "--levels", "3", "--name", "hopper")
    done = ludus("train", *words, *SMALL, "--json").json
    assert done["policies"] == [str(Path("runs/hopper/hopper.npz"))]
    assert done["benchmark"] == "mario-arena/unseen"
    assert len(done["on_training_levels"]) == 1
    table = (tmp_path / "runs/hopper/curve.csv").read_text(encoding="utf-8").splitlines()
    assert table[0].startswith("seed,steps,return,success,furthest")
    assert "on_training_levels.success" in table[0]
    told = ludus("run", "mario-arena/unseen", done["policies"][0], "--episodes", "1", "--json").json
    assert told["standings"][0]["agent"] == "hopper"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name a benchmark, such as mario-arena/1-1, or a folder with --resume"),
        (("mario-arena/1-1", "--resume", "runs"), "leave 'mario-arena/1-1' out"),
        (("mario-arena/0-1",), "'mario-arena/0-1' cannot be learned here"),
        (("platformer/sprint",), "'platformer/sprint' cannot be trained for"),
        (("mario-arena/1-1", "--algorithm", "dqn"), "no algorithm 'dqn': there are ppo, evolution"),
        (("mario-arena/1-1", "--steps", "many"), "--steps 'many' is no number: try 5M"),
        (("mario-arena/1-1", "--observe", "sound"), "'sound' cannot be seen"),
        (("mario-arena/1-1", "--set", "gamma"), "--set 'gamma' is not NAME=VALUE"),
        (("mario-arena/1-1", "--set", "gama=1"), "no setting 'gama'"),
        (("mario-arena/unseen", "--levels", "0"), "levels 0 is too small"),
        (("mario-arena/1-1", "--levels", "5"), "levels 5 are not for mario-arena/1-1"),
        (("mario-arena/1-1", "--set", "strides=2,1"), "channels none and strides 2,1 are not"),
        (("mario-arena/ludus?seed=3",), "names one level: leave out the seed"),
        (("mario-arena/ludus?dificulty=3",), "did you mean 'difficulty'?"),
        (("mario-arena/evil.py:make",), "'mario-arena/evil.py:make' cannot be learned here"),
        (("mario-arena/1-1", "--name", "../up"), "name '../up' is none for a file"),
        (("mario-arena/1-1", "--set", "hidden=a"), "hidden is 'a': give something like 64,64"),
        (("--resume", "nowhere"), "'nowhere' holds no training to resume"),
    ],
)
def test_what_is_wrong_is_told(ludus: Ludus, words: tuple[str, ...], told: str) -> None:
    assert told in refused(ludus("train", *words, code=2))


def test_without_jax_the_extra_is_named(ludus: Ludus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    words = ("train", "mario-arena/1-1", "--algorithm", "evolution")
    assert 'pip install "ludus-arena[learn]"' in refused(ludus(*words, code=2))


def test_foreign_models_need_trust(
    ludus: Ludus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LUDUS_TRUST", raising=False)
    (tmp_path / "model.zip").write_bytes(b"PK")
    words = ("run", "mario-arena/1-1", "sb3:model.zip", "--episodes", "1")
    assert "if you trust it, say --trust" in refused(ludus(*words, code=2))
    assert "--trust" not in refused(ludus(*words, "--trust", code=2))


def test_users_may_set_trust_and_budget_for_all_commands(
    ludus: Ludus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.zip").write_bytes(b"")
    words = ("run", "mario-arena/1-1", f"sb3:{tmp_path / 'model.zip'}")
    monkeypatch.setenv("LUDUS_TRUST", "1")
    assert "--trust" not in refused(ludus(*words, code=2))
    monkeypatch.setenv("LUDUS_BUDGET", "much")
    assert "'much' is no budget" in refused(ludus(*words, code=2))


@pytest.mark.parametrize(
    ("text", "number"),
    [("5M", 5_000_000), ("1.5m", 1_500_000), ("500k", 500_000), ("20_000", 20_000), ("7", 7)],
)
def test_numbers_may_be_short(text: str, number: int) -> None:
    assert parse_count("--steps", text) == number


@pytest.mark.parametrize("text", ["", "M", "-5", "5G", "1e6", "five"])
def test_what_is_no_number_is_told(text: str) -> None:
    with pytest.raises(OptionError, match="is no number"):
        parse_count("--steps", text)
