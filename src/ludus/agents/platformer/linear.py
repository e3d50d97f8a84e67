"""A player that weighs what it sees: one row of weights for each action, the heaviest is played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.agents.checkpoint import Arrays, write_checkpoint
from ludus.errors import AgentError
from ludus.games.platformer.codes import renumber_buttons
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["ACTIONS", "FEATURES", "SIGHT", "Linear"]

#: The actions it chooses from.
ACTIONS = (2, 10, 18, 26)

#: Columns and rows that it sees around Mario.
SIGHT = 9

#: Blocks, creatures, may jump, on the ground, holding on to a jump, and a constant.
FEATURES = 2 * SIGHT * SIGHT + 4


class Linear:
    """Plays the action whose weights, times what is seen, add up to most.

    Without weights it runs to the right and jumps when it may. Training means finding weights;
    :meth:`save` keeps them in a file that ``ludus run`` takes as an agent.
    """

    name = "linear"

    def __init__(self, weights: NDArray[np.float64] | None = None) -> None:
        self.weights = _hopping() if weights is None else weights
        if self.weights.shape != (len(ACTIONS), FEATURES):
            raise AgentError(
                f"weights have shape {self.weights.shape}: give {(len(ACTIONS), FEATURES)}"
            )

    @classmethod
    def from_checkpoint(cls, arrays: Arrays) -> Linear:
        """Return the player with the weights of a checkpoint."""
        if "weights" not in arrays:
            raise AgentError("the checkpoint holds no weights")
        return cls(np.asarray(arrays["weights"], np.float64))

    def save(self, path: str | Path) -> None:
        """Write the weights to an ``.npz`` file."""
        write_checkpoint(path, self.name, {"weights": self.weights})

    def reset(self, scenario: Scenario) -> None:
        """Remember nothing."""

    def act(self, view: View) -> int:
        """Return the heaviest action."""
        action = ACTIONS[int(np.argmax(self.weights @ _features(view)))]
        return renumber_buttons(action, view.rules)


def _features(view: View) -> NDArray[np.float64]:
    blocks = view.grid("scene", detail=2, size=SIGHT) != 0
    creatures = view.grid("enemies", detail=2, size=SIGHT) != 0
    mario = view.mario
    state: list[Any] = [mario.may_jump, mario.on_ground, mario.jump_time > 0, True]
    return np.concatenate([blocks.ravel(), creatures.ravel(), np.array(state, np.float64)])


def _hopping() -> NDArray[np.float64]:
    weights = np.zeros((len(ACTIONS), FEATURES))
    weights[1, -1] = 0.5
    weights[3, -4] = weights[3, -2] = 1
    return weights
