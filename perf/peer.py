"""Compiles and measures a checkout of the Mario-AI-Framework, on the levels of our own measures.

    make bench PEER=~/Mario-AI-Framework

Only the framework's public names are used: the agent's interface, the forward model and
``MarioGame.runGame``. Ludus's own archive for Java agents offers the same model, so a test runs the
harness on that.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ludus.errors import OptionError
from ludus.games.platformer import Level

__all__ = ["measure_peer"]

HARNESS = Path(__file__).parent / "java" / "Peer.java"


def measure_peer(peer: Path, levels: Sequence[Level]) -> dict[str, float]:
    """Return the seconds of an idle tick, a tick of running, a clone, a node, a step of its loop.

    Args:
        peer: The checkout's folder, or an archive of compiled classes.
        levels: What is played; their texts are the framework's.

    Raises:
        OptionError: There is no compiler, no framework there, or it does not compile or run.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        classes = _compile(peer, folder)
        files = [folder / f"{number}.txt" for number in range(len(levels))]
        for file, level in zip(files, levels, strict=True):
            file.write_text(level.text, encoding="ascii", errors="replace")
        printed = _run(["java", "-XX:+UseSerialGC", "-cp", classes, "Peer", *map(str, files)])
    return {name: float(value) for name, value in map(str.split, printed.splitlines())}


def _compile(peer: Path, folder: Path) -> str:
    """Compile the harness, and a checkout's engine with it; return where the classes are."""
    if not shutil.which("javac"):
        raise OptionError("there is no javac here: install a JDK to measure the framework")
    if peer.suffix == ".jar":
        _run(["javac", "-cp", str(peer), "-d", str(folder), str(HARNESS)])
        return f"{folder}:{peer}"
    sources = sorted((peer / "src" / "engine" / "core").glob("*.java"))
    if not sources:
        raise OptionError(f"{str(peer)!r} is no checkout: it has no src/engine/core/*.java")
    words = ["javac", "-nowarn", "-sourcepath", str(peer / "src"), "-d", str(folder)]
    _run([*words, *map(str, sources), str(HARNESS)])
    return str(folder)


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise OptionError(f"{command[0]} failed: {lines[0][:200]}")
    return done.stdout
