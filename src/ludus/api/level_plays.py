"""``ludus level play``: one agent plays one level, tick by tick."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ludus.agents.isolation import open_agent
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.contract import Closes
from ludus.errors import OptionError
from ludus.execution.match_play import play_match
from ludus.games.platformer.codes import renumber_buttons
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.scenario import Scenario

__all__ = ["LevelPlay", "play_level"]

STOPPED = "stopped"
SECONDS = 40


@dataclass(frozen=True)
class LevelPlay:
    """What an agent did on a level.

    Attributes:
        agent: Its name.
        ending: ``finished``, ``stopped`` after the ticks that were asked for, ``crashed`` or
            ``disqualified``.
        reason: Why, if it is one of the last two.
        actions: The buttons of every tick: LEFT 1, RIGHT 2, DOWN 4, SPEED 8, JUMP 16, whatever the
            level's rules.
        facts: The engine's figures.
    """

    agent: str
    ending: str
    reason: str
    actions: tuple[int, ...]
    facts: Mapping[str, Any]


def play_level(
    level: Level,
    agent: str,
    *,
    mode: int = 0,
    time_limit: int = SECONDS,
    ticks: int = 0,
    context: RunContext = DEFAULT_CONTEXT,
    after_tick: Callable[[int], None] | None = None,
) -> LevelPlay:
    r"""Let an agent play a level.

    Args:
        level: The level.
        agent: A spec, such as ``astar``, ``file.py:Class`` or ``agents.jar:package.Agent``.
        mode: How Mario starts: 0 small, 1 large, 2 with fire.
        time_limit: Seconds on the clock; 0 for no limit.
        ticks: After how many ticks to stop; 0 to play to the end.
        context: What the agent is allowed.
        after_tick: Called after every tick with their number.

    Raises:
        AgentError: The agent cannot be loaded.
        OptionError: Mode, time limit or ticks make no sense.

    Example:
        >>> level = Level.parse("M--------F\nXXXXXXXXXX")
        >>> play_level(level, "forward-jumping", ticks=3).actions
        (26, 2, 26)
    """
    if ticks < 0:
        raise OptionError(f"{ticks} ticks cannot be played: give 0 to play to the end")
    scenario = Scenario("level", level, mode, time_limit)
    player: Any = open_agent(agent, "platformer", context, game="platformer")
    match = PlatformerGame().begin(scenario)
    try:
        ending, reason, steps = play_match(player, scenario, match, ticks, after_step=after_tick)
    finally:
        if isinstance(player, Closes):
            with suppress(Exception):  # what it does now changes nothing
                player.close()
    stopped = 0 < ticks == steps and not match.over
    return LevelPlay(
        agent=str(player.name),
        ending=STOPPED if stopped else str(ending),
        reason="" if stopped else reason,
        actions=tuple(renumber_buttons(buttons, level.rules) for buttons in match.record()),
        facts=match.facts(),
    )
