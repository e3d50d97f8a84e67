"""Builds programs from the engine's sources, the way each test wants them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "native" / "platformer"
DRAWING = ROOT / "native" / "drawing"
SOUP = Path(__file__).with_name("soup.c")

STRICT = ("-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ENGINE}", f"-I{DRAWING}")
#: One trajectory on every machine: what the engine is built with, but for the optimisation.
EXACT = ("-ffp-contract=off", "-fno-fast-math", "-fno-math-errno")
SANITIZED = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

#: The rest of the sources is the core, which needs no operating system below it.
HOSTED = frozenset({"heap.c", "batch.c"})


def engine_sources() -> list[Path]:
    """Lists the engine's sources in the order of their names."""
    return sorted(ENGINE.glob("*.c"))


def run(*words: str | Path, env: dict[str, str] | None = None) -> str:
    """Runs a program that must succeed and gives what it wrote."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=env)
    assert done.returncode == 0, f"{words[0]} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


def build_soup(compiler: str, flags: Sequence[str], program: Path) -> Path:
    """Builds the program `soup` from the engine's sources and gives its path."""
    sources = (*engine_sources(), *DRAWING.glob("*.c"), SOUP)
    run(compiler, *STRICT, *EXACT, *flags, *sources, "-o", program)
    return program
