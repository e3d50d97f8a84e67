"""Intervals are held to what they promise: simulated games with a known truth."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats  # type: ignore[import-untyped]

from ludus.stats import aggregate_scores, bradley_terry, rate_interval
from ludus.stats.aggregate import AggregateMethod
from ludus.stats.distributions import Array
from ludus.stats.intervals import MeanMethod, RateMethod, mean_intervals
from ludus.stats.sequential import _Bernstein, _Betting, _Mixture, _State

WINS = 0.45
TRUTH = WINS + (1 - WINS) * 0.4


def level_scores(generator: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return scores as levels give them: many at the cap, the rest spread below it."""
    won = generator.random(shape) < WINS
    return np.where(won, 1.0, generator.beta(2, 3, shape))


def share_covered(size: int, method: MeanMethod, level: float = 0.95) -> float:
    columns = level_scores(np.random.default_rng(size), (size, 1_000))
    found = mean_intervals(columns, level, method, resamples=4_000)
    return float(np.mean([estimate.low <= TRUTH <= estimate.high for estimate in found]))


@pytest.mark.parametrize(
    ("size", "method", "least"),
    [
        (5, "t", 0.90),
        (10, "t", 0.925),
        (50, "t", 0.935),
        (5, "bca", 0.87),
        (10, "bca", 0.915),
        (20, "bca", 0.92),
        (50, "bca", 0.93),
        (5, "studentised", 0.89),
        (10, "studentised", 0.96),
        (20, "studentised", 0.945),
        (50, "studentised", 0.935),
    ],
)
def test_intervals_of_a_mean_cover_it(size: int, method: MeanMethod, least: float) -> None:
    assert least <= share_covered(size, method) <= 0.999


@pytest.mark.parametrize(
    ("method", "trials", "rate", "covered"),
    [
        ("wilson", 10, 0.9, 0.930),
        ("wilson", 50, 0.99, 0.911),
        ("clopper-pearson", 10, 0.9, 0.987),
        ("clopper-pearson", 50, 0.99, 0.986),
        ("jeffreys", 10, 0.9, 0.987),
        ("jeffreys", 50, 0.99, 0.986),
    ],
)
def test_intervals_of_a_rate_cover_it(
    method: RateMethod, trials: int, rate: float, covered: float
) -> None:
    chances = scipy.stats.binom.pmf(np.arange(trials + 1), trials, rate)
    found = [rate_interval(k, trials, method=method) for k in range(trials + 1)]
    inside = [estimate.low <= rate <= estimate.high for estimate in found]
    assert chances @ inside == pytest.approx(covered, abs=0.0006)


def test_clopper_and_pearson_never_cover_less_than_they_say() -> None:
    found = [rate_interval(k, 12, method="clopper-pearson") for k in range(13)]
    for rate in np.linspace(0.01, 0.99, 99):
        chances = scipy.stats.binom.pmf(np.arange(13), 12, rate)
        assert chances @ [estimate.low <= rate <= estimate.high for estimate in found] >= 0.95


@pytest.mark.parametrize(
    ("runs", "method", "least", "most"),
    [
        (3, "percentile", 0.82, 0.93),
        (3, "rescaled", 0.90, 0.98),
        (10, "percentile", 0.88, 0.97),
        (10, "rescaled", 0.90, 0.98),
    ],
)
def test_stratified_intervals_of_the_iqm_cover_it(
    runs: int, method: AggregateMethod, least: float, most: float
) -> None:
    generator = np.random.default_rng(runs)
    centres = generator.uniform(0.2, 0.8, 20)
    many = np.sort(generator.normal(centres, 0.2, (50_000, 20)).ravel())
    truth = float(many[many.size // 4 : -many.size // 4].mean())
    covered = 0
    for _ in range(300):
        table = generator.normal(centres[:, np.newaxis], 0.2, (20, runs))
        scores = {str(task): row for task, row in enumerate(table)}
        estimate = aggregate_scores(scores, "iqm", method=method, resamples=400)
        covered += estimate.low <= truth <= estimate.high
    assert least <= covered / 300 <= most


@pytest.mark.parametrize("kind", ["normal", "levels", "wins"])
def test_a_mixture_sequence_covers_at_all_looks_together(kind: str) -> None:
    generator = np.random.default_rng(11)
    shape = (2, 200, 2_000)
    scores = {
        "normal": generator.normal(size=shape),
        "levels": level_scores(generator, shape),
        "wins": np.where(generator.random(shape) < 0.8, 1.0, 0.0),
    }
    first, second = scores[kind]
    assert left(_Mixture(0.95, 0.5), first - second, 0.0) <= 0.05


@pytest.mark.parametrize(("state", "races"), [(_Bernstein(0.95), 2_000), (_Betting(0.95), 300)])
def test_bounded_sequences_cover_at_all_looks_together(state: _State, races: int) -> None:
    values = level_scores(np.random.default_rng(12), (200, races))
    assert left(state, values, TRUTH) <= 0.05


def left(state: _State, values: Array, truth: float) -> float:
    """Return the share of races whose interval ever misses the truth."""
    missed = np.zeros(values.shape[1], bool)
    for row in values:
        state.add(row)
        low, high = state.limits()
        missed |= (low > truth) | (high < truth)
    return float(missed.mean())


def test_intervals_of_ratings_cover_the_strengths() -> None:
    generator = np.random.default_rng(13)
    strengths = np.array([-0.8, -0.3, 0.0, 0.4, 0.7])
    pairs = [(i, j) for i in range(5) for j in range(i)] * 12
    chances = 1 / (1 + np.exp([strengths[j] - strengths[i] for i, j in pairs]))
    covered = []
    for _ in range(300):
        won = generator.random(len(pairs)) < chances
        ratings = bradley_terry(
            (str(i), str(j), float(win)) for (i, j), win in zip(pairs, won, strict=True)
        )
        found = [ratings.estimate(str(player)) for player in range(5)]
        covered += [e.low <= s <= e.high for e, s in zip(found, strengths, strict=True)]
    assert 0.93 <= np.mean(covered) <= 0.97
