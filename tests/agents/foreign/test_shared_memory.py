"""Programs by shared memory: what they see, and what becomes of those that break off."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.agents.foreign.command import read_command
from ludus.agents.foreign.program import Program, open_program
from ludus.agents.isolation import _mailbox
from ludus.agents.isolation.agent_process import start_agent_process
from ludus.agents.sandbox import has_sandbox
from ludus.agents.sandbox._confine import landlock_version
from ludus.context import RunContext
from ludus.errors import AgentFault, AgentLate
from ludus.games.platformer._native import World
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View
from ludus.limits import Limits

pytestmark = pytest.mark.skipif(
    not hasattr(_mailbox, "Mailbox"), reason="this system has no sealed memory and no futex"
)

EXAMPLES = Path(__file__).parents[3] / "examples" / "agents"
LEVEL = Level.parse("M---------F\nXXXXXXXXXXX")
SCENARIO = Scenario("short", LEVEL)

CLIENT = """#!{python}
import json, mmap, os, struct, sys, time
memory = mmap.mmap(json.loads(sys.stdin.readline())["memory"], {bytes})
print('{{"type":"hello","protocol":1,"frames":"shared","wants":[]}}', flush=True)
ANSWER = {bytes} // 2
def wait(last):
    while struct.unpack_from("<I", memory, 0)[0] == last:
        time.sleep(0.001)
def answer(frame, length, sequence):
    memory[ANSWER + 64 : ANSWER + 64 + len(frame)] = frame
    struct.pack_into("<i", memory, ANSWER + 8, length)
    struct.pack_into("<I", memory, ANSWER, sequence)
wait(0); answer(b"\\x10", 1, 1)
wait(1); {act}
time.sleep(600)
"""

RACER = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static char line[4096];
int main(int count, char **arguments)
{{
    (void)arguments;
    const char *place = fgets(line, sizeof line, stdin) ? strstr(line, "\\"memory\\":") : NULL;
    if (!place) return 1;
    int descriptor = atoi(place + 9);
    volatile char *memory = mmap(0, {bytes}, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    volatile char *answer = memory + {bytes} / 2;
    volatile uint32_t *asked = (volatile uint32_t *)memory, *sequence = (volatile void *)answer;
    volatile int32_t *length = (volatile void *)(answer + 8);
    puts("{{\\"type\\":\\"hello\\",\\"protocol\\":1,"
         "\\"frames\\":\\"shared\\",\\"wants\\":[]}}");
    fflush(stdout);
    answer[65] = 2;
    for (int pid = fork(); !pid;) {{ /* changes what is read, as long as it is played */
        static const int32_t lengths[] = {{2, 1, 65536, -1, 0x7fffffff, 262145, 0}};
        static unsigned turn;
        if (getppid() == 1) return 0;
        for (int k = 0; k < 1000; k++, turn++) {{
            answer[65] = turn & 1 ? 2 : 18;
            if (count > 1) answer[64] = turn & 2 ? 17 : 99, *length = lengths[turn % 7];
        }}
    }}
    for (uint32_t seen = 0;;) {{
        while (*asked == seen) usleep(50);
        seen++;
        answer[64] = seen == 1 ? 16 : 17;
        *length = seen == 1 ? 1 : 2;
        *sequence = seen;
    }}
}}
"""

REFUSED = (
    r"^(broke off its frames: a frame of \d+ bytes is longer"
    r"|wrote a frame of 0 bytes, not of 1 to 65536$"
    r"|answered a frame of type \d+ with \d+ bytes, not one of type 1[67])"
)

VIOLATIONS = {
    "os._exit(3)": "^the program ended with code 3$",
    "answer(b'', 2**31 - 1, 2)": "^broke off its frames: a frame of 2147483647 bytes is",
    "answer(b'', -5, 2)": "^broke off its frames: a frame of 4294967291 bytes is longer",
    "answer(b'', -1, 2)": "^wrote a frame of 0 bytes, not of 1 to 65536$",
    "answer(b'', 0, 2)": "^wrote a frame of 0 bytes, not of 1 to 65536$",
    "answer(b'\\x11\\x02', 2, 7)": "^broke off its frames: it wrote what it was not asked$",
    "print(1, flush=True); answer(b'\\x11\\x02', 2, 2)": "^broke off its frames: it wrote what it",
    "answer(b'\\x10', 1, 2)": "^answered a frame of type 16 with 0 bytes, not one of type 17",
    "answer(b'\\x12no', 3, 2)": "^gave up: no$",
}


