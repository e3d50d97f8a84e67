"""What starting imports: modules are counted, because times depend on the machine."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {"asyncio", "gymnasium", "jax", "numpy", "pydantic", "rich", "sqlalchemy", "typer"}


def modules_after(code: str) -> set[str]:
    """Return the top-level packages that a new interpreter has imported after some code."""
    report = "import json, sys; print(); print(json.dumps(sorted(sys.modules)))"
    command = [sys.executable, "-c", f"{code}\n{report}"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names: list[str] = json.loads(printed.splitlines()[-1])
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import ludus", set()),
        ("from ludus.cli import main; main(['--version'])", set()),
        ("from ludus.cli import main; main(['--help'])", {"typer"}),
        ("from ludus.cli import main; main(['run', '--help'])", {"typer", "rich", "pydantic"}),
        ("from ludus.cli import main; main(['score', '--help'])", {"typer", "rich", "pydantic"}),
        ("import ludus.agents.isolation.nursery", {"numpy"}),
        ("import ludus.stats.bounded", {"numpy"}),
        ("import ludus.benchmarks.families", set()),
    ],
)
def test_only_what_is_needed_is_imported(code: str, allowed: set[str]) -> None:
    assert modules_after(code) & HEAVY <= allowed


@pytest.mark.parametrize(
    "imports", ["import ludus, gymnasium", "import gymnasium, ludus", "import ludus, numpy"]
)
def test_environments_are_registered_in_either_order(imports: str) -> None:
    check = (
        "import gymnasium; assert {'ludus/Platformer-v0', 'ludus/Worm-v0'} <= {*gymnasium.registry}"
    )
    loader = "assert type(gymnasium.__loader__).__module__.startswith('_frozen')"
    assert "gymnasium" in modules_after(f"{imports}\n{check}\n{loader}")


def test_version_is_that_of_the_distribution() -> None:
    code = "import ludus; from importlib.metadata import version"
    modules_after(f"{code}; assert ludus.__version__ == version('ludus-arena')")


def test_unknown_names_are_missing() -> None:
    import ludus.stats

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ludus.stats.nothing  # type: ignore[attr-defined]
