"""What happened in an arena episode, counted level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ludus.games.platformer import World
from ludus.games.platformer.arena.levels import arena_level, is_address, level_difficulty
from ludus.games.platformer.records import Result

__all__ = ["MOST_COINS", "Attempt", "collect_facts"]

RUNNING, WIN = 0, 1
MOST_COINS = 99
"""More coins than this do not count in a level."""

CLOCK = 1000
TILE = 16

COUNTED = (
    "jumps", "kills_by_stomp", "kills_by_fire", "kills_by_shell", "kills_by_fall", "hurts",
    "bump_question", "bump_brick", "destroyed_bricks", "mushrooms", "flowers",
)  # fmt: skip
FEATS = (
    ("kills_by_stomp",), ("kills_by_fire",), ("kills_by_shell",), ("bump_question",),
    ("bump_brick", "destroyed_bricks"), ("mushrooms",), ("flowers",), ("coins",),
)  # fmt: skip


@dataclass(slots=True)
class Attempt:
    """One life in one level.

    Attributes:
        stage: The level's name.
        world: The level as it is being played.
        mode: How Mario came in.
        ticks: The buttons of every tick.
        steps: Decisions so far.
        max_x: The furthest pixel that Mario has reached.
    """

    stage: str
    world: World
    mode: int
    ticks: bytearray = field(default_factory=bytearray)
    steps: int = 0
    max_x: int = 0

    def tick(self, buttons: int) -> int:
        """Play one tick and return the world's status."""
        status = self.world.step(buttons)
        self.ticks.append(buttons)
        x = self.world.mario.x
        if x > self.max_x:
            self.max_x = int(x)
        return status

    @property
    def won(self) -> bool:
        """Whether the level was completed."""
        return self.world.status == WIN

    @property
    def lost(self) -> bool:
        """Whether the life was lost."""
        return self.world.status > WIN


def collect_facts(
    attempts: Sequence[Attempt], stages: Sequence[str], *, lives: int
) -> dict[str, int | float | str | None]:
    """Return the facts of an episode: of its furthest level, of all of it, and level by level."""
    last = attempts[-1]
    last_stage = [attempt for attempt in attempts if attempt.stage == last.stage]
    completed = last.won and last.stage == stages[-1]
    totals = _sum_results([attempt.world.result() for attempt in attempts])
    totals["coins"] = sum(_coins(attempts, name) for name in _stages_reached(attempts))
    return {
        **_place(last),
        "completed": int(completed),
        "max_x_pos": max(attempt.max_x for attempt in last_stage),
        "steps": sum(attempt.steps for attempt in attempts),
        "ticks": sum(len(attempt.ticks) for attempt in attempts),
        "time_remaining": last.world.timer // CLOCK,
        "lives": lives,
        "deaths": sum(attempt.lost for attempt in attempts),
        "power": 0 if last.lost else last.world.mario.mode,
        **totals,
        "kills": sum(totals[f"kills_by_{way}"] for way in ("stomp", "fire", "shell")),
        "variety": sum(any(totals[name] for name in feat) for feat in FEATS),
        "levels_completed": sum(attempt.won for attempt in attempts),
        "full_game": int(len(stages) > 1),
        "warps": 0,
        **(_by_level(attempts) if len(stages) > 1 else {}),
        "state": f"{last.world.hash():016x}",
    }


def _place(last: Attempt) -> dict[str, int]:
    """Return world and stage; of a generated level, difficulty and the exit's x."""
    if not is_address(last.stage):
        world, stage = map(int, last.stage.split("-"))
        return {"world": world, "stage": stage}
    level = arena_level(last.stage)
    return {"difficulty": level_difficulty(level), "exit_x": TILE * level.exit[0]}


def _sum_results(results: Sequence[Result]) -> dict[str, int]:
    return {name: sum(getattr(result, name) for result in results) for name in COUNTED}


def _stages_reached(attempts: Sequence[Attempt]) -> list[str]:
    return list(dict.fromkeys(attempt.stage for attempt in attempts))


def _coins(attempts: Sequence[Attempt], stage: str) -> int:
    return min(
        sum(attempt.world.coins for attempt in attempts if attempt.stage == stage), MOST_COINS
    )


def _by_level(attempts: Sequence[Attempt]) -> dict[str, int]:
    """Return the figures of every level that was reached, under names such as ``1-2.steps``."""
    figures: dict[str, int] = {}
    for stage in _stages_reached(attempts):
        lives = [attempt for attempt in attempts if attempt.stage == stage]
        last = lives[-1]
        figures |= {
            f"{stage}.completed": int(last.won),
            f"{stage}.max_x_pos": max(attempt.max_x for attempt in lives),
            f"{stage}.steps": sum(attempt.steps for attempt in lives),
            f"{stage}.coins": _coins(attempts, stage),
            f"{stage}.time_remaining": last.world.timer // CLOCK,
            f"{stage}.deaths": sum(attempt.lost for attempt in lives),
        }
    return figures
