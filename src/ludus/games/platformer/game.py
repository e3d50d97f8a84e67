"""The platformer as a game that runs can play, record and replay."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import ActionError, OptionError, show_value
from ludus.games.game import Facts, ReplayOutcome
from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.games.platformer import World, build_info, digest_version, replay, rule_sets
from ludus.games.platformer.codec import PlatformerCodec
from ludus.games.platformer.rounds import Round, round_of_world
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import Tape, View
from ludus.games.rules import join_rules, name_rules

__all__ = ["PlatformerGame", "PlatformerMatch", "replay_path"]


class PlatformerMatch:
    """One play of a platformer scenario."""

    empty_action = 0

    def __init__(self, scenario: Scenario) -> None:
        level = scenario.level.with_recipe(None)  # agents see the level, not the seed of it
        self._world = World(level, scenario.mode, scenario.time_limit)
        self._actions = bytearray()
        tape = Tape("", scenario.mode, scenario.time_limit, self._actions)
        self.observation = View(self._world, tape)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._world.status != 0

    def step(self, action: Any) -> None:
        """Hold these buttons for one tick."""
        try:
            self._world.step(action)
        except TypeError:
            raise ActionError(
                f"{show_value(action)} is not a number of buttons from 0 to 31"
            ) from None
        self._actions.append(action)

    def record(self) -> bytes:
        """Return the buttons of every tick."""
        return bytes(self._actions)

    def facts(self) -> Facts:
        """Return the engine's figures."""
        return _facts(self._world)


class PlatformerGame:
    r"""The platformer.

    Example:
        >>> from ludus.games.platformer import Level
        >>> game, scenario = PlatformerGame(), Scenario("short", Level.parse("M---F\nXXXXX"))
        >>> match = game.begin(scenario)
        >>> while not match.over:
        ...     match.step(2)  # RIGHT
        >>> game.replay(scenario, match.record()) == match.facts()
        True
    """

    name = "platformer"
    agent_family = "platformer"

    @cached_property
    def provenance(self) -> Mapping[str, str]:
        """Compiler, flags and source digest of the engine, and the version of its state digest."""
        return {**build_info(), "state_digest": str(digest_version())}

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the rule sets of the levels."""
        used = {scenario["level"]["rules"] for scenario in scenarios}
        return join_rules(name_rules(rule_sets(), name) for name in used)

    def parse_scenario(self, description: Mapping[str, Any]) -> Scenario:
        """Return the scenario of a description."""
        return Scenario.from_dict(description)

    def begin(self, scenario: Scenario) -> PlatformerMatch:
        """Return a new match of the scenario."""
        return PlatformerMatch(scenario)

    def replay(self, scenario: Scenario, record: bytes) -> Facts:
        """Play recorded buttons again."""
        return _facts(replay(scenario.level, record, scenario.mode, scenario.time_limit))

    def replay_outcome(self, scenario: Scenario, record: bytes) -> ReplayOutcome:
        """Play recorded buttons again and return what came of it.

        Raises:
            OptionError: There are more of them than the game has ticks.
        """
        world = replay(scenario.level, record, scenario.mode, scenario.time_limit)
        ticks = world.result().ticks
        if ticks < len(record):
            raise OptionError(f"the game was over after {ticks} of {len(record)} actions")
        return ReplayOutcome(_facts(world), world.status != 0, ticks)

    def split_record(self, scenario: Scenario, record: bytes) -> Sequence[int]:
        """Return the buttons of every tick."""
        return record

    def split_rounds(self, scenario: Scenario, record: bytes) -> list[Round]:
        """Return the one round of a record."""
        mode, limit = scenario.mode, scenario.time_limit
        world = replay(scenario.level, record, mode, limit)
        return [round_of_world(scenario.name, world, mode, limit, record)]

    def observation_codec(self) -> PlatformerCodec:
        """Return what sends the ticks of a world to an agent's process."""
        return PlatformerCodec(Scenario.from_dict)

    def write_film(
        self, scenario: Scenario, record: bytes, path: Path, options: FilmOptions = AS_DRAWN
    ) -> None:
        """Write Mario's path over the level (.png), or the film of it (.gif, .mp4)."""
        from ludus.games.media.video import film_scale, write_film
        from ludus.games.platformer.pictures import episode_frames, level_picture
        from ludus.games.platformer.pictures.rows import wrap_rows

        level, mode, limit = scenario.level, scenario.mode, scenario.time_limit
        frames = episode_frames(level, record, mode=mode, time_limit=limit)
        write_film(
            path,
            frames,
            scale=film_scale(path),
            picture=lambda: wrap_rows(level_picture(level, replay_path(scenario, record))),
            options=options,
        )

    def write_preview(self, scenario: Scenario, record: bytes, path: Path) -> None:
        """Write a small film."""
        from ludus.games.media.video import write_preview
        from ludus.games.platformer.pictures import episode_frames

        level, mode, limit = scenario.level, scenario.mode, scenario.time_limit
        frames = episode_frames(level, record, mode=mode, time_limit=limit)
        write_preview(path, frames, len(record))


def replay_path(scenario: Scenario, record: bytes) -> NDArray[np.float32]:
    """Return Mario's x and y before the first tick of a record and after each, one row a tick."""
    world = World(scenario.level, scenario.mode, scenario.time_limit)
    places = [world.mario[:2]]
    for action in record:
        world.step(action)
        places.append(world.mario[:2])
    return np.array(places, np.float32)


def _facts(world: World) -> Facts:
    figures = world.result()._asdict()
    del figures["kills_by_kind"]
    facts = {name: value for name, value in figures.items() if name != "completion"}
    completion = figures["completion"]
    return {
        "completion": completion if math.isfinite(completion) else None,
        "x": world.mario.x,
        "exit_x": 16 * world.level.exit[0],
        **facts,
        "state": f"{world.hash():016x}",
    }
