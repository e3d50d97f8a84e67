"""A trained brain as a player: it plays with NumPy what it learned with JAX."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ludus.agents.checkpoint import Arrays, write_checkpoint
from ludus.agents.worm.brains import (
    NUMPY,
    Brain,
    State,
    Weights,
    brain_from_dict,
    parameters,
    settings_to_dict,
)
from ludus.agents.worm.brains.circuit import FORAGING, FORAGING_STEPS, Circuit
from ludus.errors import AgentError, one_line
from ludus.games.worm import feature_names
from ludus.games.worm.colony import ColonyTask
from ludus.games.worm.colony.observation import ColonyObservation
from ludus.json_files import NotJson, parse_json

__all__ = ["TrainedBrain", "write_brain"]

_BRAIN = "brain"
_WEIGHT = "weight."
AGENT = "brain"


class TrainedBrain:
    """Plays what its brain finds best; ``brain#sampled`` plays by chance, as in training.

    Without a file it is the frozen quantum circuit of two qubits.

    Args:
        brain: How it is built.
        weights: What it has learned.
        features: The names of what it senses, in their order.
        steps: How many steps of the world it has learned from.
        variant: ``sampled``, or None for the best action.
    """

    name = AGENT

    def __init__(
        self,
        brain: Brain | None = None,
        weights: Weights | None = None,
        features: tuple[str, ...] = (),
        variant: str | None = None,
        steps: int = 0,
    ) -> None:
        if brain is None or weights is None:
            brain, features = Circuit(angles=FORAGING, critic=()), ("strength", "angle")
            weights = brain.init(np.random.default_rng(0), features, 4)
            variant = "sampled"  # what it knows is how often to turn, not when
            steps = FORAGING_STEPS
        if variant not in (None, "sampled"):
            raise AgentError(f"no variant {variant!r} of a brain; there is sampled")
        self.brain, self.weights, self.features = brain, weights, features
        self.sampled, self.steps = variant == "sampled", steps
        self.declared = {
            "pretrained": f"a trained {brain.name}",
            "pretraining_steps": steps,
            "parameters": parameters(weights),
        }
        self._state: State = {}
        self._random = np.random.default_rng(0)

    @classmethod
    def from_checkpoint(cls, arrays: Arrays, variant: str | None = None) -> TrainedBrain:
        """Return the player that :func:`write_brain` kept."""
        if _BRAIN not in arrays:
            raise AgentError("the checkpoint holds no brain: train one with 'ludus train'")
        described = _describe(str(arrays[_BRAIN]))
        weights = {
            name.removeprefix(_WEIGHT): value
            for name, value in arrays.items()
            if name.startswith(_WEIGHT)
        }
        try:
            features, steps = tuple(map(str, described["features"])), int(described.get("steps", 0))
            return cls(brain_from_dict(described), weights, features, variant, steps)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise AgentError(f"the checkpoint holds no brain: {one_line(error)}") from None

    def check_scenario(self, scenario: Any) -> None:
        """Refuse a task with other senses; what worms in company sense besides does not count.

        Raises:
            AgentError: The task's features are not the brain's.
        """
        task = scenario.task
        names = tuple(feature_names(task.dish if isinstance(task, ColonyTask) else task))
        unqualified = tuple(name.rpartition(".")[2] for name in names)
        if self.features not in (names, unqualified):
            raise AgentError(
                f"the brain senses {', '.join(self.features)}; {scenario.task.id} has "
                f"{', '.join(names)}: play the task and the senses that it was trained on"
            )

    def reset(self, scenario: Any) -> None:
        """Forget the last episode."""
        self._state = self.brain.start(len(self.features))
        self._random = np.random.default_rng(int(getattr(scenario, "seed", 0)))

    def act(self, observation: Any) -> int:
        """Return an action."""
        senses = np.asarray(getattr(observation, "features", observation), np.float32)
        if isinstance(observation, ColonyObservation):  # a worm's own senses come first
            senses = senses[: len(feature_names(observation.task))]
        if len(senses) != len(self.features):
            raise AgentError(
                f"the brain senses {len(self.features)} features, the task has {len(senses)}: "
                "play the task that it was trained on"
            )
        percept = self.brain.perceive(NUMPY, self.weights, senses)
        logits, _, self._state = self.brain.policy(NUMPY, self.weights, self._state, percept)
        if self.sampled:
            logits = logits + self._random.gumbel(size=logits.shape)
        return int(np.argmax(logits))


def _describe(text: str) -> dict[str, Any]:
    """Return what a checkpoint says of its brain."""
    try:
        described = parse_json(text)
    except NotJson as error:
        raise AgentError(f"the checkpoint holds no brain: its description {error}") from None
    if not isinstance(described, dict):
        raise AgentError("the checkpoint holds no brain: its description is no object")
    return described


def write_brain(
    path: str | Path, brain: Brain, weights: Weights, features: Any, steps: int
) -> None:
    """Write a trained brain to an ``.npz`` file that ``ludus run`` takes as an agent.

    Args:
        path: Where it goes.
        brain: How it is built.
        weights: What it has learned.
        features: The names of what it senses, in their order.
        steps: How many steps of the world it has learned from.
    """
    described = json.dumps({**settings_to_dict(brain), "features": list(features), "steps": steps})
    arrays = {f"{_WEIGHT}{name}": np.asarray(value) for name, value in weights.items()}
    write_checkpoint(path, AGENT, {_BRAIN: np.array(described), **arrays})
