"""The sandbox is the same in every game, for foreign policies and on a cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from tests.agents.isolation.test_games import AGENT, play
from tests.attacks import hostile_in_sandbox
from tests.attacks.test_sandbox import CONFINED
from tests.games.guest.corridors import __file__ as corridors
from tests.runs.small import SMALL, register

from ludus.agents import load
from ludus.agents.sandbox import find_layers
from ludus.agents.sandbox.bubblewrap import find_fault
from ludus.context import RunContext
from ludus.execution.plan import make_plan
from ludus.execution.stage import Stage
from ludus.games.platformer._native import SIGHT_FIELDS
from ludus.games.platformer.environments.options import ACTIONS

pytestmark = pytest.mark.skipif(
    not all(layer.holds for layer in find_layers() if layer.needed),
    reason="this system has no sandbox: ludus doctor says what is missing",
)

HOSTILE = """
import os
import socket
import tempfile
from pathlib import Path


class Hostile:
    \"\"\"Tries to get out before every decision, and then decides as the honest one does.\"\"\"

    def look(self, *things):
        for attempt in (
            os.fork,
            socket.socket,
            Path("/etc/passwd").read_text,
            Path(__file__).unlink,
            lambda: os.kill(os.getppid(), 9),
        ):
            try:
                attempt()
            except OSError:
                continue
            raise SystemError(f"{attempt} succeeded")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "note").write_text("mine")
        return super().look(*things)


class HostilePlatformer(Hostile, Platformer): pass
class HostileWorm(Hostile, Worm): pass
class HostileDiplomacy(Hostile, Diplomacy): pass
class HostileGuest(Hostile, Guest): pass
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "watchers.py"
    path.write_text(AGENT + HOSTILE)
    return path


def play_confined(plan: Any) -> list[Any]:
    stage = Stage(plan, CONFINED)
    try:
        return [
            (one.ending, one.reason, one.record, one.facts, one.steps)
            for one in map(stage.play, plan.episodes)
        ]
    finally:
        stage.close()


@pytest.mark.parametrize(
    ("benchmark", "name", "options"),
    [
        ("mario-arena/1-1", "Platformer", {}),
        ("worm/thermal-foraging-small", "Worm", {}),
        ("diplomacy/france", "Diplomacy", {"year": "1901", "against": "hold"}),
        ("mario-arena/1-1", "Guest", {"env": f"{corridors}:Modern"}),
    ],
)
def test_agents_play_confined_as_they_do_here_and_get_out_in_no_game(
    file: Path, benchmark: str, name: str, options: dict[str, str]
) -> None:
    plan = make_plan(
        benchmark, [f"{file}:Hostile{name}"], episodes=1, options=options, context=CONFINED
    )
    family = {"Diplomacy": "diplomacy", "Worm": "worm", "Guest": "guest"}.get(name, "platformer")
    there = play_confined(plan)
    assert there == play(plan, {0: load(f"{file}:{name}", family)})
    assert there[0][:2] == ("finished", "")


def test_opponents_of_diplomacy_are_confined(file: Path) -> None:
    options = {"year": "1901", "against": f"{file}:HostileDiplomacy"}
    plan = make_plan("diplomacy/gunboat", ["hold"], episodes=1, options=options, context=CONFINED)
    ((ending, _, _, facts, _),) = play_confined(plan)
    assert ending == "finished"
    assert facts["opponent_faults"] == 0


