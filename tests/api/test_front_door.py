"""``import ludus``: quick, complete, and true to its stub."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from ludus import api

STUB = Path(ludus.__file__).with_suffix(".pyi")


def test_every_function_is_one_of_the_api() -> None:
    for name in ludus.FRONT_DOOR:  # type: ignore[attr-defined]
        assert getattr(ludus, name) is getattr(api, name)
        assert name in dir(ludus)
        assert name in ludus.__all__  # type: ignore[attr-defined]


def test_the_stub_has_the_same_names() -> None:
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    names = {
        alias.asname
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert names == set(ludus.FRONT_DOOR)  # type: ignore[attr-defined]


def test_other_names_are_missing() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = ludus.nothing  # type: ignore[attr-defined]


def test_importing_it_is_quick_and_registers_the_environments() -> None:
    code = (
        "import sys, ludus, gymnasium; "
        "heavy = ('matplotlib', 'ray', 'jax', 'sqlalchemy', 'PIL', 'rich', 'ludus.api'); "
        "print([m for m in heavy if m in sys.modules], 'ludus/Platformer-v0' in gymnasium.registry)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[] True\n"


def test_the_api_needs_neither_matplotlib_nor_ray_nor_jax() -> None:
    code = (
        "import sys, ludus.api; "
        "print([m for m in ('matplotlib', 'ray', 'jax', 'PIL') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
