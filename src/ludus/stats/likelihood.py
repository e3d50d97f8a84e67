"""The likelihoods behind ratings, their maximum, and whether they have one."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.stats.distributions import Array

__all__ = ["Choices", "PairModel", "Pairs", "centred_inverse", "check_connected", "newton"]

STEPS = 60
"""Newton's method takes about ten; what grows beyond all bounds would take for ever."""

FLAT = 1e-6
"""A curvature as small as a likelihood has only where its maximum is infinitely far off."""

UNBOUNDED = "the results do not fix the strengths: play more games that are won and lost both ways"


class Pairs(NamedTuple):
    """Games summed up by pair of players: places, wins of either, ties."""

    names: list[str]
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    wins: Array
    losses: Array
    ties: Array

    @classmethod
    def of(cls, games: Iterable[tuple[str, str, float]]) -> Pairs:
        """Count the games."""
        counted = Counter((first, second, score) for first, second, score in games)
        _check_games(counted)
        names = sorted({name for game in counted for name in game[:2]})
        index = {name: number for number, name in enumerate(names)}
        table: dict[tuple[int, int], list[float]] = {}
        for (first, second, score), count in counted.items():
            one, two = sorted((index[first], index[second]))
            points = score if one == index[first] else 1 - score
            row = table.setdefault((one, two), [0.0, 0.0, 0.0])
            row[{1: 0, 0: 1, 0.5: 2}[points]] += count
        keys = np.array(sorted(table), np.intp).reshape(-1, 2)
        rows = np.array([table[key] for key in sorted(table)]).reshape(-1, 3)
        return cls(names, keys[:, 0], keys[:, 1], rows[:, 0], rows[:, 1], rows[:, 2])

    def beaten(self) -> Array:
        """Return who beat or tied whom (players × players)."""
        graph = np.zeros((len(self.names), len(self.names)))
        graph[self.first, self.second] = self.wins + self.ties
        graph[self.second, self.first] = self.losses + self.ties
        return graph

    def count_games(self) -> list[int]:
        """Return how many games each player was in."""
        totals = self.wins + self.losses + self.ties
        places = np.concatenate([self.first, self.second])
        return [int(n) for n in np.bincount(places, np.tile(totals, 2), len(self.names))]


def _check_games(games: Iterable[tuple[str, str, float]]) -> None:
    """Refuse scores that no game gives, and games against oneself."""
    for first, second, score in games:
        if score not in (0, 0.5, 1):
            raise OptionError(f"score {score} of {first!r} against {second!r} is not 0, 0.5 or 1")
        if first == second:
            raise OptionError(f"{first!r} cannot play against itself")


class PairModel:
    """The likelihood of games of two: Bradley and Terry's, or with ties Davidson's.

    Parameters are the strengths and, with ties, the logarithm of the tie parameter ν:
    wins : losses : ties = e^θ₁ : e^θ₂ : ν e^((θ₁ + θ₂) / 2).
    """

    def __init__(self, pairs: Pairs, *, ties: bool) -> None:
        self.pairs = pairs
        self.ties = ties
        self.size = len(pairs.names) + ties
        self.total = pairs.wins + pairs.losses + pairs.ties
        self.points = pairs.wins + pairs.ties / 2

    def log_shares(self, parameters: Array) -> Array:
        """Return the logarithms of the chances of win, loss and tie for each pair."""
        gap = parameters[self.pairs.first] - parameters[self.pairs.second]
        tie = parameters[-1] if self.ties else -math.inf
        logits = np.stack([gap / 2, -gap / 2, np.full_like(gap, tie)])
        logits -= logits.max(axis=0)
        return np.asarray(logits - np.log(np.exp(logits).sum(axis=0)))

    def curve(self, parameters: Array) -> tuple[float, Array, Array]:
        """Return the log-likelihood, its slope and its curvature, counted downwards."""
        logs = self.log_shares(parameters)
        win, _, tie = np.exp(logs)
        pairs, expected = self.pairs, win + tie / 2
        tied = logs[2] if self.ties else (logs[0] + logs[1]) / 2
        value = pairs.wins @ logs[0] + pairs.losses @ logs[1] + pairs.ties @ tied
        slope = self._sum_by_player(self.points - self.total * expected)
        spread = self.total * (win + tie / 4 - expected**2)
        curvature = self._laplacian(spread)
        if self.ties:
            slope[-1] = (pairs.ties - self.total * tie).sum()
            curvature[-1, -1] = (self.total * tie * (1 - tie)).sum()
            curvature[:, -1] += self._sum_by_player(self.total * tie * (0.5 - expected))
            curvature[-1, :-1] = curvature[:-1, -1]
        return float(value), slope, curvature

    def meat(self, parameters: Array) -> Array:
        """Return the sum of the squared slopes of single games."""
        win, _, tie = np.exp(self.log_shares(parameters))
        expected = win + tie / 2
        pairs = self.pairs
        outcomes = ((pairs.wins, 1.0, 0.0), (pairs.losses, 0.0, 0.0), (pairs.ties, 0.5, 1.0))
        total = np.zeros((self.size, self.size))
        for count, score, tied in outcomes:
            residual, tie_residual = score - expected, tied - tie
            total += self._laplacian(count * residual**2)
            if self.ties:
                across = self._sum_by_player(count * residual * tie_residual)
                total[-1, -1] += (count * tie_residual**2).sum()
                total[:-1, -1] += across[:-1]
                total[-1, :-1] += across[:-1]
        return total

    def _sum_by_player(self, by_pair: Array) -> Array:
        """Return by player what the pairs give to their first and take from their second."""
        sums = np.zeros(self.size)
        np.add.at(sums, self.pairs.first, by_pair)
        np.add.at(sums, self.pairs.second, -by_pair)
        return sums

    def _laplacian(self, weights: Array) -> Array:
        """Return the matrix that measures squared gaps of strength with those weights."""
        matrix = np.zeros((self.size, self.size))
        first, second = self.pairs.first, self.pairs.second
        np.add.at(matrix, (first, first), weights)
        np.add.at(matrix, (second, second), weights)
        matrix[first, second] -= weights
        matrix[second, first] -= weights
        return matrix


