"""Every example in a docstring runs and prints what it says."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

SOURCE = Path(__file__).parents[2] / "src"


SLOW = ("ludus.learning",)  # they compile with JAX


def modules_with_examples() -> list[str]:
    files = sorted((SOURCE / "ludus").rglob("*.py"))
    examples = [file for file in files if ">>> " in file.read_text(encoding="utf-8")]
    names = [file.relative_to(SOURCE).with_suffix("").parts for file in examples]
    return [".".join(name).removesuffix(".__init__") for name in names]


def test_examples_are_found() -> None:
    assert "ludus.games.platformer" in modules_with_examples()
    assert len(modules_with_examples()) > 60


def parameters() -> list[ParameterSet]:
    return [
        pytest.param(name, marks=[pytest.mark.slow] if name.startswith(SLOW) else [])
        for name in modules_with_examples()
    ]


@pytest.mark.parametrize("name", parameters())
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = import_module(name)
    results = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert results.attempted > 0
    assert results.failed == 0
