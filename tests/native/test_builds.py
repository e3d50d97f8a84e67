"""The engines play alike however they are built, and their cores need no operating system."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.native.building import (
    DIPLOMACY,
    PLATFORMER,
    WORM,
    Engine,
    build_soup,
    compile_objects,
    run,
)

SOUPS = 24
#: How long each soup is played, and the first one's seed.
DIGESTED = {PLATFORMER: (1500, 20_260), WORM: (150, 4_242), DIPLOMACY: (60, 77)}
#: What a compiler may call on its own, so that every freestanding program has to have it, and what
#: reads texts and needs no system either.
FREESTANDING = {"memcpy", "memset", "memmove", "memcmp", "memchr", "strlen", "strcmp", "strncmp"}


def digests(engine: Engine, soup: Path, **env: str) -> list[str]:
    """Gives one digest over all ticks of each soup."""
    ticks, seed = DIGESTED[engine]
    report = run(soup, "digest", str(SOUPS), str(ticks), str(seed), env={**os.environ, **env})
    return report.splitlines()


@pytest.fixture(scope="module", params=DIGESTED, ids=["platformer", "worm", "diplomacy"])
def engine(request: pytest.FixtureRequest) -> Engine:
    found: Engine = request.param
    return found


@pytest.fixture(scope="module")
def released(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program at the optimisation that Ludus is installed with."""
    return build_soup(engine, "gcc", ["-O3"], tmp_path_factory.mktemp("released") / "soup")


@pytest.fixture(scope="module")
def expected(engine: Engine, released: Path) -> list[str]:
    lines = digests(engine, released)
    assert len(set(lines)) == SOUPS
    return lines


@pytest.mark.parametrize("build", ["gcc -O0", "gcc -O2 -march=native", "clang -O2"])
def test_every_build_plays_alike(
    engine: Engine, build: str, expected: list[str], tmp_path: Path
) -> None:
    compiler, *flags = build.split()
    assert digests(engine, build_soup(engine, compiler, flags, tmp_path / "soup")) == expected


def test_what_memory_held_before_does_not_matter(
    engine: Engine, released: Path, expected: list[str]
) -> None:
    assert digests(engine, released, MALLOC_PERTURB_="165") == expected


def test_core_needs_no_operating_system(engine: Engine, tmp_path: Path) -> None:
    free = ("-O1", "-fno-pic", "-ffreestanding", "-nostdlib", "-nostdinc++")
    parts = compile_objects("gcc", (*engine.flags, *free), engine.core)
    whole = tmp_path / "core.o"
    run("ld", "-r", *parts, "-o", whole)
    wanted = {line.split()[-1] for line in run("nm", "--undefined-only", whole).splitlines()}
    assert wanted <= FREESTANDING
