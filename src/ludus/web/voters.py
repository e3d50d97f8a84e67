"""Who votes: an anonymous visit that a signed cookie names, and how much one may send."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import Response

from ludus.games.platformer import World, rule_sets
from ludus.games.platformer.scenario import Scenario, level_to_dict
from ludus.voting.sittings import Sitting, Track, UnknownSitting, find_sitting, sign_sitting
from ludus.web.arena import Arena
from ludus.web.models import RoundDocument
from ludus.web.problems import TooMany

__all__ = [
    "digest_play",
    "find_visit",
    "has_begun",
    "name_visitor",
    "resume_visit",
    "set_cookie",
    "show_level",
]

DAYS_30 = 30 * 24 * 3_600


def resume_visit(request: Request, arena: Arena, track: Track) -> Sitting | None:
    """Return the visit that a browser has begun before; None if it may begin one now.

    Raises:
        TooMany: Too many visits have begun at this address.
    """
    try:
        return _read_cookie(request, arena, track)
    except UnknownSitting:
        if not arena.visits.take(_address(request)):
            raise TooMany("too many visits began here within an hour: come back later") from None
        return None


def has_begun(request: Request, arena: Arena, track: Track) -> bool:
    """Return whether a browser has begun a visit."""
    try:
        _read_cookie(request, arena, track)
    except UnknownSitting:
        return False
    return True


def find_visit(request: Request, arena: Arena, track: Track) -> Sitting:
    """Return the visit of a browser.

    Raises:
        UnknownSitting: It has none, or a forged one.
        TooMany: It sends too often, or its address does.
    """
    if not arena.answers.take(f"{track} {_address(request)}"):
        raise TooMany("too much was sent from here within a minute: wait a little")
    sitting = _read_cookie(request, arena, track)
    if not arena.answers.take(sitting.id):
        raise TooMany("too much was sent by this visit within a minute: wait a little")
    return sitting


def set_cookie(request: Request, response: Response, arena: Arena, sitting: Sitting) -> None:
    """Give a browser the cookie of its visit; scripts and other sites cannot use it."""
    response.set_cookie(
        _cookie(sitting.track),
        sign_sitting(sitting, arena.store),
        max_age=DAYS_30,
        path=f"{arena.settings.prefix}/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def name_visitor(sitting: Sitting) -> str:
    """Return what files of votes call a visitor: a number, which leads to nobody."""
    return f"visitor-{sitting.number + 1}"


def show_level(scenario: Scenario) -> RoundDocument:
    """Return a level to play or to watch, with nothing that says who made it."""
    level = level_to_dict(scenario.level) | {"labels": []}
    rules = scenario.level.rules
    return RoundDocument(
        name="level",
        rules=rules,
        rules_version=rule_sets()[rules],
        level=level,
        mode=scenario.mode,
        time_limit=scenario.time_limit,
        tracks=[],
    )


def digest_play(scenario: Scenario, actions: bytes) -> str:
    """Return the state digest after some ticks of a level."""
    world = World(scenario.level, scenario.mode, scenario.time_limit)
    for action in actions:
        world.step(action)
    return f"{world.hash():016x}"


def _read_cookie(request: Request, arena: Arena, track: Track) -> Sitting:
    return find_sitting(track, request.cookies.get(_cookie(track), ""), arena.store)


def _cookie(track: Track) -> str:
    return f"ludus-{track}"


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
