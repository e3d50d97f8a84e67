"""A training as a game: an agent plays dish after dish, and the whole of it is one record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ludus.errors import OptionError
from ludus.games.game import Facts, ReplayOutcome
from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.games.worm import RULES, build_info, digest_version
from ludus.games.worm.codec import WormCodec
from ludus.games.worm.game import WormGame, WormMatch
from ludus.games.worm.training.records import Declaration, read_record, write_record
from ludus.games.worm.training.replay import EpisodeResult, replay_training, training_facts
from ludus.games.worm.training.scenario import TrainingScenario

__all__ = ["TrainingGame", "TrainingMatch"]


class TrainingMatch:
    """A training under way; its player gets ready for every dish."""

    def __init__(self, scenario: TrainingScenario) -> None:
        self._scenario = scenario
        self._actions = bytearray()
        self._results: list[EpisodeResult] = []
        self._reset: Callable[[Any], None] | None = None
        self._declaration = Declaration()
        self._dish = WormMatch(scenario.dish(0))

    def before_each_round(self, reset: Callable[[Any], None], declared: Mapping[str, Any]) -> None:
        """Call ``reset`` with the dish whenever one begins.

        Raises:
            OptionError: What the player declares cannot be.
        """
        self._reset, self._declaration = reset, Declaration.from_dict(declared)
        reset(self._scenario.dish(len(self._results)))

    @property
    def over(self) -> bool:
        """Whether all dishes have been played."""
        return len(self._results) == self._scenario.episodes

    @property
    def observation(self) -> Any:
        """What the worm senses now."""
        return self._dish.observation

    def step(self, action: Any) -> None:
        """Play one step.

        Raises:
            ActionError: It is no action of the worm; nothing was played.
        """
        self._dish.step(action)
        if not self._dish.over:
            return
        self._actions += self._dish.record()
        self._results.append(EpisodeResult.from_figures(self._dish.facts(), self._scenario.task))
        if not self.over:
            following = self._scenario.dish(len(self._results))
            self._dish = WormMatch(following)
            if self._reset:
                self._reset(following)

    def record(self) -> bytes:
        """Return the actions of all finished dishes."""
        return write_record(self._declaration, bytes(self._actions)) if self._actions else b""

    def facts(self) -> Facts:
        """Return what has happened so far; a dish that is not over does not count."""
        return training_facts(
            self._scenario, self._declaration if self._results else Declaration(), self._results
        )


class TrainingGame:
    """Trainings of worms."""

    name = "worm-training"
    agent_family = "worm"

    @property
    def provenance(self) -> Mapping[str, str]:
        """Compiler, flags and source digest of the engine, and the version of its state digest."""
        return {**build_info(), "state_digest": str(digest_version())}

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the worm's rules, the same for every task."""
        return RULES

    def parse_scenario(self, description: Mapping[str, Any]) -> TrainingScenario:
        """Return the training that these plain values describe."""
        return TrainingScenario.from_dict(description)

    def begin(self, scenario: TrainingScenario) -> TrainingMatch:
        """Begin a training of a player that stays as it is."""
        return TrainingMatch(scenario)

    def replay(self, scenario: TrainingScenario, record: bytes) -> Facts:
        """Play the actions of a training again and return what happened.

        Raises:
            OptionError: The record is no training, or goes on after its end.
        """
        return self.replay_outcome(scenario, record).facts

    def replay_outcome(self, scenario: TrainingScenario, record: bytes) -> ReplayOutcome:
        """Play the actions of a training again and return what came of it.

        Raises:
            OptionError: The record is no training, or goes on after its end.
        """
        declaration, actions = read_record(record)
        results = replay_training(scenario, actions)
        over = len(results) == scenario.episodes
        # what was played of a dish that was not finished is not in the record
        steps = len(actions) if over else None
        return ReplayOutcome(training_facts(scenario, declaration, results), over, steps)

    def split_record(self, scenario: TrainingScenario, record: bytes) -> Sequence[int]:
        """Return the actions of all finished dishes."""
        return read_record(record)[1]

    def observation_codec(self) -> WormCodec:
        """Return what sends the worm's senses to an agent's process."""
        return WormCodec()

    def write_film(
        self, scenario: TrainingScenario, record: bytes, path: Path, options: FilmOptions = AS_DRAWN
    ) -> None:
        """Write the last dish of a training as a picture or a film.

        Raises:
            OptionError: No dish was finished.
        """
        _, actions = read_record(record)
        results = replay_training(scenario, actions)
        if not results:
            raise OptionError("the training has no finished dish to show")
        last = scenario.dish(len(results) - 1)
        WormGame().write_film(last, actions[-results[-1].steps :], path, options)
