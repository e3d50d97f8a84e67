from __future__ import annotations

import math

import pytest

from ludus.errors import OptionError
from ludus.stats import paired_differences
from ludus.stats.pairing import paired_table

FIRST = {("cave", 1): 1.0, ("cave", 2): 3.0, ("sky", 1): 10.0, ("sky", 2): 20.0}
SECOND = {("sky", 2): 5.0, ("sky", 1): 5.0, ("cave", 2): 1.0, ("cave", 1): 1.0}


def test_episodes_of_a_level_are_averaged() -> None:
    table = paired_table({"a": FIRST, "b": SECOND})
    assert table.agents == ("a", "b")
    assert table.units == ("cave", "sky")
    assert table.scores.tolist() == [[2.0, 1.0], [15.0, 5.0]]


def test_episodes_can_be_taken_each_for_itself() -> None:
    assert paired_differences(FIRST, SECOND, "episode").tolist() == [0.0, 2.0, 5.0, 15.0]
    assert paired_differences(FIRST, SECOND).tolist() == [1.0, 10.0]


def test_a_level_counts_once_however_many_episodes_it_has() -> None:
    scores = {("cave", seed): 1.0 for seed in range(9)} | {("sky", 0): 3.0}
    assert paired_table({"a": scores}).scores.mean() == 2.0


def test_a_key_that_is_no_tuple_is_a_level_of_its_own() -> None:
    assert paired_table({"a": {3: 1.0, 1: 2.0}}).units == (1, 3)


def test_the_order_of_the_keys_does_not_matter() -> None:
    shuffled = dict(reversed(FIRST.items()))
    one, other = paired_table({"a": FIRST}), paired_table({"a": shuffled})
    assert one.units == other.units
    assert one.scores.tolist() == other.scores.tolist()


def test_seeds_of_a_single_level_are_refused_as_levels() -> None:
    scores = {("cave", seed): float(seed) for seed in range(5)}
    with pytest.raises(OptionError, match=r"all episodes are of level 'cave'; pass unit='episode'"):
        paired_differences(scores, scores)
    assert paired_differences(scores, scores, "episode").tolist() == [0.0] * 5


def test_different_keys_are_refused_with_the_first_that_differs() -> None:
    less = {key: score for key, score in SECOND.items() if key != ("sky", 1)}
    with pytest.raises(OptionError, match=r"'b' has no score for \('sky', 1\), 'a' has one"):
        paired_table({"a": FIRST, "b": less})
    with pytest.raises(OptionError, match=r"'a' has no score for \('sky', 1\), 'b' has one"):
        paired_table({"a": less, "b": FIRST})


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(OptionError, match="no agents"):
        paired_table({})
    with pytest.raises(OptionError, match="sample of 'a' is empty"):
        paired_table({"a": {}})
    with pytest.raises(OptionError, match="sample of 'a' holds nan"):
        paired_table({"a": {1: math.nan}})
    with pytest.raises(OptionError, match="no unit 'seed'; choose one of level, episode"):
        paired_table({"a": {1: 1.0}}, "seed")  # type: ignore[arg-type]
