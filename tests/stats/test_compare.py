from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
import scipy.stats  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.stats import compare_all, compare_two, compare_wins, mean_interval
from ludus.stats.compare import Race, _tie_groups

Scores = dict[str, dict[int, float]]

# Student's sleep data again, now as he had it: hours gained by ten patients from two drugs.
LAEVO = dict(enumerate([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]))
DEXTRO = dict(enumerate([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]))

LEVELS = 12
TABLES = st.lists(
    st.lists(st.integers(0, 20).map(float), min_size=LEVELS, max_size=LEVELS),
    min_size=2,
    max_size=4,
)


def named(rows: list[list[float]]) -> Scores:
    return {f"agent {number}": dict(enumerate(row)) for number, row in enumerate(rows)}


def ladder(agents: int, levels: int, step: float, noise: float = 1.0, seed: int = 0) -> Scores:
    """Return agents that are a step better each, on levels of different difficulty."""
    generator = np.random.default_rng(seed)
    difficulty = generator.normal(0, 3, levels)
    scores = difficulty + generator.normal(0, noise, (agents, levels))
    rises = step * np.arange(agents)[:, np.newaxis]
    return named((scores + rises).tolist())


def test_students_sleep_data() -> None:
    found = compare_two(LAEVO, DEXTRO, method="t")
    test = scipy.stats.ttest_rel(list(LAEVO.values()), list(DEXTRO.values()))
    interval = test.confidence_interval()
    assert found.difference.value == pytest.approx(1.58)
    assert found.difference[1:3] == pytest.approx((interval.low, interval.high))
    assert found.d == pytest.approx(test.statistic / math.sqrt(10))
    assert found.p == 2 / 2**9
    assert found.balance == 1
    assert found.separated


def test_the_default_interval_is_that_of_the_differences() -> None:
    differences = [LAEVO[key] - DEXTRO[key] for key in LAEVO]
    assert compare_two(LAEVO, DEXTRO).difference == mean_interval(differences)


def test_names_are_kept_and_must_be_two() -> None:
    found = compare_two(LAEVO, DEXTRO, names=("laevo", "dextro"))
    assert (found.first, found.second) == ("laevo", "dextro")
    with pytest.raises(OptionError, match="both agents are called 'x'"):
        compare_two(LAEVO, DEXTRO, names=("x", "x"))


def test_exchanging_the_two_mirrors_everything() -> None:
    forth = compare_two(LAEVO, DEXTRO)
    back = compare_two(DEXTRO, LAEVO, names=("second", "first")).mirrored()
    assert back.difference[:3] == pytest.approx(forth.difference[:3])
    assert (back.first, back.second, back.p) == (forth.first, forth.second, forth.p)
    assert (back.d, back.balance) == pytest.approx((forth.d, forth.balance))


@given(
    st.lists(st.integers(0, 100), min_size=LEVELS, max_size=LEVELS),
    st.lists(st.integers(0, 100), min_size=LEVELS, max_size=LEVELS),
    st.integers(-1000, 1000),
)
@settings(max_examples=25, deadline=None)
def test_what_both_gain_leaves_the_difference(one: list[int], two: list[int], gain: int) -> None:
    (first, second), (richer, rich) = (
        (dict(enumerate(a)), dict(enumerate(b)))
        for a, b in ((one, two), ([gain + x for x in one], [gain + x for x in two]))
    )
    before, after = compare_two(first, second), compare_two(richer, rich)
    assert after.difference == before.difference
    assert (after.p, after.d, after.balance) == (before.p, before.d, before.balance)


def test_wins_are_counted_in_four_squares() -> None:
    first = {level: level < 8 for level in range(12)}
    second = {level: level in (0, 1, 9) for level in range(12)}
    found = compare_wins(first, second)
    assert found[:4] == (2, 6, 1, 3)
    assert found.difference.value == pytest.approx(5 / 12)
    assert found.p == pytest.approx(scipy.stats.binomtest(6, 7).pvalue)


def test_what_is_neither_won_nor_lost_is_refused() -> None:
    with pytest.raises(OptionError, match=r"0.5 for 1 is neither won nor lost"):
        compare_wins({1: True}, {1: 0.5})  # type: ignore[dict-item]
    with pytest.raises(OptionError, match="'second' has no score for 2"):
        compare_wins({1: True, 2: False}, {1: True})


