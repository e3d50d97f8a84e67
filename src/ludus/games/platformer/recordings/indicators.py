"""Figures by which the play of people and of programs differs, measured on recordings.

They are a proposal of our own, not published results. A second has 15 ticks. A figure that a
recording cannot have, such as the length of jumps in one without jumps, is None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import isfinite, log2
from statistics import fmean, stdev

from ludus.errors import OptionError
from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.levels.metrics import find_gap_columns
from ludus.games.platformer.recordings.counting import CREATURES
from ludus.games.platformer.recordings.jumps import TILE, find_jumps
from ludus.games.platformer.recordings.player_record import TICKS_A_SECOND, PlayerRecord
from ludus.games.platformer.recordings.recording import Recording, Tick, play_life

__all__ = ["Difference", "Indicators", "compare_with_humans", "measure_indicators"]

PAUSE_TICKS = 8
"""Standing still for so many ticks, about half a second, is a pause."""

LEAST_STEP = 1
"""Moving by less than a pixel is standing: so much he trembles while he pushes against a wall."""

NEAR_TILES = 5
"""A pause is before a gap or a creature that is so near, on the side Mario faces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicators:
    """Figures of recorded play.

    Attributes:
        standing: Share of time on the ground without moving sideways.
        moving_left: Share of time moving to the left.
        running: Share of time moving with the speed key down.
        direction_changes: Turns from one side to the other, in ten seconds.
        jumps: Jumps from the ground, in ten seconds.
        aimless_jumps: The record's aimless jumps for each jump, at least 0.
        jump_hold: Seconds that the jump key is held, mean.
        jump_hold_spread: The standard deviation of that.
        direction_hold: Seconds that LEFT or RIGHT is held, mean.
        edge_distance: Pixels from the edge at take-off, mean of jumps over gaps.
        edge_spread: The standard deviation of that.
        pauses: Pauses in ten seconds.
        pauses_before_danger: Pauses before gaps and creatures in ten seconds.
        coins_taken: Share of the level's free coins, at most 1.
        blocks_taken: Share of the level's blocks.
        power_ups_taken: Share of the level's power blocks.
        stomps_per_enemy: Stomps for each creature whose place was passed.
        key_changes: Keys going down or up, in a second.
        key_entropy: Entropy of the key combinations held, in bits.
        deaths_by_gap: Share of lives lost by a fall.
        deaths_by_creature: Share of lives lost to creatures and shells.
        deaths_by_time: Share of lives lost to the clock.
    """

    standing: float | None
    moving_left: float | None
    running: float | None
    direction_changes: float | None
    jumps: float | None
    aimless_jumps: float | None
    jump_hold: float | None
    jump_hold_spread: float | None
    direction_hold: float | None
    edge_distance: float | None
    edge_spread: float | None
    pauses: float | None
    pauses_before_danger: float | None
    coins_taken: float | None
    blocks_taken: float | None
    power_ups_taken: float | None
    stomps_per_enemy: float | None
    key_changes: float | None
    key_entropy: float | None
    deaths_by_gap: float | None
    deaths_by_creature: float | None
    deaths_by_time: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """How far a figure is from those of people.

    Attributes:
        value: The player's figure.
        mean: The mean of the people's.
        spread: The standard deviation of theirs.
        standardised: (value - mean) / spread; None where there is no spread.
        people: How many recordings of people have the figure.
    """

    value: float | None
    mean: float | None
    spread: float | None
    standardised: float | None
    people: int


def measure_indicators(recording: Recording) -> Indicators:
    r"""Return the figures of a recording, which is played again.

    Example:
        >>> from ludus.games.platformer import Level
        >>> from ludus.games.platformer.scenario import Scenario
        >>> scenario = Scenario("short", Level.parse("M---F\nXXXXX"))
        >>> found = measure_indicators(Recording(scenario, (bytes([2] * 18),)))
        >>> found.jumps, found.moving_left, found.key_entropy
        (0.0, 0.0, 0.0)
    """
    lives = [list(play_life(recording, life)) for life in recording.lives]
    record = PlayerRecord.of(recording)
    return Indicators(
        **_measure_moves(lives),
        **_measure_keys(lives),
        **_measure_edges(lives),
        **_measure_gains(record, lives),
        **_measure_deaths(record),
    )


def compare_with_humans(player: Recording, humans: Sequence[Recording]) -> dict[str, Difference]:
    """Return how a recording's figures differ from those of people, by the figures' names.

    Raises:
        OptionError: There are fewer than two recordings of people.
    """
    if len(humans) < 2:
        raise OptionError(f"{len(humans)} recordings of people are too few: give 2 or more")
    sample = [asdict(measure_indicators(human)) for human in humans]
    found = asdict(measure_indicators(player))
    return {
        name: _difference(value, [one[name] for one in sample if one[name] is not None])
        for name, value in found.items()
    }


def _difference(value: float | None, people: list[float]) -> Difference:
    mean = fmean(people) if people else None
    spread = stdev(people) if len(people) > 1 else None
    known = value is not None and mean is not None and spread
    standardised = (value - mean) / spread if known else None  # type: ignore[operator]
    return Difference(value, mean, spread, standardised, len(people))


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _spread(values: Sequence[float]) -> float | None:
    return stdev(values) if len(values) > 1 else None


