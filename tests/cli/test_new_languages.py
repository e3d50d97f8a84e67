"""``ludus new agent --language``: what is written is built by the command shown, and plays."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Ludus, refused

from ludus.agents import load
from ludus.benchmarks.agent_starters import LANGUAGES
from ludus.games.platformer import World
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

COMPILERS = {"rust": "rustc", "wasm": "wasm-ld"}
LEVEL = Level.parse("M--------------F\nXXXXXXXXXXXXXXXX")


def play(spec: str) -> list[int]:
    agent, world = load(spec, "platformer"), World(LEVEL, 0, 40)
    agent.reset(Scenario("flat", LEVEL))
    pressed = []
    while world.status == 0:
        pressed.append(agent.act(View(world)))
        world.step(pressed[-1])
    if hasattr(agent, "close"):
        agent.close()
    return pressed


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[int]:
    """Play the same agent in Python."""
    file = tmp_path_factory.mktemp("python") / "same.py"
    file.write_text(
        "class Same:\n"
        "    name = 'same'\n"
        "    def reset(self, scenario): pass\n"
        "    def act(self, view):\n"
        "        return 18 if view.mario.may_jump or not view.mario.on_ground else 2\n"
    )
    return play(f"{file}:Same")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_agent_is_built_by_the_command_and_plays(
    language: str, ludus: Ludus, tmp_path: Path, expected: list[int]
) -> None:
    if not shutil.which(compiler := COMPILERS.get(language, "sh")):
        pytest.skip(f"{compiler} is not installed")
    (tmp_path / "my agents").mkdir()
    said = ludus("new", "agent", "my-agent", "--language", language, "--in", "my agents").out
    *build, run = said.partition("Next: ")[2].strip().split(" && ")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for step in build:
        subprocess.run(step, shell=True, check=True, env=environment)
    *command, spec = shlex.split(run)
    assert command == ["ludus", "run", "platformer/bundled"]
    assert play(spec) == expected


def test_an_unknown_language_is_refused_with_the_list(ludus: Ludus, tmp_path: Path) -> None:
    said = refused(ludus("new", "agent", "my-agent", "--language", "cobol", code=2))
    assert f"'cobol' is none of python, {', '.join(LANGUAGES)}" in said
    assert list(tmp_path.iterdir()) == []
