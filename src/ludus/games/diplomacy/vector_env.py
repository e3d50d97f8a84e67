"""Many games of Diplomacy at once, all seven powers of each, over arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.diplomacy import _native
from ludus.games.diplomacy.board import LOCATIONS, PROVINCES, Board
from ludus.games.diplomacy.records import POWERS

__all__ = ["PLANES", "DiplomacyVectorEnv"]

PLANES = ("unit", "dislodged unit", "centre")
"""What is shown of a location.

Units are 0 for none, 1 to 7 for an army of a power, 8 to 14 for a fleet. Centres are 0 for none, 1
for one of nobody, 2 to 8 for one of a power.
"""

TERMINATED, TRUNCATED = 1, 2


class DiplomacyVectorEnv:
    """Games from 1901 on that go on phase by phase, all in one call.

    **Action**: for each game and province 0 for no order, or k for the k-th of the legal orders of
    the unit (or building site) there, in the order of their texts. Numbers beyond count as 0.

    **Observation**: ``planes``, games × locations × :data:`PLANES`.

    ``infos`` holds ``counts`` (how many legal orders each province has), ``owners`` (whose they
    are, 7 for nobody) and ``times`` (year, season and kind of the phase, as numbers). **Reward**:
    for each power the centres it gained or lost; 18 more for a win. A game that has ended begins
    anew in the same step. Arrays are the environment's own and change with the next step.

    Args:
        num_envs: How many games.
        max_year: The last year that is played.
        threads: How many threads share the games.

    Example:
        >>> env = DiplomacyVectorEnv(2, max_year=1901)
        >>> planes, infos = env.reset()
        >>> planes.shape, int(infos["counts"].sum()) > 300
        ((2, 81, 3), True)
        >>> planes, rewards, terminated, truncated, infos = env.step(env.sample())
        >>> rewards.shape
        (2, 7)
    """

    def __init__(self, num_envs: int, max_year: int = 1925, threads: int = 1) -> None:
        if num_envs < 1:
            raise OptionError(f"{num_envs} games are too few: give 1 or more")
        self.num_envs = num_envs
        places = (num_envs, len(PROVINCES))
        self._arrays: dict[str, NDArray[Any]] = {
            "actions": np.zeros(places, np.int32),
            "counts": np.zeros(places, np.int32),
            "owners": np.zeros(places, np.uint8),
            "planes": np.zeros((num_envs, len(LOCATIONS), len(PLANES)), np.uint8),
            "times": np.zeros((num_envs, 3), np.int32),
            "rewards": np.zeros((num_envs, len(POWERS)), np.float32),
            "ended": np.zeros(num_envs, np.uint8),
        }
        self._batch = _native.Batch(num_envs, self._arrays, max_year, threads)
        self._rng = np.random.default_rng(0)

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.uint8], dict[str, NDArray[Any]]]:
        """Begin every game anew; the seed is that of :meth:`sample` alone."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._batch.begin()
        return self._arrays["planes"], self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[
        NDArray[np.uint8],
        NDArray[np.float32],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, NDArray[Any]],
    ]:
        """Adjudicate a phase of every game.

        Raises:
            OptionError: There is not one number for each game and province.
        """
        bound = self._arrays["actions"]
        if np.shape(actions) != bound.shape:
            raise OptionError(f"actions of shape {np.shape(actions)}: give {bound.shape}")
        bound[:] = actions
        self._batch.step()
        ended = self._arrays["ended"]
        return (
            self._arrays["planes"],
            self._arrays["rewards"],
            ended == TERMINATED,
            ended == TRUNCATED,
            self._infos(),
        )

    def sample(self) -> NDArray[np.int32]:
        """Return a random legal order wherever there is one."""
        counts = self._arrays["counts"]
        shares = self._rng.random(counts.shape, np.float32)
        chosen: NDArray[np.int32] = (shares * counts).astype(np.int32) + 1
        np.minimum(chosen, counts, out=chosen)
        return chosen

    def board(self, k: int) -> Board:
        """Return a copy of game k."""
        return Board.wrap(self._batch.board(k))

    def _infos(self) -> dict[str, NDArray[Any]]:
        return {name: self._arrays[name] for name in ("counts", "owners", "times")}
