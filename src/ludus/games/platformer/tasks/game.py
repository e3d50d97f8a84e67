"""The game ``mario-ai``: levels of the platformer, played for a task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ludus.errors import OptionError
from ludus.games.game import Facts, ReplayOutcome
from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.games.platformer import build_info, digest_version, rule_sets
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.rounds import Round
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.tasks.codec import TaskCodec
from ludus.games.platformer.tasks.match import TaskMatch
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.rules import join_rules, name_rules

__all__ = ["TaskGame", "replay_match"]

RULES = "mario-ai@1"
"""The version rises whenever the same answers are played or counted otherwise."""


class TaskGame:
    """The Mario AI Benchmark.

    Example:
        >>> game, scenario = TaskGame(), TaskScenario.from_options("-lf on -ll 60 -tl 40")
        >>> match = game.begin(scenario)
        >>> while not match.over:
        ...     match.step([False, True, False, False, True])  # RIGHT and SPEED
        >>> game.replay(scenario, match.record()) == match.facts()
        True
        >>> match.facts()["status"], match.facts()["distance"]
        (1, 960)
    """

    name = "mario-ai"
    agent_family = "platformer"

    @cached_property
    def provenance(self) -> Mapping[str, str]:
        """Compiler, flags and source digest of the engine, and the version of its state digest."""
        return {**build_info(), "state_digest": str(digest_version())}

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the rules of the game itself and those of the levels."""
        used = {scenario["rules"] for scenario in scenarios}
        return join_rules([RULES, *(name_rules(rule_sets(), name) for name in used)])

    def parse_scenario(self, description: Mapping[str, Any]) -> TaskScenario:
        """Return the scenario of a description."""
        return TaskScenario.from_dict(description)

    def begin(self, scenario: TaskScenario) -> TaskMatch:
        """Return a new match of the scenario."""
        return TaskMatch(scenario)

    def replay(self, scenario: TaskScenario, record: bytes) -> Facts:
        """Play recorded answers again."""
        return replay_match(scenario, record).facts()

    def replay_outcome(self, scenario: TaskScenario, record: bytes) -> ReplayOutcome:
        """Play recorded answers again and return what came of it."""
        match = replay_match(scenario, record)
        return ReplayOutcome(match.facts(), match.over, len(record))

    def split_record(self, scenario: TaskScenario, record: bytes) -> Sequence[int]:
        """Return the buttons of every answer."""
        return record

    def split_rounds(self, scenario: TaskScenario, record: bytes) -> list[Round]:
        """Return the one round of a record; an answer after the last tick is not played."""
        plain = _plain_scenario(scenario)
        return PlatformerGame().split_rounds(plain, _ticks(scenario, record))

    def observation_codec(self) -> TaskCodec:
        """Return what sends observations to an agent's process."""
        return TaskCodec()

    def write_film(
        self, scenario: TaskScenario, record: bytes, path: Path, options: FilmOptions = AS_DRAWN
    ) -> None:
        """Write Mario's path over the level (.png), or the film of it (.gif, .mp4)."""
        plain, ticks = _plain_scenario(scenario), _ticks(scenario, record)
        PlatformerGame().write_film(plain, ticks, path, options)

    def write_preview(self, scenario: TaskScenario, record: bytes, path: Path) -> None:
        """Write a small film."""
        PlatformerGame().write_preview(_plain_scenario(scenario), _ticks(scenario, record), path)


def replay_match(scenario: TaskScenario, record: bytes) -> TaskMatch:
    """Return the match after recorded answers.

    Raises:
        OptionError: There are more of them than the match has.
    """
    match = TaskMatch(scenario)
    for number, answer in enumerate(record):
        if match.over:
            raise OptionError(f"the game was over after {number} of {len(record)} answers")
        match.step(answer)
    return match


def _plain_scenario(scenario: TaskScenario) -> Scenario:
    level = scenario.level
    if level is None:
        raise OptionError("the level of this scenario is hidden: nothing can be drawn")
    return Scenario(scenario.name, level, scenario.mode, scenario.time_limit, scenario.seed)


def _ticks(scenario: TaskScenario, record: bytes) -> bytes:
    """Return the buttons of a record that were played."""
    return replay_match(scenario, record).ticks
