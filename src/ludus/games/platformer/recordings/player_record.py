"""The player's record: what a generator of the level-generation track is told about a player."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from ludus.errors import OptionError, one_line
from ludus.field_kinds import check_kinds
from ludus.games.platformer.codes import Status
from ludus.games.platformer.recordings.counting import LifeCount, count_lives, count_placed
from ludus.games.platformer.recordings.recording import Recording
from ludus.json_files import NotJson, parse_json

__all__ = ["ALIASES", "PlayerRecord"]

TICKS_A_SECOND = 15
MOST = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRecord:
    r"""How somebody played a level: 45 fields of the 2011 software, then seven of ours.

    Times are mario seconds, which are 15 ticks, rounded up. Counts run over all lives. ``ALIASES``
    has the name that the software exports each of the 45 fields by.

    Attributes:
        completion_time: Seconds of the last life.
        total_time: Seconds of all lives.
        jumps: Jumps from the ground; those off walls do not count.
        ducks: Times that Mario ducked.
        time_ducking: Seconds ducked.
        run_presses: Times that the speed key went down.
        time_running: Seconds that it was down.
        time_right: Seconds that RIGHT was down, walking included.
        time_left: Seconds that LEFT was down.
        coins_collected: Free coins taken, touched or bumped from below.
        coins_total: Free coins of the level.
        empty_blocks_destroyed: Bricks broken that held nothing.
        coin_blocks_destroyed: Blocks with coins that were used up.
        power_blocks_destroyed: Blocks with an item that were used up.
        empty_blocks_total: Bricks of the level that hold nothing.
        coin_blocks_total: Blocks of the level with coins.
        power_blocks_total: Blocks of the level with an item.
        shells_kicked: Shells kicked or thrown.
        kills_by_fire: Creatures killed by fireballs.
        kills_by_shell: Creatures killed by shells.
        time_small: Seconds small.
        time_large: Seconds large.
        time_fire: Seconds with fire.
        mode_periods: Times that a mode began; every life begins one.
        aimless_jumps: Jumps less stomps less blocks destroyed; below 0 after stomps in a row.
        blocks_share: Of all blocks, the share that some life destroyed, 0 to 1.
        coin_blocks_share: Of the blocks with coins.
        empty_blocks_share: Of the bricks that hold nothing.
        power_blocks_share: Of the blocks with an item.
        enemies_total: Creatures that the level places.
        deaths_by_gap: Lives lost by a fall.
        deaths_by_red_turtle: Lives lost to a red koopa.
        deaths_by_goomba: To a goomba.
        deaths_by_green_turtle: To a green koopa.
        deaths_by_armored_turtle: To a spiky.
        deaths_by_jump_flower: To a piranha flower.
        deaths_by_cannon_ball: To a bullet bill.
        deaths_by_chomp_flower: Always 0: the engines have one kind of flower.
        red_turtles_killed: Dead red koopas, whatever killed them.
        green_turtles_killed: Dead green koopas.
        armored_turtles_killed: Dead spikies.
        goombas_killed: Dead goombas.
        cannon_balls_killed: Dead bullet bills.
        jump_flowers_killed: Dead flowers.
        chomp_flowers_killed: Always 0.
        stomps: Creatures killed by a stomp.
        deaths_by_time: Lives lost to the clock.
        deaths_by_shell: Lives lost to a shell.
        deaths_by_other: Lives lost to anything else, such as a green mushroom.
        lives: Lives played.
        wins: 1 if the last life reached the exit.
        mode_at_start: How each life began: 0 small, 1 large, 2 fire.

    Example:
        >>> from ludus.games.platformer import Level
        >>> from ludus.games.platformer.scenario import Scenario
        >>> scenario = Scenario("short", Level.parse("M---F\nXXXXX"))
        >>> record = PlayerRecord.of(Recording(scenario, (bytes([2] * 18),)))
        >>> record.completion_time, record.time_right, record["jumpsNumber"], record.wins
        (2, 2, 0, 1)
    """

    completion_time: int = 0
    total_time: int = 0
    jumps: int = 0
    ducks: int = 0
    time_ducking: int = 0
    run_presses: int = 0
    time_running: int = 0
    time_right: int = 0
    time_left: int = 0
    coins_collected: int = 0
    coins_total: int = 0
    empty_blocks_destroyed: int = 0
    coin_blocks_destroyed: int = 0
    power_blocks_destroyed: int = 0
    empty_blocks_total: int = 0
    coin_blocks_total: int = 0
    power_blocks_total: int = 0
    shells_kicked: int = 0
    kills_by_fire: int = 0
    kills_by_shell: int = 0
    time_small: int = 0
    time_large: int = 0
    time_fire: int = 0
    mode_periods: int = 1
    aimless_jumps: int = 0
    blocks_share: float = 0.0
    coin_blocks_share: float = 0.0
    empty_blocks_share: float = 0.0
    power_blocks_share: float = 0.0
    enemies_total: int = 0
    deaths_by_gap: int = 0
    deaths_by_red_turtle: int = 0
    deaths_by_goomba: int = 0
    deaths_by_green_turtle: int = 0
    deaths_by_armored_turtle: int = 0
    deaths_by_jump_flower: int = 0
    deaths_by_cannon_ball: int = 0
    deaths_by_chomp_flower: int = 0
    red_turtles_killed: int = 0
    green_turtles_killed: int = 0
    armored_turtles_killed: int = 0
    goombas_killed: int = 0
    cannon_balls_killed: int = 0
    jump_flowers_killed: int = 0
    chomp_flowers_killed: int = 0
    stomps: int = 0
    deaths_by_time: int = 0
    deaths_by_shell: int = 0
    deaths_by_other: int = 0
    lives: int = 1
    wins: int = 0
    mode_at_start: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = -MOST if field.name == "aimless_jumps" else 0
            most = 1 if field.name.endswith("_share") else MOST
            if not (math.isfinite(value) and least <= value <= most):
                raise OptionError(f"{field.name} {value} is out of range: give {least} to {most}")

    @classmethod
    def of(cls, recording: Recording) -> PlayerRecord:
        """Return the record of recorded play, which is played again to count."""
        lives = count_lives(recording)
        placed = count_placed(recording.scenario.level)
        return cls(
            **_times(lives),
            **_sums(lives),
            **_blocks(lives, placed),
            **_fates(lives),
            coins_total=placed["coins"],
            enemies_total=placed["enemies"],
            lives=len(lives),
            wins=int(lives[-1].status == Status.WIN),
            mode_at_start=recording.scenario.mode,
        )

    @property
    def deaths(self) -> int:
        """Lives lost, whatever the cause."""
        return sum(value for name, value in asdict(self).items() if name.startswith("deaths_by_"))

    @property
    def kills(self) -> int:
        """Dead creatures, whatever killed them."""
        return sum(value for name, value in asdict(self).items() if name.endswith("_killed"))

    def __getitem__(self, name: str) -> float:
        """Return a field by its name or its alias."""
        found = _NAMES.get(name, name)
        if found not in {field.name for field in fields(self)}:
            raise OptionError(f"a player's record has no field {name!r:.60}")
        value: float = getattr(self, found)
        return value

    def to_dict(self, *, aliases: bool = False) -> dict[str, float]:
        """Return the fields as plain values; with aliases, the 45 by the names of 2011."""
        if aliases:
            return {alias: getattr(self, name) for name, alias in ALIASES.items()}
        return asdict(self)

    def to_json(self) -> str:
        """Return the record as one line of JSON, which :meth:`parse` reads."""
        return json.dumps(self.to_dict(), separators=(",", ":"))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> PlayerRecord:
        """Return the record of fields by name or alias; those left out are 0.

        Raises:
            OptionError: A field is unknown, given twice, of another type or out of range.
        """
        if not isinstance(values, Mapping):
            raise OptionError(f"{values!r:.60} is no player's record: give fields by name")
        named: dict[str, Any] = {}
        for name, value in values.items():
            field = _NAMES.get(name, name)
            if field in named:
                raise OptionError(f"{field} is given twice: leave {name!r} out")
            named[field] = value
        unknown = sorted(set(named) - {field.name for field in fields(cls)})
        if unknown:
            raise OptionError(f"a player's record has no field {unknown[0]!r:.60}: leave it out")
        try:
            check_kinds(cls, named)
        except TypeError as error:
            raise OptionError(f"this is no player's record: {one_line(error)}") from None
        return cls(**named)

    @classmethod
    def parse(cls, text: str) -> PlayerRecord:
        """Return the record of a text: one of ``PROFILES``, or JSON.

        Raises:
            OptionError: The text holds none.
        """
        from ludus.games.platformer.recordings.profiles import PROFILES

        if text in PROFILES:
            return PROFILES[text]
        try:
            return cls.from_dict(parse_json(text))
        except NotJson:
            known = ", ".join(PROFILES)
            raise OptionError(
                f"profile {text!r:.40} is unknown: give {known}, or a record as JSON"
            ) from None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Let generators take a record as an option; a recipe holds it as a line of JSON."""
        return core_schema.no_info_plain_validator_function(
            lambda value: value if isinstance(value, cls) else cls.parse(str(value)),
            serialization=core_schema.plain_serializer_function_ser_schema(cls.to_json),
            json_schema_input_schema=core_schema.str_schema(),
        )


