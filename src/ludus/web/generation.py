"""Level generation: a test level, two levels made for the visitor, votes, and who is most fun."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ludus.benchmarks.mario_ai.generation import TEST_LIVES
from ludus.benchmarks.mario_ai.preferences import score_preferences
from ludus.benchmarks.mario_ai.votes import PreferenceVote
from ludus.errors import OptionError
from ludus.games.platformer.recordings import PlayerRecord
from ludus.games.platformer.scenario import Scenario
from ludus.voting.counting import count_votes
from ludus.voting.level_pairs import (
    check_play,
    find_ballot,
    find_generators,
    find_test_level,
    make_level_pair,
)
from ludus.voting.sittings import (
    Sitting,
    StaleStep,
    begin_sitting,
    check_ticket,
    count_visit,
    make_ticket,
    take_step,
)
from ludus.web.arena import Arena, ThisArena
from ludus.web.charts import draw_interval, find_scale
from ludus.web.limiting import one_maker
from ludus.web.profiles import describe_profile
from ludus.web.vote_models import (
    GenerationPlay,
    GenerationResult,
    GenerationStep,
    GenerationVisit,
    GenerationVote,
)
from ludus.web.voters import (
    describe_visit,
    find_visit,
    name_visitor,
    open_visit,
    show_level,
)

__all__ = ["ROUTER"]

ROUTER = APIRouter()
API = "/api/v1/generation"
STEPS = (
    ("test", ""),
    ("level", "A"),
    ("level", "B"),
    ("vote", ""),
    ("level", "A"),
    ("level", "B"),
    ("vote", ""),
)
SWAPPED = 4
"""From this step on, what was B is A."""


# ---- pages


@ROUTER.get("/generation/", include_in_schema=False)
def show_generation(request: Request, arena: ThisArena) -> Response:
    """Let somebody play levels that are made for him or her, and vote."""
    values = {"lives": TEST_LIVES, **describe_visit(request, arena, "levels", API)}
    return arena.pages.render(request, "generation.html", values)


@ROUTER.get("/generation/board/", include_in_schema=False)
def show_board(request: Request, arena: ThisArena) -> Response:
    """Show which generator makes most fun."""
    ballot = find_ballot(arena.store).ballot
    result = score_preferences(ballot, count_votes(ballot, arena.store).preferences)
    scale = find_scale(row.strength for row in result.rows if row.strength)
    rows = [
        (row, draw_interval(row.strength, scale) if row.strength else None) for row in result.rows
    ]
    return arena.pages.render(request, "generation_board.html", {"result": result, "rows": rows})


# ---- data


@ROUTER.post(f"{API}/visit", tags=["votes"], status_code=201)
def begin(
    request: Request, response: Response, arena: ThisArena, visit: GenerationVisit
) -> GenerationStep:
    """Begin with the test level, or go on where this browser was."""
    sitting = open_visit(request, response, arena, "levels", lambda: _begin(arena))
    return _show_step(arena, sitting)


def _begin(arena: Arena) -> Sitting:
    number = count_visit("levels", arena.store)
    ballot = find_ballot(arena.store)
    pair = find_generators(ballot, number)
    state = {"test": find_test_level(ballot).to_dict(), "pair": [pair.first, pair.second]}
    return begin_sitting("levels", number, {**state, "votes": []}, arena.store)


@ROUTER.get(f"{API}/step", tags=["votes"])
def read_step(request: Request, arena: ThisArena) -> GenerationStep:
    """Return what this browser does now."""
    return _show_step(arena, find_visit(request, arena, "levels"))


@ROUTER.post(f"{API}/plays", tags=["votes"], status_code=201)
def take_play(request: Request, arena: ThisArena, play: GenerationPlay) -> GenerationStep:
    """Play a visitor's buttons again; after the test level, two levels are made from them."""
    sitting = find_visit(request, arena, "levels")
    kind = _check_turn(arena, sitting, play.ticket, "test", "level")
    lives = [_decode(life) for life in play.lives]
    recording = check_play(_find_scenario(sitting), lives, play.digest, to_the_end=kind == "test")
    state = dict(sitting.state)
    if kind == "test":
        record = PlayerRecord.of(recording)
        state |= {"record": record.to_json(), "levels": _make_levels(arena, sitting, record)}
    return _show_step(arena, take_step(sitting, play.ticket, arena.store, state=state))


@ROUTER.post(f"{API}/votes", tags=["votes"], status_code=201)
def take_vote(request: Request, arena: ThisArena, vote: GenerationVote) -> GenerationStep:
    """Count a vote on the two levels that this browser played last."""
    sitting = find_visit(request, arena, "levels")
    _check_turn(arena, sitting, vote.ticket, "vote")
    first, second = sitting.state["pair"]
    if sitting.step > SWAPPED:
        first, second = second, first
    cast = PreferenceVote(name_visitor(sitting), first, second, vote.answer)
    votes = [*sitting.state["votes"], cast.winner or cast.answer]
    state = {**sitting.state, "votes": votes}
    return _show_step(arena, take_step(sitting, vote.ticket, arena.store, state=state, cast=[cast]))


@ROUTER.get(f"{API}/result", tags=["votes"])
def read_result(request: Request, arena: ThisArena) -> GenerationResult:
    """Return who made the levels; not before both votes are cast."""
    sitting = find_visit(request, arena, "levels")
    if sitting.step < len(STEPS):
        raise OptionError("there is something left to play: the names come after the last vote")
    record = PlayerRecord.parse(sitting.state["record"])
    return GenerationResult(
        generators=sitting.state["pair"],
        votes=sitting.state["votes"],
        profile=describe_profile(record),
    )


def _check_turn(arena: Arena, sitting: Sitting, ticket: str, *kinds: str) -> str:
    """Return the kind of the present step; refuse what belongs to another one."""
    kind = STEPS[sitting.step][0] if sitting.step < len(STEPS) else "done"
    check_ticket(sitting, ticket, arena.store)
    if kind not in kinds:
        raise StaleStep("it is not the turn of this: load the page again")
    return kind


def _make_levels(arena: Arena, sitting: Sitting, record: PlayerRecord) -> list[dict[str, Any]]:
    with one_maker(arena):
        return make_level_pair(record, *sitting.state["pair"], seed=sitting.number)


def _find_scenario(sitting: Sitting) -> Scenario:
    """Return the level of the present step."""
    kind, label = STEPS[sitting.step]
    if kind == "test":
        return Scenario.from_dict(sitting.state["test"])
    place = "AB".index(label) if sitting.step < SWAPPED else "BA".index(label)
    return Scenario.from_dict(sitting.state["levels"][place])


def _decode(life: str) -> bytes:
    try:
        return base64.b64decode(life, validate=True)
    except (binascii.Error, ValueError):
        raise OptionError(f"a life {life[:20]!r} is no base64") from None


def _show_step(arena: Arena, sitting: Sitting) -> GenerationStep:
    values: dict[str, Any] = {"step": sitting.step, "steps": len(STEPS)}
    if sitting.step >= len(STEPS):
        return GenerationStep(kind="done", **values)
    kind, label = STEPS[sitting.step]
    ticket = make_ticket(sitting, arena.store)
    if kind == "vote":
        return GenerationStep(kind="vote", ticket=ticket, **values)
    return GenerationStep(
        kind="test" if kind == "test" else "level",
        label=label,
        lives=TEST_LIVES,
        ticket=ticket,
        round=show_level(_find_scenario(sitting)),
        **values,
    )
