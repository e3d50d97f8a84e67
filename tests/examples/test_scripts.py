"""Every example runs as the script it is, and prints something."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
LONGEST = 350


def run_python(*arguments: str | Path, folder: Path, **variables: str) -> str:
    """Run Python in a folder of its own and return what it printed."""
    finished = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_runs(script: Path, tmp_path: Path) -> None:
    assert run_python(script, folder=tmp_path).strip()


@pytest.mark.parametrize("script", sorted(EXAMPLES.rglob("*.py")), ids=lambda path: path.name)
def test_a_script_is_short_enough_to_read(script: Path) -> None:
    assert len(script.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_the_readme_lists_every_example() -> None:
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLES.iterdir():
        if path.name != "README.md" and not path.name.startswith("."):
            assert f"`{path.name}" in readme, path.name


def test_a_package_brings_its_own_game_benchmark_and_agents(tmp_path: Path) -> None:
    site = tmp_path / "site"
    run_python(
        *("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"),
        *("--target", site, EXAMPLES / "custom_benchmark"),
        folder=tmp_path,
    )
    command = "import sys; from ludus.cli import main; sys.exit(main())"
    race = ("-c", command, "race", "guess/thousand", "bisect", "upwards", "--json")
    printed = run_python(*race, folder=tmp_path, PYTHONPATH=str(site))
    assert printed.index('"bisect"') < printed.index('"upwards"')
    check = (
        "from ludus.testing import check_agent, check_benchmark\n"
        "check_benchmark('guess/thousand', agent='bisect')\n"
        "check_agent('bisect', 'guess/thousand')\n"
    )
    run_python("-c", check, folder=tmp_path, PYTHONPATH=str(site))
