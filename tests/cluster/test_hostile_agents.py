"""On a Ray cluster agents are as far from their rivals as here."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.attacks import hostile_agents, hostile_environments
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
