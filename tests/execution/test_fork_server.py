"""The server that forks processes may die: the run goes on, or says in one line why it cannot."""

from __future__ import annotations

import multiprocessing.forkserver
import os
import signal
from pathlib import Path

import pytest
from tests.runs.small import SMALL, register

from ludus.agents import find
from ludus.agents.isolation import nursery
from ludus.errors import StoreError
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import make_plan
from ludus.processes import kill_process, start_process

AGENT = """
import os
class Agent:
    name = "mine"
    def reset(self, scenario):
        {trick}
    def act(self, view): return 2
"""


@pytest.fixture
def agent(tmp_path: Path) -> str:
    register()
    (tmp_path / "agent.py").write_text(AGENT.format(trick="pass"))
    return f"{tmp_path / 'agent.py'}:Agent"


def kill_server() -> None:
    pid = vars(multiprocessing.forkserver._forkserver)["_forkserver_pid"]
    os.kill(pid, signal.SIGKILL)


def test_a_run_outlives_the_fork_server(agent: str) -> None:
    plan = make_plan(SMALL.id, [agent, "idle", f"{agent}"], episodes=4)
    episodes: list[Episode] = []
    for batch in LocalExecutor(2).play(plan, plan.episodes):
        if not episodes:
            kill_server()
        episodes += batch
    assert {episode.ending for episode in episodes} == {EpisodeEnding.FINISHED}
    assert len(episodes) == 12


def test_workers_that_die_after_the_server_are_replaced(tmp_path: Path) -> None:
    register()
    plan = make_plan(SMALL.id, ["idle"], episodes=40)
    killed = False
    episodes: list[Episode] = []
    executor = LocalExecutor(1)
    for batch in executor.play(plan, plan.episodes):
        if not killed:
            kill_server()
            for child in multiprocessing.active_children():
                if child.pid and child.name.startswith("ForkServerProcess"):
                    os.kill(child.pid, signal.SIGKILL)
            killed = True
        episodes += batch
    assert sorted(episode.number for episode in episodes) == list(range(40))
    assert {episode.ending for episode in episodes} == {EpisodeEnding.FINISHED}


def test_looking_agents_up_outlives_the_server_and_the_nursery(agent: str) -> None:
    before = find(agent)
    kill_server()
    assert find(agent) == before
    control = nursery._NURSERY.control
    assert control is not None
    control.shutdown(2)
    assert find(agent) == before


def test_a_process_is_killed_although_its_server_is_gone() -> None:
    process = start_process(signal.pause)
    kill_server()
    pid = process.pid
    assert pid
    kill_process(process)
    status = Path(f"/proc/{pid}/stat")
    assert not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z"


def test_files_called_like_modules_are_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = AGENT.format(trick="assert 'PYTHONSAFEPATH' not in os.environ")
    for name in ("array", "numpy", "random", "selectors", "token"):
        (tmp_path / f"{name}.py").write_text(code)
    register()
    kill_process(start_process(signal.pause))
    kill_server()
    monkeypatch.chdir(tmp_path)
    control = nursery._NURSERY.control
    if control is not None:
        control.shutdown(2)
    agents = ["random.py:Agent", "idle"]
    plan = make_plan(SMALL.id, agents, episodes=2)
    episodes = [
        episode for batch in LocalExecutor(2).play(plan, plan.episodes) for episode in batch
    ]
    assert {episode.ending for episode in episodes} == {EpisodeEnding.FINISHED}
    assert len(episodes) == 4


def test_no_server_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    kill_server()
    monkeypatch.setattr("multiprocessing.spawn._python_exe", b"/nowhere/python")
    with pytest.raises(StoreError, match=r"no process can be started: .*; try again"):
        start_process(signal.pause)
