"""What people play in a browser: played again here before it counts."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from ludus.agents import AgentSource
from ludus.api.level_sources import LevelSource, find_level_source
from ludus.api.settings import open_store
from ludus.benchmarks.platformer.daily import DAILY, seed_of_day
from ludus.boards import Decision, accept
from ludus.errors import OptionError
from ludus.escaping import check_name
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import Plan, make_plan
from ludus.games.game import Facts
from ludus.games.platformer.codes import Status
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.recordings import Recording
from ludus.games.platformer.scenario import Scenario
from ludus.runs import Store
from ludus.runs.running import score_episode
from ludus.runs.stored_run import make_run_id

__all__ = ["HUMAN", "KEPT", "HumanPlay", "add_human_play", "make_human_source", "name_human"]

MOST_TICKS = 20_000
LONGEST_NAME = 30
DIGEST = re.compile("[0-9a-f]{16}")
HUMAN = "human:"
KEPT = ("new", "better")
PAGE = "played in a browser, played again here"


@dataclass(frozen=True, slots=True)
class HumanPlay:
    """What came of a play of somebody at a keyboard.

    Attributes:
        source: The level that was played.
        facts: The figures that the engine here gives.
        run: The run by which the player is on the board of a day, or empty: other levels have none.
        decision: What became of it on the board, or None.
    """

    source: LevelSource
    facts: Facts
    run: str = ""
    decision: Decision | None = None


def name_human(player: str) -> str:
    """Return what tables call somebody who plays; no agent's entry is ever replaced by it.

    Raises:
        OptionError: The name cannot be shown.

    Example:
        >>> name_human(" Ann ")
        'Ann (human)'
    """
    name = player.strip() or "anonymous"
    if len(name) > LONGEST_NAME:
        raise OptionError(f"the name has {len(name)} letters: {LONGEST_NAME} are the most")
    try:
        return f"{check_name(name)} (human)"
    except ValueError as error:
        raise OptionError(str(error)) from None


def add_human_play(
    source: str,
    actions: bytes,
    *,
    player: str = "",
    mode: int | None = None,
    time_limit: int | None = None,
    digest: str = "",
    store: str | Store | None = None,
) -> HumanPlay:
    """Play somebody's buttons again and, on the level of a day, put the result on its board.

    Args:
        source: The level, as :func:`~ludus.api.level_sources.find_level_source` reads it.
        actions: The buttons of every tick, to the end of the game.
        player: What the player calls himself or herself.
        mode: How Mario started; as the level has it if None.
        time_limit: Seconds on the clock; as the level has it if None.
        digest: The state digest that the player's engine came to; not compared if empty.
        store: Where it is kept; the user's own store if None.

    Raises:
        OptionError: There is no such level, the buttons are none, do not reach the end or go on
            behind it, or the digest is another. Nothing is stored then.
    """
    name = name_human(player)
    found = find_level_source(source)
    scenario = _set_start(found, mode, time_limit)
    facts = _play_again(scenario, actions, digest)
    if found.day is None:
        return HumanPlay(found, facts)
    with open_store(store) as database:
        run = _store_play(_make_plan(found.day, name), actions, facts, database)
        (decision,) = accept(run, database, by=name, why=PAGE)
        if decision.outcome not in KEPT:
            database.delete(run)  # visitors cannot fill the store with what no board shows
        return HumanPlay(found, facts, decision.run, decision)


def _set_start(source: LevelSource, mode: int | None, time_limit: int | None) -> Scenario:
    usual = source.scenario
    changed = replace(
        usual,
        mode=usual.mode if mode is None else mode,
        time_limit=usual.time_limit if time_limit is None else time_limit,
    )
    if source.day is not None and changed != usual:
        raise OptionError(
            f"the level of a day is played with mode {usual.mode} and {usual.time_limit} seconds, "
            f"not with mode {changed.mode} and {changed.time_limit}"
        )
    return changed


def _play_again(scenario: Scenario, actions: bytes, digest: str) -> Facts:
    if not 1 <= len(actions) <= MOST_TICKS:
        raise OptionError(f"{len(actions)} ticks are out of range: send 1 to {MOST_TICKS}")
    Recording(scenario, (actions,))  # refuses buttons that there are not, and ticks after the end
    facts = PlatformerGame().replay(scenario, actions)
    if facts["status"] == Status.RUNNING:
        raise OptionError(f"the game is not over after {len(actions)} ticks: play to its end")
    if digest and not DIGEST.fullmatch(digest):
        raise OptionError(f"{digest[:20]!r} is no digest: it has 16 hexadecimal digits")
    if digest and digest != facts["state"]:
        raise OptionError(
            f"the buttons come to the digest {facts['state']} here, not to {digest}: "
            "they are not what was played"
        )
    return facts


def _store_play(plan: Plan, actions: bytes, facts: Facts, store: Store) -> str:
    episode = Episode(
        number=0,
        agent=0,
        scenario=0,
        ending=EpisodeEnding.FINISHED,
        reason="",
        record=actions,
        facts=facts,
        steps=len(actions),
        seconds=0.0,
    )
    scored = [score_episode(DAILY, episode)]
    return store.add_run(make_run_id(plan), datetime.now(UTC), plan, scored).id


def _make_plan(day: date, name: str) -> Plan:
    return make_plan(DAILY.id, [make_human_source(name)], seed=seed_of_day(day))


def make_human_source(name: str) -> AgentSource:
    """Return the source that stands for a person in a plan; nothing can be loaded from it."""
    fingerprint = hashlib.sha256(f"{HUMAN}{name}".encode()).hexdigest()
    return AgentSource(f"{HUMAN}{name}", name, fingerprint)
