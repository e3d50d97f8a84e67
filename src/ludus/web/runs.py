"""The pages of runs: what is stored, and how far a run is while it is played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response, StreamingResponse

from ludus.api.run_result import RunResult
from ludus.benchmarks import find_benchmark
from ludus.boards.estimates import format_estimate
from ludus.errors import LudusError, one_line
from ludus.json_files import finite
from ludus.runs import Run, ScoredEpisode, Store
from ludus.runs.explain import scenario_name
from ludus.runs.sealed import is_public
from ludus.web.addresses import board_path, replay_path, run_path
from ludus.web.arena import ThisArena
from ludus.web.models import EpisodeLine, RunProgress
from ludus.web.problems import NotFound
from ludus.web.words import RunWord

__all__ = ["ROUTER", "follow", "read_progress"]

ROUTER = APIRouter()
ROWS = 50
MOST_EPISODES = 200
MOST_LATEST = 8
LOOK_SECONDS = 1.0
MOST_LOOKS = 600


@ROUTER.get("/runs/", include_in_schema=False)
def show_runs(
    request: Request, arena: ThisArena, page: Annotated[int, Query(ge=1, le=100_000)] = 1
) -> Response:
    """List the runs, the newest first."""
    runs = arena.store.runs()
    shown = runs[ROWS * (page - 1) : ROWS * page]
    if page > 1 and not shown:
        raise NotFound(f"there is no page {page} of runs: there are {len(runs)} runs")
    values = {
        "rows": [(run, run_path(run.id), [one.name for one in run.plan.agents]) for run in shown],
        "page": page,
        "pages": max(1, -(-len(runs) // ROWS)),
        "total": len(runs),
    }
    return arena.pages.render(request, "runs.html", values)


@ROUTER.get("/runs/{run}/", include_in_schema=False)
def show_run(request: Request, arena: ThisArena, run: RunWord) -> Response:
    """Show the standings of a run, and its episodes."""
    stored = arena.store.run(run)
    public = is_public(stored, arena.store)
    numbers = list(range(min(stored.planned, MOST_EPISODES)))
    episodes = arena.store.episodes(stored.id, numbers) if public else []
    values = {
        "run": stored,
        "agents": [source.name for source in stored.plan.agents],
        "progress": read_progress(stored, arena.store),
        "board_link": board_path(stored.benchmark),
        "source": f"api/v1/{run_path(stored.id)}progress",
        "episodes": [_show_episode(stored, one) for one in episodes],
        "public": public,
    }
    return arena.pages.render(request, "run.html", values)


def _show_episode(run: Run, scored: ScoredEpisode) -> dict[str, Any]:
    episode = scored.episode
    return {
        "number": episode.number,
        "link": replay_path(run.id, episode.number),
        "agent": run.plan.agents[episode.agent].name,
        "scenario": scenario_name(run.plan, episode.scenario),
        "score": _format_score(scored),
        "steps": episode.steps,
        "ending": str(episode.ending),
        "reason": episode.reason,
    }


def _format_score(scored: ScoredEpisode) -> str:
    return f"{float(scored.score.total):.6g}"


def read_progress(run: Run, store: Store) -> RunProgress:
    """Return how far a run is, with its standings as they are now."""
    benchmark = find_benchmark(f"{run.benchmark}@{run.version}")
    result = RunResult(run, benchmark, tuple(store.episodes(run.id)))
    standings = [
        {
            "agent": summary.agent,
            "episodes": summary.episodes,
            "value": format_estimate(summary.headline, benchmark.digits),
            "headline": summary.headline.value,
        }
        for summary in result.summaries
    ]
    latest = result.episodes[-MOST_LATEST:] if is_public(run, store) else ()
    return RunProgress(
        run=run.id,
        played=run.played,
        planned=run.planned,
        complete=run.complete,
        standings=finite(standings),
        latest=[
            EpisodeLine(
                number=one.episode.number,
                agent=run.plan.agents[one.episode.agent].name,
                scenario=scenario_name(run.plan, one.episode.scenario),
                score=_format_score(one),
            )
            for one in reversed(latest)
        ],
    )


@ROUTER.get("/api/v1/runs/{run}/progress.json", tags=["runs"])
def read_run(arena: ThisArena, run: RunWord) -> RunProgress:
    """Return how far a run is."""
    return read_progress(arena.store.run(run), arena.store)


@ROUTER.get("/api/v1/runs/{run}/progress", tags=["runs"], response_class=StreamingResponse)
def follow_run(arena: ThisArena, run: RunWord) -> StreamingResponse:
    """Send how far a run is whenever it has changed, as server-sent events."""
    stored = arena.store.run(run)
    return StreamingResponse(
        follow(stored.id, arena.store),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def follow(run: str, store: Store) -> AsyncIterator[str]:
    """Yield events until the run is complete, or for ten minutes; browsers ask again then."""
    played = -1
    for _ in range(MOST_LOOKS):
        try:
            stored = await run_in_threadpool(store.run, run)
            if stored.played != played:
                played = stored.played
                progress = await run_in_threadpool(read_progress, stored, store)
                yield f"data: {progress.model_dump_json()}\n\n"
        except LudusError as error:
            yield f"event: problem\ndata: {one_line(error)}\n\n"
            return
        if stored.complete:
            yield "event: complete\ndata: {}\n\n"
            return
        await asyncio.sleep(LOOK_SECONDS)
