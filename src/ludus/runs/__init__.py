"""Runs: how they are planned, played, stored, scored and verified."""

from __future__ import annotations

from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.executor import Executor
from ludus.execution.local import LocalExecutor
from ludus.execution.match_play import play_match
from ludus.execution.plan import Limits, Plan, PlannedEpisode, make_plan
from ludus.runs.exchange import export, import_run
from ludus.runs.explain import Explanation, explain
from ludus.runs.foreign import score_file
from ludus.runs.running import continue_run, resume, run
from ludus.runs.store import Run, ScoredEpisode, Store
from ludus.runs.summary import Summary, rank, summarise
from ludus.runs.verify import Verification, verify
from ludus.runs.watch import film, replay_episode

__all__ = [
    "Episode",
    "EpisodeEnding",
    "Executor",
    "Explanation",
    "Limits",
    "LocalExecutor",
    "Plan",
    "PlannedEpisode",
    "Run",
    "ScoredEpisode",
    "Store",
    "Summary",
    "Verification",
    "continue_run",
    "explain",
    "export",
    "film",
    "import_run",
    "make_plan",
    "play_match",
    "rank",
    "replay_episode",
    "resume",
    "run",
    "score_file",
    "summarise",
    "verify",
]
