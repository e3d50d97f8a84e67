"""Who played beside an episode: the other agents of its run on the same scenario, as ghosts."""

from __future__ import annotations

import base64

from ludus.games.game import Facts
from ludus.json_files import finite
from ludus.runs import Run, ScoredEpisode, Store
from ludus.web.addresses import replay_path
from ludus.web.models import TrackDocument
from ludus.web.pages import relative_link

__all__ = ["MOST_GHOSTS", "find_others", "link_replay", "make_track"]

MOST_GHOSTS = 5


def make_track(
    run: Run, scored: ScoredEpisode, actions: bytes, digest: str, facts: Facts
) -> TrackDocument:
    """Return who played, and which actions.

    Args:
        run: The run.
        scored: The episode.
        actions: The actions as their game records them.
        digest: The state digest after the last of them.
        facts: What came of it.
    """
    return TrackDocument(
        agent=run.plan.agents[scored.episode.agent].name,
        actions=base64.b64encode(actions).decode("ascii"),
        ticks=len(actions),
        digest=digest,
        result=finite(dict(facts)),
    )


def find_others(run: Run, scored: ScoredEpisode, store: Store) -> list[ScoredEpisode]:
    """Return the best episodes of the run's other agents on the same scenario, the best first."""
    plan, scenario = run.plan, scored.episode.scenario
    numbers = [
        plan.episodes.number_of(agent, scenario)
        for agent in range(len(plan.agents))
        if agent != scored.episode.agent
    ]
    others = store.episodes(run.id, numbers) if numbers else []
    return sorted(others, key=lambda other: -other.score.total)[:MOST_GHOSTS]


def link_replay(run: Run, scored: ScoredEpisode, other: ScoredEpisode) -> str:
    """Return the link from the page of an episode to that of another."""
    page = replay_path(run.id, scored.episode.number)
    return relative_link(page, replay_path(run.id, other.episode.number))
