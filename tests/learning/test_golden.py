"""Short trainings come to what they came to when they were recorded.

``golden.json`` and the folders in ``older/``, which were broken off half-way, were made before
learners shared one optimiser, one PPO, one evolution and one form of folder; what policies come to
was recorded again when native code began to play and to learn. On the machine of the recording
every bit is the same; other processors and other versions of JAX may round otherwise, and so does
what JAX compiles without optimisation, as in tests unless ``XLA_FLAGS`` says otherwise.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from ludus.learning import resume, train
from ludus.learning.curve_folder import read_curve
from ludus.learning.worm import parallel
from ludus.learning.worm.experiment import Experiment

HERE = Path(__file__).parent
GOLDEN: dict[str, Any] = json.loads((HERE / "golden.json").read_text(encoding="utf-8"))
WITHOUT_JAX = ("ppo",)

BRAINS: dict[str, dict[str, Any]] = {
    "lstm-ppo": {"units": 4, "horizon": 32, "epochs": 1, "chunk": 8},
    "mlp-reinforce": {"hidden": "4"},
    "dqn": {"hidden": "4", "replay": 100},
    "cma-es": {"population": 2},
    "genetic": {"population": 2, "parents": 1, "elite": 1},
    "circuit-frozen": {},
}


@pytest.fixture(autouse=True)
def _few_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "LANES", 4)


def same_machine(name: str) -> bool:
    """Return whether processor, versions and optimisation are those of a training's recording."""
    if name not in WITHOUT_JAX and "xla_backend_optimization_level" in os.environ["XLA_FLAGS"]:
        return False
    return this_machine() == str(GOLDEN["machines"].get(name, GOLDEN["machine"]))


def this_machine() -> str:
    """Return a digest of processor and versions."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = "\n".join(sorted({row for row in lines if row.startswith(("flags", "model name"))}))
    except OSError:
        cpu = platform.processor()
    text = f"{platform.machine()} {cpu} {jax.__version__} {np.__version__}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def check(folder: Path, name: str) -> None:
    for file, expected in GOLDEN["trainings"][name].items():
        exact = same_machine(name)
        if file.endswith(".npz"):
            check_weights(folder / file, expected, exact)
        elif file.endswith(".jsonl"):
            check_rows(read_curve(folder), expected, exact)
        else:
            values = json.loads((folder / file).read_text(encoding="utf-8"))
            check_session(values, expected, exact)


def check_weights(file: Path, expected: dict[str, Any], exact: bool) -> None:
    with np.load(file, allow_pickle=False) as stored:
        arrays = {n: stored[n] for n in sorted(stored.files) if stored[n].dtype.kind == "f"}
    assert arrays.keys() == expected.keys() - {"digest"}
    for name, array in arrays.items():
        wide = array.astype(np.float64)
        figures = [wide.sum(), np.sqrt((wide**2).sum())]
        np.testing.assert_allclose(figures, expected[name], rtol=1e-3, atol=1e-4, err_msg=name)
    if exact:
        digest = hashlib.sha256(b"".join(array.tobytes() for array in arrays.values()))
        assert digest.hexdigest()[:16] == expected["digest"]


def check_rows(rows: list[dict[str, Any]], expected: list[dict[str, Any]], exact: bool) -> None:
    if exact:
        assert rows == expected
    assert [row.keys() for row in rows] == [row.keys() for row in expected]
    assert [row["steps"] for row in rows] == [row["steps"] for row in expected]


def check_session(values: dict[str, Any], expected: dict[str, Any], exact: bool) -> None:
    """Compare a session; on other processors a last digit may lead to other actions."""
    assert len(values["steps"]) == len(expected["steps"])
    if exact:
        assert values["steps"] == expected["steps"]
        assert values["evaluation"] == expected["evaluation"]
        digest = hashlib.sha256(values["actions"].encode()).hexdigest()[:16]
        assert digest == expected["actions"]


@pytest.mark.parametrize("kind", ["ppo", "evolution"])
def test_older_folders_of_policies_are_resumed_to_the_same_end(tmp_path: Path, kind: str) -> None:
    folder = Path(shutil.copytree(HERE / "older" / kind, tmp_path / kind))
    outcome = resume(folder)
    assert outcome.folder == folder
    check(folder, kind)
    assert (folder / "progress" / "0000.npz").is_file()


def test_older_folders_of_brains_are_resumed_to_the_same_end(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(HERE / "older" / "worm", tmp_path / "worm"))
    assert len(resume(folder, workers=0).sessions) == 2
    check(folder, "worm")


@pytest.mark.parametrize("brain", BRAINS)
def test_every_learner_of_brains_comes_to_the_same(
    tmp_path: Path, brain: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Experiment, "brain_seed", Experiment.first_seed)  # as it was then
    train(
        "nematode/foraging-small", brain=brain, trainings=1, episodes=3, out=tmp_path / brain,
        settings=BRAINS[brain], evaluation=1, workers=0,
    )  # fmt: skip
    check(tmp_path / brain, brain)
