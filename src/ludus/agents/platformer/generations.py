"""A search in generations: the best candidates live on, the others are bred from them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from ludus.agents.checkpoint import Arrays
from ludus.agents.platformer.learner import Trial
from ludus.errors import OptionError

__all__ = ["GenerationSettings", "Generations", "Genome", "GenomeGenerations"]

Candidate = TypeVar("Candidate")

Genome = tuple[int, ...]
"""A candidate of a fixed number of small whole numbers."""


@dataclass(frozen=True, kw_only=True)
class GenerationSettings:
    """The settings that all such searches have.

    Attributes:
        candidates: Candidates in a generation.
        elite: How many live on.
        fresh_levels: Whether rounds are played on new levels: then those that live on are played
            again.
    """

    candidates: int = 50
    elite: int = 5
    fresh_levels: bool = False


class Generations(ABC, Generic[Candidate]):
    """Generations of candidates.

    Args:
        champion: A candidate to begin with, or None.
        seed: What all chance is made from.
        settings: How the generations are made.

    Raises:
        OptionError: Nobody would live on, or nobody would be bred.
    """

    def __init__(self, champion: Candidate | None, seed: int, settings: GenerationSettings) -> None:
        if not 0 < settings.elite < settings.candidates:
            raise OptionError(
                f"{settings.elite} of {settings.candidates} candidates cannot live on: "
                f"give elite from 1 to {settings.candidates - 1}"
            )
        self._seed, self._settings, self._generation = seed, settings, 0
        self._young = self.first_generation(champion, self._chance())
        self._kept: list[Candidate] = []
        self._scores: list[float] = []

    # ---- what every search has in its own way

    @abstractmethod
    def first_generation(
        self, champion: Candidate | None, chance: np.random.Generator
    ) -> list[Candidate]:
        """Return the candidates of the first generation, the champion in front."""

    @abstractmethod
    def breed(self, ranked: Sequence[Candidate], chance: np.random.Generator) -> Candidate:
        """Return a child of some of the last generation, which is ranked from best to worst."""

    @abstractmethod
    def pack(self, candidates: Sequence[Candidate]) -> dict[str, Any]:
        """Return candidates as arrays by name."""

    @abstractmethod
    def unpack(self, arrays: Arrays) -> list[Candidate]:
        """Return the candidates that :meth:`pack` packed."""

    def measure_size(self, candidate: Candidate) -> int:
        """Return how large a candidate is: of equal scores the smaller one counts as better."""
        return 0

    # ---- the same for all

    def ask(self) -> list[Candidate]:
        """Return those that have no score yet, or all if levels change."""
        return [*self._young, *(self._kept if self._settings.fresh_levels else ())]

    def tell(self, trials: Sequence[Trial[Candidate]]) -> None:
        """Keep the best, and breed the others."""
        ranked = [(trial.score, trial.candidate) for trial in trials]
        if not self._settings.fresh_levels:
            ranked += zip(self._scores, self._kept, strict=True)
        ranked.sort(key=lambda pair: (-pair[0], self.measure_size(pair[1])))
        everyone = [candidate for _, candidate in ranked]
        self._generation += 1
        chance, elite = self._chance(), self._settings.elite
        self._kept = everyone[:elite]
        self._scores = [score for score, _ in ranked[:elite]]
        children = self._settings.candidates - elite
        self._young = [self.breed(everyone, chance) for _ in range(children)]

    def champion(self) -> Candidate:
        """Return the candidate of the best score."""
        return self._kept[0] if self._kept else self._young[0]

    def state(self) -> dict[str, Any]:
        """Return generation, scores and candidates."""
        return {
            "generation": np.array(self._generation),
            "scores": np.array(self._scores, np.float64),
            **self.pack([*self._kept, *self._young]),
        }

    def restore(self, state: Arrays) -> None:
        """Go on from a state."""
        self._generation, self._scores = int(state["generation"]), state["scores"].tolist()
        candidates = self.unpack(state)
        self._kept = candidates[: len(self._scores)]
        self._young = candidates[len(self._scores) :]

    def _chance(self) -> np.random.Generator:
        return np.random.default_rng((self._seed, self._generation))


class GenomeGenerations(Generations[Genome]):
    """Generations of genomes, all of one length."""

    def pack(self, candidates: Sequence[Genome]) -> dict[str, Any]:
        """Return the genomes as one array, a genome a row."""
        return {"genomes": np.array(candidates, np.int16)}

    def unpack(self, arrays: Arrays) -> list[Genome]:
        """Return the genomes of an array."""
        return [tuple(row) for row in arrays["genomes"].tolist()]
