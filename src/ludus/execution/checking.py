"""What a referee sends is checked before it is kept: against the plan, and by playing it again."""

from __future__ import annotations

import base64
import json
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from time import perf_counter
from typing import Any

from ludus.errors import LudusError, Paused, StoreError, clean_text
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.games.game import Facts, ReplayOutcome, ReplaysSlowly, choose_replay, find_game
from ludus.games.model_calls import read_calls
from ludus.limits import Usage
from ludus.parallel import ALONE_SECONDS, ProcessPool

__all__ = ["MOST_EPISODE", "EpisodeChecker", "parse_planned", "read_episode"]

MOST_EPISODE = 64 * 2**20
"""The most bytes of an episode as a referee sends it."""

MOST_FACTS = 10_000
MOST_TEXT = 2**20
MOST_REASON = 1_000
MOST_WARNINGS = 20
SCENARIOS = 64
SENT_SECONDS = 0.0002
"""What takes less than this is played again sooner than it is sent to another process."""

PAUSED, WARNINGS = b'{"paused":', b"["  # no episode begins like this
FIELDS = frozenset(Episode.__slots__)
OPTIONAL = frozenset({"usage", "model_calls"})

logger = logging.getLogger("ludus")


class EpisodeChecker:
    """Reads episodes that a referee sends and plays them again, so that nothing else counts.

    Games whose replay takes about as long as the play itself are not played again here: ``verify``
    does that. None of this is done by a process that plays: a referee which an agent got hold of
    cannot vouch for itself, nor for another one.

    Args:
        plan: What is played.
        workers: How many processes may play again, once that takes this one too long.
    """

    def __init__(self, plan: Plan, workers: int = 1) -> None:
        self._plan = plan
        self._workers = workers
        self._pool: ProcessPool | None = None
        self._seconds, self._count = 0.0, 0
        self._game = find_game(plan.game)
        self._replay = choose_replay(self._game)
        self._slow = isinstance(self._game, ReplaysSlowly) and self._game.replays_slowly
        self._scenario = lru_cache(SCENARIOS)(
            lambda number: self._game.parse_scenario(plan.scenarios[number])
        )

    def replay_all(self, episodes: Sequence[Episode]) -> list[Episode]:
        """Return what :meth:`replay` makes of each; other processes help if that takes long."""
        if self._worth_sharing and len(episodes) > 1:
            try:
                return self._share(episodes)
            except StoreError:  # a process that helps is gone, or none can be started
                self.close()
                self._workers = 1
        return [self._time_replay(episode) for episode in episodes]

    def close(self) -> None:
        """End the processes that help."""
        if self._pool:
            self._pool.close()
            self._pool = None

    def _share(self, episodes: Sequence[Episode]) -> list[Episode]:
        if self._pool is None:
            plan = self._plan.to_json(opened=True)
            self._pool = ProcessPool(_prepare_replays, [plan], self._workers)
        size = -(-len(episodes) // self._workers)
        chunks = [episodes[first : first + size] for first in range(0, len(episodes), size)]
        return [episode for chunk in self._pool.map(chunks) for episode in chunk]

    @property
    def _worth_sharing(self) -> bool:
        """Whether replays took this process long, and each longer than to send it to another."""
        long = self._seconds > ALONE_SECONDS and self._seconds > SENT_SECONDS * self._count
        return self._workers > 1 and long

    def _time_replay(self, episode: Episode) -> Episode:
        started = perf_counter()
        try:
            return self.replay(episode)
        finally:
            self._seconds += perf_counter() - started
            self._count += 1

    def replay(self, episode: Episode) -> Episode:
        """Return the episode, disqualified if its record gives other facts; those count then.

        Raises:
            LudusError: The scenario cannot be played at all.
        """
        if self._slow:
            return episode
        scenario = self._scenario(episode.scenario)
        try:
            outcome = self._replay(scenario, episode.record)
        except LudusError as error:
            outcome = self._replay(scenario, b"")
            reason = f"its record cannot be played: {error}"
            return _disqualify(replace(episode, record=b"", steps=0), outcome, reason)
        fault = _find_difference(episode, outcome)
        if not fault:
            return episode
        return _disqualify(episode, outcome, fault)


def _prepare_replays(plan: str) -> Callable[[Sequence[Episode]], list[Episode]]:
    """Return what plays episodes again, in a process of its own."""
    return EpisodeChecker(Plan.from_json(plan)).replay_all


def read_episode(content: bytes, planned: PlannedEpisode) -> Episode:
    """Return the episode that a referee has sent; whether it happened so is not known yet.

    Warnings that come with it are logged.

    Args:
        content: What the referee sent.
        planned: What it was to play.

    Raises:
        ValueError: The bytes are no record of that episode.
        Paused: The referee says why the run has to stop.
    """
    if content.startswith(WARNINGS):
        warnings, _, content = content.partition(b"\n")
        _log_warnings(json.loads(warnings))
    if content.startswith(PAUSED):
        raise Paused(clean_text(json.loads(content)["paused"], MOST_REASON))
    return parse_planned(content, planned)


def _log_warnings(warnings: list[Any]) -> None:
    for warning in warnings[:MOST_WARNINGS]:
        logger.warning("%s", clean_text(_text(warning, MOST_REASON)))


def _disqualify(episode: Episode, outcome: ReplayOutcome, reason: str) -> Episode:
    """Return the episode as a fault of its agent, with what its record gives."""
    return replace(
        episode,
        ending=EpisodeEnding.DISQUALIFIED,
        reason=clean_text(reason),
        facts=outcome.facts,
        steps=episode.steps if outcome.steps is None else outcome.steps,
    )


def _find_difference(episode: Episode, outcome: ReplayOutcome) -> str:
    """Return what an episode says otherwise than its record does; nothing if they agree."""
    facts = outcome.facts
    for name in sorted(facts.keys() | episode.facts.keys()):
        if name not in facts or name not in episode.facts or facts[name] != episode.facts[name]:
            return f"its record does not give the {name} that was reported"
    if episode.ending is EpisodeEnding.FINISHED and outcome.over is False:
        return "its record ends before the game does"
    return ""


def parse_planned(content: bytes, planned: PlannedEpisode) -> Episode:
    """Return the episode that a referee was asked for.

    Raises:
        ValueError: The bytes are another episode, or none.
    """
    try:
        values = _DECODER.decode(content.decode())
    except (RecursionError, UnicodeDecodeError) as error:
        raise ValueError(f"no episode: {error}") from None
    if not isinstance(values, dict) or not FIELDS - OPTIONAL <= values.keys() <= FIELDS:
        raise ValueError("no episode: its fields are others")
    for name in ("number", "agent", "scenario"):
        if _integer(values[name], name) != getattr(planned, name):
            raise ValueError(f"{name} {values[name]} was not asked for")
    seconds = values["seconds"]
    if type(seconds) not in (int, float) or not 0 <= seconds < math.inf:
        raise ValueError(f"seconds {seconds!r:.40} are none")
    return Episode(
        planned.number,
        planned.agent,
        planned.scenario,
        ending=EpisodeEnding(values["ending"]),
        reason=clean_text(_text(values["reason"], MOST_REASON), MOST_REASON),
        record=base64.b64decode(_text(values["record"], MOST_EPISODE), validate=True),
        facts=_facts(values["facts"]),
        steps=_integer(values["steps"], "steps"),
        seconds=float(seconds),
        usage=Usage.from_dict(values.get("usage", {})),
        model_calls=read_calls(values.get("model_calls", [])),
    )


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of an episode")


_DECODER = json.JSONDecoder(parse_constant=_refuse)  # made once: making one takes longer than using


def _integer(value: Any, name: str) -> int:
    if type(value) is not int or not 0 <= value < 2**63:
        raise ValueError(f"{name} is {value!r:.40}")
    return value


def _text(value: Any, most: int) -> str:
    if not isinstance(value, str) or len(value) > most:
        raise ValueError(f"{value!r:.40} is no text of up to {most} signs")
    if not value.isascii():
        value.encode()  # a lone surrogate raises a ValueError
    if "\0" in value:
        raise ValueError("a text holds a NUL")
    return value


def _facts(values: Any) -> Facts:
    if not isinstance(values, Mapping) or len(values) > MOST_FACTS:
        raise ValueError("the facts are no mapping, or too many")
    for name, value in values.items():
        _text(name, MOST_TEXT)
        if isinstance(value, str):
            _text(value, MOST_TEXT)
        elif type(value) is float and not math.isfinite(value):
            raise ValueError(f"the fact {name!r:.40} is {value}")
        elif value is not None and type(value) not in (bool, int, float):
            raise ValueError(f"the fact {name!r:.40} is a {type(value).__name__}")
    return dict(values)
