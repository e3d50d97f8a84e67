"""Hostile agents in the sandbox: none does any harm, and each gets a verdict."""

from __future__ import annotations

import inspect
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.attacks import hostile_in_sandbox

from ludus.agents.isolation.agent_process import AgentProcess, start_agent_process
from ludus.agents.sandbox import find_layers
from ludus.benchmarks import find_benchmark
from ludus.context import RunContext
from ludus.errors import AgentFault
from ludus.games.game import find_game, scenario_for_agent
from ludus.limits import Limits

ATTEMPTS = [
    name
    for name, attempt in inspect.getmembers(hostile_in_sandbox, inspect.isfunction)
    if attempt.__module__ == hostile_in_sandbox.__name__ and name != "call"
]
CONFINED = RunContext(sandbox=True, limits=Limits(seconds=1))

pytestmark = pytest.mark.skipif(
    not all(layer.holds for layer in find_layers() if layer.needed),
    reason="this system has no sandbox: ludus doctor says what is missing",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the hostile agents, and things beside them that they may not see."""
    folder = tmp_path / "agents"
    folder.mkdir()
    shutil.copy(hostile_in_sandbox.__file__, folder / "hostile.py")
    (folder / "runs.db").write_bytes(b"records")
    (folder / "secret.key").write_text("secret")
    (folder / "secret.key").chmod(0o600)
    (folder / "link").symlink_to("/etc/passwd")
    monkeypatch.setenv("SECRET_TOKEN", "secret")
    return folder


def play(folder: Path, attempt: str) -> object:
    agent = start_agent_process(
        f"{folder / 'hostile.py'}:Agent#{attempt}", "platformer", CONFINED, "platformer"
    )
    try:
        return ask(agent)
    finally:
        agent.kill()


def ask(agent: AgentProcess) -> object:
    """Return the agent's first action in a level."""
    game = find_game("platformer")
    scenario = game.parse_scenario(find_benchmark("platformer/sprint").make_scenarios(0, 1)[0])
    agent.reset(scenario_for_agent(scenario))
    return agent.act(game.begin(scenario).observation)


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_attempt_is_contained_and_named(attempt: str, folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    with pytest.raises(AgentFault) as caught:
        play(folder, attempt)
    assert str(caught.value)
    assert sorted(path.name for path in folder.iterdir()) == before
    assert not Path("/tmp/ludus-written").exists()
    assert (folder / "hostile.py").read_bytes() == Path(hostile_in_sandbox.__file__).read_bytes()


def test_there_are_many_attempts() -> None:
    assert len(ATTEMPTS) >= 30


@pytest.fixture
def honest(tmp_path: Path) -> Iterator[AgentProcess]:
    file = tmp_path / "honest.py"
    (tmp_path / "weights.txt").write_text("3")
    file.write_text(
        "from pathlib import Path\nimport numpy as np\nimport statistics, threading\n\n\n"
        "class Agent:\n    name = 'honest'\n\n    def reset(self, scenario):\n        pass\n\n"
        "    def act(self, view):\n"
        "        answers = []\n"
        "        worker = threading.Thread(target=lambda: answers.append(1))\n"
        "        worker.start()\n        worker.join()\n"
        "        weight = int((Path(__file__).parent / 'weights.txt').read_text())\n"
        "        ahead = view.forward_model()\n        ahead.advance(8)\n"
        "        return int(np.ones((50, 50)).sum() > 0) + weight + len(answers)\n"
    )
    agent = start_agent_process(f"{file}:Agent", "platformer", CONFINED, "platformer")
    yield agent
    agent.kill()


def test_honest_agent_reads_its_files_and_thinks_with_threads_and_arrays(
    honest: AgentProcess,
) -> None:
    assert ask(honest) == 5


def test_this_process_is_not_confined() -> None:
    assert os.listdir("/proc")
    assert sys.platform.startswith("linux")
