"""The game ``mario-ai-learning``: one level, played many times by one agent, is one episode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ludus.games.game import Facts, ReplayOutcome
from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.games.platformer.rounds import Round
from ludus.games.platformer.tasks.codec import TaskCodec
from ludus.games.platformer.tasks.game import TaskGame, replay_match
from ludus.games.platformer.tasks.learning.checkpoint import read_checkpoint
from ludus.games.platformer.tasks.learning.facts import learning_facts
from ludus.games.platformer.tasks.learning.match import LearningMatch
from ludus.games.platformer.tasks.learning.record import read_record
from ludus.games.platformer.tasks.learning.scenario import LearningScenario, Play
from ludus.games.rules import join_rules

__all__ = ["LearningCodec", "LearningGame"]

RULES = "mario-ai-learning@1"
"""The version rises whenever plays are counted or told otherwise."""


class LearningCodec(TaskCodec):
    """Sends plays and what they show as values: the agent's process has neither world nor level."""

    def encode_scenario(self, scenario: Play) -> Play:
        """Return the play, which is plain."""
        return scenario

    def decode_scenario(self, values: Play) -> Play:
        """Return the play."""
        self._scenario = values
        return values


class LearningGame:
    """Levels of the Mario AI Benchmark to be learned by heart."""

    name = "mario-ai-learning"
    agent_family = "platformer"

    def __init__(self) -> None:
        self._game = TaskGame()

    @property
    def provenance(self) -> Mapping[str, str]:
        """Compiler, flags and source digest of the engine, and the version of its state digest."""
        return self._game.provenance

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the rules of the training, of the plays, and of the levels."""
        return join_rules([RULES, *self._game.rules(scenarios).split("+")])

    def parse_scenario(self, description: Mapping[str, Any]) -> LearningScenario:
        """Return the scenario of a description."""
        return LearningScenario.from_dict(description)

    def begin(self, scenario: LearningScenario) -> LearningMatch:
        """Return a new match, before the first play."""
        return LearningMatch(scenario)

    def restore(self, scenario: LearningScenario, checkpoint: bytes) -> LearningMatch:
        """Return the match of a checkpoint, between two plays.

        Raises:
            OptionError: The checkpoint is not one of this scenario.
        """
        curve, memory = read_checkpoint(checkpoint, scenario.training_plays)
        return LearningMatch(scenario, curve, memory)

    def replay(self, scenario: LearningScenario, record: bytes) -> Facts:
        """Play the buttons of the play that counts again.

        Raises:
            OptionError: The record is not one of this scenario.
        """
        return self.replay_outcome(scenario, record).facts

    def replay_outcome(self, scenario: LearningScenario, record: bytes) -> ReplayOutcome:
        """Play the buttons of the play that counts again; its learning curve is taken as it is.

        Raises:
            OptionError: The record is not one of this scenario.
        """
        curve, skipped, buttons = played = read_record(record, scenario.training_plays)
        counted = replay_match(scenario.scenario, buttons)
        over = played.trained and counted.over
        steps = len(buttons) if skipped else None  # those of training plays are not recorded
        return ReplayOutcome(learning_facts(counted, curve), over, steps)

    def split_record(self, scenario: LearningScenario, record: bytes) -> Sequence[Any]:
        """Return the parts of the learning curve, then the buttons of the play that counts."""
        curve, _, buttons = read_record(record, scenario.training_plays)
        return [*curve.parts, *buttons]

    def split_rounds(self, scenario: LearningScenario, record: bytes) -> list[Round]:
        """Return the play that counts as a round."""
        buttons = read_record(record, scenario.training_plays).buttons
        return self._game.split_rounds(scenario.scenario, buttons)

    def observation_codec(self) -> LearningCodec:
        """Return what sends plays and observations to an agent's process."""
        return LearningCodec()

    def write_film(
        self, scenario: LearningScenario, record: bytes, path: Path, options: FilmOptions = AS_DRAWN
    ) -> None:
        """Write the play that counts as a picture or a film."""
        buttons = read_record(record, scenario.training_plays).buttons
        self._game.write_film(scenario.scenario, buttons, path, options)

    def write_preview(self, scenario: LearningScenario, record: bytes, path: Path) -> None:
        """Write a small film of the play that counts."""
        buttons = read_record(record, scenario.training_plays).buttons
        self._game.write_preview(scenario.scenario, buttons, path)
