"""The jar has the names and numbers that published agents are compiled against, and no others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.agents.foreign.java_compiling import compile_java, needs_java

from ludus.agents.foreign.java_files import find_archive

pytestmark = [needs_java, pytest.mark.slow]

HERE = Path(__file__).parent
PACKAGES = ("engine/", "ch/")


def test_public_names_are_the_published_ones() -> None:
    archive = find_archive()
    with ZipFile(archive) as jar:
        files = [name for name in jar.namelist() if name.startswith(PACKAGES)]
    classes = sorted(name[: -len(".class")] for name in files if name.endswith(".class"))
    command = ["javap", "-protected", "-constants", "-cp", str(archive), *classes]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = [line for line in printed.splitlines() if not line.startswith("Compiled from")]
    assert lines == (HERE / "java_interfaces.txt").read_text().splitlines()


def test_the_command_prints_the_jar_and_nothing_else() -> None:
    command = [sys.executable, "-m", "ludus.agents.foreign.jar"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{find_archive()}\n", "")


SPRITES = (
    *("GOOMBA", "GOOMBA_WINGED", "RED_KOOPA", "RED_KOOPA_WINGED", "GREEN_KOOPA"),
    *("GREEN_KOOPA_WINGED", "SPIKY", "SPIKY_WINGED", "BULLET_BILL", "ENEMY_FLOWER", "MUSHROOM"),
    *("FIRE_FLOWER", "SHELL", "LIFE_MUSHROOM", "FIREBALL"),
)
EVENTS = (
    *("BUMP", "STOMP_KILL", "FIRE_KILL", "SHELL_KILL", "FALL_KILL", "JUMP", "LAND", "COLLECT"),
    *("HURT", "KICK", "LOSE", "WIN"),
)
SOLID = (1, 2, 4, 5, 14, 18, 19, 20, 21, 52, 53)
FEATURES = {
    **dict.fromkeys(SOLID, "BLOCK_ALL"),
    3: "BLOCK_ALL, SPAWNER",
    6: "BLOCK_ALL, BREAKABLE",
    7: "BLOCK_ALL, BUMPABLE",
    8: "BLOCK_ALL, SPECIAL, BUMPABLE",
    11: "BLOCK_ALL, BUMPABLE",
    15: "PICKABLE",
    **dict.fromkeys((43, 44, 45, 46), "BLOCK_LOWER"),
    48: "BLOCK_UPPER, LIFE, BUMPABLE",
    49: "BLOCK_UPPER, BUMPABLE",
    50: "BLOCK_ALL, SPECIAL, BUMPABLE",
    51: "BLOCK_ALL, LIFE, BUMPABLE",
}


def test_enumerations_have_the_published_numbers(tmp_path: Path) -> None:
    classes = compile_java([HERE / "java_agents/Enums.java"], tmp_path)
    command = ["java", "-cp", f"{find_archive()}:{classes}", "tests.Enums"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == [
        "[RUNNING, WIN, LOSE, TIME_OUT]",
        *("LEFT 0 Left", "RIGHT 1 Right", "DOWN 2 Down", "SPEED 3 Speed", "JUMP 4 Jump"),
        *("NONE 0", "UNDEF -42", "MARIO -31"),
        *(f"{name} {value}" for value, name in enumerate(SPRITES, 2)),
        *(f"{name} {value}" for value, name in enumerate(EVENTS, 1)),
        *(f"{code} [{features}]" for code, features in sorted(FEATURES.items())),
    ]
