"""Builds the engines for the browser: ``src/ludus/web/static/engine/ludus.wasm``.

It needs Debian's clang and lld, and nothing else: ``native/bindings/wasm/`` has what the engines
ask of a C library. The compiler's version is kept in the module, so that a test knows whether it
can expect the same bytes again.

    python scripts/build_wasm.py [FILE]
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

__all__ = ["MODULE", "build", "recorded_version"]

ROOT = Path(__file__).parents[1]
NATIVE = ROOT / "native"
MODULE = ROOT / "src/ludus/web/static/engine/ludus.wasm"

FOLDERS = (
    "common", "platformer", "generators", "solver", "drawing", "worm", "abi", "bindings/wasm",
)  # fmt: skip
HOSTED = {
    "crew.c", "batch.c", "course.c", "worm_batch.c", "colony_batch.c", "practice.c",
    "planner.c",
}  # fmt: skip
"""Threads, many games at once and plans: pages have one game, and people play it."""

FLAGS = (
    "--target=wasm32", "-mbulk-memory", "-std=c17", "-Os", "-ffreestanding", "-nostdlib",
    "-ffp-contract=off", "-fno-fast-math", "-fno-math-errno", "-fvisibility=hidden",
    "-D_Thread_local=", "-DPF_INLINE=static inline", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
)  # fmt: skip
STACK = 1 << 18

EXPORTS = NATIVE / "bindings/wasm/exports.txt"


def recorded_version(module: bytes) -> str:
    """Return the compiler that a module says it was built with."""
    found = re.search(rb"ludus-compiler: ([ -~]+)\0", module)
    return found[1].decode() if found else "unknown"


def build(target: Path) -> None:
    """Write the module, compiled from the sources of the engines."""
    sources = [
        source
        for folder in FOLDERS
        for source in sorted((NATIVE / folder).rglob("*.c"))
        if source.name not in HOSTED
    ]
    with tempfile.TemporaryDirectory() as folder:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(lambda source: _compile(source, Path(folder)), sources))
        exports = [f"--export={name}" for name in EXPORTS.read_text().split()]
        options = ("--no-entry", "--strip-all", "--stack-first", "-z", f"stack-size={STACK}")
        _run("wasm-ld", *options, *exports, *objects, "-o", target.resolve())


def _compile(source: Path, folder: Path) -> Path:
    """Compile one file, named by its path below native/ so that nothing else gets into it."""
    name = source.relative_to(NATIVE)
    compiled = folder / ("_".join(name.parts) + ".o")
    places = ("-I.", "-isystem", "bindings/wasm/include")
    _run("clang", *FLAGS, *places, "-c", name, "-o", compiled)
    return compiled


def _run(*words: str | Path) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=NATIVE)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"{words[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else MODULE
    build(file)
    sys.stdout.write(f"{file.name}: {file.stat().st_size:,} bytes\n")
