"""Strengths from games: maximum likelihood, the same whatever order the games were played in.

Two players are rated by the model of Bradley and Terry, or with ties as an outcome of their own
by that of Davidson; rankings of more by that of Plackett and Luce. All have one maximum if and
only if the players cannot be split into two camps one of which never beat the other; that is
checked first.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ludus.errors import OptionError
from ludus.stats.distributions import Array, normal_quantile
from ludus.stats.intervals import Estimate
from ludus.stats.likelihood import (
    Choices,
    PairModel,
    Pairs,
    centred_inverse,
    check_connected,
    newton,
)
from ludus.stats.samples import check_level

__all__ = ["RatedGame", "Ratings", "bradley_terry", "davidson", "plackett_luce"]

ELO = 400 / math.log(10)
MOST_TIED = 12
"""How many players may share a place; every order among them is counted."""


class RatedGame(NamedTuple):
    """One game of two players.

    Attributes:
        first: One player.
        second: The other.
        score: What the first got: 1 for a win, 0 for a loss, 0.5 for a tie.
    """

    first: str
    second: str
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """The players' strengths and how sure they are.

    Attributes:
        players: The players, the strongest first; equals in the order of their names.
        strengths: Their strengths as natural logarithms, which are 0 on average; the odds of
            one against another are the exponential of their difference.
        covariance: The covariances of the strengths.
        games: How many games or rankings each took part in.
        tie: How likely ties are: between equals, so many for each win; 0 if not modelled.
        level: The confidence of the intervals.
    """

    players: tuple[str, ...]
    strengths: Array
    covariance: Array
    games: tuple[int, ...]
    tie: float
    level: float

    def estimate(self, player: str) -> Estimate:
        """Return a player's strength, relative to the average of all, with its interval."""
        index = self._index(player)
        unit = np.zeros(len(self.players))
        unit[index] = 1
        return self._contrast(unit, self.games[index])

    def difference(self, first: str, second: str) -> Estimate:
        """Return how much stronger the first is than the second, with its interval."""
        one, two = self._index(first), self._index(second)
        unit = np.zeros(len(self.players))
        unit[one] += 1
        unit[two] -= 1
        return self._contrast(unit, min(self.games[one], self.games[two]))

    def elo(self, player: str, average: float = 1500.0) -> Estimate:
        """Return a player's strength on the scale where 400 points are odds of ten to one."""
        raw = self.estimate(player)
        value, low, high = (average + ELO * end for end in raw[:3])
        return raw._replace(value=value, low=low, high=high)

    def win_probability(self, first: str, second: str) -> float:
        """Return how likely the first beats the second outright."""
        gap = float(self.strengths[self._index(first)] - self.strengths[self._index(second)])
        return 1 / (1 + math.exp(-gap) + self.tie * math.exp(-gap / 2))

    def _contrast(self, unit: Array, games: int) -> Estimate:
        """Return a combination of strengths with its interval from the covariance."""
        value = float(unit @ self.strengths)
        error = math.sqrt(max(0.0, float(unit @ self.covariance @ unit)))
        margin = normal_quantile((1 + self.level) / 2) * error
        return Estimate(value, value - margin, value + margin, self.level, "wald", games)

    def _index(self, player: str) -> int:
        """Return a player's index."""
        try:
            return self.players.index(player)
        except ValueError:
            known = ", ".join(self.players)
            raise OptionError(f"no player {player!r}; choose one of {known}") from None


def bradley_terry(
    games: Iterable[tuple[str, str, float]], level: float = 0.95, *, robust: bool = False
) -> Ratings:
    """Rate players by their games of two; a tie counts as half a win for both.

    Args:
        games: Who played whom, and what the first got: 1, 0 or 0.5.
        level: The confidence of the intervals.
        robust: Whether the intervals hold even if the model does not (the sandwich
            covariance), as with many ties, which vary less than wins and losses.

    Raises:
        OptionError: A game is not one, or the results do not fix the strengths.

    Example:
        >>> ratings = bradley_terry([("a", "b", 1), ("a", "b", 1), ("b", "a", 1)])
        >>> round(ratings.win_probability("a", "b"), 4)
        0.6667
    """
    pairs = Pairs.of(games)
    return _fit_pairs(pairs, level, ties=False, robust=robust)


