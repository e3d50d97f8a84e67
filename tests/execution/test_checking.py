"""Records are played again by processes that play for no agent, and by several if that is slow."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

import pytest

from ludus.execution import checking
from ludus.execution.checking import EpisodeChecker
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import Plan, make_plan
from ludus.execution.stage import Stage

BENCHMARK = "platformer/sprint"


@pytest.fixture
def plan() -> Plan:
    return make_plan(BENCHMARK, ["idle", "forward-jumping"], episodes=3)


@pytest.fixture
def played(plan: Plan) -> list[Episode]:
    """Return episodes, the last of which says what did not happen."""
    stage = Stage(plan)
    episodes = [stage.play(planned) for planned in plan.episodes]
    return [*episodes[:-1], replace(episodes[-1], facts={**episodes[-1].facts, "x": 1e9})]


@pytest.fixture
def sharing(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> EpisodeChecker:
    """Return a checker that takes everything for slow."""
    monkeypatch.setattr(checking, "ALONE_SECONDS", 0)
    monkeypatch.setattr(checking, "SENT_SECONDS", 0)
    return EpisodeChecker(plan, 2)


def test_what_is_played_again_elsewhere_comes_to_the_same(
    plan: Plan, played: list[Episode], sharing: EpisodeChecker
) -> None:
    alone = EpisodeChecker(plan)
    expected = [alone.replay(episode) for episode in played]
    assert sharing.replay_all(played) == expected  # here: nothing is known to be slow yet
    assert sharing._pool is None
    for _ in range(2):
        assert sharing.replay_all(played) == expected
        assert sharing._pool is not None
    sharing.close()
    assert expected[:-1] == played[:-1]
    assert expected[-1].ending is EpisodeEnding.DISQUALIFIED


def test_the_run_goes_on_without_a_process_that_helped(
    played: list[Episode], sharing: EpisodeChecker
) -> None:
    expected = [*sharing.replay_all(played)]
    sharing.replay_all(played)
    assert sharing._pool is not None
    for worker in sharing._pool._workers:
        assert worker.process.pid is not None
        os.kill(worker.process.pid, signal.SIGKILL)
    assert sharing.replay_all(played) == expected
    assert sharing._pool is None


def test_quick_replays_are_not_sent_elsewhere(plan: Plan, played: list[Episode]) -> None:
    checker = EpisodeChecker(plan, 2)
    for _ in range(3):
        checker.replay_all(played)
    assert checker._pool is None
