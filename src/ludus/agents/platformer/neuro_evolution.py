"""A small network whose weights are evolved.

In the spirit of the networks of Togelius, Karakovskiy, Koutník and Schmidhuber (2009); an "evolved
neural net" has 7,805 in the table of the competition of 2009. Their settings, which are used here:

- Inputs of the small, medium and large network: 3 × 3, 5 × 5 or 7 × 7 cells of blocks, as many of
  creatures, on the ground, may jump, and 1: 21, 53 or 101 numbers.
- 10 hidden units with tanh. A button is pressed if its output is above 0.
- 100 candidates. The better 50 are kept, and played again where levels change; the other 50 are
  replaced by copies of those with N(0, 0.1) added to every weight.

Chosen here: the outputs are right, left, down, jump and speed, and right wins over left. Evolution
begins around the forward-jumping player, written as a network. A champion is the candidate of the
best score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.agents.checkpoint import Arrays
from ludus.agents.platformer.learner import Learner, Trial
from ludus.agents.platformer.moves import Moves
from ludus.agents.platformer.sight import see_blocks, see_creatures
from ludus.errors import AgentError, OptionError
from ludus.games.platformer.view import View

__all__ = ["FIELDS", "Net", "NeuroEvolution", "NeuroSettings"]

FIELDS = {"small": 3, "medium": 5, "large": 7}
HIDDEN, OUTPUTS = 10, 5
STATE = 3
MOVES = Moves(
    " ".join(
        name
        for name, bit in (("right", 1), ("left", 2), ("down", 4), ("jump", 8), ("speed", 16))
        if number & bit and not (name == "left" and number & 1)
    )
    for number in range(2**OUTPUTS)
)
BITS = 1 << np.arange(OUTPUTS)


@dataclass(frozen=True, kw_only=True)
class NeuroSettings:
    """The settings of the evolution.

    Attributes:
        size: ``small``, ``medium`` or ``large``: what the network sees.
        candidates: Networks in a generation.
        deviation: Of what is added to every weight of a copy.
        fresh_levels: Whether rounds are played on new levels: then all are played again.
    """

    size: str = "medium"
    candidates: int = 100
    deviation: float = 0.1
    fresh_levels: bool = False


class Net(NamedTuple):
    """A network: rows of weights of the hidden units, and of the outputs."""

    hidden: NDArray[np.float64]
    output: NDArray[np.float64]

    @property
    def field(self) -> int:
        """Columns and rows that it sees."""
        return int(((self.hidden.shape[1] - STATE) // 2) ** 0.5)


class NeuroEvolution(Learner[Net]):
    """Presses the buttons whose outputs are above 0."""

    name = "neuro-evolution"
    rounds = 100
    levels = 4

    @classmethod
    def read_arrays(cls, arrays: Arrays) -> Net:
        """Return the network of a checkpoint."""
        hidden, output = (np.asarray(arrays[name], np.float64) for name in Net._fields)
        inputs = {2 * field**2 + STATE for field in FIELDS.values()}
        if hidden.ndim != 2 or hidden.shape[0] != HIDDEN or hidden.shape[1] not in inputs:
            raise AgentError(f"hidden weights have shape {hidden.shape}: give (10, 21|53|101)")
        if output.shape != (OUTPUTS, HIDDEN):
            raise AgentError(f"output weights have shape {output.shape}: give {(OUTPUTS, HIDDEN)}")
        return Net(hidden, output)

    @classmethod
    def write_arrays(cls, candidate: Net) -> dict[str, Any]:
        """Return the weights in single precision, in which they are played."""
        return {name: array.astype(np.float32) for name, array in candidate._asdict().items()}

    @classmethod
    def training_settings(cls) -> NeuroSettings:
        """Return the settings of its search under ``ludus train``."""
        return NeuroSettings(fresh_levels=True)

    @classmethod
    def learning_settings(cls) -> NeuroSettings:
        """Return the settings of its search in the learning track."""
        return NeuroSettings()

    @classmethod
    def search(cls, champion: Net | None, seed: int, settings: NeuroSettings) -> Evolution:
        """Return an evolution around a network, or around zero."""
        return Evolution(champion, seed, settings)

    def play_as(self, candidate: Net) -> None:
        """Play by a network."""
        self._net, self._field = candidate, candidate.field
        self._seen = np.ones(candidate.hidden.shape[1])

    def act(self, observation: View) -> int:
        """Return the buttons of outputs above 0."""
        size, mario, seen = self._field, observation.mario, self._seen
        cells = size * size
        seen[:cells] = see_blocks(observation, size).ravel()
        seen[cells : 2 * cells] = see_creatures(observation, size).ravel()
        seen[-STATE], seen[1 - STATE] = mario.on_ground, mario.may_jump
        pressed = self._net.output @ np.tanh(self._net.hidden @ seen) > 0
        return MOVES.buttons(observation.rules)[int(pressed @ BITS)]


def forward_jumping(field: int) -> Net:
    """Return the network that plays as the forward-jumping player does."""
    hidden = np.zeros((HIDDEN, 2 * field**2 + STATE))
    output = np.zeros((OUTPUTS, HIDDEN))
    hidden[0, -STATE:] = -1, 1, 0.5
    hidden[1, -1] = 1
    output[[3, 4], 0] = 1
    output[[0, 1, 2], 1] = 1, -1, -1
    return Net(hidden, output)


class Evolution:
    """Generations of networks."""

    def __init__(self, champion: Net | None, seed: int, settings: NeuroSettings) -> None:
        if settings.size not in FIELDS:
            raise OptionError(f"no size {settings.size!r}: there are {', '.join(FIELDS)}")
        if settings.candidates < 2:
            raise OptionError(f"{settings.candidates} candidates are too few: give 2 or more")
        inputs = 2 * FIELDS[settings.size] ** 2 + STATE
        self._shape = champion.hidden.shape if champion else (HIDDEN, inputs)
        self._seed, self._settings, self._generation = seed, settings, 0
        self._split = self._shape[0] * self._shape[1]
        weights = self._split + OUTPUTS * HIDDEN
        noise = self._chance().standard_normal((settings.candidates, weights))
        noise[0] = 0  # the champion itself is played first
        first = forward_jumping(FIELDS[settings.size]) if champion is None else champion
        self._young = _flatten(first) + settings.deviation * noise
        self._kept, self._scores = self._young[:0], np.zeros(0)

    def ask(self) -> list[Net]:
        """Return those that have no score yet, or all if levels change."""
        again = self._kept if self._settings.fresh_levels else self._kept[:0]
        return [self._unpack(weights) for weights in (*self._young, *again)]

    def tell(self, trials: Sequence[Trial[Net]]) -> None:
        """Keep the better half, and make copies of it with noise."""
        scores = np.array([trial.score for trial in trials])
        if not self._settings.fresh_levels:
            scores = np.concatenate([scores, self._scores])
        tried = np.stack([_flatten(trial.candidate) for trial in trials])
        everyone = tried if self._settings.fresh_levels else np.concatenate([tried, self._kept])
        best = np.argsort(-scores, kind="stable")[: self._settings.candidates // 2]
        self._kept, self._scores = everyone[best], scores[best]
        self._generation += 1
        copies = np.resize(self._kept, (self._settings.candidates - len(best), everyone.shape[1]))
        noise = self._chance().standard_normal(copies.shape)
        self._young = copies + self._settings.deviation * noise

    def champion(self) -> Net:
        """Return the network of the best score."""
        return self._unpack(self._kept[0] if len(self._kept) else self._young[0])

    def state(self) -> dict[str, Any]:
        """Return generation, scores and weights."""
        return {
            "generation": np.array(self._generation),
            "scores": self._scores,
            "kept": self._kept,
            "young": self._young,
        }

    def restore(self, state: Arrays) -> None:
        """Go on from a state."""
        self._generation = int(state["generation"])
        self._scores, self._kept, self._young = (
            np.asarray(state[name], np.float64) for name in ("scores", "kept", "young")
        )
        weights = self._split + OUTPUTS * HIDDEN
        if self._kept.shape != (len(self._scores), weights) or self._young.shape[1:] != (weights,):
            raise ValueError(f"weights of shape {self._kept.shape} are no generation")

    def _unpack(self, weights: NDArray[np.float64]) -> Net:
        hidden, output = weights[: self._split], weights[self._split :]
        return Net(hidden.reshape(self._shape), output.reshape(OUTPUTS, HIDDEN))

    def _chance(self) -> np.random.Generator:
        return np.random.default_rng((self._seed, self._generation))


def _flatten(net: Net) -> NDArray[np.float64]:
    return np.concatenate([array.ravel() for array in net])