def test_a_race_lists_every_two_the_better_first() -> None:
    race = compare_all(ladder(4, 15, 5.0))
    assert race.agents == ("agent 3", "agent 2", "agent 1", "agent 0")
    assert [(pair.first, pair.second) for pair in race.pairs] == list(combinations(race.agents, 2))
    assert all(pair.difference.value > 0 for pair in race.pairs)
    assert [mean.value for mean in race.means] == sorted(
        (mean.value for mean in race.means), reverse=True
    )


def test_a_clear_order_gives_groups_of_one() -> None:
    race = compare_all(ladder(5, 20, 10.0))
    assert race.groups == tuple((agent,) for agent in race.agents)
    assert list(race.letters.values()) == ["a", "b", "c", "d", "e"]
    assert race.stays_first == 1


def test_equal_agents_are_one_group() -> None:
    row = [float(level % 5) for level in range(20)]
    race = compare_all(named([row, row, row]))
    assert race.groups == (("agent 0", "agent 1", "agent 2"),)
    assert set(race.letters.values()) == {"a"}
    assert list(race.leading.values()) == pytest.approx([1 / 3] * 3)
    assert all(pair.p == 1 and pair.d == 0 and pair.balance == 0 for pair in race.pairs)


def test_neighbours_share_letters_where_the_ends_are_apart() -> None:
    race = compare_all(ladder(5, 30, 0.45, seed=3))
    assert not race.pair("agent 0", "agent 1").separated
    assert race.pair("agent 0", "agent 4").separated
    assert len(race.groups) > 1
    for one, other in combinations(race.agents, 2):
        together = any(one in group and other in group for group in race.groups)
        assert together is not race.pair(one, other).separated
        shared = set(race.letters[one]) & set(race.letters[other])
        assert bool(shared) is together


def test_pairing_finds_what_the_levels_would_hide() -> None:
    scores = ladder(2, 20, 1.2)
    unpaired = scipy.stats.ttest_ind(*(list(own.values()) for own in scores.values()))
    assert unpaired.pvalue > 0.1
    assert compare_all(scores).pairs[0].separated


def test_five_levels_never_separate() -> None:
    race = compare_all(ladder(2, 5, 100.0))
    assert race.pairs[0].p == 2 / 2**5
    assert len(race.groups) == 1


def test_adjusting_for_all_pairs_can_only_join() -> None:
    scores = ladder(6, 14, 0.7, seed=5)
    alone, holm = (compare_all(scores, adjustment=how) for how in ("none", "holm"))
    share = compare_all(scores, adjustment="benjamini-hochberg")
    for plain, fair, strict in zip(alone.pairs, share.pairs, holm.pairs, strict=True):
        assert plain.p == plain.adjusted <= fair.adjusted <= strict.adjusted + 1e-12
    assert sum(p.separated for p in holm.pairs) < sum(p.separated for p in alone.pairs)


def test_many_clear_pairs_stay_clear_after_adjustment() -> None:
    race = compare_all(ladder(30, 60, 10.0), method="t", resamples=200)
    assert len(race.groups) == 30
    assert len(set(race.letters.values())) == 30
    assert race.letters[race.agents[26]] == "a1"


def test_the_chance_to_lead_is_that_of_drawing_the_levels_anew() -> None:
    first, second = [1.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.4, 0.4, 0.0, 0.4]
    race = compare_all(named([first, second]))
    # Ahead with two or more of the first's two levels in five draws: X ~ Binomial(5, 2/5).
    ahead = scipy.stats.binom.sf(1, 5, 0.4)
    assert race.leading["agent 0"] == pytest.approx(ahead, abs=0.015)
    assert sum(race.leading.values()) == pytest.approx(1)
    assert race.stays_first == race.leading[race.agents[0]]


def test_levels_count_once_whatever_their_seeds() -> None:
    scores = {
        agent: {(level, seed): bonus + level + seed for level in range(8) for seed in range(5)}
        for agent, bonus in (("better", 0.5), ("worse", 0.0))
    }
    assert compare_all(scores).pairs[0].difference.n == 8
    assert compare_all(scores, unit="episode").pairs[0].difference.n == 40