def davidson(
    games: Iterable[tuple[str, str, float]], level: float = 0.95, *, robust: bool = False
) -> Ratings:
    """Rate players by their games of two, ties being likelier between equals.

    Args:
        games: Who played whom, and what the first got: 1, 0 or 0.5.
        level: The confidence of the intervals.
        robust: Whether the intervals hold even if the model does not.

    Raises:
        OptionError: A game is not one, or the results do not fix the strengths.

    Example:
        >>> ratings = davidson([("a", "b", 1), ("a", "b", 0.5), ("b", "a", 1)])
        >>> round(ratings.tie, 4)
        1.0
    """
    pairs = Pairs.of(games)
    return _fit_pairs(pairs, level, ties=bool(pairs.ties.any()), robust=robust)


def plackett_luce(
    rankings: Iterable[Sequence[str | Iterable[str]]], level: float = 0.95
) -> Ratings:
    """Rate players by rankings of any number of them, each the best first.

    A ranking is read as a row of choices: the first among all, the second among the rest, and
    so on. Players who tied stand together in a list; all orders among them count alike, so that a
    tie of two is half a win for both.

    Raises:
        OptionError: A ranking has fewer than two players or one twice, or the rankings do not
            fix the strengths.

    Example:
        >>> ratings = plackett_luce([("a", "b", "c"), ("b", "a", "c"), ("c", "a", "b")])
        >>> ratings.players
        ('a', 'b', 'c')
    """
    check_level(level)
    counted = Counter(_split_tiers(ranking) for ranking in rankings)
    names = sorted({player for ranking in counted for tier in ranking for player in tier})
    choices = Choices.of(counted, {name: index for index, name in enumerate(names)})
    check_connected(names, choices.beaten())
    strengths = newton(choices.curve, len(names))
    covariance = centred_inverse(choices.curve(strengths)[2], len(names))
    played = [
        sum(n for ranking, n in counted.items() if any(name in tier for tier in ranking))
        for name in names
    ]
    return _order_by_strength(names, strengths, covariance, played, 0.0, level)


def _split_tiers(ranking: Sequence[str | Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    """Return a ranking as tiers of players who tied, sorted by name."""
    tiers = [(tier,) if isinstance(tier, str) else tuple(sorted(tier)) for tier in ranking]
    players = [player for tier in tiers for player in tier]
    if len(players) < 2 or len(set(players)) < len(players):
        raise OptionError(f"{players} does not rank two or more different players")
    if max(map(len, tiers)) > MOST_TIED:
        raise OptionError(f"more than {MOST_TIED} players tied: rank them further")
    return tuple(tiers)


def _fit_pairs(pairs: Pairs, level: float, *, ties: bool, robust: bool) -> Ratings:
    """Return the ratings of players by games of two."""
    check_level(level)
    check_connected(pairs.names, pairs.beaten())
    if ties and not (pairs.wins.any() or pairs.losses.any()):
        raise OptionError("all games were ties, which tell nothing of strength; rate more games")
    model = PairModel(pairs, ties=ties)
    parameters = newton(model.curve, len(pairs.names), model.size)
    bread = centred_inverse(model.curve(parameters)[2], len(pairs.names))
    covariance = bread @ model.meat(parameters) @ bread if robust else bread
    count = len(pairs.names)
    tie = math.exp(parameters[-1]) if ties else 0.0
    return _order_by_strength(
        pairs.names, parameters[:count], covariance[:count, :count], pairs.count_games(), tie, level
    )


def _order_by_strength(
    names: Sequence[str],
    strengths: Array,
    covariance: Array,
    played: Sequence[int],
    tie: float,
    level: float,
) -> Ratings:
    """Return the ratings, the strongest first."""
    order = sorted(range(len(names)), key=lambda k: (-round(float(strengths[k]), 9), names[k]))
    return Ratings(
        players=tuple(names[k] for k in order),
        strengths=strengths[order],
        covariance=covariance[np.ix_(order, order)],
        games=tuple(played[k] for k in order),
        tie=tie,
        level=level,
    )
