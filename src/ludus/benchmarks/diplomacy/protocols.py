"""Benchmarks of one seat against six: ``diplomacy/france``, ``gunboat``, ``table`` and others.

All tested agents meet the same opponents under the same seeds, so that they can be compared game by
game.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Option, Score, TieBreaker
from ludus.benchmarks.building import ScenarioMaker, derive_seed, one_of, whole_number
from ludus.benchmarks.diplomacy.scoring import (
    EPOCH,
    POWERS,
    RULES,
    SOLO,
    Fate,
    Outcome,
    PowerScore,
    Solo,
    check_rule,
    judge,
)
from ludus.errors import OptionError
from ludus.games.game import Facts
from ludus.limits import Limits
from ludus.stats.bounded import Bounds

__all__ = [
    "BENCHMARKS",
    "CRITICAL",
    "FRANCE",
    "GUNBOAT",
    "LEAGUE",
    "TABLE",
    "judge_facts",
    "read_position",
    "read_solo",
    "read_year",
    "score",
]

GAMES = 20
LABEL = "diplomacy@1"  # what the seeds of all its games are drawn from
HOUR = 3600.0
OPPONENTS = len(POWERS) - 1
CENTRES = 34
BEGINS = re.compile(r"[SF]\d{4}M|W\d{4}A")
"""Phases that a game can be taken up in; retreats hang on the movement before them."""


# ---- what a game is worth


def judge_facts(facts: Facts, rule: str | None = None) -> PowerScore:
    """Return what a game is worth for the tested power.

    A game that an agent did not play to its end is never survived under ``document``: it is worth
    the year in which it stopped, as if the power had been eliminated then.

    Args:
        facts: What happened.
        rule: By which rule; by the one it was played for if None.
    """
    rule = rule or str(facts.get("rule") or RULES[0])
    power, max_year = str(facts["power"]), int(facts["max_year"] or 0)
    eliminated = read_year(facts, f"emptied_{power}")
    if rule == "document" and facts["stopped_early"] and eliminated is None:
        eliminated = read_year(facts, "last_year") or EPOCH
    fate = Fate(power, int(facts["centres"] or 0), eliminated)
    return judge(fate, read_solo(facts), max_year, rule)


def score(facts: Facts) -> Score:
    """Return the game score, with what it is made of.

    Example:
        >>> score({"power": "FRANCE", "max_year": 1925, "stopped_early": False, "centres": 11})
        Score(total=36, parts={'years': 25, 'centres': 11})
    """
    result = judge_facts(facts)
    most = int(facts["max_year"] or 0) - EPOCH
    if result.outcome is Outcome.SOLO:
        return Score(
            result.score, {"years": most, "early": result.score - most - SOLO, "solo": SOLO}
        )
    if result.outcome is Outcome.SURVIVED:
        return Score(result.score, {"years": most, "centres": result.centres})
    return Score(result.score, {"years": result.score})


def read_solo(facts: Facts) -> Solo | None:
    """Return who ended with 18 centres; where nobody comes from 18 to fewer, that is one reading.

    A solo ends an ordinary game, so the first with 18 is also the last.
    """
    centres = {power: int(facts.get(f"centres_{power}") or 0) for power in POWERS}
    leader = max(centres, key=lambda power: centres[power])
    year = read_year(facts, "first_18_record")
    return Solo(leader, year) if centres[leader] >= SOLO and year is not None else None


def read_year(facts: Facts, name: str) -> int | None:
    """Return a fact that is a year, or None if it never came to that."""
    value = facts.get(name)
    return None if value is None else int(value)


# ---- what is shown beside it


def _share(true: Any) -> Any:
    return lambda facts: 100.0 * bool(true(facts))


def _alive(facts: Facts) -> bool:
    return judge_facts(facts).outcome in (Outcome.SOLO, Outcome.SURVIVED)


def _errors(facts: Facts) -> float:
    """Return the share of calls that failed, or of order texts that were no orders, in percent."""
    total, failed = facts.get("calls"), facts.get("failed_calls")
    if not total:
        total, failed = facts.get("orders_given"), facts.get("orders_illegal")
    return 100 * float(failed or 0) / float(total) if total else 0.0


# ---- the least and the most that a game is worth


def _bound_score(*, year: str, position: str = "", **_: str) -> Bounds:
    """Return what a game is worth at least and at most, by its first year and its last."""
    first = int(position.rpartition("@")[2][1:5]) if position else EPOCH
    most, earliest = int(year) - EPOCH, first - EPOCH
    return min(earliest, 0), max(most + CENTRES, 2 * most - earliest + SOLO)


FORMULA = (
    "solo M + (M − w) + 18 · survived M + centres · eliminated: its year · lost to a solo: w"
    " (M last year, w year of the solo, less 1900)"
)
SHOWN: dict[str, Any] = {
    "game": "diplomacy",
    "version": 3,
    "score": score,
    "formula": FORMULA,
    "bounds": _bound_score,
    "headline": "game score",
    "tie_breakers": (TieBreaker("centres", lambda facts: float(facts["centres"] or 0)),),
    "columns": (
        Column("won %", _share(lambda facts: judge_facts(facts).outcome is Outcome.SOLO), 0),
        Column("alive %", _share(_alive), 0),
        Column("errors %", _errors),
    ),
}


# ---- options


def _check_seat(value: str) -> str:
    if value.upper() not in POWERS:
        raise OptionError(f"no power {value!r}; there are {', '.join(POWERS)}")
    return value.upper()


def _check_table(value: str) -> str:
    """Return six opponents, or one that sits in all six seats."""
    specs = [spec.strip() for spec in value.split(",") if spec.strip()]
    if len(specs) not in (1, OPPONENTS):
        raise OptionError(
            f"{value!r} names {len(specs)} opponents; name 1 for all seats, or {OPPONENTS}"
        )
    steered = [spec for spec in specs if spec.startswith("llm:") and "#" in spec]
    if steered:
        raise OptionError(f"{steered[0]!r} is steered: only the tested seat is; leave away its #…")
    return ",".join(specs)


def _check_pool(value: str) -> str:
    specs = [spec.strip() for spec in value.split(",") if spec.strip()]
    if len(specs) < 2:
        raise OptionError(f"{value!r} is no league; name two agents or more")
    return ",".join(specs)


def _check_rule(value: str) -> str:
    check_rule(value)
    return value


SEAT = Option("seat", "FRANCE", "the tested agent's power", _check_seat)
AGAINST = Option(
    "against",
    "dumb#aggressive",
    "one opponent for all seats, or six with commas",
    _check_table,
    agents_of="diplomacy",
)
YEAR = Option("year", "1925", "the last year that is played", whole_number("year", 1901, 1999))
RULE = Option("rule", RULES[0], f"how it is scored: {' or '.join(RULES)}", _check_rule)
PRESS = Option("press", "full", "full, or none: nobody speaks", one_of("press", ("full", "none")))
ROUNDS = Option("rounds", "3", "how often all may speak in a phase", whole_number("rounds", 1, 9))


# ---- scenarios


def _describe_game(number: int, seed: int, **values: Any) -> Mapping[str, Any]:
    return {"name": f"game {number + 1:02d}", "seed": derive_seed(LABEL, seed, number), **values}


def _press_values(press: str, rounds: str) -> dict[str, Any]:
    return {"press": press, "rounds": int(rounds) if press == "full" else 0}


def _make_seat_games(
    seed: int,
    episodes: int,
    *,
    seat: str,
    against: str,
    year: str,
    rule: str,
    press: str = "none",
    rounds: str = "0",
) -> Sequence[Mapping[str, Any]]:
    table: dict[str, Any] = {
        "power": seat,
        "opponents": against.split(","),
        "max_year": int(year),
        "rule": rule,
        **_press_values(press, rounds),
    }
    return ScenarioMaker(episodes, lambda number: _describe_game(number, seed, **table))


def _make_league_games(
    seed: int, episodes: int, *, pool: str, year: str, rule: str, press: str, rounds: str
) -> list[Mapping[str, Any]]:
    """Return games in which the tested seat goes round, with opponents drawn evenly."""
    agents = pool.split(",")
    games = []
    waiting: list[str] = []
    for number in range(episodes):
        draw = random.Random(derive_seed(LABEL, seed, number))  # noqa: S311
        while len(waiting) < OPPONENTS:
            waiting += draw.sample(agents, len(agents))
        table, waiting = waiting[:OPPONENTS], waiting[OPPONENTS:]
        games.append(
            _describe_game(
                number,
                seed,
                power=POWERS[number % len(POWERS)],
                opponents=table,
                max_year=int(year),
                rule=rule,
                **_press_values(press, rounds),
            )
        )
    return games


def _make_position_games(
    seed: int, episodes: int, *, position: str, **options: str
) -> Sequence[Mapping[str, Any]]:
    games = _make_seat_games(seed, episodes, **options)
    if not position:
        return games
    start = read_position(position)
    first_year = int(start["phase"][1:5])
    return [{**game, "position": start, "first_year": first_year} for game in games]


def _check_position(value: str) -> str:
    """Return ``FILE@PHASE`` with the whole path, having made sure that both are there."""
    if value:
        read_position(value)
        file, _, phase = value.rpartition("@")
        return f"{Path(file).resolve()}@{phase.upper()}"
    return value


def read_position(source: str) -> dict[str, Any]:
    """Return the position of a saved game before one of its phases.

    Args:
        source: ``FILE@PHASE``, such as ``lmvsgame.json@F1905M``.

    Raises:
        OptionError: It is not of that form, or there is no such file or phase.
    """
    from ludus.benchmarks.diplomacy.finding import read_game

    file, _, phase = source.rpartition("@")
    if not file:
        raise OptionError(f"{source!r} names no position; give FILE@PHASE, as game.json@F1905M")
    if not BEGINS.fullmatch(phase.upper()):
        raise OptionError(f"a game cannot begin in {phase!r}; name a phase like S1905M or W1905A")
    game = read_game(file)
    for record in game.phases:
        if record.name == phase.upper():
            return json.loads(  # type: ignore[no-any-return]  # lists, as JSON has them
                json.dumps({"phase": record.name, "units": record.units, "centres": record.centres})
            )
    names = ", ".join(record.name for record in game.phases[:3])
    raise OptionError(f"{file!r} has no phase {phase!r}; it begins with {names} …")


FRANCE = Benchmark(
    id="diplomacy/france",
    title="How well does one power do against six equal opponents, with full press?",
    scenarios=_make_seat_games,
    episodes=GAMES,
    options=(SEAT, AGAINST, PRESS, ROUNDS, YEAR, RULE),
    limits=Limits(seconds=48 * HOUR),
    **SHOWN,
)
TABLE = Benchmark(
    id="diplomacy/table",
    title="Who leads a power best through one game, people or programs?",
    scenarios=_make_seat_games,
    episodes=1,
    options=(
        SEAT,
        replace(AGAINST, default="easy"),
        replace(PRESS, default="none"),
        replace(ROUNDS, default="1"),
        replace(YEAR, default="1907"),
        RULE,
    ),
    limits=Limits(seconds=48 * HOUR),
    **SHOWN,
)
GUNBOAT = Benchmark(
    id="diplomacy/gunboat",
    title="How well does one power do against six equal opponents, when nobody speaks?",
    scenarios=_make_seat_games,
    episodes=GAMES,
    options=(SEAT, AGAINST, YEAR, RULE),
    limits=Limits(seconds=6 * HOUR),
    **SHOWN,
)
LEAGUE = Benchmark(
    id="diplomacy/league",
    title="Who is the strongest when agents sit together, in all seats in turn?",
    scenarios=_make_league_games,
    episodes=2 * len(POWERS),
    options=(
        Option(
            "pool",
            "hold,random,dumb",
            "who sits in the other seats",
            _check_pool,
            agents_of="diplomacy",
        ),
        Option("press", "none", PRESS.help, one_of("press", ("full", "none"))),
        ROUNDS,
        Option("year", "1910", YEAR.help, YEAR.check),
        RULE,
    ),
    limits=Limits(seconds=48 * HOUR),
    **SHOWN,
)
CRITICAL = Benchmark(
    id="diplomacy/critical",
    title="What becomes of a position of a saved game, played on again and again?",
    scenarios=_make_position_games,
    episodes=GAMES,
    options=(
        Option(
            "position",
            "",
            "FILE@PHASE of a saved game; its start if empty",
            _check_position,
            names_outside="file",
        ),
        SEAT,
        AGAINST,
        Option("press", "none", PRESS.help, one_of("press", ("full", "none"))),
        ROUNDS,
        YEAR,
        RULE,
    ),
    limits=Limits(seconds=48 * HOUR),
    **SHOWN,
)
BENCHMARKS = (FRANCE, GUNBOAT, TABLE, LEAGUE, CRITICAL)
