"""Levels that two generators make for a visitor, and which generators these are."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ludus.benchmarks.mario_ai.ballots import Ballot, Session, find_session
from ludus.benchmarks.mario_ai.generation import (
    TEST_LIVES,
    check_generator,
    make_level_for,
    make_test_scenario,
)
from ludus.errors import LevelError, OptionError
from ludus.games.platformer.codes import Status
from ludus.games.platformer.recordings import PlayerRecord, Recording
from ludus.games.platformer.scenario import Scenario
from ludus.runs import Store
from ludus.runs.schema import ballots
from ludus.voting.sittings import set_choice

__all__ = [
    "GENERATORS",
    "LevelBallot",
    "check_play",
    "choose_generators",
    "find_ballot",
    "find_generators",
    "find_test_level",
    "make_level_pair",
]

GENERATORS = (
    "ludus",
    "notch-2009",
    "promp",
    "evolved-parts",
    "repaired-ga",
    "chunk-extension",
    "hopper",
    "skill-mix",
)
"""Who competes if the organiser has not chosen."""

logger = logging.getLogger("ludus.voting")

ANSWERS = 4
TRIES = 3
SEEDS, PRIME = 2**31, 7919


@dataclass(frozen=True, slots=True)
class LevelBallot:
    """What visitors of level generation vote on.

    Attributes:
        ballot: The generators, and the order of their pairs.
        test_seed: The seed of the test level, which all visitors play.
    """

    ballot: Ballot
    test_seed: int


def choose_generators(names: Sequence[str], seed: int, store: Store) -> LevelBallot:
    """Choose who competes, and the test level.

    Raises:
        OptionError: One is no generator for players, or they are fewer than two.
    """
    for name in names:
        check_generator(name)
    chosen = LevelBallot(Ballot("levels", tuple(names), ANSWERS, seed=seed), seed)
    set_choice("levels", {"entrants": list(names), "seed": seed}, store)
    return chosen


def find_ballot(store: Store) -> LevelBallot:
    """Return who competes: those the organiser chose, else the eight that come with Ludus."""
    query = sa.select(ballots.c.choice).where(ballots.c.track == "levels")
    with store.connection() as connection:
        choice = json.loads(connection.scalar(query) or "{}")
    seed = int(choice.get("seed", 0))
    names = tuple(choice.get("entrants", GENERATORS))
    return LevelBallot(Ballot("levels", names, ANSWERS, seed=seed), seed)


def find_generators(ballot: LevelBallot, visit: int) -> Session:
    """Return the two generators of a visit, in the order in which they are shown first."""
    return find_session(ballot.ballot, visit, b"")


def find_test_level(ballot: LevelBallot) -> Scenario:
    """Return the test level."""
    return make_test_scenario(ballot.test_seed)


def check_play(
    scenario: Scenario, lives: Sequence[bytes], digest: str, *, to_the_end: bool = False
) -> Recording:
    """Play a visitor's buttons again, life by life.

    Args:
        scenario: The level.
        lives: The buttons of every life.
        digest: The state digest that the visitor's engine came to.
        to_the_end: Whether a level that is not won has to take all lives.

    Raises:
        OptionError: There are too many lives or too few, one is not over, or the digest is another.
    """
    if not 1 <= len(lives) <= TEST_LIVES:
        raise OptionError(f"{len(lives)} lives are out of range: send 1 to {TEST_LIVES}")
    recording = Recording(scenario, tuple(lives))
    world = recording.begin()
    for action in lives[-1]:
        world.step(action)
    if world.status == Status.RUNNING:
        raise OptionError(f"the game is not over after {len(lives[-1])} ticks: play to its end")
    if to_the_end and world.status != Status.WIN and len(lives) < TEST_LIVES:
        raise OptionError(f"{len(lives)} of {TEST_LIVES} lives are lost: play on")
    found = f"{world.hash():016x}"
    if found != digest:
        raise OptionError(
            f"the buttons come to the digest {found} here, not to {digest[:20]!r}: "
            "they are not what was played"
        )
    return recording


def make_level_pair(
    record: PlayerRecord, first: str, second: str, *, seed: int
) -> list[dict[str, Any]]:
    """Return the levels that two generators make for a player, as scenarios of plain values.

    Raises:
        OptionError: A generator makes no level that can be played; the log says which.
    """
    spread = PRIME * (seed + 1) % SEEDS
    return [_make_level(record, name, spread) for name in (first, second)]


def _make_level(record: PlayerRecord, generator: str, seed: int) -> dict[str, Any]:
    reason = ""
    for offset in range(TRIES):
        try:
            made = make_level_for(record, generator, seed + offset)
        except (LevelError, OptionError) as error:
            reason = str(error)
            continue
        if not made.faults:
            level = made.level.with_recipe(None)
            return Scenario("level", level, mode=0, time_limit=200).to_dict()
        reason = made.faults[0]
    logger.warning("%s makes no level that can be played: %s", generator, reason)
    raise OptionError("a generator made no level that can be played: try again later")
