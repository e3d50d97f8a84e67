"""The public C header is tested from C17 and C++, by two compilers, under the sanitizers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.native.building import (
    EXACT,
    NATIVE,
    SANITIZED,
    SANITIZER,
    STRICT,
    compile_objects,
    run,
)

HEADER = NATIVE / "abi" / "ludus.h"
FOLDERS = [
    "common",
    "platformer",
    "generators",
    "solver",
    "planner",
    "drawing",
    "training",
    "worm",
    "diplomacy",
    "abi",
]
PROGRAM = sorted(Path(__file__).parent.glob("test_abi*.c"))
LIBRARIES = ("-lm", "-pthread")
HERE = f"-I{NATIVE}"


def build_library(compiler: str, flags: Sequence[str]) -> list[Path]:
    """Compile everything below the header and return the objects."""
    sources = sorted(file for name in FOLDERS for file in (NATIVE / name).rglob("*.c"))
    return compile_objects(compiler, (*STRICT, *EXACT, HERE, *flags), sources)


@pytest.fixture(scope="module")
def sanitized() -> list[Path]:
    return build_library(SANITIZER, SANITIZED)


def test_every_function_works_from_c(sanitized: list[Path], tmp_path: Path) -> None:
    flags = (*STRICT, *SANITIZED, HERE)
    run(SANITIZER, *flags, *PROGRAM, *sanitized, "-o", tmp_path / "abi", *LIBRARIES)
    run(tmp_path / "abi")


def test_every_function_works_from_cpp(sanitized: list[Path], tmp_path: Path) -> None:
    flags = ("-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *SANITIZED, HERE)
    parts = [tmp_path / f"{source.stem}.o" for source in PROGRAM]
    for source, part in zip(PROGRAM, parts, strict=True):
        run(f"{SANITIZER}++", *flags, "-x", "c++", "-c", source, "-o", part)
    run(f"{SANITIZER}++", *SANITIZED, *parts, *sanitized, "-o", tmp_path / "abi", *LIBRARIES)
    run(tmp_path / "abi")


def test_every_function_works_under_the_sanitizer_of_threads(tmp_path: Path) -> None:
    flags = ("-O0", "-fsanitize=thread")
    objects = build_library("gcc", flags)
    run("gcc", *STRICT, *flags, HERE, *PROGRAM, *objects, "-o", tmp_path / "abi", *LIBRARIES)
    run(tmp_path / "abi")


@pytest.mark.parametrize("language", ["c -std=c17", "c++ -std=c++17"])
def test_header_stands_alone(language: str) -> None:
    flags = ("-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only")
    run("gcc", "-x", *language.split(), *flags, HEADER)


def declared_functions() -> set[str]:
    """Return the functions that the header declares."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)
    return set(re.findall(r"\b(ludus_\w+)\(", text))


def test_every_function_of_the_header_is_called() -> None:
    tests = "".join(source.read_text() for source in Path(__file__).parent.glob("*abi*.[ch]"))
    called = set(re.findall(r"\b(ludus_\w+)\b", tests))
    assert len(declared_functions()) > 90
    assert declared_functions() - called == set()


def test_binding_reaches_the_engines_through_the_header_only() -> None:
    included = set()
    for source in (NATIVE / "bindings" / "python").iterdir():
        included |= set(re.findall(r'#include "([^"]+)"', source.read_text()))
    others = {name for name in included if not name.startswith("bindings/")}
    assert others == {
        "abi/ludus.h",
        "agent/host.h",
        "agent/wasm.h",
        "generators/java_random.h",
        "judge/engine_costs.h",
        "training/ppo.h",  # how our policies learn may change, so it is nothing to build on
        "training/worm_ppo.h",
    }
