"""The page of an episode: the engine plays its recorded buttons again, in the browser."""

from __future__ import annotations

import base64

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ludus.api.agent_plans import explain_no_plans, find_plans
from ludus.runs import Run
from ludus.runs.explain import explain
from ludus.runs.sealed import open_revealed
from ludus.web.addresses import replay_path, run_path
from ludus.web.arena import Arena, ThisArena
from ludus.web.films import find_picture, list_films
from ludus.web.limiting import check_rate, one_maker
from ludus.web.models import PlanDocument, ReplayDocument, TickPlan
from ludus.web.replay_documents import make_replay
from ludus.web.words import Number, RunWord

__all__ = ["ROUTER"]

ROUTER = APIRouter()


@ROUTER.get("/runs/{run}/episodes/{number}/", include_in_schema=False)
def show_replay(request: Request, arena: ThisArena, run: RunWord, number: Number) -> Response:
    """Show an episode."""
    return _render(request, arena, "replay.html", run, number)


@ROUTER.get("/runs/{run}/episodes/{number}/embed/", include_in_schema=False)
def show_embedded(request: Request, arena: ThisArena, run: RunWord, number: Number) -> Response:
    """Show an episode alone, for a frame on a page of others."""
    return _render(request, arena, "embed.html", run, number)


def _render(request: Request, arena: Arena, template: str, run: str, number: int) -> Response:
    stored = open_revealed(arena.store.run(run), arena.store)
    document = make_replay(stored.id, number, arena.store)
    explanation = explain(stored.id, number, arena.store)
    count = len(stored.plan.episodes)
    no_plan = _explain_no_plan(stored, explanation.episode.agent, arena)
    values = {
        "document": document,
        "explanation": explanation,
        "run": stored,
        "run_link": run_path(stored.id),
        "path": replay_path(stored.id, number),
        "source": f"api/v1/{replay_path(stored.id, number)}replay.json",
        "plan": "" if no_plan else f"api/v1/{replay_path(stored.id, number)}plan.json",
        "no_plan": f"No plans of {explanation.agent}: {no_plan}." if no_plan else "",
        "films": list_films(stored, number, arena),
        "embed": f"{replay_path(stored.id, number)}embed/",
        "picture": "" if document.is_shown else find_picture(stored, number, arena),
        "before": replay_path(stored.id, number - 1) if number else "",
        "after": replay_path(stored.id, number + 1) if number + 1 < count else "",
    }
    return arena.pages.render(request, template, values)


def _explain_no_plan(run: Run, agent: int, arena: Arena) -> str:
    """Return why no plans are shown, or nothing; a published folder has nobody to ask."""
    missing = explain_no_plans(run.plan.agents[agent].spec, run.plan.game)
    return missing or ("" if arena.settings.live else "a published site has nobody to ask")


@ROUTER.get("/api/v1/runs/{run}/episodes/{number}/plan.json", tags=["replays"])
def read_plans(request: Request, arena: ThisArena, run: RunWord, number: Number) -> PlanDocument:
    """Return what an agent meant to do in every tick; only agents of Ludus that plan are asked."""
    check_rate(request, arena.plays, "requests for plans")
    with one_maker(arena):
        found = find_plans(run, number, arena.store)
    plans = [
        TickPlan(tick=plan.tick, actions=base64.b64encode(plan.actions).decode("ascii"))
        for plan in found.plans
    ]
    return PlanDocument(agent=found.agent, reason=found.reason, plans=plans)


@ROUTER.get("/api/v1/runs/{run}/episodes/{number}/replay.json", tags=["replays"])
def read_replay(arena: ThisArena, run: RunWord, number: Number) -> ReplayDocument:
    """Return all that is needed to play an episode again."""
    return make_replay(run, number, arena.store)
