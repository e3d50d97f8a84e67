"""Somebody to race against on any level: an agent of Ludus plays it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from ludus.agents import load
from ludus.api.level_sources import find_level_source
from ludus.errors import OptionError
from ludus.execution.match_play import play_match
from ludus.games.game import Facts
from ludus.games.platformer.game import PlatformerGame

__all__ = ["RIVALS", "Ghost", "play_ghost"]

RIVALS = ("forward-jumping", "rule-based", "astar")
"""Whom a page offers as rivals; they take a few seconds at most."""

MOST_SECONDS = 20.0
KEPT_GHOSTS = 64


@dataclass(frozen=True, slots=True)
class Ghost:
    """A play to race against.

    Attributes:
        agent: Who played.
        actions: The buttons of every tick.
        facts: What came of it.
    """

    agent: str
    actions: bytes
    facts: Facts


@lru_cache(KEPT_GHOSTS)
def play_ghost(source: str, agent: str, mode: int | None = None) -> Ghost:
    """Let an agent of Ludus play a level.

    Args:
        source: The level, as :func:`~ludus.api.level_sources.find_level_source` reads it.
        agent: One of :data:`RIVALS`.
        mode: How Mario starts; as the level has it if None.

    Raises:
        OptionError: There is no such level or rival, or the rival did not get to an end.

    Example:
        >>> play_ghost("level=sprint-01", "forward-jumping").agent
        'forward-jumping'
    """
    if agent not in RIVALS:
        raise OptionError(f"no rival {agent[:40]!r}: there are {', '.join(RIVALS)}")
    usual = find_level_source(source).scenario
    scenario = usual if mode is None else replace(usual, mode=mode)
    player, match = load(agent, "platformer"), PlatformerGame().begin(scenario)
    play_match(player, scenario, match, most_seconds=MOST_SECONDS)
    if not match.over:
        raise OptionError(
            f"{agent} did not get to the end of {source[:60]!r} in time: race another"
        )
    return Ghost(player.name, match.record(), match.facts())
