"""What agents do wrong ends their episode, never the run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.runs.small import SMALL

from ludus.errors import OptionError
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import Limits, make_plan
from ludus.runs.running import run
from ludus.runs.store import Store
from ludus.runs.verify import verify

WRONG = Path(__file__).parents[1] / "runs" / "agents_gone_wrong.py"


def ended(store: Store, agent: str, **limits: float) -> list[Episode]:
    """The episodes of a good agent and a bad one, the bad one's."""
    agents = ["forward-jumping", f"{WRONG}:{agent}"]
    made = run(
        SMALL.id,
        agents,
        store=store,
        episodes=3,
        executor=LocalExecutor(2),
        limits=Limits(**limits),  # type: ignore[arg-type]
    )
    assert made.complete
    assert verify(made.id, store=store).good
    episodes = [one.episode for one in store.episodes(made.id)]
    good = [episode for episode in episodes if episode.agent == 0]
    assert {episode.ending for episode in good} == {EpisodeEnding.FINISHED}
    return [episode for episode in episodes if episode.agent == 1]


@pytest.mark.parametrize(
    ("agent", "ending", "reason", "steps"),
    [
        ("Raises", EpisodeEnding.CRASHED, "ZeroDivisionError: cannot share", 4),
        ("FailsReset", EpisodeEnding.CRASHED, "RuntimeError: not today", 0),
        (
            "Nonsense",
            EpisodeEnding.DISQUALIFIED,
            "ActionError: 'jump!' is not a number of buttons",
            4,
        ),
        ("TooMuch", EpisodeEnding.DISQUALIFIED, "ActionError: action 99 is out of range", 4),
    ],
)
def test_faults_end_the_episode_with_the_reason(
    agent: str, ending: EpisodeEnding, reason: str, steps: int, store: Store
) -> None:
    for episode in ended(store, agent):
        assert episode.ending is ending
        assert episode.reason.startswith(reason)
        assert episode.steps == len(episode.record) == steps


def test_a_hanging_agent_is_stopped(store: Store) -> None:
    for episode in ended(store, "Hangs", seconds=5):
        assert episode.ending is EpisodeEnding.DISQUALIFIED
        assert episode.reason == "took longer than 5 seconds"
        assert episode.steps == len(episode.record) == 4


def test_an_agent_that_kills_its_process_crashes_its_episode_alone(store: Store) -> None:
    for episode in ended(store, "Dies"):
        assert episode.ending is EpisodeEnding.CRASHED
        assert episode.reason.startswith("its process died 3 times: ")


def test_a_limit_of_steps_disqualifies(store: Store) -> None:
    agents = ["idle"]
    made = run(SMALL.id, agents, store=store, limits=Limits(steps=7), executor=LocalExecutor(1))
    for one in store.episodes(made.id):
        assert (one.episode.ending, one.episode.steps) == (EpisodeEnding.DISQUALIFIED, 7)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_workers_change_nothing_but_the_time(workers: int, store: Store) -> None:
    plan = make_plan(SMALL.id, ["random", "rule-based"])
    played = [
        episode for batch in LocalExecutor(workers).play(plan, plan.episodes) for episode in batch
    ]
    played.sort(key=lambda episode: episode.number)
    assert [episode.number for episode in played] == list(range(12))
    key = [(e.record, e.facts) for e in played]
    again = [e for batch in LocalExecutor(2).play(plan, plan.episodes) for e in batch]
    assert key == [(e.record, e.facts) for e in sorted(again, key=lambda e: e.number)]


def test_too_few_workers_are_refused() -> None:
    with pytest.raises(OptionError, match="0 workers"):
        LocalExecutor(0)


def test_an_episode_survives_json() -> None:
    episode = Episode(
        3, 1, 2, EpisodeEnding.CRASHED, "why «not»", b"\x00\xff", {"x": 1.5, "n": None}, 2, 0.1
    )
    assert Episode.from_json(episode.to_json()) == episode


SCRIPT = """
from tests.runs.small import SMALL, register
from ludus.runs import Store, run
from ludus.execution.local import LocalExecutor

register()
done = run(SMALL.id, ["idle", "random"], store=Store({path!r}), executor=LocalExecutor(2))
print(done.played, len(Store({path!r}).runs()))
"""


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(path=str(tmp_path / "script.db")))
    root = Path(__file__).parents[2]
    command = [sys.executable, str(script)]
    told = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert told.stdout.split() == ["12", "1"]
