from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.stats import ConfidenceSequence, StopWhenClear, confidence_sequence
from ludus.stats.bounded import Bounds
from ludus.stats.distributions import Array
from ludus.stats.sequential import SequenceMethod, _Betting, _Mixture, _State

METHODS: tuple[SequenceMethod, ...] = ("mixture", "betting", "bernstein")
UNIT = (0.0, 1.0)


def bounds_for(method: SequenceMethod) -> Bounds | None:
    return None if method == "mixture" else UNIT


def stops(state: _State, values: Array, null: float) -> Array:
    """Return after how many rows each column is separated from the null, or one too many."""
    found = np.full(values.shape[1], len(values) + 1)
    for turn, row in enumerate(values, start=1):
        state.add(row)
        low, high = state.limits()
        found = np.where((found > turn) & ((low > null) | (high < null)), turn, found)
    return found * 1.0


def test_the_mixture_is_the_bayes_factor_of_the_t_test() -> None:
    sample = np.random.default_rng(1).normal(0.8, 1.3, 25)
    estimate = confidence_sequence(sample, method="mixture", effect=0.7)[-1]
    for mean in (estimate.low, estimate.high):
        assert bayes_factor(sample - mean, 0.7) == pytest.approx(20, rel=1e-6)


def bayes_factor(sample: Array, effect: float) -> float:
    """Return the likelihood of t averaged over effects N(0, effect²), over that of none."""
    n = sample.size
    t = math.sqrt(n) * sample.mean() / sample.std(ddof=1)
    effects = np.linspace(-8 * effect, 8 * effect, 2001)
    weights = scipy.stats.norm.pdf(effects, 0, effect) * (effects[1] - effects[0])
    averaged = weights @ scipy.stats.nct.pdf(t, n - 1, effects * math.sqrt(n))
    return float(averaged / scipy.stats.t.pdf(t, n - 1))


def test_empirical_bernstein_is_that_of_the_paper() -> None:
    sample = np.random.default_rng(2).beta(2, 3, 300)
    # Waudby-Smith and Ramdas 2023, theorem 2 and equation (15), written out.
    stakes, price, weighted = 0.0, math.log(2 / 0.05), 0.0
    lows, highs = [0.0], [1.0]
    for turn, x in enumerate(sample, start=1):
        past = sample[: turn - 1]
        means = [(0.5 + sample[: k + 1].sum()) / (k + 2) for k in range(turn - 1)]
        variance = (0.25 + sum((past - means) ** 2)) / turn
        stake = min(math.sqrt(2 * math.log(40) / (variance * turn * math.log(turn + 1))), 0.5)
        surprise = 4 * (x - (0.5 + past.sum()) / turn) ** 2
        price += surprise * (-math.log(1 - stake) - stake) / 4
        stakes, weighted = stakes + stake, weighted + stake * x
        lows.append(weighted / stakes - price / stakes)
        highs.append(weighted / stakes + price / stakes)
    estimate = confidence_sequence(sample, method="bernstein", bounds=UNIT)[-1]
    assert estimate.low == pytest.approx(max(lows))
    assert estimate.high == pytest.approx(min(highs))


def is_out(mean: float, sample: Array) -> bool:
    """Return whether a gambler against the mean ever has 20 times the stake (ibid., theorem 3)."""
    up = down = 0.5
    total, squares = 0.5, 0.25
    for turn, x in enumerate(sample, start=1):
        variance = squares / turn
        stake = math.sqrt(2 * math.log(40) / (variance * turn * math.log(turn + 1)))
        up *= 1 + min(stake, 0.5 / mean) * (x - mean)
        down *= 1 - min(stake, 0.5 / (1 - mean)) * (x - mean)
        if max(up, down) >= 20:
            return True
        total += x
        squares += (x - total / (turn + 1)) ** 2
    return False


@pytest.mark.parametrize("size", [20, 300])
def test_betting_is_that_of_the_paper(size: int) -> None:
    sample = np.random.default_rng(2).beta(2, 3, size)
    estimate = confidence_sequence(sample, method="betting", bounds=UNIT)[-1]
    assert is_out(estimate.low, sample)
    assert not is_out(estimate.low + 0.001, sample)
    assert is_out(estimate.high, sample)
    assert not is_out(estimate.high - 0.001, sample)


def test_betting_is_tighter_than_bernstein() -> None:
    sample = np.random.default_rng(3).beta(2, 3, 200)
    betting, bernstein = (
        confidence_sequence(sample, method=method, bounds=UNIT)[-1]
        for method in ("betting", "bernstein")
    )
    assert betting.margin < bernstein.margin


@pytest.mark.parametrize("method", METHODS)
def test_intervals_close_in_on_the_mean(method: SequenceMethod) -> None:
    sample = np.random.default_rng(4).beta(2, 2, 600)
    found = confidence_sequence(sample, method=method, bounds=bounds_for(method))
    margins = [found[k].margin for k in (30, 150, 599)]
    assert margins == sorted(margins, reverse=True)
    assert margins[-1] < 0.06
    assert all(estimate.low <= estimate.value <= estimate.high for estimate in found)
    assert [estimate.n for estimate in found] == list(range(1, 601))
    assert found[-1].value == pytest.approx(sample.mean())
    assert found[-1].method == f"sequence-{method}"


@pytest.mark.parametrize("method", ["betting", "bernstein"])
def test_bounds_only_set_the_scale(method: SequenceMethod) -> None:
    sample = np.random.default_rng(5).random(50)
    unit = confidence_sequence(sample, method=method, bounds=UNIT)[-1]
    wide = confidence_sequence(10 * sample - 4, method=method, bounds=(-4, 6))[-1]
    assert wide[:3] == pytest.approx([10 * end - 4 for end in unit[:3]])


