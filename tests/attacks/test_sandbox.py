"""Hostile agents in the sandbox: none does any harm, and each gets a verdict on the record."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.attacks import hostile_in_sandbox
from tests.attacks.hostile_in_sandbox import ATTEMPTS
from tests.runs.small import SMALL, register

from ludus.agents.sandbox import find_layers
from ludus.context import RunContext
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import make_plan
from ludus.limits import MEBIBYTE, Limits

pytestmark = pytest.mark.skipif(
    not all(layer.holds for layer in find_layers() if layer.needed),
    reason="this system has no sandbox: ludus doctor says what is missing",
)

CONFINED = RunContext(sandbox=True)
LIMITS = Limits(seconds=60, decision_seconds=10, memory=256 * MEBIBYTE)
RIVAL = "forward-jumping"
REFUSED = r"PermissionError: \[Errno (1|13)\] "
NOT_WRITTEN = r"(PermissionError: \[Errno 13\]|OSError: \[Errno 30\]) "
FULL = r"OSError: \[Errno (27|28)\] "
LATE = "took longer than 10 seconds for a decision"
NO_BUTTONS = "ActionError: "
CALLS = {
    "become_another": "setresuid",
    "become_root": "setuid",
    "change_root": "chroot",
    "count_events": "perf_event_open",
    "enter_user_namespace": "unshare",
    "handle_faults": "userfaultfd",
    "join_namespace": "setns",
    "load_bpf": "bpf",
    "load_module": "init_module",
    "mount": "mount",
    "read_memory_of_parent": "process_vm_readv",
    "reboot": "reboot",
    "set_clock": "clock_settime",
    "trace_parent": "ptrace",
    "use_io_uring": "io_uring_setup",
    "use_keys": "keyctl",
}
VERDICTS = {
    **{
        name: f"made the system call {call}, which the sandbox refuses$"
        for name, call in CALLS.items()
    },
    "abort": r"its process died 3 times: compiled code gave up.* \(SIGABRT\)",
    "allocate": r"MemoryError \(the process may take 8,192 MiB of address space: hold less .*\)",
    "allocate_bit_by_bit": "used more than 256 MiB of memory",
    "answer_in_advance": "broke off its messages: it (wrote|answered) what it was not asked",
    "answer_much": "broke off its messages: a frame of 16777221 bytes is longer than 1048576",
    "clone3_by_number": r"OSError: \[Errno 38\]",
    "close_the_link": "its process died 3 times: it let go of its messages",
    "dump_core": "PermissionError: no cores",
    "endless_loop": LATE,
    "fill_scratch": FULL + "|wrote too much to its scratch folder",
    "forge_a_result": "broke off its messages: it (wrote|answered) what it was not asked",
    "give_up": "its process died 3 times: it ended itself with code 7",
    "kill_itself": "PermissionError|its process died 3 times: it was ended by SIGTERM",
    "leave_scratch": NOT_WRITTEN,
    "map_much": r"OSError: \[Errno 12\]",
    "overrun_the_stack": r"its process died 3 times: too deep a recursion.* \(SIGSEGV\)",
    "patch_ludus": "PermissionError: patched what nobody uses",
    "print_much": "PermissionError: nobody reads it",
    "raise_limits": "ValueError: not allowed to raise maximum limit",
    "read_secrets_of_environment": "PermissionError: no secrets",
    "read_secrets_of_memory": "PermissionError: no secrets",
    "recurse": "RecursionError",
    "recurse_for_ever": r"its process died 3 times: too deep a recursion.* \(SIGSEGV\)|Recursion",
    "remove_own_code": NOT_WRITTEN,
    "scribble_on_the_link": "broke off its messages: ",
    "shrink_the_link": "PermissionError: nothing shrinks",
    "sleep_for_ever": LATE,
    "start_threads": "RuntimeError: can't start new thread",
    "system": "PermissionError: no shell",
    "tamper_with_the_counter": "PermissionError: counted where nobody looks",
    "write_much": "PermissionError: nobody reads it",
    "write_one_huge_file": FULL,
    "write_own_code": NOT_WRITTEN,
    "write_own_folder": NOT_WRITTEN,
    "write_temporary": NOT_WRITTEN,
    "write_to_the_link": "broke off its messages: it wrote what it was not asked",
}
"""What the record says of each attempt; of those that are not listed, that they were refused."""


class Race(NamedTuple):
    """The hostile agents' race against an honest one, and what it left behind.

    Attributes:
        hostile: The episodes of the hostile agent, an attempt each.
        rival: Those of the honest one beside it.
        alone: Those of the honest one by itself.
        before: What lay around before the race.
        after: What lies around after it.
    """

    hostile: Sequence[Episode]
    rival: Sequence[Episode]
    alone: Sequence[Episode]
    before: dict[str, bytes]
    after: dict[str, bytes]


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Race]:
    """Play all attempts in one race, with things beside the agent that it may not see."""
    register()
    folder = tmp_path_factory.mktemp("agents")
    shutil.copy(hostile_in_sandbox.__file__, folder / "hostile.py")
    (folder / "runs.db").write_bytes(b"records")
    (folder / "secret.key").write_text("secret")
    (folder / "secret.key").chmod(0o600)
    (folder / "link").symlink_to("/etc/passwd")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET_TOKEN", "secret")
        before = look_around(folder)
        hostile, rival = play(f"{folder / 'hostile.py'}:Agent", RIVAL)
        yield Race(hostile, rival, play(RIVAL)[0], before, look_around(folder))


def play(*agents: str) -> list[list[Episode]]:
    """Return the episodes of each agent, one for every attempt."""
    plan = make_plan(SMALL.id, agents, episodes=len(ATTEMPTS), limits=LIMITS, context=CONFINED)
    batches = LocalExecutor(2).play(plan, plan.episodes, CONFINED)
    episodes = sorted((one for batch in batches for one in batch), key=lambda one: one.scenario)
    return [[one for one in episodes if one.agent == number] for number in range(len(agents))]


def look_around(folder: Path) -> dict[str, bytes]:
    """Return the files beside the agent, and what it may have written elsewhere."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    return files | {str(path): b"" for path in Path("/tmp").glob("ludus-written")}


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_attempt_is_contained_and_named_on_the_record(attempt: str, race: Race) -> None:
    episode = race.hostile[ATTEMPTS.index(attempt)]
    assert re.match(VERDICTS.get(attempt, REFUSED), episode.reason), episode.reason
    assert episode.ending is not EpisodeEnding.FINISHED
    assert episode.record == b""
    assert episode.reason.isprintable()


def test_rival_plays_as_if_it_were_alone(race: Race) -> None:
    together, alone = (
        [(one.ending, one.record, one.facts) for one in episodes]
        for episodes in (race.rival, race.alone)
    )
    assert together == alone
    assert {one.ending for one in race.rival} == {EpisodeEnding.FINISHED}


def test_host_is_unharmed(race: Race) -> None:
    assert race.after == race.before
    assert os.listdir("/proc")  # this process is not confined


def test_there_are_many_attempts() -> None:
    assert len(ATTEMPTS) >= 30
    assert VERDICTS.keys() <= set(ATTEMPTS)
