"""The same work costs the same units under every Python, on every machine, under any load."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import ludus

HERE = Path(__file__).parent
SOURCES = Path(ludus.__file__).parents[1]
COUNTER = HERE.parents[2] / "native" / "judge" / "counter.c"
RECORDED = json.loads((HERE / "units.json").read_text())

Pythons = dict[str, str]


def find_pythons() -> Pythons:
    """Return the Pythons of this machine that Ludus supports, by their versions."""
    names = [sys.executable, *(f"python3.{minor}" for minor in range(11, 16))]
    folders = Path.home().glob(".pyenv/versions/3.1[1-9]*/bin/python3")
    found: Pythons = {}
    for candidate in [*filter(None, map(shutil.which, names)), *map(str, folders)]:
        answer = subprocess.run(
            [candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if answer.returncode == 0 and tuple(map(int, answer.stdout.split("."))) >= (3, 11):
            found.setdefault(answer.stdout.strip(), candidate)
    return found


PYTHONS = find_pythons()


def count_units(python: str, folder: Path, *files: str) -> dict[str, list[object]]:
    """Build the counter for a Python and return what the work of some files costs under it."""
    include = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('include'))"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    if not Path(include, "Python.h").exists():
        pytest.skip(f"{python} has no headers")
    compiler = (sysconfig.get_config_var("CC") or "cc").split()
    flags = ["-O2", "-shared", "-fPIC", f"-I{include}"]
    target = folder / "_counter.so"
    subprocess.run([*compiler, *flags, str(COUNTER), "-o", str(target)], check=True)
    paths = [str(HERE / "agents" / file) for file in files]
    command = [python, str(HERE / "count_units.py"), str(folder), str(SOURCES), *paths]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return dict(json.loads(answer.stdout))


@pytest.mark.parametrize("version", sorted(PYTHONS))
def test_work_costs_the_same_under_every_python(version: str, tmp_path: Path) -> None:
    assert count_units(PYTHONS[version], tmp_path, "mixed.py") == RECORDED["mixed.py"]


def test_work_on_arrays_costs_what_was_recorded(tmp_path: Path) -> None:
    assert count_units(sys.executable, tmp_path, "arrays.py") == RECORDED["arrays.py"]


def test_more_work_costs_more() -> None:
    units = [cost for costs in RECORDED.values() for cost, _ in costs.values()]
    assert min(units) > 1_000
    assert len(units) >= 12


def test_work_costs_the_same_under_load(tmp_path: Path) -> None:
    spin = "while True:\n    pass"
    busy = [
        subprocess.Popen([sys.executable, "-c", spin]) for _ in range(2 * (os.cpu_count() or 1))
    ]
    try:
        assert count_units(sys.executable, tmp_path, "mixed.py") == RECORDED["mixed.py"]
    finally:
        for process in busy:
            process.kill()
            process.wait()
