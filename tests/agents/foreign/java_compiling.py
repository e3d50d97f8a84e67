"""Compiles the Java agents of the tests and the examples against the jar that Ludus has built."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from ludus.agents.foreign.java_files import find_archive
from ludus.errors import AgentError

__all__ = ["compile_java", "needs_java"]


def _find_fault() -> str:
    if not shutil.which("javac"):
        return "there is no JDK here: scripts/debian-packages installs one"
    try:
        find_archive()
    except AgentError as error:
        return str(error)
    return ""


QUICKLY = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
needs_java = pytest.mark.skipif(bool(_find_fault()), reason=_find_fault() or "there is a JDK")


def compile_java(sources: Iterable[Path], folder: Path) -> Path:
    """Compile sources into a folder, and return it."""
    jar = find_archive()
    command = ["javac", *QUICKLY, "--release", "11", "-cp", str(jar), "-d", str(folder)]
    done = subprocess.run([*command, *map(str, sources)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder
