"""Programs as agents: what they say, and what becomes of those that break the protocol."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

import ludus
import ludus.agents
from ludus.agents.foreign.command import read_command
from ludus.agents.foreign.program import LearningProgram, Program, open_program
from ludus.agents.foreign.protocol import MOST_ANSWER
from ludus.agents.foreign.seen import (
    PARTS,
    describe_observation,
    describe_scenario,
    find_bits,
    find_shown,
    pack_observation,
)
from ludus.agents.isolation.agent_process import start_agent_process
from ludus.agents.isolation.opening import find, is_foreign
from ludus.context import RunContext
from ludus.errors import AgentError, AgentFault, AgentLate
from ludus.games.platformer._native import World
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.tasks.environment import Environment
from ludus.games.platformer.tasks.task import Task
from ludus.games.platformer.view import Tape, View
from ludus.limits import Limits

EXAMPLES = Path(__file__).parents[3] / "examples" / "agents"
LEVEL = Level.parse("M---------F\nXXXXXXXXXXX")
SCENARIO = Scenario("short", LEVEL)
HELLO = '{"type":"hello","protocol":1,"name":"tested"}'
READY = '{"type":"ready"}'
RIGHT = '{"type":"action","buttons":2}'


def write_program(folder: Path, *lines: str, interpreter: str = "/bin/sh") -> str:
    """Write a program and return its spec."""
    file = folder / "program"
    file.write_text("\n".join([f"#!{interpreter}", *lines, ""]), encoding="utf-8")
    file.chmod(0o755)
    return str(file)


def answer_with(folder: Path, act: str, *, hello: str = HELLO) -> str:
    """Return the spec of a program that answers every act by a line of shell."""
    return write_program(
        folder,
        "read -r line; echo '" + hello + "'",
        "read -r line; echo '" + READY + "'",
        f"while read -r line; do {act}; done",
    )


def open_spec(spec: str) -> Program:
    command = read_command(spec)
    assert command is not None
    return open_program(command)


def show_world() -> View:
    return View(World(LEVEL, 0, 40), Tape("", 0, 40, bytearray()))


def read_first(file: Path) -> dict[str, object]:
    """Return the first message of a file."""
    message: dict[str, object] = json.loads(file.read_text().splitlines()[0])
    return message


def play_one(spec: str) -> int:
    agent = open_spec(spec)
    try:
        agent.reset(SCENARIO)
        return agent.act(show_world())
    finally:
        agent.close()


# ---- specs


def test_a_spec_is_a_program_if_its_path_may_be_executed(tmp_path: Path) -> None:
    spec = write_program(tmp_path, "exit 0")
    command = read_command(f"{spec} --fast 'two words'")
    assert command is not None
    assert command.arguments == ("--fast", "two words")
    assert read_command(command.spec) == command
    Path(spec).chmod(0o644)
    assert read_command(spec) is None
    with pytest.raises(AgentError, match="may not be executed: try chmod"):
        ludus.agents.load(spec, "platformer")


def test_a_path_that_leads_nowhere_is_no_agent(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"nothing': there is no such file"):
        ludus.agents.load(f"{tmp_path}/nothing", "platformer")


@pytest.mark.parametrize("spec", ["astar", "ls", "", "'", "/bin", "./my.py:Agent", "a/b:c", "\0/x"])
def test_other_specs_are_no_programs(spec: str) -> None:
    assert read_command(spec) is None


def test_the_fingerprint_covers_program_words_and_files(tmp_path: Path) -> None:
    spec, weights = write_program(tmp_path, "exit 0"), tmp_path / "weights"
    weights.write_text("1")
    digests = set()
    for text in (spec, f"{spec} --fast", f"{spec} {weights}", f"{spec} {tmp_path}"):
        command = read_command(text)
        assert command is not None
        digests.add(command.fingerprint())
    weights.write_text("2")
    command = read_command(f"{spec} {weights}")
    assert command is not None
    digests.add(command.fingerprint())
    Path(spec).write_text("#!/bin/sh\nexit 1\n")
    digests.add(read_command(spec).fingerprint())  # type: ignore[union-attr]
    assert len(digests) == 6


def test_a_program_has_a_process_of_its_own_and_its_files_digest(tmp_path: Path) -> None:
    spec = answer_with(tmp_path, f"echo '{RIGHT}'")
    assert is_foreign(spec)
    source = find(spec)
    assert (source.name, source.spec) == ("tested", spec)
    assert source.fingerprint == read_command(spec).fingerprint()  # type: ignore[union-attr]


# ---- playing


def test_a_program_is_shown_the_game_as_values(tmp_path: Path) -> None:
    spec = write_program(
        tmp_path,
        f"read -r line; echo '{HELLO}'",
        f'read -r line; printf "%s\\n" "$line" > "{tmp_path}/reset"; echo \'{READY}\'',
        f'read -r line; printf "%s\\n" "$line" > "{tmp_path}/act"; echo \'{RIGHT}\'',
    )
    assert play_one(spec) == 2
    scenario = json.loads((tmp_path / "reset").read_text())["scenario"]
    assert scenario == {
        "name": "short", "seed": 0, "rules": "framework", "mode": 0, "time_limit": 40,
        "buttons": {"left": 1, "right": 2, "down": 4, "speed": 8, "jump": 16},
        "level": LEVEL.text,
    }  # fmt: skip
    seen, view = json.loads((tmp_path / "act").read_text()), show_world()
    assert seen["type"] == "act"
    assert seen["mario"] == view.mario._asdict()
    assert np.array_equal(seen["scene"], view.scene)
    assert np.array_equal(seen["merged"], view.merged)
    assert (seen["tick"], seen["timer"], seen["coins"]) == (view.tick, view.timer, view.coins)
    assert "reward" not in seen


BINARY = r"""
import json, struct, sys
read, write = sys.stdin.buffer, sys.stdout.buffer
read.readline()
write.write(json.dumps({"type": "hello", "protocol": 1, "frames": "binary"}).encode() + b"\n")
write.flush()
while head := read.read(4):
    message = read.read(struct.unpack("<I", head)[0])
    kind, rest = message[0], message[1:]
    open(sys.argv[1] + f"/{kind}", "wb").write(rest)
    if kind == 5:
        break
    write.write(b"\x02\0\0\0\x11\x0a" if kind == 3 else b"\x01\0\0\0\x10")
    write.flush()
