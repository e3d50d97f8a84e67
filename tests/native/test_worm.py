"""The worm's engine breaks no promise, plays alike however built, needs no operating system."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.native.building import EXACT, ROOT, SANITIZED, run

ENGINE = ROOT / "native" / "worm"
SOUP = Path(__file__).with_name("worm_soup.c")
STRICT = ("-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ENGINE}")

SOUPS, STEPS, SEED = 120, 150, 4_242
SANITIZED_STEPS = 250_000
FREESTANDING = {"memcpy", "memset", "memmove", "memcmp"}


def build(compiler: str, flags: Sequence[str], program: Path) -> Path:
    if shutil.which(compiler) is None:
        tried = subprocess.run(
            [ROOT / "scripts" / "debian-packages"], capture_output=True, text=True
        )
        if tried.returncode:
            pytest.fail(tried.stderr.strip(), pytrace=False)
    sources = [*sorted(ENGINE.glob("*.c")), SOUP]
    run(compiler, *STRICT, *EXACT, *flags, *sources, "-o", program, "-lm")
    return program


def digests(soup: Path, **env: str) -> list[str]:
    """Gives one digest over all steps of each soup."""
    report = run(soup, "digest", str(SOUPS), str(STEPS), str(SEED), env={**os.environ, **env})
    return report.splitlines()


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program at the optimisation that Ludus is installed with."""
    return build("gcc", ["-O3"], tmp_path_factory.mktemp("released") / "soup")


@pytest.fixture(scope="module")
def expected(released: Path) -> list[str]:
    lines = digests(released)
    assert len(set(lines)) == SOUPS
    return lines


@pytest.mark.parametrize("flags", ["gcc -O0", "gcc -O2 -march=native", "clang -O2"])
def test_every_build_plays_alike(flags: str, expected: list[str], tmp_path: Path) -> None:
    compiler, *options = flags.split()
    assert digests(build(compiler, options, tmp_path / "soup")) == expected


def test_what_memory_held_before_does_not_matter(released: Path, expected: list[str]) -> None:
    assert digests(released, MALLOC_PERTURB_="165") == expected


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("gcc", SANITIZED, tmp_path_factory.mktemp("sanitized") / "soup")


@pytest.mark.parametrize("seed", [1, 1_000_000])
def test_random_play_breaks_no_promise(seed: int, sanitized: Path) -> None:
    report = run(sanitized, str(SANITIZED_STEPS // 2), str(seed))
    found = re.search(r"steps (\d+), soups (\d+), episodes (\d+)", report)
    assert found, report
    steps, soups, episodes = map(int, found.groups())
    assert steps >= SANITIZED_STEPS // 2
    assert soups > 50
    assert episodes > 500


def test_core_needs_no_operating_system(tmp_path: Path) -> None:
    core = [source for source in sorted(ENGINE.glob("*.c")) if source.name != "batch.c"]
    parts = [tmp_path / f"{source.stem}.o" for source in core]
    free = ("-O3", "-ffreestanding", "-nostdlib", "-nostdinc++")
    for source, part in zip(core, parts, strict=True):
        run("gcc", *STRICT, *EXACT, *free, "-c", source, "-o", part)
    whole = tmp_path / "core.o"
    run("ld", "-r", *parts, "-o", whole)
    wanted = {line.split()[-1] for line in run("nm", "--undefined-only", whole).splitlines()}
    assert wanted <= FREESTANDING
