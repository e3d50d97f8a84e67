"""The pages on which people play, and the door through which their plays come in."""

from __future__ import annotations

import base64
import binascii
from datetime import date
from itertools import pairwise
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from ludus.api.ghosts import RIVALS, play_ghost
from ludus.api.human_plays import KEPT, HumanPlay, add_human_play, name_human
from ludus.api.level_sources import LevelSource, day_source, find_level_source
from ludus.benchmarks.platformer.daily import DAILY, seed_of_day
from ludus.boards import Board, Row
from ludus.boards.entry import BoardKey
from ludus.errors import OptionError
from ludus.games.platformer.levels.campaign import STAGES
from ludus.json_files import finite
from ludus.web.addresses import board_path
from ludus.web.arena import Arena, ThisArena
from ludus.web.limiting import check_rate, one_maker
from ludus.web.models import PlayAnswer, PlayRequest, RoundDocument, TrackDocument
from ludus.web.replay_documents import make_round

__all__ = ["ROUTER", "describe_race", "find_day_board"]

ROUTER = APIRouter()
MOST_RACERS = 10
Word = Annotated[str, Path(max_length=40)]
Day = Annotated[date, Path()]


def find_day_board(arena: Arena, day: date) -> Board:
    """Return the board of a day's level, which may be empty."""
    return arena.shelf.board(DAILY.id, BoardKey.of(seed_of_day(day), {}))


def describe_race(row: Row) -> str:
    """Return how fast somebody was on the level of a day, or how far he or she came."""
    progress, (wins, ticks) = row.entry.summary.headline.value, row.entry.summary.ties
    return f"{ticks:.0f} ticks" if wins else f"{progress / 10:.0f} % of the way"


# ---- pages


@ROUTER.get("/play/", include_in_schema=False)
def show_generated(request: Request, arena: ThisArena) -> Response:
    """Let somebody play the level that the page's query names."""
    query = str(request.url.query)
    if not query:
        day = arena.settings.today()
        return _render(request, arena, day_source(day), f"api/v1/days/{day}.json")
    return _render(request, arena, find_level_source(query), f"api/v1/round.json?{query}")


@ROUTER.get("/play/levels/{name}/", include_in_schema=False)
def show_named(request: Request, arena: ThisArena, name: Word) -> Response:
    """Let somebody play a level of the campaign, or a bundled one."""
    source = find_level_source(f"level={name}")
    return _render(request, arena, source, f"api/v1/levels/{name}.json")


@ROUTER.get("/play/days/{day}/", include_in_schema=False)
def show_day(request: Request, arena: ThisArena, day: Day) -> Response:
    """Let somebody play the level of a day."""
    _check_day(arena, day)
    return _render(request, arena, day_source(day), f"api/v1/days/{day}.json")


def _render(request: Request, arena: Arena, source: LevelSource, data: str) -> Response:
    day = source.day
    board = find_day_board(arena, day) if day else None
    values = {
        "source": source,
        "title": f"The level of {day}" if day else f"Level {source.scenario.name}",
        "data": data,
        "plays": "api/v1/plays" if arena.settings.live else "",
        "ghosts": "api/v1/ghosts/" if arena.settings.live else "",
        "rivals": RIVALS,
        "day": day,
        "racers": [(row, describe_race(row)) for row in board.rows[:MOST_RACERS]] if board else [],
        "board_link": board_path(DAILY.id, board.key) if board else "",
        "next": _next_level(source.scenario.name),
    }
    return arena.pages.render(request, "play.html", values)


def _next_level(name: str) -> str:
    """Return the level of the campaign that follows, or nothing."""
    return dict(pairwise(STAGES)).get(name, "")


def _check_day(arena: Arena, day: date) -> None:
    """Refuse days that are not there yet: their levels are nobody's to practise on."""
    today = arena.settings.today()
    if day > today:
        raise OptionError(f"the level of {day} is not there before {day}: today is {today}")


# ---- data


@ROUTER.get("/api/v1/round.json", tags=["play"])
def read_round(request: Request, arena: ThisArena) -> RoundDocument:
    """Return the level that the query names, such as ``?generator=ludus&seed=7``."""
    source = find_level_source(str(request.url.query))
    return _make_round(arena, source)


@ROUTER.get("/api/v1/levels/{name}.json", tags=["play"])
def read_named(arena: ThisArena, name: Word) -> RoundDocument:
    """Return a level of the campaign, or a bundled one, to play."""
    return _make_round(arena, find_level_source(f"level={name}"))


@ROUTER.get("/api/v1/days/{day}.json", tags=["play"])
def read_day(arena: ThisArena, day: Day) -> RoundDocument:
    """Return the level of a day to play, with the best of its board as ghosts."""
    return _make_round(arena, day_source(day))


def _make_round(arena: Arena, source: LevelSource) -> RoundDocument:
    if source.day is None:
        return make_round(source, None, arena.store)
    _check_day(arena, source.day)
    return make_round(source, find_day_board(arena, source.day), arena.store)


@ROUTER.get("/api/v1/ghosts/{agent}.json", tags=["play"])
def read_ghost(
    request: Request,
    arena: ThisArena,
    agent: Word,
    source: Annotated[str, Query(max_length=1_000)],
    mode: Annotated[int | None, Query(ge=0, le=2)] = None,
) -> TrackDocument:
    """Let an agent of Ludus play a level, to be raced against."""
    check_rate(request, arena.answers, "requests for ghosts")
    _check_day_of(arena, source)
    with one_maker(arena):
        ghost = play_ghost(source, agent, mode)
    return TrackDocument(
        agent=ghost.agent,
        actions=base64.b64encode(ghost.actions).decode("ascii"),
        ticks=len(ghost.actions),
        digest=str(ghost.facts["state"]),
        result=finite(dict(ghost.facts)),
    )


def _check_day_of(arena: Arena, source: str) -> None:
    day = find_level_source(source).day
    if day is not None:
        _check_day(arena, day)


@ROUTER.post("/api/v1/plays", tags=["play"], status_code=201)
def take_play(request: Request, arena: ThisArena, play: PlayRequest) -> PlayAnswer:
    """Play somebody's buttons again; the level of today puts the result on its board."""
    check_rate(request, arena.plays, "plays")
    _check_today(arena, play.source)
    found = add_human_play(
        play.source,
        _decode(play.actions),
        player=play.player,
        mode=play.mode,
        time_limit=play.time_limit,
        digest=play.digest,
        store=arena.store,
    )
    return _answer(arena, found, name_human(play.player))


def _check_today(arena: Arena, source: str) -> None:
    """Refuse plays of a day that is over: its board is closed."""
    day, today = find_level_source(source).day, arena.settings.today()
    if day is not None and day != today:
        raise OptionError(f"the board of {day} takes no plays on {today}: play today's level")


def _decode(actions: str) -> bytes:
    try:
        return base64.b64decode(actions, validate=True)
    except (binascii.Error, ValueError):
        raise OptionError(f"actions {actions[:20]!r} are no base64") from None


def _answer(arena: Arena, play: HumanPlay, name: str) -> PlayAnswer:
    answer = PlayAnswer(
        digest=str(play.facts["state"]),
        result=finite(dict(play.facts)),
        player=name,
        kept=bool(play.decision and play.decision.outcome in KEPT),
        outcome=play.decision.outcome if play.decision else "",
    )
    if play.source.day is None:
        return answer
    board = find_day_board(arena, play.source.day)
    answer.entries = len(board.rows)
    answer.rank = next((row.rank for row in board.rows if row.entry.agent == name), None)
    answer.link = board_path(DAILY.id, board.key)
    return answer
