from __future__ import annotations

from dataclasses import replace

from tests.runs.small import SMALL, register
from tests.runs.test_summary import scored

from ludus.cli.progress import _Leader
from ludus.execution.plan import make_plan


def test_the_leader_goes_by_the_benchmarks_own_rule() -> None:
    register()
    plan = make_plan(SMALL.id, ["idle", "random"], episodes=200)
    mean, best = _Leader(SMALL, plan), _Leader(replace(SMALL, aggregate=lambda _, t: max(t)), plan)
    played = [scored(0, 0, 9), scored(0, 1, 1), scored(1, 0, 6)]
    assert mean.name([]) == "–"
    assert (mean.name(played), best.name(played)) == ("random", "idle")


def test_among_many_episodes_the_leader_is_looked_for_once_a_per_cent() -> None:
    register()
    plan = make_plan(SMALL.id, ["idle", "random"], episodes=300)
    leader = _Leader(SMALL, plan)
    played = [scored(k % 2, k // 2, 5 - k % 2) for k in range(300)]
    assert leader.name(played) == "idle"
    played += [scored(1, 150, 10_000)] * 3
    assert leader.name(played) == "idle"
    assert leader.name([*played, scored(0, 151, 5)]) == "random"