def _seconds(ticks: int) -> int:
    return -(-ticks // TICKS_A_SECOND)


def _times(lives: list[LifeCount]) -> dict[str, int]:
    modes = [_seconds(sum(life.modes[mode] for life in lives)) for mode in range(3)]
    held = ("time_ducking", "time_running", "time_right", "time_left")
    return {
        "completion_time": _seconds(lives[-1].ticks),
        "total_time": _seconds(sum(life.ticks for life in lives)),
        **{name: _seconds(_sum(lives, name)) for name in held},
        **dict(zip(("time_small", "time_large", "time_fire"), modes, strict=True)),
    }


def _sum(lives: list[LifeCount], name: str) -> int:
    return sum(getattr(life, name) for life in lives)


def _sums(lives: list[LifeCount]) -> dict[str, int]:
    blocks = sum(len(life.taken[sort]) for life in lives for sort in ("empty", "coin", "power"))
    return {
        **{
            name: _sum(lives, name)
            for name in ("jumps", "ducks", "run_presses", "mode_periods", "stomps")
        },
        "shells_kicked": _sum(lives, "kicks"),
        "kills_by_fire": _sum(lives, "fire_kills"),
        "kills_by_shell": _sum(lives, "shell_kills"),
        "aimless_jumps": _sum(lives, "jumps") - _sum(lives, "stomps") - blocks,
    }


def _blocks(lives: list[LifeCount], placed: Mapping[str, int]) -> dict[str, Any]:
    sorts = ("empty", "coin", "power")
    ever = {sort: len(set().union(*(life.taken[sort] for life in lives))) for sort in sorts}
    total = sum(placed[sort] for sort in sorts)
    return {
        "coins_collected": sum(len(life.taken["coins"]) for life in lives),
        **{
            f"{sort}_blocks_destroyed": sum(len(life.taken[sort]) for life in lives)
            for sort in sorts
        },
        **{f"{sort}_blocks_total": placed[sort] for sort in sorts},
        **{f"{sort}_blocks_share": _share(ever[sort], placed[sort]) for sort in sorts},
        "blocks_share": _share(sum(ever.values()), total),
    }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _fates(lives: list[LifeCount]) -> dict[str, int]:
    deaths = [life.cause for life in lives if life.cause]
    by_cause = {f"deaths_by_{cause}": deaths.count(cause) for cause in deaths}
    killed = {
        f"{name}s_killed": sum(life.killed[name] for life in lives)
        for name in {name for life in lives for name in life.killed}
    }
    return by_cause | killed


ALIASES = {
    "completion_time": "completionTime",
    "total_time": "totalTime",
    "jumps": "jumpsNumber",
    "ducks": "duckNumber",
    "time_ducking": "timeSpentDucking",
    "run_presses": "timesPressedRun",
    "time_running": "timeSpentRunning",
    "time_right": "timeRunningRight",
    "time_left": "timeRunningLeft",
    "coins_collected": "coinsCollected",
    "coins_total": "totalCoins",
    "empty_blocks_destroyed": "emptyBlocksDestroyed",
    "coin_blocks_destroyed": "coinBlocksDestroyed",
    "power_blocks_destroyed": "powerBlocksDestroyed",
    "empty_blocks_total": "totalEmptyBlocks",
    "coin_blocks_total": "totalCoinBlocks",
    "power_blocks_total": "totalpowerBlocks",
    "shells_kicked": "kickedShells",
    "kills_by_fire": "enemyKillByFire",
    "kills_by_shell": "enemyKillByKickingShell",
    "time_small": "totalTimeLittleMode",
    "time_large": "totalTimeLargeMode",
    "time_fire": "totalTimeFireMode",
    "mode_periods": "timesSwichingPower",
    "aimless_jumps": "aimlessJumps",
    "blocks_share": "percentageBlocksDestroyed",
    "coin_blocks_share": "percentageCoinBlocksDestroyed",
    "empty_blocks_share": "percentageEmptyBlockesDestroyed",
    "power_blocks_share": "percentagePowerBlockDestroyed",
    "enemies_total": "totalEnemies",
    "deaths_by_gap": "timesOfDeathByFallingIntoGap",
    "deaths_by_red_turtle": "timesOfDeathByRedTurtle",
    "deaths_by_goomba": "timesOfDeathByGoomba",
    "deaths_by_green_turtle": "timesOfDeathByGreenTurtle",
    "deaths_by_armored_turtle": "timesOfDeathByArmoredTurtle",
    "deaths_by_jump_flower": "timesOfDeathByJumpFlower",
    "deaths_by_cannon_ball": "timesOfDeathByCannonBall",
    "deaths_by_chomp_flower": "timesOfDeathByChompFlower",
    "red_turtles_killed": "RedTurtlesKilled",
    "green_turtles_killed": "GreenTurtlesKilled",
    "armored_turtles_killed": "ArmoredTurtlesKilled",
    "goombas_killed": "GoombasKilled",
    "cannon_balls_killed": "CannonBallKilled",
    "jump_flowers_killed": "JumpFlowersKilled",
    "chomp_flowers_killed": "ChompFlowersKilled",
}
"""The name that the software of 2011 exports each field by."""

_NAMES = {alias: name for name, alias in ALIASES.items()}
