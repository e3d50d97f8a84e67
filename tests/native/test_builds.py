"""The engine plays alike however it is built, and its core needs no operating system."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.native.building import EXACT, HOSTED, ROOT, STRICT, build_soup, engine_sources, run

SOUPS, TICKS, SEED = 120, 1500, 20_260
#: What a compiler may call on its own, so that every freestanding program has to have it.
FREESTANDING = {"memcpy", "memset", "memmove", "memcmp"}


def digests(soup: Path, **env: str) -> list[str]:
    """Gives one digest over all ticks of each soup."""
    report = run(soup, "digest", str(SOUPS), str(TICKS), str(SEED), env={**os.environ, **env})
    return report.splitlines()


def require(compiler: str) -> None:
    """Fails with the reason why the compiler could not be installed, if it is not there."""
    if shutil.which(compiler) is None:
        tried = subprocess.run(
            [ROOT / "scripts" / "debian-packages"], capture_output=True, text=True
        )
        if tried.returncode:
            pytest.fail(tried.stderr.strip(), pytrace=False)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program at the optimisation that Ludus is installed with."""
    return build_soup("gcc", ["-O3"], tmp_path_factory.mktemp("released") / "soup")


@pytest.fixture(scope="module")
def expected(released: Path) -> list[str]:
    lines = digests(released)
    assert len(set(lines)) == SOUPS
    return lines


@pytest.mark.parametrize("build", ["gcc -O0", "gcc -O2", "clang -O2"])
def test_every_build_plays_alike(build: str, expected: list[str], tmp_path: Path) -> None:
    compiler, level = build.split()
    require(compiler)
    assert digests(build_soup(compiler, [level], tmp_path / "soup")) == expected


def test_what_memory_held_before_does_not_matter(released: Path, expected: list[str]) -> None:
    assert digests(released, MALLOC_PERTURB_="165") == expected


def test_core_needs_no_operating_system(tmp_path: Path) -> None:
    core = [source for source in engine_sources() if source.name not in HOSTED]
    parts = [tmp_path / f"{source.stem}.o" for source in core]
    free = ("-O3", "-ffreestanding", "-nostdlib", "-nostdinc++")
    for source, part in zip(core, parts, strict=True):
        run("gcc", *STRICT, *EXACT, *free, "-c", source, "-o", part)
    whole = tmp_path / "core.o"
    run("ld", "-r", *parts, "-o", whole)
    wanted = {line.split()[-1] for line in run("nm", "--undefined-only", whole).splitlines()}
    assert wanted <= FREESTANDING
