"""Episodes of worms as the documents that pages read."""

from __future__ import annotations

from typing import Any

from ludus.games.worm.native_task import native_constants
from ludus.games.worm.scenario import Scenario
from ludus.json_files import finite
from ludus.runs import Run, ScoredEpisode, Store
from ludus.web.models import DishDocument, TrackDocument
from ludus.web.tracks import find_others, link_replay, make_track

__all__ = ["make_dish"]


def make_dish(run: Run, scored: ScoredEpisode, store: Store) -> DishDocument:
    """Return what a page needs to let a worm crawl again, with the run's others as ghosts.

    Raises:
        OptionError: The run's scenario is none of the worm.
    """
    scenario = Scenario.from_dict(run.plan.scenarios[scored.episode.scenario])
    tracks = [_make_track(run, scored)]
    for other in find_others(run, scored, store):
        track = _make_track(run, other)
        track.link = link_replay(run, scored, other)
        tracks.append(track)
    terms: dict[str, Any] = finite(native_constants(scenario.task))
    return DishDocument(
        name=scenario.name,
        terms=terms,
        seed=str(scenario.seed),
        continuous=scenario.task.substrate == "continuous",
        tracks=tracks,
    )


def _make_track(run: Run, scored: ScoredEpisode) -> TrackDocument:
    episode = scored.episode
    digest = str(episode.facts.get("state") or "")
    return make_track(run, scored, episode.record, digest, episode.facts)
