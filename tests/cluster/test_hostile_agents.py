"""On a Ray cluster agents are as far from their rivals as here, and nothing is left behind."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.attacks import hostile_agents, hostile_environments
from tests.attacks.test_hostile_agents import living
from tests.attacks.test_hostile_environments import (
    CONFINED,
    HONEST,
    REFUSED,
    VERDICTS,
    needs_sandbox,
    plan_of,
)
from tests.attacks.test_hostile_environments import play as play_environments
from tests.runs.small import SMALL

from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import make_plan
from ludus.execution.ray_cluster import RayExecutor
from ludus.limits import Limits

pytestmark = pytest.mark.filterwarnings("ignore")

FILE = Path(hostile_agents.__file__)
RIVAL = "rule-based"
MARK = "LUDUS_TEST_MARK"


def play(executor: Any, *agents: str, seconds: float = 20) -> list[Episode]:
    plan = make_plan(SMALL.id, agents, episodes=1, limits=Limits(seconds=seconds))
    batches = executor.play(plan, plan.episodes)
    return sorted((one for batch in batches for one in batch), key=lambda one: one.number)


ATTACKS = {
    "PatchesStage": EpisodeEnding.FINISHED,
    "Pauses": EpisodeEnding.CRASHED,
    "Dies": EpisodeEnding.CRASHED,
    "WritesHuge": EpisodeEnding.CRASHED,
    "Stops": EpisodeEnding.DISQUALIFIED,
}


def test_attacks_on_a_cluster_are_the_fault_of_their_agents(ray: object) -> None:
    (alone,) = play(LocalExecutor(1), RIVAL)
    specs = [f"{FILE}:{name}" for name in ATTACKS]
    *own, rival = play(RayExecutor(workers=2), *specs, RIVAL, seconds=60)
    assert (rival.ending, rival.record, rival.facts) == (alone.ending, alone.record, alone.facts)
    assert dict(zip(ATTACKS, (one.ending for one in own), strict=True)) == ATTACKS


@needs_sandbox
def test_attacks_of_an_environment_on_a_cluster_are_its_own_fault(
    ray: object, tmp_path: Path
) -> None:
    file = shutil.copy(hostile_environments.__file__, tmp_path / "hostile.py")
    names = ["exit_at_once", "read_passwords", "scribble_on_the_link"]
    plan = plan_of(HONEST, *(f"{file}:env_{name}" for name in names), HONEST)
    batches = RayExecutor(workers=2).play(plan, plan.episodes, CONFINED)
    played = sorted((one for batch in batches for one in batch), key=lambda one: one.scenario)
    first, *attacks, last = played
    (alone,) = play_environments(plan_of(HONEST), CONFINED)
    for honest in (first, last):
        assert (honest.ending, honest.record, honest.facts) == (
            EpisodeEnding.FINISHED,
            alone.record,
            alone.facts,
        )
    for name, episode in zip(names, attacks, strict=True):
        assert episode.ending is EpisodeEnding.GUEST_FAILED
        verdict = VERDICTS.get(name, REFUSED)
        assert re.match(f"the environment failed: ({verdict})", episode.reason), episode.reason
        assert (episode.steps, episode.record) == (0, b"")


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
