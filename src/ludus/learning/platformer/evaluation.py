"""How good a policy is under the protocol, on games that nobody practises on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludus.learning.platformer.networks import Layout
from ludus.learning.platformer.ppo import draw_luck, make_player
from ludus.learning.platformer.practice import BUTTONS, WON, Practice, derive_seed
from ludus.learning.platformer.settings import Evolution, Ppo, Reward

__all__ = ["Evaluation", "EvaluationResult"]

SLOTS = 8
"""Decisions that episodes are played on at a time."""

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
        settings: The sizes of their layers.
        groups: The group of each level, counted from 0, where success is told by group.
    """

    def __init__(
        self,
        stages: Sequence[str],
        episodes: int,
        observe: str,
        settings: Ppo | Evolution,
        groups: Sequence[int] | None = None,
    ) -> None:
        levels = range(len(stages))
        self._starts = [
            (0, level, derive_seed("evaluation", 0, level, number), b"")
            for level in levels
            for number in range(episodes)
        ]
        self._groups = np.repeat(levels if groups is None else groups, episodes)
        n = len(self._starts)
        self._practice = Practice(
            stages,
            [0] * n,
            groups=1,
            slots=SLOTS,
            observe=observe,
            reward=Reward(patience=PATIENCE),
        )
        self._layout = Layout(settings, observe)
        self._player = make_player(settings, observe, n, SLOTS)
        self._actions = np.zeros((SLOTS, n), np.uint8)
        self._unused = np.zeros((SLOTS, n), np.float32), np.zeros((SLOTS + 1, n), np.float32)

    def evaluate(
        self, arrays: Mapping[str, NDArray[np.float32]], *, greedy: bool = False
    ) -> EvaluationResult:
        """Let a policy play all episodes to their end.

        Args:
            arrays: Its network.
            greedy: Whether it always takes what it prefers most.
        """
        practice, n = self._practice, len(self._starts)
        practice.restore_games(self._starts)
        won, open_ = np.zeros(n, np.bool_), np.ones(n, np.bool_)
        reached, decisions = np.zeros(n), np.zeros(n)
        chance = np.random.default_rng(derive_seed("evaluation", 0))
        weights = self._layout.to_row(arrays)
        while open_.any():
            self._play(weights, chance, greedy)
            for slot in range(SLOTS):
                decisions += open_
                reached[open_] = practice.reached[slot][open_]
                won |= open_ & (practice.endings[slot] == WON)
                open_ &= practice.endings[slot] == 0
        shares = np.bincount(self._groups, won) / np.maximum(np.bincount(self._groups), 1)
        return EvaluationResult(
            float(won.mean()),
            float(reached.mean()),
            float(decisions.mean()),
            tuple(float(share) for share in shares),
        )

    def _play(
        self, weights: NDArray[np.float32], chance: np.random.Generator, greedy: bool
    ) -> None:
        shape = self._actions.shape
        luck = np.zeros((*shape, len(BUTTONS)), np.float32) if greedy else draw_luck(chance, shape)
        self._player.play(
            self._practice.native, 0, BUTTONS, weights, luck, self._actions, *self._unused
        )
        self._practice.carry_over()
