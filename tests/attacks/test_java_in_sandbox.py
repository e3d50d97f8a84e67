"""Hostile agents in Java, confined: none does any harm, and each gets a verdict on the record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.agents.foreign.java_compiling import compile_java, needs_java

import ludus
from ludus.agents.isolation.agent_process import start_agent_process
from ludus.agents.sandbox import has_sandbox
from ludus.context import RunContext
from ludus.execution.match_play import play_match
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.scenario import Scenario
from ludus.limits import MEBIBYTE, Limits

pytestmark = [
    needs_java,
    pytest.mark.slow,
    pytest.mark.skipif(not has_sandbox(), reason="this system has no sandbox"),
]

SOURCE = Path(__file__).with_name("HostileInSandbox.java")
LIMITS = Limits(seconds=120, memory=320 * MEBIBYTE)
SCENARIO = Scenario("level", bundled_level("sprint-01"))
DENIED = r"java\.nio\.file\.AccessDeniedException"
NOT_WRITTEN = rf"{DENIED}|java\.nio\.file\.FileSystemException: .*Read-only file system"
ATTEMPTS = {
    "connect": r"java\.net\.SocketException: Operation not permitted",
    "listen": r"java\.net\.SocketException: Operation not permitted",
    "ask for an address": r"java\.net\.UnknownHostException",
    "read a file of the system": DENIED,
    "read the store": DENIED,
    "read a key": DENIED,
    "read the environment of its process": DENIED,
    "write a temporary file": NOT_WRITTEN,
    "write beside its classes": NOT_WRITTEN,
    "link the store": r"java\.nio\.file\.FileSystemException: .*Operation not permitted",
    "execute": r'java\.io\.IOException: Cannot run program "/bin/true"',
    "execute a shell": r'java\.io\.IOException: Cannot run program "/bin/sh"',
    "load a library": rf"java\.lang\.UnsatisfiedLinkError|{DENIED}",
    "write a huge file": r"java\.io\.IOException: (File too large|No space left)",
    "start threads": r"java\.lang\.OutOfMemoryError: unable to create native thread",
    "allocate": r"java\.lang\.OutOfMemoryError: Java heap space",
    "allocate outside of the heap": r"java\.lang\.OutOfMemoryError: .*direct",
    "recurse": r"java\.lang\.StackOverflowError",
    "look for secrets in variables": r"java\.lang\.SecurityException: no secret",
    "exit in a thread": "its process died: it ended itself with code 7",
}
"""What the record says of each attempt, in the order in which the agent makes them."""


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the agents, with things beside them that they may not see."""
    folder = compile_java([SOURCE], tmp_path_factory.mktemp("classes"))
    (folder / "runs.db").write_bytes(b"records")
    (folder / "secret.key").write_text("secret")
    (folder / "secret.key").chmod(0o600)
    return folder


def play(agent: Any) -> tuple[str, str, bytes]:
    """Return how an episode ends, why, and its record."""
    match = PlatformerGame().begin(SCENARIO)
    ending, reason, _ = play_match(agent, SCENARIO, match)
    return str(ending), reason, match.record()


@pytest.fixture(scope="module")
def verdicts(classes: Path) -> Iterator[dict[str, tuple[str, str]]]:
    """Let one agent make all attempts, an episode each, in one process."""
    spec = f"{classes}:attacks.HostileInSandbox"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET_TOKEN", "secret")
        context = RunContext(sandbox=True, limits=LIMITS)
        agent = start_agent_process(spec, "platformer", context, "platformer")
        yield {attempt: play(agent)[:2] for attempt in ATTEMPTS}
        agent.close()


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_an_attempt_is_contained_and_named(
    attempt: str, verdicts: dict[str, tuple[str, str]]
) -> None:
    ending, reason = verdicts[attempt]
    assert ending == "crashed"
    assert re.match(ATTEMPTS[attempt], reason), reason


def test_the_host_is_unharmed(verdicts: dict[str, tuple[str, str]], classes: Path) -> None:
    assert verdicts
    assert not Path("/tmp/ludus-written-by-java").exists()
    names = {path.name for path in classes.iterdir()}
    assert names == {"attacks", "runs.db", "secret.key"}


def test_a_confined_run_keeps_what_its_agent_used_and_ignores_what_it_spoils(
    classes: Path, tmp_path: Path
) -> None:
    (tmp_path / "runner.py").write_text(
        "class Runner:\n    def reset(self, scenario): pass\n    def act(self, view): return 10\n"
    )
    specs = [f"{classes}:attacks.Meddler", f"{tmp_path}/runner.py:Runner"]
    result = ludus.run(
        "platformer/sprint",
        specs,
        episodes=1,
        workers=1,
        sandbox=True,
        store=str(tmp_path / "runs.db"),
    )
    meddler, runner = sorted((one.episode for one in result.episodes), key=lambda one: one.agent)
    assert str(meddler.ending) == "finished", meddler.reason
    assert (meddler.record, meddler.facts) == (runner.record, runner.facts)
    assert meddler.usage.peak_memory
    assert meddler.usage.processor_seconds