"""


def test_frames_hold_what_lines_hold(tmp_path: Path) -> None:
    python = shutil.which("python3")
    spec = write_program(tmp_path, BINARY, interpreter=str(python))
    assert play_one(f"{spec} {tmp_path}") == 10
    assert json.loads((tmp_path / "2").read_text())["scenario"]["name"] == "short"
    assert (tmp_path / "5").read_bytes() == b""
    frame, view = (tmp_path / "3").read_bytes(), show_world()
    bits, tick, timer, coins = struct.unpack_from("<Iiii", frame)
    assert (bits, tick, timer, coins) == (0b11111011, view.tick, view.timer, view.coins)
    x, y, *_ = struct.unpack_from("<5f15i", frame, 16)
    assert (x, y) == (view.mario.x, view.mario.y)
    assert struct.unpack_from("<HH", frame, 96) == (16, 16)
    scene = np.frombuffer(frame, np.uint8, 256, 100).reshape(16, 16)
    assert np.array_equal(scene, view.scene)
    assert struct.unpack_from("<I", frame, 96 + 3 * 260) == (len(view.enemy_positions),)


def test_the_engine_packs_what_python_packs() -> None:
    view = View(World(LEVEL, 0, 40))
    for wants in (PARTS, ("mario",), ("coins", "enemies", "enemy_positions"), ()):
        shown = find_shown(view, wants)
        frame, content = view.pack_frame(find_bits(shown)), pack_observation(view, shown)
        assert frame == struct.pack("<IB", 1 + len(content), 3) + content


def test_what_a_task_hides_is_not_sent(tmp_path: Path) -> None:
    spec = answer_with(tmp_path, f"printf '%s\\n' \"$line\" >> '{tmp_path}/act'; echo '{RIGHT}'")
    agent = open_spec(spec)
    agent.reset(SCENARIO)
    agent.act(Environment("-ld 0 -ls 3", Task(kinds=("scene",), forward_model=False)).observation)
    agent.close()
    assert set(read_first(tmp_path / "act")) == {"type", "tick", "scene"}


def test_a_program_that_says_so_learns(tmp_path: Path) -> None:
    hello = HELLO.replace("}", ',"learns":true}')
    spec = answer_with(
        tmp_path, f"printf '%s\\n' \"$line\" >> '{tmp_path}/learn'; echo '{READY}'", hello=hello
    )
    agent = open_spec(spec)
    assert isinstance(agent, LearningProgram)
    agent.reset(SCENARIO)
    agent.learn({"score": 12, "play": 1})
    agent.close()
    assert read_first(tmp_path / "learn")["outcome"] == {"score": 12, "play": 1}


# ---- violations

VIOLATIONS = {
    "echo hello": r"wrote 'hello', which is no JSON",
    "echo 3": r"wrote '3', which is no JSON object",
    "printf '{\"type\":'; exit 0": "ended with code 0 in the middle of an answer",
    "exit 3": "the program ended with code 3",
    "echo why >&2; exit 3": "ended with code 3; its log ends with 'why'",
    "kill -SEGV $$": "the program was ended by SIGSEGV",
    "exec >&-; sleep 9": "the program closed its output",
    f"yes '{RIGHT}' | head -n 1000000": "wrote more than one answer to one message",
    "head -c 200000 /dev/zero": f"wrote a line of more than {MOST_ANSWER} bytes",
    'echo \'{"type":"action","buttons":"right"}\'': "which is no action",
    'echo \'{"type":"action","buttons":true}\'': "which is no action",
    f"echo '{READY}'": "which is no action",
    'echo \'{"type":"error","message":"no idea"}\'': "gave up: no idea",
}


@pytest.mark.parametrize("act", VIOLATIONS, ids=VIOLATIONS.get)
def test_a_violation_ends_the_episode_with_one_reason(act: str, tmp_path: Path) -> None:
    with pytest.raises(AgentFault, match=VIOLATIONS[act]) as caught:
        play_one(answer_with(tmp_path, act))
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("hello", "reason"),
    [
        ("", "wrote '', which is no JSON"),
        (READY, "not with a hello"),
        ('{"type":"hello","protocol":2}', "speaks protocol '2', not 1"),
        (HELLO.replace("}", ',"frames":"xml"}'), "asks for frames 'xml'"),
        (HELLO.replace("}", ',"wants":["level"]}'), "wants 'level', which is none of timer"),
        (HELLO.replace("}", ',"wants":3}'), "wants 'no list'"),
        (HELLO.replace("}", ',"learns":3}'), "of another kind"),
    ],
)
def test_a_wrong_hello_is_no_agent(hello: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(AgentFault, match=reason):
        open_spec(answer_with(tmp_path, "exit 0", hello=hello))


def test_what_was_not_asked_for_is_a_violation(tmp_path: Path) -> None:
    agent = open_spec(answer_with(tmp_path, f"echo '{RIGHT}'; sleep 0.05; echo '{RIGHT}'"))
    agent.reset(SCENARIO)
    agent.act(show_world())
    time.sleep(0.5)
    with pytest.raises(AgentFault, match=r"not asked for|more than one answer"):
        agent.act(show_world())


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (r"\377\377\377\377\021\002", "wrote a frame of 4294967295 bytes"),
        (r"\000\000\000\000", "wrote a frame of 0 bytes"),
        (r"\002\000\000\000\021", "ended with code 0 in the middle of an answer"),
        (r"\001\000\000\000\020", "a frame of type 16 with 0 bytes, not one of type 17 with 1"),
        (r"\003\000\000\000\022no", "gave up: no"),
    ],
)
def test_a_wrong_frame_ends_the_episode(frame: str, reason: str, tmp_path: Path) -> None:
    spec = write_program(
        tmp_path,
        "read -r line; echo '" + HELLO.replace("}", ',"frames":"binary"}') + "'",
        f"head -c 5 > /dev/null; printf '{frame}'",
    )
    agent = open_spec(spec)
    with pytest.raises(AgentFault, match=reason):
        agent._ask(b"\x01\0\0\0\x03", agent._format.read_action)


def test_a_program_that_ended_is_started_anew(tmp_path: Path) -> None:
    agent = open_spec(answer_with(tmp_path, "exit 3"))
    for _ in range(2):
        agent.reset(SCENARIO)
        with pytest.raises(AgentFault, match="ended with code 3"):
            agent.act(show_world())
    agent.close()


def test_a_long_log_blocks_nobody(tmp_path: Path) -> None:
    assert play_one(answer_with(tmp_path, f"yes log | head -c 300000 >&2; echo '{RIGHT}'")) == 2


def test_silence_is_late(tmp_path: Path) -> None:
    spec = answer_with(tmp_path, "sleep 60")
    context = RunContext(limits=Limits(decision_seconds=0.3))
    agent = start_agent_process(spec, "platformer", context, "platformer")
    match = PlatformerGame().begin(SCENARIO)
    agent.reset(SCENARIO.for_agent())
    with pytest.raises(AgentLate, match="for a decision"):
        agent.act(match.observation)


def test_a_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    bad = answer_with(tmp_path / "bad", "exit 3")
    good = str(EXAMPLES / "shell" / "run-right")
    result = ludus.race(
        "platformer/bundled", [bad, good], episodes=2, workers=1, store=str(tmp_path / "runs.db")
    )
    reasons = {
        (scored.episode.agent, str(scored.episode.ending)): scored.episode.reason
        for scored in result.episodes
    }
    assert "the program ended with code 3" in reasons[0, "crashed"]
    assert {agent for agent, ending in reasons if ending == "finished"} == {1}


# ---- examples and the page


@pytest.mark.parametrize("program", ["shell/run-right", "javascript/jumper.js"])
def test_an_example_plays(program: str) -> None:
    if program.endswith(".js") and shutil.which("node") is None:
        pytest.skip("Node is not installed: scripts/debian-packages installs it")
    assert play_one(str(EXAMPLES / program)) & 2


@pytest.mark.slow
def test_the_example_in_rust_plays(tmp_path: Path) -> None:
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not installed")
    source = EXAMPLES / "rust" / "runner.rs"
    command = ["rustc", "-O", "--edition", "2021", str(source), "-o", f"{tmp_path}/runner"]
    subprocess.run(command, check=True)
    assert play_one(str(tmp_path / "runner")) & 2


def read_page(language: str) -> list[str]:
    """Return the blocks of the page of the protocol that are in a language."""
    text = (EXAMPLES.parents[1] / "docs" / "agent-protocol.md").read_text(encoding="utf-8")
    return [part.partition("```")[0] for part in text.split(f"```{language}\n")[1:]]


def test_the_page_shows_messages_as_they_are(tmp_path: Path) -> None:
    shown = [json.loads(line) for block in read_page("json") for line in block.splitlines()]
    of_type = {message["type"]: message for message in shown}
    assert set(of_type) == {
        *("hello", "reset", "act", "learn", "close"),
        *("ready", "action", "error"),
    }
    scenario = Scenario("short", Level.parse(of_type["reset"]["scenario"]["level"]))
    assert of_type["reset"]["scenario"] == describe_scenario(scenario)
    view = View(World(scenario.level, 0, 40))
    wants = next(message["wants"] for message in shown if "wants" in message)
    expected = describe_observation(view, find_shown(view, wants))
    assert of_type["act"] == {"type": "act", **expected}


def test_the_page_lists_every_violation() -> None:
    text = (EXAMPLES.parents[1] / "docs" / "agent-protocol.md").read_text(encoding="utf-8")
    for reason in (
        "which is no JSON",
        "in the middle of an answer",
        "ended with code",
        "was ended by SIGSEGV",
        "closed its output",
        "more than one answer to one message",
        "not asked for",
        f"a line of more than {MOST_ANSWER} bytes",
        "which is no action",
        "gave up",
        "speaks protocol",
    ):
        assert reason in text, reason
