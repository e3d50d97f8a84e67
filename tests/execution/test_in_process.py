from __future__ import annotations

import os
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from tests.runs.small import SMALL, register

from ludus.agents.objects import source_of
from ludus.errors import AgentError
from ludus.execution.in_process import InProcessExecutor
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import make_plan
from ludus.limits import Limits
from ludus.runs import EpisodeEnding, Store, continue_run, resume


class Runner:
    """Runs right and remembers which process asked it."""

    name = "runner"

    def __init__(self, pause: float = 0.0) -> None:
        self.pause = pause
        self.processes: set[int] = set()
        self.closed = False

    def reset(self, scenario: Any) -> None:
        self.processes.add(os.getpid())

    def act(self, view: Any) -> int:
        sleep(self.pause)
        return 10

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def store(tmp_path: Path) -> Store:
    register()
    return Store(str(tmp_path / "runs.db"))


def test_objects_play_here_and_specs_elsewhere(store: Store) -> None:
    agent = Runner()
    plan = make_plan(SMALL.id, [source_of(agent), "idle"], episodes=2)
    executor = InProcessExecutor({0: agent}, LocalExecutor(1))
    done = continue_run(store.add(plan), store, executor=executor)
    assert done.complete
    assert agent.processes == {os.getpid()}
    assert not agent.closed  # it is the caller's
    endings = {one.episode.ending for one in store.episodes(done.id)}
    assert endings == {EpisodeEnding.FINISHED}


def test_without_others_everything_plays_here(store: Store) -> None:
    plan = make_plan(SMALL.id, ["idle", "random"], episodes=2)
    run = continue_run(store.add(plan), store, executor=InProcessExecutor())
    local = continue_run(store.add(plan), store, executor=LocalExecutor(2))
    facts = [[one.episode.facts for one in store.episodes(id_)] for id_ in (run.id, local.id)]
    assert facts[0] == facts[1]


def test_an_object_that_takes_too_long_is_disqualified(store: Store) -> None:
    agent = Runner(pause=0.02)
    plan = make_plan(SMALL.id, [source_of(agent)], episodes=1, limits=Limits(seconds=0.05))
    run = continue_run(store.add(plan), store, executor=InProcessExecutor({0: agent}))
    (scored,) = store.episodes(run.id)
    assert scored.episode.ending is EpisodeEnding.DISQUALIFIED
    assert scored.episode.reason == "took longer than 0.05 seconds"
    assert 1 <= scored.episode.steps <= 5


def test_a_run_of_objects_cannot_be_resumed_by_another_process(store: Store) -> None:
    agent = Runner()
    run = store.add(make_plan(SMALL.id, [source_of(agent)], episodes=1))
    with pytest.raises(AgentError, match="Runner was a Python object of a session that is gone"):
        resume(run.id, store=store)
    assert store.run(run.id).played == 0