def _moves(tick: Tick) -> int:
    """Return the side that Mario moved to: 1, -1, or 0."""
    step = tick.after.x - tick.before.x
    return (step >= LEAST_STEP) - (step <= -LEAST_STEP)


def _measure_moves(lives: list[list[Tick]]) -> dict[str, float | None]:
    ticks = [tick for life in lives for tick in life]
    speed = [tick.buttons & buttons_of(tick.world.rules).SPEED for tick in ticks]
    sides = [_moves(tick) for tick in ticks]
    tens = len(ticks) / TICKS_A_SECOND / 10
    pauses = [place for life in lives for place in _find_pauses(life)]
    stands = sum(not side and tick.after.on_ground for side, tick in zip(sides, ticks, strict=True))
    runs = sum(bool(side and key) for side, key in zip(sides, speed, strict=True))
    return {
        "standing": _ratio(stands, len(ticks)),
        "moving_left": _ratio(sides.count(-1), len(ticks)),
        "running": _ratio(runs, len(ticks)),
        "direction_changes": _ratio(sum(map(_count_turns, lives)), tens),
        "jumps": _ratio(sum(len(find_jumps(life)) for life in lives), tens),
        "pauses": _ratio(len(pauses), tens),
        "pauses_before_danger": _ratio(sum(map(_is_before_danger, pauses)), tens),
    }


def _count_turns(life: list[Tick]) -> int:
    sides = [side for side in map(_moves, life) if side]
    return sum(one != other for one, other in pairwise(sides))


def _find_pauses(life: list[Tick]) -> list[Tick]:
    """Return the tick in which each pause became one."""
    found, still = [], 0
    for tick in life:
        still = still + 1 if tick.after.on_ground and not _moves(tick) else 0
        if still == PAUSE_TICKS:
            found.append(tick)
    return found


def _is_before_danger(tick: Tick) -> bool:
    mario = tick.after
    ahead = [mario.x, mario.x + mario.facing * NEAR_TILES * TILE]
    low, high = min(ahead), max(ahead)
    creature = any(
        sprite.kind in CREATURES and not sprite.dead_time and low <= sprite.x <= high
        for sprite in tick.sprites
    )
    columns = find_gap_columns(tick.world.level)
    return creature or bool(columns[max(0, int(low // TILE)) : int(high // TILE) + 1].any())


def _measure_keys(lives: list[list[Tick]]) -> dict[str, float | None]:
    held = [[tick.buttons for tick in life] for life in lives]
    every = [buttons for life in held for buttons in life]
    kinds = buttons_of(lives[0][0].world.rules) if every else buttons_of("framework")
    jumps = [n / TICKS_A_SECOND for life in held for n in _hold_lengths(life, kinds.JUMP)]
    sides = [
        n / TICKS_A_SECOND
        for life in held
        for key in (kinds.LEFT, kinds.RIGHT)
        for n in _hold_lengths(life, key)
    ]
    changes = sum((a ^ b).bit_count() for life in held for a, b in pairwise([0, *life]))
    return {
        "jump_hold": _mean(jumps),
        "jump_hold_spread": _spread(jumps),
        "direction_hold": _mean(sides),
        "key_changes": _ratio(changes, len(every) / TICKS_A_SECOND),
        "key_entropy": _entropy(Counter(every)),
    }


def _hold_lengths(life: list[int], key: int) -> list[int]:
    lengths, held = [], 0
    for buttons in [*life, 0]:
        if buttons & key:
            held += 1
        elif held:
            lengths.append(held)
            held = 0
    return lengths


def _entropy(counts: Counter[int]) -> float | None:
    total = counts.total()
    if not total:
        return None
    return -sum(n / total * log2(n / total) for n in counts.values()) + 0.0


def _measure_edges(lives: list[list[Tick]]) -> dict[str, float | None]:
    edges = [jump.edge for life in lives for jump in find_jumps(life) if isfinite(jump.edge)]
    return {"edge_distance": _mean(edges), "edge_spread": _spread(edges)}


def _measure_gains(record: PlayerRecord, lives: list[list[Tick]]) -> dict[str, float | None]:
    passed = sum(_count_passed(life) for life in lives)
    coins = _ratio(record.coins_collected, record.coins_total * record.lives)
    blocks = record.empty_blocks_total + record.coin_blocks_total + record.power_blocks_total
    return {
        "aimless_jumps": _ratio(max(0, record.aimless_jumps), record.jumps),
        "coins_taken": coins,
        "blocks_taken": record.blocks_share if blocks else None,
        "power_ups_taken": record.power_blocks_share if record.power_blocks_total else None,
        "stomps_per_enemy": _ratio(record.stomps, passed),
    }


def _count_passed(life: list[Tick]) -> int:
    """Return how many creatures' places Mario got past."""
    if not life:
        return 0
    far = max(tick.after.x for tick in life)
    templates = life[0].world.level.templates
    return sum(kind in CREATURES and TILE * column < far for column, _, kind in templates)


def _measure_deaths(record: PlayerRecord) -> dict[str, float | None]:
    creatures = record.deaths - record.deaths_by_gap - record.deaths_by_time
    return {
        "deaths_by_gap": record.deaths_by_gap / record.lives,
        "deaths_by_creature": (creatures - record.deaths_by_other) / record.lives,
        "deaths_by_time": record.deaths_by_time / record.lives,
    }