def test_foreign_policy_that_runs_code_when_it_is_read_gets_nowhere(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    mark = tmp_path / "mark"

    class Trap:
        def __reduce__(self) -> Any:
            return Path.touch, (mark,)

    torch.save(Trap(), tmp_path / "policy.pt")
    register()
    with pytest.raises(Exception, match=r"Read-only file system|Permission denied"):
        make_plan(SMALL.id, [f"torch:{tmp_path / 'policy.pt'}"], episodes=1, context=CONFINED)
    assert not mark.exists()


def save_module(folder: Path) -> str:
    torch = pytest.importorskip("torch", reason="make test-sb3 installs it")
    torch.save(torch.nn.Linear(SIGHT_FIELDS, len(ACTIONS)), folder / "policy.pt")
    return f"torch:{folder / 'policy.pt'}"


def save_archive(folder: Path) -> str:
    sb3 = pytest.importorskip("stable_baselines3", reason="make test-sb3 installs it")
    env = gymnasium.make("ludus/Platformer-v0", actions="discrete")
    model = sb3.PPO("MultiInputPolicy", env, n_steps=8, batch_size=8, device="cpu")
    model.save(folder / "model.zip")
    return f"sb3:{folder / 'model.zip'}"


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("save", [save_module, save_archive])
def test_foreign_policies_play_confined_as_they_do_when_trusted(tmp_path: Path, save: Any) -> None:
    register()
    spec = save(tmp_path)
    plan = make_plan(SMALL.id, [spec], episodes=1, context=CONFINED)
    there = play_confined(plan)
    assert there == play(plan, {0: load(spec, context=RunContext(trust=True))})
    assert there[0][:2] == ("finished", "")


SLEEPER = """
import os, time
from pathlib import Path

class Agent:
    name = "sleeper"
    def reset(self, scenario):
        Path(os.environ["TMPDIR"], "note").write_text("x")
        time.sleep(600)
    def act(self, view): return 0
"""
SCRIPT = """
import sys
from tests.attacks.test_sandbox import CONFINED
from tests.runs.small import SMALL, register
from ludus.execution.plan import make_plan
from ludus.execution.stage import Stage

register()
plan = make_plan(SMALL.id, [sys.argv[1]], episodes=1, context=CONFINED)
print("started", flush=True)
Stage(plan, CONFINED).play(plan.episodes[0])
"""


def start_sleeper(tmp_path: Path, **environment: str) -> subprocess.Popen[str]:
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    (tmp_path / "scratch").mkdir()
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, f"{tmp_path / 'sleeper.py'}:Agent"],
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "TMPDIR": str(tmp_path / "scratch"),
            **environment,
        },
        stdout=subprocess.PIPE,
        text=True,
    )


def wait_for(condition: Any) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come about in 30 seconds")


def test_scratch_folders_are_gone_after_the_run_was_killed(tmp_path: Path) -> None:
    run = start_sleeper(tmp_path, PATH="/nonexistent")  # without bubblewrap, which has its own
    scratch = tmp_path / "scratch"
    assert run.stdout
    assert run.stdout.readline() == "started\n"
    wait_for(lambda: list(scratch.glob("ludus-scratch-*")))
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stdout.close()
    wait_for(lambda: not list(scratch.glob("ludus-scratch-*")))


def test_without_namespaces_the_scratch_folder_is_watched(tmp_path: Path) -> None:
    if find_fault():
        pytest.skip(find_fault())
    script = """
import sys
from tests.attacks.test_sandbox import ATTEMPTS, CONFINED, LIMITS, SMALL, make_plan, register
from ludus.agents.sandbox.bubblewrap import find_fault
from ludus.execution.stage import Stage

print(find_fault())
register()
plan = make_plan(SMALL.id, [sys.argv[1]], episodes=len(ATTEMPTS), limits=LIMITS, context=CONFINED)
stage = Stage(plan, CONFINED)
for name in ("fill_scratch", "write_one_huge_file", "link_in_scratch", "trace_parent"):
    print(stage.play(plan.episodes[ATTEMPTS.index(name)]).reason)
stage.close()
"""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    wrapper = [
        "bwrap",
        "--unshare-user",
        "--disable-userns",
        "--cap-drop",
        "ALL",
        "--dev-bind",
        "/",
        "/",
    ]
    spec = f"{hostile_in_sandbox.__file__}:Agent"
    done = subprocess.run(
        [*wrapper, sys.executable, "-c", script, spec],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "TMPDIR": str(scratch)},
        capture_output=True,
        text=True,
        check=False,
    )
    fault, full, huge, link, trace = done.stdout.splitlines() or [done.stderr]
    assert "namespace" in fault
    assert full == "wrote too much to its scratch folder"
    assert huge.startswith("OSError: [Errno 27] File too large")
    assert link.startswith("PermissionError")
    assert trace == "made the system call ptrace, which the sandbox refuses"
    assert list(scratch.glob("ludus-scratch-*")) == []
