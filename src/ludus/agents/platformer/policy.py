"""A trained player: a network from a checkpoint, which weighs the actions it knows."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.agents.checkpoint import Arrays, read_checkpoint, write_checkpoint
from ludus.agents.platformer.network import count_layers, forward, probabilities
from ludus.errors import AgentError, OptionError
from ludus.games.platformer._native import SIGHT_FIELDS, SIGHT_SIDE, WIDE_FIELDS
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.codes import check_framework_buttons
from ludus.games.platformer.view import View

__all__ = ["CHOICES", "HELD", "OBSERVATIONS", "Policy", "read_shipped"]

CHOICES = ("sample", "argmax")
SHAPES = {
    "fields": (SIGHT_FIELDS,),
    "wide": (WIDE_FIELDS,),
    "pixels": (2, SIGHT_SIDE, SIGHT_SIDE),
}
OBSERVATIONS = tuple(SHAPES)

HELD = 4
"""Ticks for which a decision is held where the game does not do so itself."""


FIRST = "1-1"
DESCRIPTION = ("actions", "observe", "strides")


def read_shipped(name: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a checkpoint that comes with Ludus, by the level it was learned on."""
    with as_file(files("ludus.agents.platformer").joinpath("policies", f"{name}.npz")) as file:
        return read_checkpoint(file)[1]


class Policy:
    """Plays what its network prefers: by chance in proportion, or always the most preferred.

    Args:
        arrays: The network, see :mod:`ludus.agents.platformer.network`; without one it plays as it
            learned to on level 1-1.
        actions: The buttons that its preferences stand for.
        observe: What it sees: ``fields``, ``wide`` or ``pixels``.
        strides: Of the convolutions of a network that sees pixels.
        variant: ``sample`` or ``argmax``; what the scenario asks for if None, else ``sample``.
    """

    name = "policy"

    def __init__(
        self,
        arrays: Arrays | None = None,
        actions: NDArray[np.uint8] | None = None,
        *,
        observe: str = "fields",
        strides: tuple[int, ...] = (),
        variant: str | None = None,
    ) -> None:
        if observe not in OBSERVATIONS:
            raise OptionError(f"{observe!r} cannot be seen: there are {', '.join(OBSERVATIONS)}")
        if variant is not None and variant not in CHOICES:
            raise OptionError(f"no variant {variant!r}: there are {', '.join(CHOICES)}")
        if arrays is None or actions is None:
            arrays = read_shipped(FIRST)
            actions = np.asarray(arrays.pop("actions"), np.uint8)
            arrays = {name: array for name, array in arrays.items() if name not in DESCRIPTION}
        self._arrays = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
        self._actions = actions
        self._observe = observe
        self._strides = strides
        self._variant = variant
        self._check()
        self.reset(None)

    @classmethod
    def from_checkpoint(cls, arrays: Arrays, variant: str | None = None) -> Policy:
        """Return the player of a checkpoint."""
        network = dict(arrays)
        try:
            actions = np.asarray(network.pop("actions"), np.uint8)
            observe = str(network.pop("observe"))
            strides = tuple(int(stride) for stride in np.atleast_1d(network.pop("strides")))
        except (KeyError, TypeError, ValueError) as error:
            raise AgentError(f"the checkpoint holds no policy: {error} is missing") from None
        return cls(network, actions, observe=observe, strides=strides, variant=variant)

    def save(self, path: str | Path, *, half: bool = False) -> None:
        """Write the player to an ``.npz`` file, in half precision if it is to be small."""
        kind = np.float16 if half else np.float32
        write_checkpoint(
            path,
            "policy",
            {
                **{name: array.astype(kind) for name, array in self._arrays.items()},
                "actions": self._actions,
                "observe": np.array(self._observe),
                "strides": np.array(self._strides, np.int32),
            },
        )

    def reset(self, scenario: Any) -> None:
        """Draw chance from the scenario's seed, and choose as the scenario has it."""
        self._random = np.random.default_rng(getattr(scenario, "seed", 0))
        choice = self._variant or getattr(scenario, "policy", "sample")
        self._greedy = choice == "argmax"
        self._ticks_held = 1 if isinstance(scenario, ArenaScenario) else HELD
        self._ticks_left = self._buttons = self._tick = 0
        self._before: NDArray[np.uint8] | None = None

    def act(self, view: View) -> int:
        """Return the buttons of the decision, which may still be the one before."""
        if self._ticks_left == 0:
            check_framework_buttons(view.rules)
            self._buttons = self._decide(view)
            self._ticks_left = self._ticks_held
        self._ticks_left -= 1
        return self._buttons

    def preferences(self, observed: NDArray[Any]) -> NDArray[np.float32]:
        """Return the preferences for the actions, a row for every row observed."""
        output: NDArray[np.float32] = forward(self._arrays, observed, self._strides)
        return output[:, :-1]

    def _decide(self, view: View) -> int:
        preferences = self.preferences(self._observe_view(view)[None])[0]
        if self._greedy:
            return int(self._actions[np.argmax(preferences)])
        ladder = np.cumsum(probabilities(preferences.astype(np.float64)))
        return int(self._actions[np.searchsorted(ladder, self._random.random() * ladder[-1])])

    def _observe_view(self, view: View) -> NDArray[Any]:
        if self._observe == "fields":
            return view.sight_fields()
        if self._observe == "wide":
            return view.wide_fields()
        now = view.sight_picture()
        before = now if self._before is None or view.tick < self._tick else self._before
        self._before, self._tick = now, view.tick
        return np.stack([before, now])

    def _check(self) -> None:
        """Refuse arrays that do not fit each other."""
        kinds = f"{count_layers(self._arrays)} layers, {len(self._actions)} actions"
        shape = SHAPES[self._observe]
        try:
            columns = forward(self._arrays, np.zeros((1, *shape), np.uint8), self._strides).shape[1]
        except (KeyError, ValueError) as error:
            raise AgentError(f"the network ({kinds}) does not fit: {error}") from None
        if columns != len(self._actions) + 1:
            raise AgentError(f"the network has {columns} columns, which does not fit {kinds}")
