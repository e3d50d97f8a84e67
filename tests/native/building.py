"""Builds programs from the engines' sources, the way each test wants them."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"
OBJECTS = ROOT / ".pytest_cache" / "objects"

STRICT = ("-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
#: One trajectory on every machine: what the engines are built with, but for the optimisation.
EXACT = ("-ffp-contract=off", "-fno-fast-math", "-fno-math-errno")
#: Clang without optimisation compiles what sanitizers add in a quarter of the time that gcc takes.
SANITIZER = "clang"
SANITIZED = ("-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@dataclass(frozen=True)
class Engine:
    """The sources of an engine and the soup that plays it at random.

    Attributes:
        soup: The file of the soup.
        folders: Where the sources are: the engine's, then those of what else the soup plays with;
            folders below them count.
        hosted: The engine's files that need an operating system below them; the rest is its core.
        libraries: What the soup is linked with.
    """

    soup: str
    folders: tuple[Path, ...]
    hosted: frozenset[str]
    libraries: tuple[str, ...] = ()

    @property
    def flags(self) -> tuple[str, ...]:
        """How every file of it is compiled."""
        return (*STRICT, *EXACT, f"-I{NATIVE}")

    @property
    def sources(self) -> list[Path]:
        """All its sources, in the order of their names."""
        return [source for folder in self.folders for source in sorted(folder.rglob("*.c"))]

    @property
    def core(self) -> list[Path]:
        """The sources that need no operating system, in the order of their names."""
        return [source for source in self.sources if source.name not in self.hosted]


PLATFORMER = Engine(
    soup="soup.c",
    folders=(NATIVE / "common", NATIVE / "platformer", NATIVE / "drawing"),
    hosted=frozenset({"crew.c", "heap.c", "batch.c", "course.c"}),
    libraries=("-pthread",),
)
WORM = Engine(
    soup="worm_soup.c",
    folders=(NATIVE / "common", NATIVE / "worm"),
    hosted=frozenset({"crew.c", "batch.c"}),
    libraries=("-lm", "-pthread"),
)
TRAINING = Engine(
    soup="training_soup.c",
    folders=(NATIVE / "common", NATIVE / "platformer", NATIVE / "worm", NATIVE / "training"),
    hosted=frozenset(),
    libraries=("-lm", "-pthread"),
)
DIPLOMACY = Engine(
    soup="diplomacy_soup.c",
    folders=(NATIVE / "common", NATIVE / "diplomacy"),
    hosted=frozenset({"crew.c", "batch.c"}),
    libraries=("-pthread",),
)


def run(*words: str | Path, env: dict[str, str] | None = None) -> str:
    """Runs a program that must succeed and gives what it wrote."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=env)
    assert done.returncode == 0, f"{words[0]} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


def build_soup(engine: Engine, compiler: str, flags: Sequence[str], program: Path) -> Path:
    """Builds an engine's soup and gives the program's path."""
    soup = Path(__file__).with_name(engine.soup)
    objects = compile_objects(compiler, (*engine.flags, *flags), [*engine.sources, soup])
    run(compiler, *flags, *objects, "-o", program, *engine.libraries)
    return program


def compile_objects(compiler: str, flags: Sequence[str], sources: Iterable[Path]) -> list[Path]:
    """Compiles each source, unless a test has done so already, and gives the objects."""
    require(compiler)
    way = (shutil.which(compiler), *flags, _digest_headers())
    folder = OBJECTS / hashlib.sha256(repr(way).encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:  # the tests of other processes wait
        fcntl.flock(lock, fcntl.LOCK_EX)
        return [_compile(compiler, flags, source, folder) for source in sources]


def _compile(compiler: str, flags: Sequence[str], source: Path, folder: Path) -> Path:
    content = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    name = "_".join(source.relative_to(ROOT).with_suffix("").parts)
    made = folder / f"{name}.{content}.o"
    if not made.exists():
        run(compiler, *flags, "-c", source, "-o", made.with_suffix(".new"))
        os.replace(made.with_suffix(".new"), made)
    return made


@cache
def _digest_headers() -> str:
    """Gives a digest of all that sources include."""
    places = (NATIVE, Path(__file__).parent)
    headers = sorted(file for place in places for file in place.rglob("*.[hi]*"))
    return hashlib.sha256(b"".join(header.read_bytes() for header in headers)).hexdigest()


def require(compiler: str) -> None:
    """Fails with the reason why the compiler could not be installed, if it is not there."""
    if shutil.which(compiler) is None:
        tried = subprocess.run(
            [ROOT / "scripts" / "debian-packages"], capture_output=True, text=True
        )
        if tried.returncode:
            pytest.fail(tried.stderr.strip(), pytrace=False)