def _choose_in_any_order(
    equal: Sequence[int], rest: frozenset[int]
) -> Iterator[tuple[tuple[int, frozenset[int]], float]]:
    """Yield who is chosen among whom if equals come in every order alike, and how often."""
    size = len(equal)
    for before in range(size):
        share = 1 / (math.comb(size, before) * (size - before))
        for gone in combinations(equal, before):
            left = rest - frozenset(gone)
            if len(left) > 1:
                yield from (((one, left), share) for one in equal if one not in gone)


class Choices(NamedTuple):
    """Rankings as choices: who was chosen among whom, and how often."""

    winners: NDArray[np.intp]
    among: NDArray[np.bool_]
    times: Array

    @classmethod
    def of(
        cls, rankings: Mapping[tuple[tuple[str, ...], ...], int], index: Mapping[str, int]
    ) -> Choices:
        """Take the rankings, whose tiers are of equal players, apart."""
        counted: defaultdict[tuple[int, frozenset[int]], float] = defaultdict(float)
        for ranking, times in rankings.items():
            rest = frozenset(index[player] for tier in ranking for player in tier)
            for tier in ranking:
                equal = [index[player] for player in tier]
                for choice, share in _choose_in_any_order(equal, rest):
                    counted[choice] += times * share
                rest -= frozenset(equal)
        among = np.zeros((len(counted), len(index)), bool)
        for row, (_, candidates) in enumerate(counted):
            among[row, list(candidates)] = True
        winners = np.array([winner for winner, _ in counted], np.intp)
        return cls(winners, among, np.array(list(counted.values()), np.float64))

    def beaten(self) -> Array:
        """Return who was chosen before whom (players × players)."""
        graph = np.zeros((self.among.shape[1], self.among.shape[1]))
        np.add.at(graph, self.winners, self.among)
        np.fill_diagonal(graph, 0)
        return graph

    def curve(self, strengths: Array) -> tuple[float, Array, Array]:
        """Return the log-likelihood, its slope and its curvature, counted downwards."""
        logits = np.where(self.among, strengths, -math.inf)
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        shares = np.exp(logits)
        value = self.times @ logits[np.arange(len(self.winners)), self.winners]
        expected = self.times @ shares
        slope = np.bincount(self.winners, self.times, len(strengths)) - expected
        weighted = shares * self.times[:, np.newaxis]
        return float(value), slope, np.diag(expected) - shares.T @ weighted


def newton(
    curve: Callable[[Array], tuple[float, Array, Array]], players: int, size: int | None = None
) -> Array:
    """Return the parameters of highest likelihood, by Newton's steps, halved while they harm.

    The strengths, which are fixed only up to a constant, are kept at 0 on average.
    """
    parameters = np.zeros(size or players)
    value, slope, curvature = curve(parameters)
    for _ in range(STEPS):
        step = centred_inverse(curvature, players) @ slope
        if np.abs(step).max() < 1e-10:
            return parameters
        while (tried := curve(parameters + step))[0] < value - 1e-12 * abs(value):
            step = step / 2
        parameters = parameters + step
        value, slope, curvature = tried
    raise OptionError(UNBOUNDED)


def centred_inverse(curvature: Array, players: int) -> Array:
    """Return the inverse among strengths, the first parameters, that are 0 on average.

    Raises:
        OptionError: The likelihood is flat, as it is only far out where there is no maximum.
    """
    level = np.zeros(len(curvature))
    level[:players] = 1 / math.sqrt(players)
    constant = np.outer(level, level)
    scale = max(1.0, float(np.trace(curvature)))
    bent = curvature + scale * constant
    if np.linalg.eigvalsh(bent)[0] < FLAT:
        raise OptionError(UNBOUNDED)
    return np.asarray(np.linalg.inv(bent) - constant / scale)


def check_connected(names: Sequence[str], beaten: Array) -> None:
    """Refuse results in which some players never lost to the others, or never met them."""
    if not names:
        raise OptionError("no games; rate one at least")
    met = _reachable(beaten + beaten.T, 0)
    if not met.all():
        raise OptionError(
            f"no games link {_list_names(names, met)} with {_list_names(names, ~met)}"
        )
    if _reachable(beaten, 0).all() and _reachable(beaten.T, 0).all():
        return
    unbeaten = min((_reachable(beaten.T, k) for k in range(len(names))), key=np.sum)
    raise OptionError(
        f"{_list_names(names, unbeaten)} never lost to {_list_names(names, ~unbeaten)}: "
        f"no finite ratings; play more games between them or leave some out"
    )


def _reachable(graph: Array, start: int) -> NDArray[np.bool_]:
    """Return which places can be reached from the start along the edges."""
    reached = np.zeros(len(graph), bool)
    reached[start] = True
    front = reached
    while front.any():
        front = (graph[front] > 0).any(axis=0) & ~reached
        reached = reached | front
    return reached


def _list_names(names: Sequence[str], mask: NDArray[np.bool_]) -> str:
    """Return the first few names that the mask selects, as words."""
    selected = [repr(name) for name, wanted in zip(names, mask, strict=True) if wanted]
    return ", ".join(selected[:4]) + (f" and {len(selected) - 4} more" if len(selected) > 4 else "")
