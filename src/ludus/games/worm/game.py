"""The worm as a game that runs can play, record and replay."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ludus.errors import ActionError, OptionError, show_value
from ludus.games.game import Facts, ReplayOutcome
from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.games.worm import RULES, build_info, digest_version
from ludus.games.worm.chemotaxis import chemotaxis_index
from ludus.games.worm.codec import WormCodec
from ludus.games.worm.codes import ACTIONS, Ending
from ludus.games.worm.observation import Observation
from ludus.games.worm.scenario import Scenario
from ludus.games.worm.world import World, replay

__all__ = ["WormGame", "WormMatch", "collect_facts", "find_steering"]

_STEERING = struct.Struct("<2f")
_STEERING_OF_ACTION = ((1.0, 0.0), (1.0, 1.0), (1.0, -1.0), (0.0, 0.0))


class WormMatch:
    """One episode of a worm."""

    empty_action = ACTIONS.index("stay")

    def __init__(self, scenario: Scenario) -> None:
        self._world = World(scenario.task, scenario.seed)
        self._steered = scenario.task.substrate == "continuous"
        self._record = bytearray()

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self._world.ended

    @property
    def observation(self) -> Observation:
        """What the worm senses now."""
        return Observation(self._world.task, self._world.features)

    def step(self, action: Any) -> None:
        """Play one step: 0 forward, 1 left, 2 right, 3 stay, or speed and turn on a dish."""
        if self._steered:
            piece = _STEERING.pack(*find_steering(action))
            self._world.step(_STEERING.unpack(piece))
        else:
            piece = bytes([_action_number(action)])
            self._world.step(piece[0])
        self._record += piece

    def record(self) -> bytes:
        """Return the actions so far: a byte a step, or two floats on a dish."""
        return bytes(self._record)

    def facts(self) -> Facts:
        """Return the engine's figures."""
        return collect_facts(self._world)


class WormGame:
    """The worm."""

    name = "worm"
    agent_family = "worm"

    @cached_property
    def provenance(self) -> Mapping[str, str]:
        """Compiler, flags and source digest of the engine, and the version of its state digest."""
        return {**build_info(), "state_digest": str(digest_version())}

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the worm's rules, the same for every task."""
        return RULES

    def parse_scenario(self, description: Mapping[str, Any]) -> Scenario:
        """Return the scenario of a description."""
        return Scenario.from_dict(description)

    def begin(self, scenario: Scenario) -> WormMatch:
        """Return a new match of the scenario."""
        return WormMatch(scenario)

    def replay(self, scenario: Scenario, record: bytes) -> Facts:
        """Play recorded actions again."""
        return collect_facts(replay(scenario.task, scenario.seed, decode_actions(scenario, record)))

    def replay_outcome(self, scenario: Scenario, record: bytes) -> ReplayOutcome:
        """Play recorded actions again and return what came of it.

        Raises:
            OptionError: There are more of them than the episode has steps.
        """
        actions = decode_actions(scenario, record)
        world = replay(scenario.task, scenario.seed, actions)
        if world.steps < len(actions):
            raise OptionError(f"the episode was over after {world.steps} of {len(actions)} actions")
        return ReplayOutcome(collect_facts(world), world.ended, world.steps)

    def split_record(self, scenario: Scenario, record: bytes) -> Sequence[Any]:
        """Return the action of every step."""
        return decode_actions(scenario, record)

    def observation_codec(self) -> WormCodec:
        """Return what sends the worm's senses to an agent's process."""
        return WormCodec()

    def write_film(
        self, scenario: Scenario, record: bytes, path: Path, options: FilmOptions = AS_DRAWN
    ) -> None:
        """Write the worm's path through its dish (.png), or the film of it (.gif, .mp4)."""
        from ludus.games.worm.pictures import write_replay

        actions = decode_actions(scenario, record)
        write_replay(path, scenario.task, scenario.seed, actions, options=options)


def _action_number(action: Any) -> int:
    is_integer = isinstance(action, int | np.integer) and not isinstance(action, bool)
    if not is_integer or not 0 <= action < len(ACTIONS):
        raise ActionError(
            f"{show_value(action)} is no action: give 0 forward, 1 left, 2 right, 3 stay"
        )
    return int(action)


def find_steering(action: Any) -> tuple[float, float]:
    """Return speed and turn: those given, or what one of the four actions stands for on a dish.

    Raises:
        ActionError: It is neither.
    """
    if isinstance(action, int | np.integer):
        return _STEERING_OF_ACTION[_action_number(action)]
    try:
        speed, turn = map(float, action)
    except (TypeError, ValueError):
        message = (
            f"{show_value(action)} is no action: give a speed from 0 to 1 and a turn from -1 to 1"
        )
        raise ActionError(message) from None
    if not (0 <= speed <= 1 and -1 <= turn <= 1):
        raise ActionError(f"speed {speed} and turn {turn}: give 0 to 1, and -1 to 1")
    return speed, turn


def decode_actions(scenario: Scenario, record: bytes) -> bytes | list[tuple[float, ...]]:
    """Return the actions of a record.

    Raises:
        OptionError: It is not a record of this game.
    """
    if scenario.task.substrate == "grid":
        return record
    if len(record) % _STEERING.size:
        raise OptionError(f"{len(record)} bytes are no record of a dish: they come in eights")
    return list(_STEERING.iter_unpack(record))


def collect_facts(world: World) -> Facts:
    """Return the figures of a world, with its ending and its chemotaxis index."""
    figures = world.figures()
    return {
        **{name: _exact_number(value) for name, value in figures.items()},
        "reason": Ending(int(figures["ending"])).reason,
        "chemotaxis_index": chemotaxis_index(figures["in_zone"], figures["positions"]),
        "state": f"{world.hash():016x}",
    }


def _exact_number(value: float) -> int | float:
    return int(value) if value.is_integer() else value
