"""Each library trains on the arena for a few thousand steps, where it is installed.

`make test-training` installs them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from perf.libraries import LIBRARIES, Library, is_installed
from tests.examples.test_scripts import EXAMPLES, run_python

STEPS = {"rllib_ppo": "2048", "sb3_contrib_recurrent": "2048"}


def test_every_script_is_listed() -> None:
    scripts = {path.stem for path in (EXAMPLES / "training").glob("*.py")}
    assert scripts == {library.script for library in LIBRARIES}


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.script)
def test_a_library_trains(library: Library, tmp_path: Path) -> None:
    if not is_installed(library.module):
        pytest.skip(f"make test-training installs {library.package}")
    script = EXAMPLES / "training" / f"{library.script}.py"
    steps = STEPS.get(library.script, "5000")
    printed = run_python(script, steps, folder=tmp_path).splitlines()
    *points, speed = [line for line in printed if line[:1].isdigit()]
    assert speed.endswith("steps a second")
    played = [int(point.split()[0]) for point in points]
    assert played == sorted(played)
    assert played[-1] >= 0.4 * int(steps)
