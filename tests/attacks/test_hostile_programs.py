"""Hostile programs in the sandbox: none does any harm, and each gets a verdict in one line."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.attacks import hostile_program
from typer.testing import CliRunner

import ludus
from ludus.agents.isolation.agent_process import start_agent_process
from ludus.agents.sandbox import has_sandbox
from ludus.agents.sandbox._confine import landlock_version
from ludus.cli.app import app
from ludus.context import RunContext
from ludus.errors import AgentFault
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.scenario import Scenario

pytestmark = pytest.mark.skipif(
    not has_sandbox() or landlock_version() < 6,
    reason="this system cannot confine programs: that takes Linux 6.12",
)

SCENARIO = Scenario("short", Level.parse("M---------F\nXXXXXXXXXXX"))
REFUSED = r"^gave up: PermissionError (1|13)$"
NOT_WRITTEN = r"^gave up: (PermissionError 13|OSError 30)$"
VERDICTS = {
    "open_socket": REFUSED,
    "read_store": REFUSED,
    "read_shadow": REFUSED,
    "write_beside": NOT_WRITTEN,
    "write_temporary": NOT_WRITTEN,
    "change_rights": REFUSED,
    "kill_parent": REFUSED,
    "fork_for_ever": r"^had more than 64 processes at once$",
    "trace_parent": r"^made the system call ptrace, which the sandbox refuses$",
    "outlive": r"^the program ended with code 5$",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a hostile program with things beside it that it may not see."""
    folder = tmp_path_factory.mktemp("program")
    (folder / "runs.db").write_bytes(b"records")
    file, source = folder / "hostile", Path(hostile_program.__file__)
    file.write_text(f"#!{sys.executable}\n{source.read_text()}")
    file.chmod(0o755)
    return file


def play(program: Path, attempt: str) -> int:
    """Return what a confined program answers after an attempt."""
    spec = f"{program} {attempt}"
    agent = start_agent_process(spec, "platformer", RunContext(sandbox=True), "platformer")
    match = PlatformerGame().begin(SCENARIO)
    try:
        agent.reset(SCENARIO.for_agent())
        return int(agent.act(match.observation))
    finally:
        agent.close()


def find_processes(word: str) -> list[str]:
    """Return the processes whose command holds a word."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if word.encode() in command and int(folder.name) != os.getpid():
            found.append(folder.name)
    return found


@pytest.mark.parametrize("attempt", VERDICTS)
def test_attempt_is_contained_and_named(attempt: str, program: Path) -> None:
    before = sorted(program.parent.iterdir())
    with pytest.raises(AgentFault, match=VERDICTS[attempt]):
        play(program, attempt)
    assert sorted(program.parent.iterdir()) == before
    assert not Path("/tmp/ludus-written").exists()
    assert find_processes(str(program)) == []


@pytest.mark.parametrize("attempt", ["kill_all", "log_much", "use_scratch_and_processes"])
def test_what_harms_nobody_goes_on(attempt: str, program: Path) -> None:
    assert play(program, attempt) == 2
    assert find_processes(str(program)) == []


def test_a_run_and_a_check_go_on(program: Path, tmp_path: Path) -> None:
    result = ludus.race(
        "platformer/bundled",
        [f"{program} open_socket", "random"],
        episodes=1, workers=1, sandbox=True, store=str(tmp_path / "runs.db"),
    )  # fmt: skip
    endings = {one.episode.agent: str(one.episode.ending) for one in result.episodes}
    assert endings == {0: "crashed", 1: "finished"}
    done = CliRunner().invoke(app, ["check", f"{program} open_socket", "platformer/bundled"])
    assert done.exit_code == 1
    assert "gave up: PermissionError" in done.output
