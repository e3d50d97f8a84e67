from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
import scipy.special  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from ludus.errors import OptionError
from ludus.stats import Belief, informative_pair, rate_online


def test_beliefs_are_those_of_openskill() -> None:
    model = PlackettLuce()
    generator = np.random.default_rng(0)
    ours: dict[str, Belief] = {}
    theirs = {player: model.rating(name=player) for player in "abcdefg"}
    for _ in range(150):
        players = generator.permutation(list("abcdefg"))[: generator.integers(2, 8)].tolist()
        ranks = sorted(generator.integers(0, len(players), len(players)).tolist())
        tiers = [
            [player for player, own in zip(players, ranks, strict=True) if own == rank]
            for rank in sorted(set(ranks))
        ]
        ours = rate_online(ours, tiers)
        teams = model.rate([[theirs[player]] for player in players], ranks=[*map(float, ranks)])
        theirs |= {player: team[0] for player, team in zip(players, teams, strict=True)}
    assert set(ours) == set(theirs)
    for player, rating in theirs.items():
        assert ours[player].mean == pytest.approx(rating.mu, abs=1e-9)
        assert ours[player].deviation == pytest.approx(rating.sigma, abs=1e-9)
        assert ours[player].cautious == pytest.approx(rating.ordinal(), abs=1e-9)


def test_a_win_lifts_and_narrows() -> None:
    after = rate_online({}, ["a", "b"])
    assert after["a"].mean > 25 > after["b"].mean
    assert after["a"].deviation == after["b"].deviation < 25 / 3


def test_only_the_players_of_the_game_are_revised() -> None:
    before = {"a": Belief(), "b": Belief(), "c": Belief(30, 2)}
    after = rate_online(before, ["b", "a"])
    assert after["c"] == before["c"]
    assert before["a"] == Belief()
    assert after["b"].mean > after["a"].mean


def test_equals_that_tie_stay_equal() -> None:
    after = rate_online({}, [["a", "b", "c"]])
    assert after["a"] == after["b"] == after["c"]
    assert after["a"].mean == pytest.approx(25)


@given(st.lists(st.permutations("abc"), max_size=10), st.permutations("xyz"))
def test_names_do_not_matter(rankings: list[list[str]], names: list[str]) -> None:
    renamed = dict(zip("abc", names, strict=True))
    one: dict[str, Belief] = {}
    other: dict[str, Belief] = {}
    for ranking in rankings:
        one = rate_online(one, ranking)
        other = rate_online(other, [renamed[player] for player in ranking])
    assert {renamed[player]: belief for player, belief in one.items()} == other


def test_the_most_telling_game_is_open_and_vague() -> None:
    beliefs = {"a": Belief(25, 1), "b": Belief(25, 1), "c": Belief(25, 4), "d": Belief(60, 4)}
    assert informative_pair(beliefs) == ("a", "c")
    assert informative_pair(beliefs, {("c", "a"): 3}) == ("b", "c")
    assert informative_pair(dict(reversed(beliefs.items()))) == ("a", "c")


@given(
    st.lists(st.tuples(st.floats(20, 30), st.floats(0.5, 9)), min_size=5, max_size=5),
    st.lists(st.integers(0, 2), min_size=10, max_size=10),
)
def test_the_most_telling_game_is_the_one_of_the_formula(
    beliefs: list[tuple[float, float]], counts: list[int]
) -> None:
    players = {name: Belief(*own) for name, own in zip("abcde", beliefs, strict=True)}
    pairs = list(combinations("abcde", 2))
    games = dict(zip(pairs, counts, strict=True))

    def worth(pair: tuple[str, str]) -> float:
        one, two = players[pair[0]], players[pair[1]]
        doubt = math.hypot(one.deviation, two.deviation)
        played = math.hypot(doubt, 25 / 6, 25 / 6)  # each plays β beside its strength
        wins = float(scipy.special.ndtr((one.mean - two.mean) / played))
        return wins * (1 - wins) * doubt**2 / (1 + games[pair])

    chosen = informative_pair(players, games)
    assert worth(chosen) == pytest.approx(max(map(worth, pairs)))


def test_one_game_leaves_a_hundredth_of_the_doubt_at_least() -> None:
    others = dict.fromkeys("abcdefg", Belief(25, 0.001))
    after = rate_online({**others, "newcomer": Belief(25, 1e6)}, [*others, "newcomer"])
    assert after["newcomer"].deviation == pytest.approx(1e4)


def test_telling_games_find_the_order_sooner_than_any() -> None:
    strengths = {player: 4.0 * number for number, player in enumerate("abcdefgh")}
    assert errors_left(strengths, chosen=True) < errors_left(strengths, chosen=False)


def errors_left(strengths: dict[str, float], *, chosen: bool) -> float:
    """Return the mean number of pairs in the wrong order after 24 games, in 40 tournaments."""
    wrong = 0
    for seed in range(40):
        generator = np.random.default_rng(seed)
        beliefs = dict.fromkeys(strengths, Belief())
        games: dict[tuple[str, str], int] = {}
        for _ in range(24):
            drawn = generator.permutation(list(strengths))[:2].tolist()
            pair = informative_pair(beliefs, games) if chosen else (drawn[0], drawn[1])
            games[pair] = games.get(pair, 0) + 1
            shown = {player: generator.normal(strengths[player], 25 / 6) for player in pair}
            beliefs = rate_online(beliefs, sorted(pair, key=lambda player: -shown[player]))
        means = [beliefs[player].mean for player in sorted(strengths)]
        wrong += sum(means[i] >= means[j] for j in range(len(means)) for i in range(j))
    return wrong / 40


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(OptionError, match=r"\['a'\] is no ranking"):
        rate_online({}, ["a"])
    with pytest.raises(OptionError, match=r"\['a', 'b', 'a'\] is no ranking"):
        rate_online({}, ["a", ["b", "a"]])
    with pytest.raises(OptionError, match="1 players make no pair"):
        informative_pair({"a": Belief()})
