"""The site builds without a warning, and its generated page is current."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import ROOT


def test_the_page_of_the_command_line_is_current() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "write_cli_reference.py"))
    current = script["PAGE"].read_text(encoding="utf-8") == script["page"]()
    assert current, "docs/reference/cli.md is old: python scripts/write_cli_reference.py"


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir"]
    finished = subprocess.run(
        [*build, tmp_path],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stderr
    assert not finished.stderr.strip()
