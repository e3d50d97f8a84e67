"""How good a policy is under the protocol, on games that nobody practises on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ludus.learning.platformer.networks import Arrays, apply_network
from ludus.learning.platformer.practice import WON, Practice, derive_seed
from ludus.learning.platformer.settings import Reward

__all__ = ["Evaluation", "EvaluationResult"]

PATIENCE = 200
"""Decisions without progress after which an episode counts as failed."""


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """How episodes went.

    Attributes:
        success: The share of them that was completed.
        furthest: The mean of the furthest x.
        decisions: The mean number of decisions.
        by_level: The share that was completed, level by level; of generated levels, difficulty by
            difficulty.
    """

    success: float
    furthest: float
    decisions: float
    by_level: tuple[float, ...]


class Evaluation:
    """Episodes under the protocol's terms, the same for every policy.

    Args:
        stages: The levels.
        episodes: Episodes on each of them.
        observe: What policies see.
        strides: Of their convolutions.
        groups: The group of each level, counted from 0, where success is told by group.
    """

    def __init__(
        self,
        stages: Sequence[str],
        episodes: int,
        observe: str,
        strides: tuple[int, ...] = (),
        groups: Sequence[int] | None = None,
    ) -> None:
        levels = range(len(stages))
        self._starts = [
            (0, level, derive_seed("evaluation", 0, level, number), b"")
            for level in levels
            for number in range(episodes)
        ]
        self._groups = np.repeat(levels if groups is None else groups, episodes)
        self._practice = Practice(
            stages,
            [0] * len(self._starts),
            groups=1,
            slots=1,
            observe=observe,
            reward=Reward(patience=PATIENCE),
        )
        self._key = jax.random.key(derive_seed("evaluation", 0) & 0xFFFFFFFF)
        self._choose = jax.jit(partial(_choose, strides), static_argnames="greedy")

    def evaluate(self, arrays: Arrays, *, greedy: bool = False) -> EvaluationResult:
        """Let a policy play all episodes to their end.

        Args:
            arrays: Its network.
            greedy: Whether it always takes what it prefers most.
        """
        practice, n = self._practice, len(self._starts)
        practice.restore_games(self._starts)
        won, open_ = np.zeros(n, np.bool_), np.ones(n, np.bool_)
        reached, decisions = np.zeros(n), np.zeros(n)
        network = {name: jnp.asarray(array) for name, array in arrays.items()}
        moment = 0
        while open_.any():
            actions = self._choose(
                network, practice.observations[0], self._key, moment, greedy=greedy
            )
            practice.step(0, np.asarray(actions))
            practice.carry_over()
            decisions += open_
            reached[open_] = practice.reached[0][open_]
            won |= open_ & (practice.endings[0] == WON)
            open_ &= practice.endings[0] == 0
            moment += 1
        shares = np.bincount(self._groups, won) / np.maximum(np.bincount(self._groups), 1)
        return EvaluationResult(
            float(won.mean()),
            float(reached.mean()),
            float(decisions.mean()),
            tuple(float(share) for share in shares),
        )


def _choose(
    strides: tuple[int, ...],
    arrays: Arrays,
    observations: Any,
    key: Any,
    moment: Any,
    *,
    greedy: bool,
) -> Any:
    preferences, _ = apply_network(arrays, observations, strides)
    if greedy:
        return jnp.argmax(preferences, -1).astype(jnp.uint8)
    drawn = jax.random.categorical(jax.random.fold_in(key, moment), preferences)
    return drawn.astype(jnp.uint8)
