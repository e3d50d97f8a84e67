"""How often an episode is begun whose process dies."""

from __future__ import annotations

from pathlib import Path

from tests.runs.small import SMALL

from ludus.context import DEFAULT_CONTEXT
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.executor import MAX_TRIES, Executor, FailurePolicy
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import Limits, make_plan

DYING = """
import os
from pathlib import Path

class Agent:
    name = "dying"

    def reset(self, scenario):
        with open({file!r}, "a") as file:
            file.write("x")
        if len(Path({file!r}).read_text()) <= {deaths}:
            os._exit(1)

    def act(self, view):
        return 2
"""


def play_dying(executor: Executor, folder: Path, deaths: int) -> tuple[Episode, int]:
    """Return the episode of an agent that dies so often, and how often it was begun."""
    count, file = folder / "count", folder / "dying.py"
    file.write_text(DYING.format(file=str(count), deaths=deaths))
    plan = make_plan(SMALL.id, [f"{file}:Agent"], episodes=1)
    (episode,) = (one for batch in executor.play(plan, plan.episodes) for one in batch)
    return episode, len(count.read_text())


def test_an_episode_is_begun_three_times_and_no_more(tmp_path: Path) -> None:
    episode, begun = play_dying(LocalExecutor(1), tmp_path, deaths=99)
    assert begun == 3
    assert episode.ending is EpisodeEnding.CRASHED
    assert episode.reason.startswith("its process died 3 times: it ended itself with code ")


def test_the_third_try_counts(tmp_path: Path) -> None:
    episode, begun = play_dying(LocalExecutor(1), tmp_path, deaths=2)
    assert begun == 3
    assert episode.ending is EpisodeEnding.FINISHED


def test_deaths_are_counted_for_each_episode() -> None:
    plan = make_plan(SMALL.id, ["idle"], episodes=2, limits=Limits(seconds=2))
    failures = FailurePolicy(plan, DEFAULT_CONTEXT)
    first, second = plan.episodes
    assert MAX_TRIES == 3
    assert failures.record_death(first, 1.0) is None
    assert failures.record_death(second, 1.0) is None
    assert failures.record_death(first, 1.0) is None
    crashed = failures.record_death(first, 1.5)
    assert crashed is not None
    assert (crashed.number, crashed.seconds, crashed.record) == (0, 1.5, b"")
    late = failures.disqualify_late(second, 2.5)
    assert (late.ending, late.reason) == (
        EpisodeEnding.DISQUALIFIED,
        "took longer than 2 seconds",
    )
