"""Who votes: an anonymous visit that a signed cookie names, and how much one may send."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from ludus.games.platformer import World, rule_sets
from ludus.games.platformer.scenario import Scenario, level_to_dict
from ludus.voting.sittings import Sitting, Track, UnknownSitting, find_sitting, sign_sitting
from ludus.web.arena import Arena
from ludus.web.limiting import address_of
from ludus.web.models import RoundDocument
from ludus.web.problems import TooMany

__all__ = [
    "describe_visit",
    "digest_play",
    "find_visit",
    "leave_visit",
    "name_visitor",
    "open_visit",
    "show_level",
]

DAYS_30 = 30 * 24 * 3_600


def _resume_visit(request: Request, arena: Arena, track: Track) -> Sitting | None:
    """Return the visit that a browser has begun before; None if it may begin one now.

    Raises:
        TooMany: Too many visits have begun at this address.
    """
    try:
        return _read_cookie(request, arena, track)
    except UnknownSitting:
        if not arena.visits.take(address_of(request)):
            raise TooMany("too many visits began here within an hour: come back later") from None
        return None


def open_visit(
    request: Request, response: Response, arena: Arena, track: Track, begin: Callable[[], Sitting]
) -> Sitting:
    """Return the visit that a browser goes on with, or begin one and give it its cookie.

    Raises:
        TooMany: Too many visits have begun at this address.
    """
    sitting = _resume_visit(request, arena, track)
    if sitting is None:
        sitting = begin()
        _set_cookie(request, response, arena, sitting)
    return sitting


def describe_visit(request: Request, arena: Arena, track: Track, api: str) -> dict[str, Any]:
    """Return what the first page of a track needs: where its data is, and whether it has begun."""
    return {"api": api.removeprefix("/"), "begun": _has_begun(request, arena, track)}


def _has_begun(request: Request, arena: Arena, track: Track) -> bool:
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
    if not arena.answers.take(f"{track} {address_of(request)}"):
        raise TooMany("too much was sent from here within a minute: wait a little")
    sitting = _read_cookie(request, arena, track)
    if not arena.answers.take(sitting.id):
        raise TooMany("too much was sent by this visit within a minute: wait a little")
    return sitting


def _set_cookie(request: Request, response: Response, arena: Arena, sitting: Sitting) -> None:
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


def leave_visit(response: Response, arena: Arena, track: Track) -> None:
    """Let a browser forget its visit."""
    response.delete_cookie(_cookie(track), path=f"{arena.settings.prefix}/")


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