@pytest.mark.parametrize("method", METHODS)
def test_the_first_values_tell_little(method: SequenceMethod) -> None:
    sequence = ConfidenceSequence(method=method, bounds=bounds_for(method))
    assert sequence.estimate.n == 0
    assert math.isnan(sequence.estimate.value)
    estimate = sequence.add(0.9)
    assert estimate.low <= 0
    assert estimate.high >= 1


def test_the_method_is_betting_and_nothing_else_unless_it_is_named() -> None:
    assert ConfidenceSequence(bounds=UNIT).method == "betting"
    assert ConfidenceSequence(method="mixture", bounds=UNIT).method == "mixture"
    with pytest.raises(OptionError, match="without bounds no interval stays valid"):
        StopWhenClear(limit=5)


def test_equal_values_are_not_believed_at_once() -> None:
    found = confidence_sequence([1.0] * 12, method="mixture")
    assert found[4].low < 0
    assert found[11].low == 1


@pytest.mark.parametrize(
    ("effect", "pairs", "power"), [(0.3, 98, 0.90), (0.5, 40, 0.99), (1.0, 15, 0.999)]
)
def test_races_stop_as_early_as_they_should(effect: float, pairs: float, power: float) -> None:
    values = np.random.default_rng(6).normal(effect, 1, (200, 2_000))
    found = stops(_Mixture(0.95, 0.5), values, 0.0)
    assert np.minimum(found, 200).mean() == pytest.approx(pairs, rel=0.05)
    assert (found <= 200).mean() >= power - 0.02


def test_bounded_races_stop_early_too() -> None:
    generator = np.random.default_rng(7)
    values = (generator.beta(3, 2, (200, 200)) - generator.beta(2, 3, (200, 200)) + 1) / 2
    assert np.median(stops(_Betting(0.95), values, 0.5)) < 60


def test_a_race_is_stopped_when_it_is_clear() -> None:
    differences = np.random.default_rng(8).normal(0.5, 0.5, 200)
    race = StopWhenClear(limit=200, method="mixture")
    assert race.extend(differences.tolist())
    verdict = race.verdict
    assert (verdict.leader, verdict.reason) == ("first", "separated")
    assert verdict.difference.low > 0
    assert verdict.pairs < 60
    assert verdict.saved == 2 * (200 - verdict.pairs)
    with pytest.raises(OptionError, match=f"over after {verdict.pairs} pairs: separated"):
        race.add(0.5)


def test_the_second_can_be_the_better_one() -> None:
    race = StopWhenClear(limit=100, bounds=(-1, 1))
    assert race.extend([-0.6, -0.4] * 50)
    assert race.verdict.leader == "second"
    assert race.verdict.difference.high < 0


def test_a_race_without_an_end_runs_to_its_limit() -> None:
    race = StopWhenClear(limit=20, method="mixture")
    assert not race.extend([0.1, -0.1] * 9)
    assert race.verdict[:4] == (None, "running", 18, 4)
    assert race.extend([0.1, -0.1])
    assert race.verdict[:4] == (None, "limit", 20, 0)


def test_only_as_many_differences_are_taken_as_needed() -> None:
    source = iter([5.0, 5.1, 4.9] * 100)
    race = StopWhenClear(limit=300, method="mixture")
    race.extend(source)
    assert sum(1 for _ in source) == 300 - race.verdict.pairs


def test_a_race_is_the_same_however_it_is_fed() -> None:
    differences = np.random.default_rng(9).normal(0.3, 1, 80).tolist()
    one, other = (
        StopWhenClear(limit=80, method="mixture"),
        StopWhenClear(limit=80, method="mixture"),
    )
    one.extend(differences)
    for difference in differences:
        if other.add(difference):
            break
    assert one.verdict == other.verdict


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), st.sampled_from(METHODS))
@settings(max_examples=30, deadline=None)
def test_exchanging_the_agents_mirrors_the_race(
    differences: list[float], method: SequenceMethod
) -> None:
    one, other = (
        confidence_sequence(values, method=method, bounds=(-1, 1))[-1]
        for values in (differences, [-value for value in differences])
    )
    assert other[:3] == pytest.approx(one.mirrored()[:3], abs=1e-6)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1.5])
def test_values_out_of_bounds_are_refused(value: float) -> None:
    with pytest.raises(OptionError, match=rf"value {value} is not between the bounds 0.* and 1"):
        ConfidenceSequence(bounds=UNIT).add(value)
    if not math.isfinite(value):
        with pytest.raises(OptionError, match=f"value {value}"):
            StopWhenClear(limit=5, method="mixture").add(value)


def test_options_out_of_their_range_are_refused() -> None:
    with pytest.raises(OptionError, match="without bounds no interval"):
        ConfidenceSequence(method="betting")
    with pytest.raises(OptionError, match="bounds 1 and 0 enclose nothing"):
        ConfidenceSequence(bounds=(1, 0))
    with pytest.raises(OptionError, match="effect 0 is not above 0"):
        ConfidenceSequence(bounds=UNIT, effect=0)
    with pytest.raises(OptionError, match="no method 'wald'"):
        ConfidenceSequence(method="wald")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="confidence level 1"):
        StopWhenClear(limit=3, level=1, bounds=UNIT)
    with pytest.raises(OptionError, match="a limit of 0 pairs"):
        StopWhenClear(limit=0, method="mixture")
    with pytest.raises(OptionError, match="empty"):
        confidence_sequence([], bounds=UNIT)
