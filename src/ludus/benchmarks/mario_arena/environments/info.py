"""What is known of an episode of the arena, under the names that Mario's environments have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ludus.benchmarks.mario_arena.modes import GAME, MODES, STAGE, TENTHS, WORLD, Weighted

__all__ = ["SIZES", "describe_episode", "standard_points"]

SIZES = ("small", "tall", "fireball")
"""What ``status`` says of Mario, by his mode."""

WON = 1

_STANDARD = cast("Weighted", MODES["standard"])
_COMPLETION = TENTHS * _STANDARD.completion
_COIN, _COIN_IN_GAME = TENTHS * _STANDARD.coin, TENTHS * _STANDARD.coin_in_game
_SECOND, _STEP = TENTHS * _STANDARD.second, _STANDARD.step


def standard_points(
    facts: Mapping[str, Any], world: Any, stage: Any, completed: Any, *, full_game: bool
) -> Any:
    """Return the standard score of an episode as it stands: of numbers, or of arrays of them."""
    units = TENTHS * (WORLD * world + STAGE * stage + facts["max_x_pos"]) - _STEP * facts["steps"]
    if full_game:
        units = units + GAME * _COMPLETION * completed + _COIN_IN_GAME * facts["coins_counted"]
    else:
        units = units + (_COMPLETION + _SECOND * facts["time"]) * completed
        units = units + _COIN * facts["coins_counted"]
    return units / TENTHS


def describe_episode(
    facts: Mapping[str, Any], place: tuple[Any, Any, Any], xy: tuple[Any, Any], *, full_game: bool
) -> dict[str, Any]:
    """Return the info of an episode, or the arrays of the infos of many.

    Args:
        facts: What the engine tells, by the names of ``INFO_FIELDS`` and ``COURSE_FIELDS``.
        place: World, stage, and pixels of the level's height.
        xy: Mario's place in whole pixels, y downwards.
        full_game: Whether the episode is the whole campaign.
    """
    world, stage, height = place
    completed = facts["status"] == WON
    return {
        "x_pos": xy[0],
        "y_pos": height - xy[1],
        "world": world,
        "stage": stage,
        "coins": facts["coins_counted"],
        "time": facts["time"],
        "life": facts["life"],
        "flag_get": facts["flag_get"] == 1,
        "score": standard_points(facts, world, stage, completed, full_game=full_game),
        "is_success": completed,
        "max_x_pos": facts["max_x_pos"],
        "steps": facts["steps"],
        "ticks": facts["ticks"],
        "deaths": facts["deaths"],
        "levels_completed": facts["levels_completed"],
        "level": facts["level"],
    }
