"""The sandbox is on a cluster what it is here."""

from __future__ import annotations

import re

import pytest
from tests.attacks import hostile_in_sandbox
from tests.attacks.hostile_in_sandbox import ATTEMPTS
from tests.attacks.test_hostile_environments import needs_sandbox
from tests.attacks.test_sandbox import CONFINED, LIMITS, REFUSED, VERDICTS
from tests.runs.small import SMALL

from ludus.execution.plan import make_plan
from ludus.execution.ray_cluster import RayExecutor

pytestmark = pytest.mark.filterwarnings("ignore")


@needs_sandbox
def test_agents_are_confined_on_a_cluster(ray: object) -> None:
    spec = f"{hostile_in_sandbox.__file__}:Agent"
    plan = make_plan(SMALL.id, [spec], episodes=len(ATTEMPTS), limits=LIMITS, context=CONFINED)
    names = ("use_io_uring", "read_passwords", "fork_bomb", "write_own_code", "open_socket")
    chosen = [one for one in plan.episodes if ATTEMPTS[one.scenario] in names]
    batches = RayExecutor(workers=1).play(plan, chosen, CONFINED)
    episodes = [one for batch in batches for one in batch]
    assert len(episodes) == len(names)
    for one in episodes:
        assert re.match(VERDICTS.get(ATTEMPTS[one.scenario], REFUSED), one.reason), one.reason
