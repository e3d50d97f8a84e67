"""The Turing test: clips of people and agents side by side, votes, and who looks human."""

from __future__ import annotations

import base64
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ludus.benchmarks.mario_ai.humanness import HumannessResult, score_humanness
from ludus.benchmarks.mario_ai.votes import HumannessVote, PreferenceVote
from ludus.errors import OptionError
from ludus.games.platformer.recordings import Recording
from ludus.voting.clips import (
    PAIRS_EACH,
    Clip,
    cut_pair,
    draw_pairs,
    find_clips,
    list_clips,
    load_recording,
)
from ludus.voting.counting import count_votes, find_track_ballot
from ludus.voting.sittings import (
    Sitting,
    StaleStep,
    begin_sitting,
    count_visit,
    make_ticket,
    take_step,
)
from ludus.web.arena import Arena, ThisArena
from ludus.web.charts import Scale, draw_interval
from ludus.web.models import RoundDocument, TrackDocument
from ludus.web.problems import NotFound
from ludus.web.vote_models import (
    ClipResult,
    Judgement,
    TuringResult,
    TuringStep,
    TuringVisit,
    TuringVote,
)
from ludus.web.voters import (
    describe_visit,
    digest_play,
    find_visit,
    name_visitor,
    open_visit,
    show_level,
)

__all__ = ["ROUTER"]

ROUTER = APIRouter()
API = "/api/v1/turing"


# ---- pages


@ROUTER.get("/turing/", include_in_schema=False)
def show_turing(request: Request, arena: ThisArena) -> Response:
    """Let somebody say who is human."""
    clips = list_clips(arena.store)
    values = {
        "ready": bool(draw_pairs(clips, 0)),
        "most": 2 * PAIRS_EACH,
        "day": arena.settings.today(),
        "people": len({clip.player for clip in clips if clip.is_human}),
        "programs": len({clip.player for clip in clips if not clip.is_human}),
        **describe_visit(request, arena, "turing", API),
    }
    return arena.pages.render(request, "turing.html", values)


@ROUTER.get("/turing/board/", include_in_schema=False)
def show_board(request: Request, arena: ThisArena) -> Response:
    """Show who is taken for human."""
    result = _score(arena)
    rows = [
        (row, draw_interval(row.humanness, Scale(0.0, 1.0)) if row.humanness else None)
        for row in (result.rows if result else ())
    ]
    return arena.pages.render(request, "turing_board.html", {"result": result, "rows": rows})


# ---- data


@ROUTER.post(f"{API}/visit", tags=["votes"], status_code=201)
def begin(request: Request, response: Response, arena: ThisArena, visit: TuringVisit) -> TuringStep:
    """Begin to judge clips, or go on where this browser was."""
    sitting = open_visit(request, response, arena, "turing", lambda: _begin(arena, visit))
    return _show_step(arena, sitting)


def _begin(arena: Arena, visit: TuringVisit) -> Sitting:
    clips = list_clips(arena.store)
    if not draw_pairs(clips, 0):
        raise NotFound("there are no clips to judge yet")
    number = count_visit("turing", arena.store)
    pairs = [[one.id, other.id] for one, other in draw_pairs(clips, number)]
    state = {"expertise": visit.expertise, "pairs": pairs, "answers": []}
    return begin_sitting("turing", number, state, arena.store)


@ROUTER.get(f"{API}/step", tags=["votes"])
def read_step(request: Request, arena: ThisArena) -> TuringStep:
    """Return the clips that this browser judges now."""
    return _show_step(arena, find_visit(request, arena, "turing"))


@ROUTER.post(f"{API}/votes", tags=["votes"], status_code=201)
def take_vote(request: Request, arena: ThisArena, vote: TuringVote) -> TuringStep:
    """Count a vote on the clips that this browser was shown last."""
    sitting = find_visit(request, arena, "turing")
    if _is_done(sitting):
        raise StaleStep("all clips are judged: nothing is left to vote on")
    first, second = _find_pair(arena, sitting)
    voter = name_visitor(sitting)
    cast: list[HumannessVote | PreferenceVote] = [
        _judge(voter, first, vote.first, sitting),
        _judge(voter, second, vote.second, sitting),
        PreferenceVote(voter, first.player, second.player, vote.more_human),
    ]
    answers = [*sitting.state["answers"], vote.first.answer, vote.second.answer]
    state = {**sitting.state, "answers": answers}
    return _show_step(arena, take_step(sitting, vote.ticket, arena.store, state=state, cast=cast))


@ROUTER.get(f"{API}/result", tags=["votes"])
def read_result(request: Request, arena: ThisArena) -> TuringResult:
    """Return who was in the clips; not before all of them are judged."""
    sitting = find_visit(request, arena, "turing")
    result = _score(arena)
    if not _is_done(sitting) or result is None:
        raise OptionError("there are clips left to judge: the names come after the last one")
    ids = [id_ for pair in sitting.state["pairs"] for id_ in pair]
    clips = [
        _describe(clip, answer, result)
        for clip, answer in zip(find_clips(ids, arena.store), sitting.state["answers"], strict=True)
    ]
    return TuringResult(
        right=sum(clip.right for clip in clips),
        clips=clips,
        crowd_right=result.accuracy.value if result.accuracy else 0.0,
        visitors=result.voters,
    )


def _judge(voter: str, clip: Clip, judgement: Judgement, sitting: Sitting) -> HumannessVote:
    expertise = str(sitting.state["expertise"])
    return HumannessVote(
        voter, clip.player, clip.id, judgement.answer, judgement.confidence, expertise
    )


def _describe(clip: Clip, answer: str, result: HumannessResult) -> ClipResult:
    row = next(row for row in result.rows if row.player == clip.player)
    return ClipResult(
        player=clip.player,
        is_human=clip.is_human,
        answer=answer,
        right=(answer == "human") == clip.is_human,
        crowd=row.humanness.value if row.humanness else 0.0,
        answers=row.answers,
    )


def _score(arena: Arena) -> HumannessResult | None:
    ballot = find_track_ballot("turing", arena.store)
    if ballot is None:
        return None
    box = count_votes(ballot, arena.store)
    return score_humanness(ballot, box.judgements, box.preferences)


def _is_done(sitting: Sitting) -> bool:
    return sitting.step >= len(sitting.state["pairs"])


def _find_pair(arena: Arena, sitting: Sitting) -> tuple[Clip, Clip]:
    first, second = find_clips(sitting.state["pairs"][sitting.step], arena.store)
    return first, second


def _show_step(arena: Arena, sitting: Sitting) -> TuringStep:
    clips = 2 * len(sitting.state["pairs"])
    values: dict[str, Any] = {"judged": 2 * sitting.step, "clips": clips}
    if _is_done(sitting):
        return TuringStep(done=True, **values)
    first, second = (load_recording(clip, arena.store) for clip in _find_pair(arena, sitting))
    shown = _show_pair(first, second)
    return TuringStep(done=False, ticket=make_ticket(sitting, arena.store), round=shown, **values)


def _show_pair(first: Recording, second: Recording) -> RoundDocument:
    """Return two clips as the tracks A and B, with nothing that leads to who plays."""
    scenario = first.scenario
    document = show_level(scenario)
    for letter, actions in zip("AB", cut_pair(first, second), strict=True):
        track = TrackDocument(
            agent=letter,
            actions=base64.b64encode(actions).decode("ascii"),
            ticks=len(actions),
            digest=digest_play(scenario, actions),
            result={},
        )
        document.tracks.append(track)
    return document