def test_a_pair_can_be_seen_from_both_sides() -> None:
    race = compare_all(ladder(3, 10, 1.0))
    one, other = race.pair("agent 0", "agent 2"), race.pair("agent 2", "agent 0")
    assert one.difference == other.difference.mirrored()
    assert one.mirrored() == other
    with pytest.raises(OptionError, match="no pair 'agent 0' and 'ghost'; choose two of agent"):
        race.pair("agent 0", "ghost")


def test_means_that_differ_by_a_rounding_error_are_equal_and_go_by_name() -> None:
    race = compare_all({"b": {"cave": 0.1 + 0.2, "sky": 0.0}, "a": {"cave": 0.3, "sky": 0.0}})
    assert race.means[0].value < race.means[1].value
    assert race.agents == ("a", "b")


def test_one_agent_is_a_race_of_its_own() -> None:
    race = compare_all({"only": {1: 0.5, 2: 0.7}})
    assert (race.pairs, race.groups, race.leading) == ((), (("only",),), {"only": 1.0})


@given(TABLES, st.data())
@settings(max_examples=20, deadline=None)
def test_neither_the_order_of_agents_nor_of_episodes_matters(
    rows: list[list[float]], data: st.DataObject
) -> None:
    scores = named(rows)
    agents = data.draw(st.permutations(list(scores)))
    keys = data.draw(st.permutations(range(LEVELS)))
    shuffled = {agent: {key: scores[agent][key] for key in keys} for agent in agents}
    one, other = (compare_all(table, resamples=200) for table in (scores, shuffled))
    assert one == other


@given(TABLES)
@settings(max_examples=20, deadline=None)
def test_groups_hold_everyone_and_none_is_part_of_another(rows: list[list[float]]) -> None:
    race = compare_all(named(rows), method="t", resamples=200)
    assert {agent for group in race.groups for agent in group} == set(race.agents)
    for one, other in combinations(race.groups, 2):
        assert not set(one) <= set(other)
        assert not set(other) <= set(one)
    assert_best_first(race)


def assert_best_first(race: Race) -> None:
    for group in race.groups:
        assert list(group) == sorted(group, key=race.agents.index)


@given(st.integers(1, 7), st.data())
def test_groups_are_the_largest_sets_of_which_no_two_are_apart(
    count: int, data: st.DataObject
) -> None:
    agents = tuple("abcdefg"[:count])
    pairs = [frozenset(pair) for pair in combinations(agents, 2)]
    apart = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    close = [
        set(group)
        for size in range(1, count + 1)
        for group in combinations(agents, size)
        if not any(frozenset(pair) in apart for pair in combinations(group, 2))
    ]
    largest = {frozenset(group) for group in close if not any(group < other for other in close)}
    found = _tie_groups(agents, apart)
    assert {frozenset(group) for group in found} == largest
    assert len(found) == len(largest)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({}, "no agents"),
        ({"a": {}}, "sample of 'a' is empty"),
        ({"a": {1: 0.5, 2: math.nan}}, "sample of 'a' holds nan"),
        ({"a": {1: 0.5}, "b": {2: 0.5}}, "'b' has no score for 1, 'a' has one"),
    ],
)
def test_scores_that_cannot_be_compared_are_refused(scores: Scores, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        compare_all(scores)


def test_options_out_of_their_range_are_refused() -> None:
    scores = ladder(2, 6, 1.0)
    with pytest.raises(OptionError, match="no adjustment 'sidak'; choose one of holm"):
        compare_all(scores, adjustment="sidak")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"confidence level 1\.5"):
        compare_all(scores, 1.5)


@pytest.mark.parametrize(("level", "apart"), [(0.75, True), (0.7500001, False)])
def test_a_p_value_on_the_very_level_separates(level: float, apart: bool) -> None:
    found = compare_two({0: 1.0, 1: 2.0, 2: 3.0}, dict.fromkeys(range(3), 0.0), level)
    assert found.adjusted == found.p == 0.25
    assert found.separated is apart
