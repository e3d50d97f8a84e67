"""What pages are shipped is what the sources give."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest
from tests.native.building import require
from tests.web.engine.node import ENGINE, ROOT, Node
from tests.web.engine.plays import all_plays, find_difference

LARGEST = 300_000
SAMPLE = 150


def test_the_modules_are_small() -> None:
    assert sum(module.stat().st_size for module in ENGINE.glob("*.wasm")) <= LARGEST


@pytest.mark.parametrize(
    ("name", "function"),
    [("art.json", "art"), ("knobs.json", "knobs"), ("map.json", "diplomacy_map")],
)
def test_art_knobs_and_map_are_those_of_python(name: str, function: str) -> None:
    script = runpy.run_path(str(ROOT / "scripts/write_web_data.py"))
    wanted = json.loads(json.dumps(script[function]()))
    assert json.loads((ENGINE / name).read_text()) == wanted, "python scripts/write_web_data.py"


@pytest.mark.slow
def test_the_module_is_built_from_the_sources(tmp_path: Path) -> None:
    for tool in ("clang", "wasm-ld", "node"):
        require(tool)
    script = runpy.run_path(str(ROOT / "scripts/build_wasm.py"))
    script["build"](tmp_path / "ludus.wasm")
    built, shipped = ((folder / "ludus.wasm").read_bytes() for folder in (tmp_path, ENGINE))
    versions = [script["recorded_version"](module) for module in (built, shipped)]
    if versions[0] == versions[1]:
        assert built == shipped, "the module is old: python scripts/build_wasm.py"
    else:
        sys.stdout.write(f"compilers differ, so behaviour is compared: {versions}\n")
        check_behaviour(tmp_path)


def check_behaviour(folder: Path) -> None:
    """Play recordings with the module that was built."""
    for file in ENGINE.iterdir():
        if file.suffix != ".wasm":
            (folder / file.name).symlink_to(file)
    node = Node(folder)
    assert not [found for play in all_plays(SAMPLE) if (found := find_difference(play, node))]
    node.close()


def test_another_compiler_is_told_by_the_module() -> None:
    script = runpy.run_path(str(ROOT / "scripts/build_wasm.py"))
    assert "lang" in script["recorded_version"]((ENGINE / "ludus.wasm").read_bytes())
    assert script["recorded_version"](b"\0asm") == "unknown"
