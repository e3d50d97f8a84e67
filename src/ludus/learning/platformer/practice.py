"""Games played for practice: many at once, for several seeds side by side."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer import World
from ludus.games.platformer._native import SIGHT_FIELDS, SIGHT_SIDE, WIDE_FIELDS
from ludus.games.platformer._native import Practice as NativePractice
from ludus.games.platformer.arena.levels import arena_level
from ludus.games.sticky_actions import StickyActions
from ludus.learning.platformer.settings import Reward

__all__ = [
    "BUTTONS",
    "FIELDS",
    "WON",
    "FinishedGames",
    "GameState",
    "Practice",
    "derive_seed",
]

#: The buttons a policy chooses from: every sensible hold of them.
BUTTONS = np.array((0, 1, 2, 4, 9, 10, 16, 17, 18, 24, 25, 26), np.uint8)

FIELDS = {"fields": SIGHT_FIELDS, "wide": WIDE_FIELDS}
"""How many numbers a policy sees of a moment."""

WON = 1
MEMORY = 0.99  # of a level's success rate, for each game played on it
LEAST_ODDS = 0.05  # of a level that is always won, beside 1 of one that never is

GameState = tuple[int, int, int, bytes]
"""Where a game stands: random state, level, seed and decisions."""

Fork = tuple[int, int]
"""Where a retry left the game that it tries again, and the seed of its chance from there on."""

NO_FORK: Fork = (-1, 0)


def derive_seed(purpose: str, *numbers: int) -> int:
    """Return a seed of 53 bits for a purpose; those of other purposes have nothing to do with it.

    Example:
        >>> derive_seed("practice", 0, 1) == derive_seed("evaluation", 0, 1)
        False
    """
    text = f"ludus.learning {purpose} {' '.join(map(str, numbers))}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 11


class FinishedGames(NamedTuple):
    """The games that ended: one entry each."""

    group: NDArray[np.int64]
    level: NDArray[np.int32]
    won: NDArray[np.bool_]
    reached: NDArray[np.float32]
    returns: NDArray[np.float32]


class Practice:
    """Games under the protocol's terms; what is seen in them, and what comes of it.

    Args:
        stages: The levels that are played.
        seeds: One for every game; the games of a group stand together.
        groups: How many groups there are, each with its own odds of levels.
        slots: Decisions that the buffers hold.
        observe: ``fields``, ``wide`` or ``pixels``.
        reward: What decisions pay, and when a game is given up.
    """

    def __init__(
        self,
        stages: Sequence[str],
        seeds: Sequence[int],
        *,
        groups: int,
        slots: int,
        observe: str,
        reward: Reward,
    ) -> None:
        n = len(seeds)
        self.groups, self.games, self.slots = groups, n // groups, slots
        self.buttons = np.zeros((slots, n), np.uint8)
        self.rewards = np.zeros((slots, n), np.float32)
        self.endings = np.zeros((slots, n), np.uint8)
        self.reached = np.zeros((slots, n), np.float32)
        self.played = np.zeros((slots, n), np.int32)
        self.retried = np.zeros((slots, n), np.uint8)
        self.observations: NDArray[Any] = _make_buffer(slots + 1, n, observe)
        self.odds = np.tile(np.arange(1.0, len(stages) + 1), (groups, 1))
        self.rates = np.zeros((groups, len(stages)))
        self._returns = np.zeros(n, np.float32)
        buffers = {
            "odds": self.odds,
            "buttons": self.buttons,
            "rewards": self.rewards,
            "endings": self.endings,
            "reached": self.reached,
            "played": self.played,
            "retried": self.retried,
            "pictures" if observe == "pixels" else observe: self.observations,
        }
        terms = StickyActions()
        self.native = NativePractice(
            [World(arena_level(stage)) for stage in stages],
            list(seeds),
            groups,
            slots,
            buffers,
            (terms.frame_skip, terms.no_ops, reward.patience, terms.sticky, reward.retry),
            (reward.progress, reward.win, reward.loss, reward.decision),
            os.cpu_count() or 1,
        )

    def begin(self) -> None:
        """Begin every game anew."""
        self._returns[:] = 0
        self.native.begin()

    def step(self, slot: int, choices: NDArray[np.uint8]) -> None:
        """Play a decision in every game: the numbers of the chosen buttons."""
        np.take(BUTTONS, choices, out=self.buttons[slot])
        self.native.step(slot)

    def carry_over(self) -> None:
        """Make what was seen last the first that is seen."""
        self.observations[0] = self.observations[self.slots]

    def finished(self) -> FinishedGames:
        """Return the games that ended within the slots, with the sum of their rewards.

        Retries are no games of their own: they begin where others lost.
        """
        returns = np.zeros_like(self.rewards)
        for slot in range(self.slots):
            self._returns += self.rewards[slot]
            returns[slot] = self._returns
            self._returns[self.endings[slot] > 0] = 0
        over = (self.endings > 0) & (self.retried == 0)
        return FinishedGames(
            np.nonzero(over)[1] // self.games,
            self.played[over],
            self.endings[over] == WON,
            self.reached[over],
            returns[over],
        )

    def learn_odds(self, done: FinishedGames) -> None:
        """Play levels that are seldom won more often."""
        for group, level, won in zip(done.group, done.level, done.won, strict=True):
            rate = self.rates[group, level]
            self.rates[group, level] = MEMORY * rate + (1 - MEMORY) * won
        self.odds[:] = np.cumsum(1 - self.rates + LEAST_ODDS, axis=1)

    def restore_games(
        self, states: Sequence[GameState], forks: Sequence[Fork] | None = None
    ) -> None:
        """Bring every game to where it stood; no game is a retry if there are no forks."""
        self.native.restore(states, forks or [NO_FORK] * len(states))

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is needed to go on from here."""
        random, level, seed, tapes = zip(*self.native.places(), strict=True)
        fork_at, fork_seed = zip(*self.native.forks(), strict=True)
        return {
            "random": np.array(random, np.uint64),
            "level": np.array(level, np.int32),
            "seed": np.array(seed, np.uint64),
            "length": np.array([len(tape) for tape in tapes], np.int32),
            "tape": np.frombuffer(b"".join(tapes), np.uint8),
            "fork_at": np.array(fork_at, np.int32),
            "fork_seed": np.array(fork_seed, np.uint64),
            "rates": self.rates.copy(),
            "odds": self.odds.copy(),
            "paid": self._returns.copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from a state."""
        ends = np.cumsum(state["length"])
        tape = state["tape"].tobytes()
        tapes = [tape[end - n : end] for end, n in zip(ends, state["length"], strict=True)]
        numbers = zip(state["random"], state["level"], state["seed"], tapes, strict=True)
        self.restore_games(
            [(int(r), int(lv), int(s), decisions) for r, lv, s, decisions in numbers],
            _read_forks(state),
        )
        self.rates[:] = state["rates"]
        self.odds[:] = state["odds"]
        self._returns[:] = state["paid"]


def _read_forks(state: Mapping[str, NDArray[Any]]) -> list[Fork] | None:
    """Return the forks of a state; those of older releases have none."""
    if "fork_at" not in state:
        return None
    pairs = zip(state["fork_at"], state["fork_seed"], strict=True)
    return [(int(at), int(seed)) for at, seed in pairs]


def _make_buffer(slots: int, n: int, observe: str) -> NDArray[Any]:
    if observe != "pixels":
        return np.zeros((slots, n, FIELDS[observe]), np.int8)
    return np.zeros((slots, n, 2, SIGHT_SIDE, SIGHT_SIDE), np.uint8)
