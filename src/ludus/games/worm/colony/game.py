"""Several worms as a game that runs can play, record and replay: one is tested among others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ludus.errors import ActionError, OptionError, show_value
from ludus.games.agent_seed import derive_agent_seed
from ludus.games.game import Facts, ReplayOutcome
from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.games.worm import build_info, digest_version
from ludus.games.worm.codes import ACTIONS
from ludus.games.worm.colony.observation import ColonyCodec, ColonyObservation
from ludus.games.worm.colony.scenario import ColonyScenario
from ludus.games.worm.colony.task import colony_actions
from ludus.games.worm.colony.world import Colony
from ludus.games.worm.game import collect_facts

__all__ = ["RULES", "ColonyGame", "ColonyMatch", "play_record"]

RULES = "worm-colony@1"
"""The version rises whenever the same actions would come to another end."""

TESTED = 0

LoadCompanion = Callable[[str], Any]


def _refuse_companion(spec: str) -> Any:
    raise OptionError(f"companion {spec!r} cannot be loaded here: give the game with_opponents()")


class ColonyMatch:
    """One episode; the first worm is the one that is tested."""

    empty_action = ACTIONS.index("stay")

    def __init__(self, scenario: ColonyScenario, load_companion: LoadCompanion) -> None:
        self._colony = Colony(scenario.task, scenario.seed)
        self._features = self._colony.features
        self._record = bytearray()
        self._companions = [load_companion(spec) for spec in scenario.companions]
        for k, companion in enumerate(self._companions, 1):
            seed = derive_agent_seed(scenario.seed, f"worm {k}")
            companion.reset(replace(scenario, seed=seed))

    @property
    def over(self) -> bool:
        """Whether the tested worm's episode has ended."""
        return self._colony.worm(TESTED).ended

    @property
    def observation(self) -> ColonyObservation:
        """What the tested worm senses now."""
        return self._observe(TESTED)

    def _observe(self, k: int) -> ColonyObservation:
        return ColonyObservation(self._colony.task, self._features[k])

    def step(self, action: Any) -> None:
        """Play one step of all worms: the tested one's action, and what the others choose."""
        numbers = [_action_number(action, self._colony)]
        for k, companion in enumerate(self._companions, 1):
            ended = self._colony.worm(k).ended
            chosen = self.empty_action if ended else companion.act(self._observe(k))
            numbers.append(_action_number(chosen, self._colony))
        self._colony.step(numbers)
        self._features = self._colony.features
        self._record += bytes(numbers)

    def record(self) -> bytes:
        """Return the actions so far: a byte for each worm in every step."""
        return bytes(self._record)

    def close(self) -> None:
        """Close the companions that have a ``close``."""
        for companion in self._companions:
            if hasattr(companion, "close"):
                companion.close()

    def facts(self) -> Facts:
        """Return the figures of the tested worm, and what the others ate."""
        return _collect(self._colony)


class ColonyGame:
    """One worm is tested, others share its dish.

    Args:
        load_companion: Makes a companion of its spec.
    """

    name = "worm-colony"
    agent_family = "worm"

    def __init__(self, load_companion: LoadCompanion = _refuse_companion) -> None:
        self._load_companion = load_companion

    def with_opponents(self, load_opponent: LoadCompanion) -> ColonyGame:
        """Return the game, with companions that ``load_opponent`` makes of their specs."""
        return ColonyGame(load_opponent)

    def opponent_specs(self, description: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the specs of the companions."""
        return ColonyScenario.from_dict(description).companions

    def named_code(self, scenarios: Iterable[Mapping[str, Any]]) -> Mapping[tuple[str, str], str]:
        """Return the companions of these descriptions."""
        listed = (one.get("companions", ()) for one in scenarios)
        tables = ([names] if isinstance(names, str) else list(names) for names in listed)
        return {("opponent", str(spec)): "" for table in tables for spec in table}

    @cached_property
    def provenance(self) -> Mapping[str, str]:
        """Compiler, flags and source digest of the engine, and the version of its state digest."""
        return {**build_info(), "state_digest": str(digest_version())}

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the rules of several worms, the same for every task."""
        return RULES

    def parse_scenario(self, description: Mapping[str, Any]) -> ColonyScenario:
        """Return the scenario of a description."""
        return ColonyScenario.from_dict(description)

    def begin(self, scenario: ColonyScenario) -> ColonyMatch:
        """Return a new match of the scenario."""
        return ColonyMatch(scenario, self._load_companion)

    def replay(self, scenario: ColonyScenario, record: bytes) -> Facts:
        """Play recorded actions again; no companion is asked."""
        return _collect(play_record(scenario, record))

    def replay_outcome(self, scenario: ColonyScenario, record: bytes) -> ReplayOutcome:
        """Play recorded actions again and return what came of it; no companion is asked.

        Raises:
            OptionError: There are more of them than the episode has steps.
        """
        colony = play_record(scenario, record)
        tested = colony.worm(TESTED)
        return ReplayOutcome(_collect(colony), tested.ended, tested.steps)

    def split_record(self, scenario: ColonyScenario, record: bytes) -> Sequence[Any]:
        """Return the actions of all worms, step by step."""
        return split_actions(scenario, record)

    def observation_codec(self) -> ColonyCodec:
        """Return what sends a worm's senses to an agent's process."""
        return ColonyCodec()

    def write_film(
        self, scenario: ColonyScenario, record: bytes, path: Path, options: FilmOptions = AS_DRAWN
    ) -> None:
        """Write the dish at the end (.png), or the film of the episode (.gif, .mp4)."""
        from ludus.games.worm.colony.pictures import write_colony_replay

        steps = split_actions(scenario, record)
        write_colony_replay(path, scenario.task, scenario.seed, steps, options=options)


def _action_number(action: Any, colony: Colony) -> int:
    names = colony_actions(colony.task)
    is_integer = isinstance(action, int | np.integer) and not isinstance(action, bool)
    if not is_integer or not 0 <= action < len(names):
        listed = ", ".join(f"{k} {name}" for k, name in enumerate(names))
        raise ActionError(f"{show_value(action)} is no action: give {listed}")
    return int(action)


def split_actions(scenario: ColonyScenario, record: bytes) -> list[bytes]:
    """Return the actions of all worms, a byte each, step by step.

    Raises:
        OptionError: The record does not come to whole steps.
    """
    each = scenario.task.worms
    if len(record) % each:
        raise OptionError(f"{len(record)} bytes are no record of {each} worms")
    return [record[at : at + each] for at in range(0, len(record), each)]


def play_record(scenario: ColonyScenario, record: bytes) -> Colony:
    """Return the colony after recorded actions.

    Raises:
        OptionError: The record goes on behind the tested worm's end, or is none.
        ActionError: There is no such action.
    """
    colony = Colony(scenario.task, scenario.seed)
    steps = split_actions(scenario, record)
    for number, actions in enumerate(steps):
        if colony.worm(TESTED).ended:
            raise OptionError(f"the episode was over after {number} of {len(steps)} steps")
        colony.step(list(actions))
    return colony


def _collect(colony: Colony) -> Facts:
    worms = colony.worms()
    facts = dict(collect_facts(worms[TESTED]))
    foods = [int(worm.figures()["foods"]) for worm in worms]
    ahead = sum(other > foods[TESTED] for other in foods)
    return {
        **facts,
        "rank": 1 + ahead,
        "foods_of_others": sum(foods) - foods[TESTED],
        "state": f"{colony.hash():016x}",
    }
