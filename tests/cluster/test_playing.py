"""A local Ray cluster plays the same plan to the same results, also when a worker dies."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from tests.execution.test_executor import play_dying
from tests.runs.in_order import IN_ORDER, Carries, register, spec_of
from tests.runs.small import SMALL
from tests.runs.test_in_order import begin, play_plainly, records
from tests.runs.test_kill import everything

from ludus.execution.episode import EpisodeEnding
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import make_plan
from ludus.execution.ray_cluster import RayExecutor
from ludus.runs.running import continue_run, run
from ludus.runs.store import ScoredEpisode, Store

pytestmark = pytest.mark.filterwarnings("ignore")


def workers() -> list[int]:
    """The processes of this process's cluster that play episodes."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/cmdline", encoding="utf-8") as file:
                    if file.read().startswith("ray::_Actor") and descends_from(int(entry)):
                        found.append(int(entry))
            except OSError:
                continue
    return found


def descends_from(process: int, ancestor: int = os.getpid()) -> bool:
    """Tell whether a process was started by another, or by what that one started."""
    while process > 1:
        if process == ancestor:
            return True
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            process = int(file.read().rpartition(")")[2].split()[1])
    return False


def test_the_cluster_plays_what_local_processes_play(ray: Any, store: Store) -> None:
    agents = ["random", "rule-based"]
    there = run(SMALL.id, agents, store=store, executor=RayExecutor())
    here = run(SMALL.id, agents, store=store, executor=LocalExecutor(2))
    assert there.complete
    assert everything(store, there.id) == everything(store, here.id)


def test_an_episode_whose_worker_is_killed_is_played_again(ray: Any, store: Store) -> None:
    killed: list[int] = []

    def kill_one(_: ScoredEpisode) -> None:
        if not killed:
            victims = workers()
            assert victims
            os.kill(victims[0], signal.SIGKILL)
            killed.append(victims[0])

    agents = ["random", "forward-jumping"]
    there = run(
        SMALL.id, agents, store=store, episodes=40, executor=RayExecutor(), on_episode=kill_one
    )
    assert killed
    assert there.complete
    here = run(SMALL.id, agents, store=store, episodes=40, executor=LocalExecutor(2))
    assert everything(store, there.id) == everything(store, here.id)


def test_levels_in_order_go_on_in_another_worker_where_one_was_killed(
    ray: Any, store: Store
) -> None:
    register()
    agents = [spec_of(Carries), "scared"]
    plan = make_plan(IN_ORDER.id, agents, episodes=8)
    here = play_plainly(plan)
    started = begin(store, plan, [0, 1])
    killed: list[int] = []

    def kill_one(scored: ScoredEpisode) -> None:
        if scored.episode.scenario == 4 and not killed and (victims := workers()):
            os.kill(victims[0], signal.SIGKILL)
            killed.append(victims[0])

    there = continue_run(started, store, executor=RayExecutor(), on_episode=kill_one)
    assert killed
    assert there.complete
    assert records(store, there.id) == [one.record for one in here]


@pytest.mark.parametrize(
    ("deaths", "ending"), [(99, EpisodeEnding.CRASHED), (2, EpisodeEnding.FINISHED)]
)
def test_a_cluster_begins_an_episode_three_times_and_no_more(
    ray: Any, tmp_path: Path, deaths: int, ending: EpisodeEnding
) -> None:
    episode, begun = play_dying(RayExecutor(workers=1), tmp_path, deaths)
    assert begun == 3
    assert episode.ending is ending