def write_client(folder: Path, act: str) -> str:
    """Write a client that answers an act by a line of Python, and return its spec."""
    file = folder / "client"
    file.write_text(CLIENT.format(python=sys.executable, bytes=_mailbox.MEMORY_BYTES, act=act))
    file.chmod(0o755)
    return str(file)


def open_spec(spec: str) -> Program:
    command = read_command(spec)
    assert command is not None
    return open_program(command)


def play_one(spec: str) -> int:
    agent = open_spec(spec)
    try:
        agent.reset(SCENARIO)
        return agent.act(View(World(LEVEL, 0, 40)))
    finally:
        agent.close()


@pytest.fixture(scope="module")
def swift(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the example in C."""
    program = tmp_path_factory.mktemp("swift") / "swift"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror"]
    source = str(EXAMPLES / "c" / "swift.c")
    subprocess.run(["gcc", *flags, source, "-o", str(program)], check=True)
    return str(program)


def test_the_examples_play(swift: str) -> None:
    agent = open_spec(swift)
    world = World(LEVEL, 0, 40)
    for _ in range(2):
        agent.reset(SCENARIO)
        pressed = [agent.act(View(world)) for _ in range(50)]
        assert set(pressed) <= {10, 26}
    agent.close()
    assert play_one(str(EXAMPLES / "python" / "shared")) == 10


def test_an_answer_without_a_wake_up_is_seen(tmp_path: Path) -> None:
    assert play_one(write_client(tmp_path, "answer(b'\\x11\\x02', 2, 2)")) == 2


@pytest.mark.parametrize("act", VIOLATIONS)
def test_a_violation_ends_the_episode_with_one_reason(act: str, tmp_path: Path) -> None:
    with pytest.raises(AgentFault, match=VIOLATIONS[act]):
        play_one(write_client(tmp_path, act))


@pytest.fixture(scope="module")
def racer(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build a program that changes its answers while they are read."""
    program = tmp_path_factory.mktemp("racer") / "racer"
    source = program.with_suffix(".c")
    source.write_text(RACER.format(bytes=_mailbox.MEMORY_BYTES), encoding="utf-8")
    subprocess.run(["gcc", "-O2", str(source), "-o", str(program)], check=True)
    return str(program)


def test_a_frame_that_changes_while_it_is_read_is_one_of_the_two(racer: str) -> None:
    agent, view = open_spec(racer), View(World(LEVEL, 0, 40))
    agent.reset(SCENARIO)
    pressed = [agent.act(view) for _ in range(200)]
    agent.close()
    assert set(pressed) == {2, 18}


def test_a_length_that_changes_while_it_is_read_is_taken_or_refused(racer: str) -> None:
    agent, view = open_spec(f"{racer} lengths"), View(World(LEVEL, 0, 40))
    pressed, reasons = set[int](), list[str]()
    for _ in range(6):  # who is refused is ended, and started again
        try:
            agent.reset(SCENARIO)
            pressed |= {agent.act(view) for _ in range(20)}
        except AgentFault as fault:
            reasons.append(str(fault))
    agent.close()
    assert reasons
    assert all(re.match(REFUSED, reason) for reason in reasons), reasons
    assert pressed <= {2, 18}


def test_who_never_answers_is_late(tmp_path: Path) -> None:
    context = RunContext(limits=Limits(decision_seconds=0.5))
    spec = write_client(tmp_path, "pass")
    agent = start_agent_process(spec, "platformer", context, "platformer")
    agent.reset(SCENARIO.for_agent())
    with pytest.raises(AgentLate, match="for a decision"):
        agent.act(PlatformerGame().begin(SCENARIO).observation)


@pytest.mark.skipif(
    not has_sandbox() or landlock_version() < 6, reason="this system cannot confine programs"
)
def test_memory_is_shared_in_the_sandbox(swift: str) -> None:
    agent = start_agent_process(swift, "platformer", RunContext(sandbox=True), "platformer")
    agent.reset(SCENARIO.for_agent())
    assert agent.act(PlatformerGame().begin(SCENARIO).observation) == 10
    agent.close()
