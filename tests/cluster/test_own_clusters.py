"""Runs that start a Ray cluster of their own leave nothing of it behind, however they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.attacks import hostile_agents
from tests.attacks.test_hostile_agents import living

pytestmark = pytest.mark.filterwarnings("ignore")

FILE = Path(hostile_agents.__file__)
MARK = "LUDUS_TEST_MARK"


SCRIPT = """
import sys
from tests.runs.small import SMALL, register
from ludus.execution.ray_cluster import RayExecutor
from ludus.execution.plan import make_plan

register()
plan = make_plan(SMALL.id, [{agent!r}], episodes={episodes})
for batch in RayExecutor("ray", workers=2).play(plan, plan.episodes):
    print("played", flush=True)
"""


def start(agent: str, episodes: int, mark: str) -> subprocess.Popen[str]:
    """Run a script that plays on a cluster of its own; all its processes bear the mark."""
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root, MARK: mark, "HOSTILE_FOLDER": mark}
    script = SCRIPT.format(agent=agent, episodes=episodes)
    return subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True
    )


def marked_processes(mark: str) -> list[str]:
    """Return the processes that bear the mark and are left after they had time to go.

    Two of Ray's own look for its server for a minute, if that is killed before them.
    """
    marked: list[str] = []
    for _ in range(200):
        marked = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                if f"{MARK}={mark}".encode() in Path(f"/proc/{entry}/environ").read_bytes():
                    marked.append(Path(f"/proc/{entry}/cmdline").read_text()[:60])
            except OSError:
                continue
        if not marked:
            break
        time.sleep(0.5)
    return marked


SIGNALS = {"finished": None, "interrupted": signal.SIGINT, "killed": signal.SIGKILL}


def wait_for_agents(folder: Path, process: subprocess.Popen[str]) -> None:
    """Wait until both agents and what they started have noted that they live."""
    while not (folder / "pids").exists() or len((folder / "pids").read_text().split()) < 4:
        time.sleep(0.1)
        assert process.poll() is None
    time.sleep(1)


def test_runs_on_clusters_of_their_own_leave_no_process_behind(tmp_path: Path) -> None:
    folders = {end: tmp_path / end for end in SIGNALS}
    processes = {}
    for end, folder in folders.items():
        folder.mkdir()
        agent = f"{FILE}:{'Calm' if end == 'finished' else 'Hangs'}"
        processes[end] = start(agent, 2, str(folder))
    for end, process in processes.items():
        if (sent := SIGNALS[end]) is not None:
            wait_for_agents(folders[end], process)
            process.send_signal(sent)
    for end, process in processes.items():
        process.communicate(timeout=600)
        assert marked_processes(str(folders[end])) == [], end
        assert living(folders[end]) == [], end
