"""The C program of the docs compiles by the command beside it, and runs."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.docs.pages import DOCS, ROOT, blocks


def test_the_program_reaches_the_exit(tmp_path: Path) -> None:
    program, command, *_ = blocks(DOCS / "reference" / "c.md")
    assert (program.file, command.language) == ("run.c", "sh")
    source, binary = tmp_path / "run.c", tmp_path / "run"
    source.write_text(program.text, encoding="utf-8")
    build = command.text.replace("-O3", "-O0").replace(" run.c ", f" {source} ")
    build = build.replace("-o run", f"-o {binary}")
    subprocess.run(["sh", "-c", build], cwd=ROOT, check=True)
    ran = subprocess.run([binary], check=True, capture_output=True, text=True)
    assert ran.stdout == "status 1\n"
