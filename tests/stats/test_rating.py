from __future__ import annotations

import math
import string
from itertools import combinations, pairwise, permutations, product

import choix
import numpy as np
import pytest
import scipy.optimize  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.stats import RatedGame, Ratings, bradley_terry, davidson, plackett_luce
from ludus.stats.distributions import Array

Games = list[tuple[str, str, float]]

# Games of the eastern division of the American League in 1987 (Agresti, Categorical Data
# Analysis, 1990): won and lost by the home team of the row against the team of the column.
TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
BASEBALL = """
    -   4-3 4-2 4-3 6-1 4-2 6-0
    3-3 -   4-2 4-3 6-0 6-1 4-3
    2-5 4-3 -   2-4 4-3 4-2 6-0
    3-3 5-1 2-5 -   4-3 4-2 6-1
    5-1 2-5 3-3 4-2 -   5-2 6-0
    2-5 3-3 3-4 4-3 4-2 -   2-4
    2-5 1-5 1-6 2-4 1-6 3-4 -
"""
# Coefficients and standard errors against Baltimore, as R's BradleyTerry2 prints them.
COEFFICIENTS = {
    "Boston": (1.1077, 0.3339),
    "Cleveland": (0.6839, 0.3319),
    "Detroit": (1.4364, 0.3396),
    "Milwaukee": (1.5814, 0.3433),
    "New York": (1.2476, 0.3359),
    "Toronto": (1.2945, 0.3367),
}


def baseball() -> Games:
    games: Games = []
    cells = BASEBALL.split()
    for (home, away), cell in zip(product(TEAMS, TEAMS), cells, strict=True):
        if cell != "-":
            won, lost = map(int, cell.split("-"))
            games += [(home, away, 1.0)] * won + [(home, away, 0.0)] * lost
    return games


def tournament() -> Games:
    """Return 90 games of six players, won, lost and tied, that look arbitrary and are not."""
    games: Games = []
    for number in range(90):
        first = number % 6
        second = (first + 1 + number // 6 % 5) % 6
        score = (1.0, 0.0, 0.5, 1.0)[(number * number // 7 + first) % 4]
        games.append(("abcdef"[first], "abcdef"[second], score))
    return games


def by_name(ratings: Ratings) -> dict[str, float]:
    return dict(zip(ratings.players, ratings.strengths.tolist(), strict=True))


def test_the_american_league_of_1987() -> None:
    ratings = bradley_terry(baseball())
    for team, (coefficient, error) in COEFFICIENTS.items():
        estimate = ratings.difference(team, "Baltimore")
        assert estimate.value == pytest.approx(coefficient, abs=5e-5)
        assert estimate.margin / 1.959964 == pytest.approx(error, abs=5e-5)
    assert ratings.players[0] == "Milwaukee"
    assert ratings.players[-1] == "Baltimore"
    assert ratings.games == (78,) * 7


def test_bradley_and_terry_is_that_of_evalica() -> None:
    # evalica 0.4.2: bradley_terry of tournament(), tolerance 1e-15; logarithms, centred.
    expected = {
        "c": 0.2820792312558196,
        "e": 0.16855073246402674,
        "b": 0.0,
        "d": 0.0,
        "f": -0.16855073246402688,
        "a": -0.2820792312558196,
    }
    assert by_name(bradley_terry(tournament())) == pytest.approx(expected, abs=1e-9)


def test_bradley_and_terry_is_that_of_choix() -> None:
    games = baseball()
    place = {team: number for number, team in enumerate(TEAMS)}
    wins = [
        (place[home], place[away]) if score else (place[away], place[home])
        for home, away, score in games
    ]
    strengths = choix.ilsr_pairwise(len(TEAMS), wins)
    found = by_name(bradley_terry(games))
    for team, strength in zip(TEAMS, strengths - strengths.mean(), strict=True):
        assert found[team] == pytest.approx(strength, abs=1e-6)


def davidson_loss(parameters: Array, games: Games, names: list[str]) -> float:
    """Return Davidson's likelihood as he wrote it, negative and in logarithms."""
    worth = dict(zip(names, np.exp(parameters[:-1]), strict=True))
    tie = math.exp(parameters[-1])
    total = 0.0
    for first, second, score in games:
        one, two = worth[first], worth[second]
        both = tie * math.sqrt(one * two)
        total -= math.log({1.0: one, 0.0: two, 0.5: both}[score] / (one + two + both))
    return total + float(parameters[:-1].mean()) ** 2


def test_davidson_maximises_his_likelihood() -> None:
    games, names = tournament(), list("abcdef")
    best = scipy.optimize.minimize(davidson_loss, np.zeros(7), args=(games, names), tol=1e-12)
    ratings = davidson(games)
    expected = dict(zip(names, best.x[:-1], strict=True))
    assert by_name(ratings) == pytest.approx(expected, abs=1e-4)
    assert ratings.tie == pytest.approx(math.exp(best.x[-1]), rel=1e-4)


def test_davidsons_covariance_is_the_inverse_of_the_curvature() -> None:
    games, names = tournament(), list("abcdef")
    ratings = davidson(games)
    found = by_name(ratings)
    centre = np.array([*(found[name] for name in names), math.log(ratings.tie)])
    step, size = 1e-3, len(centre)
    curvature = np.zeros((size, size))
    for i, j in product(range(size), repeat=2):
        for a, b in product((-1, 1), repeat=2):
            moved = centre.copy()
            moved[i] += a * step
            moved[j] += b * step
            curvature[i, j] += a * b * davidson_loss(moved, games, names) / (4 * step**2)
    covariance = np.linalg.inv(curvature)
    for one, other in combinations(range(6), 2):
        expected = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        margin = ratings.difference(names[one], names[other]).margin / 1.959964
        assert margin**2 == pytest.approx(expected, rel=1e-3)


def test_without_ties_davidson_is_bradley_and_terry() -> None:
    games = baseball()
    plain, with_ties = bradley_terry(games), davidson(games)
    assert with_ties.tie == 0
    assert by_name(with_ties) == by_name(plain)


def test_davidson_finds_the_truth_in_many_games() -> None:
    generator = np.random.default_rng(0)
    strengths = np.linspace(-1, 1, 8)
    first, second = generator.integers(0, 8, (2, 40_000))
    kept = first != second
    first, second = first[kept], second[kept]
    odds = np.exp([strengths[first], strengths[second], np.zeros(first.size)])
    odds[2] = 0.7 * np.sqrt(odds[0] * odds[1])
    drawn = generator.random(first.size) * odds.sum(axis=0)
    scores = np.where(drawn < odds[0], 1.0, np.where(drawn < odds[0] + odds[1], 0.0, 0.5))
    ratings = davidson(zip(map(str, first), map(str, second), scores.tolist(), strict=True))
    assert ratings.players == tuple("76543210")
    assert ratings.strengths == pytest.approx(strengths[::-1], abs=0.05)
    assert ratings.tie == pytest.approx(0.7, abs=0.03)


def test_robust_intervals_agree_where_the_model_holds() -> None:
    games = baseball()
    plain, robust = bradley_terry(games), bradley_terry(games, robust=True)
    assert by_name(plain) == by_name(robust)
    for team in TEAMS:
        assert robust.estimate(team).margin == pytest.approx(plain.estimate(team).margin, rel=0.1)


def test_robust_intervals_know_that_ties_vary_less() -> None:
    games = [("a", "b", 0.5)] * 80 + [("a", "b", 1.0)] * 10 + [("b", "a", 1.0)] * 10
    plain, robust = bradley_terry(games), bradley_terry(games, robust=True)
    # Twenty decided games of a hundred: the variance of the mean score is a fifth.
    ratio = robust.estimate("a").margin / plain.estimate("a").margin
    assert ratio == pytest.approx(math.sqrt(0.2))


def davidson_logs(games: Games, parameters: Array) -> Array:
    """Return each game's log-likelihood; parameters are strengths above the last, and log ν."""
    strengths = dict(zip("abcdef", [*parameters[:-1], 0.0], strict=True))
    rows = []
    for first, second, score in games:
        gap = strengths[first] - strengths[second]
        logits = {1.0: gap / 2, 0.0: -gap / 2, 0.5: parameters[-1]}
        rows.append(logits[score] - np.logaddexp.reduce(list(logits.values())))
    return np.array(rows)


def test_robust_intervals_with_ties_are_those_of_the_sandwich() -> None:
    games = tournament()
    ratings = davidson(games, robust=True)
    best = by_name(ratings)
    at = np.array([*(best[player] - best["f"] for player in "abcde"), math.log(ratings.tie)])
    steps = 1e-4 * np.eye(6)

    def slopes(point: Array) -> Array:
        ends = ((davidson_logs(games, point + h), davidson_logs(games, point - h)) for h in steps)
        return np.stack([(up - down) / 2e-4 for up, down in ends])

    bends = [slopes(at + h).sum(axis=1) - slopes(at - h).sum(axis=1) for h in steps]
    bread = np.linalg.inv(-np.array(bends) / 2e-4)
    covariance = bread @ slopes(at) @ slopes(at).T @ bread
    for number, player in enumerate("abcde"):
        margin = 1.959964 * math.sqrt(covariance[number, number])
        assert ratings.difference(player, "f").margin == pytest.approx(margin, rel=1e-4)


def rankings() -> list[tuple[str, ...]]:
    generator = np.random.default_rng(1)
    found = []
    for _ in range(200):
        seats = generator.permutation(7)[: generator.integers(2, 8)]
        order = np.argsort(-(0.3 * seats + generator.gumbel(size=seats.size)))
        found.append(tuple(string.ascii_lowercase[seat] for seat in seats[order]))
    return found


def test_plackett_and_luce_is_that_of_choix() -> None:
    data = rankings()
    places = [tuple(ord(player) - ord("a") for player in ranking) for ranking in data]
    expected = choix.opt_rankings(7, places, tol=1e-12)
    found = by_name(plackett_luce(data))
    for number, strength in enumerate(expected - expected.mean()):
        assert found["abcdefg"[number]] == pytest.approx(strength, abs=1e-5)


def test_rankings_of_two_are_games_of_two() -> None:
    games = [(first, second) if score else (second, first) for first, second, score in baseball()]
    one, other = plackett_luce(games), bradley_terry(baseball())
    assert by_name(one) == pytest.approx(by_name(other))
    assert one.covariance == pytest.approx(other.covariance)
    assert one.games == other.games


def test_rankings_tell_more_than_their_winners() -> None:
    full = rankings()
    long = [ranking for ranking in full if len(ranking) == 7] * 3
    margin = plackett_luce(long).estimate("a").margin
    pairs = [ranking[:2] for ranking in long] + [ranking[-2:] for ranking in long]
    assert margin < plackett_luce(pairs).estimate("a").margin


def test_ratings_say_who_would_win() -> None:
    ratings = bradley_terry([("a", "b", 1)] * 3 + [("b", "a", 1)])
    assert ratings.win_probability("a", "b") == pytest.approx(0.75)
    assert ratings.win_probability("b", "a") == pytest.approx(0.25)
    assert ratings.difference("a", "b").value == pytest.approx(math.log(3))
    assert ratings.elo("a").value - ratings.elo("b").value == pytest.approx(400 * math.log10(3))
    assert (ratings.elo("a", 0).value + ratings.elo("b", 0).value) == pytest.approx(0)
    tied = davidson([("a", "b", 1), ("b", "a", 1), ("a", "b", 0.5), ("a", "b", 0.5)])
    assert tied.win_probability("a", "b") == pytest.approx(0.25)
    assert tied.elo("a").value == pytest.approx(1500)


def test_two_players_win_as_often_as_they_did() -> None:
    games: Games = [("a", "b", 1.0)] * 3 + [("a", "b", 0.5)] * 2 + [("a", "b", 0.0)]
    ratings = davidson(games)
    assert ratings.win_probability("a", "b") == pytest.approx(3 / 6)
    assert ratings.win_probability("b", "a") == pytest.approx(1 / 6)
    ranked = plackett_luce([("a", "b")] * 3 + [("b", "a")])
    assert ranked.win_probability("a", "b") == pytest.approx(3 / 4)
    assert ranked.tie == 0


def test_estimates_carry_level_method_and_games() -> None:
    ratings = bradley_terry(
        [RatedGame("a", "b", 1), RatedGame("b", "a", 1), RatedGame("a", "b", 1)], 0.9
    )
    assert ratings.estimate("a")[3:6] == (0.9, "wald", 3)
    assert ratings.difference("a", "a")[:3] == (0, 0, 0)


@given(st.permutations(tournament()), st.lists(st.booleans(), min_size=90, max_size=90))
@settings(max_examples=15, deadline=None)
def test_neither_the_order_of_games_nor_of_seats_matters(games: Games, turned: list[bool]) -> None:
    seated = [
        (second, first, 1 - score) if turn else (first, second, score)
        for (first, second, score), turn in zip(games, turned, strict=True)
    ]
    for model in (bradley_terry, davidson):
        one, other = model(tournament()), model(seated)
        assert one.players == other.players
        assert one.strengths == pytest.approx(other.strengths, abs=1e-12)
        assert one.covariance == pytest.approx(other.covariance, abs=1e-12)


def test_a_long_chain_of_lopsided_games_has_its_ratings() -> None:
    names = [f"{number:02}" for number in range(40)]
    games = []
    for weak, strong in pairwise(names):
        games += [(strong, weak, 1.0)] * 99 + [(weak, strong, 1.0)]
    ratings = bradley_terry(games)
    assert ratings.difference("39", "00").value == pytest.approx(39 * math.log(99), rel=1e-6)


@pytest.mark.parametrize("model", [bradley_terry, davidson])
def test_players_that_never_met_are_refused(model: object) -> None:
    games = [("a", "b", 1), ("b", "a", 1), ("c", "d", 1), ("d", "c", 1)]
    assert callable(model)
    with pytest.raises(OptionError, match="no games link 'a', 'b' with 'c', 'd'"):
        model(games)


def test_players_that_never_lost_are_refused() -> None:
    games = [("a", "b", 1), ("b", "a", 1), ("a", "c", 1), ("d", "a", 1), ("b", "d", 0)]
    with pytest.raises(OptionError, match="'d' never lost to 'a', 'b', 'c': no finite ratings"):
        bradley_terry(games)
    with pytest.raises(OptionError, match="'a', 'b' never lost to 'c'"):
        bradley_terry(games[:3])
    with pytest.raises(OptionError, match="'a' never lost to 'b', 'c'"):
        plackett_luce([("a", "b", "c"), ("a", "c", "b")])
    many = [("champion", f"{number}", 1) for number in range(9)]
    with pytest.raises(OptionError, match="'champion' never lost to '0', '1', '2', '3' and 5 more"):
        bradley_terry(many)


def test_a_tie_is_enough_to_link_where_it_counts_half() -> None:
    assert bradley_terry([("a", "b", 1), ("a", "b", 0.5)]).players == ("a", "b")
    with pytest.raises(OptionError, match="the results do not fix the strengths"):
        davidson([("a", "b", 1), ("a", "b", 0.5)])
    with pytest.raises(OptionError, match="all games were ties"):
        davidson([("a", "b", 0.5)])


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(OptionError, match="no games"):
        bradley_terry([])
    with pytest.raises(OptionError, match="no games"):
        plackett_luce([])
    with pytest.raises(OptionError, match=r"score 0\.3 of 'a' against 'b' is not 0, 0\.5 or 1"):
        bradley_terry([("a", "b", 0.3)])
    with pytest.raises(OptionError, match="score nan of 'a'"):
        davidson([("a", "b", math.nan)])
    with pytest.raises(OptionError, match="'a' cannot play against itself"):
        bradley_terry([("a", "a", 1)])
    with pytest.raises(OptionError, match=r"\['a'\] does not rank two"):
        plackett_luce([("a",)])
    with pytest.raises(OptionError, match=r"\['a', 'b', 'a'\] does not rank"):
        plackett_luce([("a", "b", "a")])
    with pytest.raises(OptionError, match="confidence level 0"):
        bradley_terry(baseball(), 0)
    with pytest.raises(OptionError, match="no player 'x'; choose one of a, b"):
        bradley_terry([("a", "b", 1), ("b", "a", 1)]).estimate("x")


@pytest.mark.parametrize("count", range(2, 8))
@pytest.mark.parametrize("wins", [2, 3])
def test_players_who_did_equally_well_are_listed_by_name(count: int, wins: int) -> None:
    equals = string.ascii_lowercase[:count]
    games: Games = [(*pair, score) for pair in combinations(equals, 2) for score in (1.0, 0.0)]
    for player in equals:
        games += [("winner", player, 1.0)] * wins + [(player, "winner", 1.0)]
    assert bradley_terry(games).players == ("winner", *equals)


# ---- ties in rankings


def test_a_tie_of_two_is_half_a_win_for_both() -> None:
    games = [("a", "b", 1.0), ("a", "b", 0.5), ("b", "a", 1.0), ("a", "b", 1.0)]
    ranked = plackett_luce([["a", "b"], [["b", "a"]], ["b", "a"], ["a", "b"]])
    paired = bradley_terry(games)
    assert ranked.estimate("a").value == pytest.approx(paired.estimate("a").value)


def test_a_tie_is_the_mean_of_all_orders() -> None:
    decided = [("d", "a", "b", "c"), ("c", "b", "d", "a"), ("a", "c", "d", "b")]
    tied = plackett_luce([*decided * 6, *[["d", ["a", "b", "c"]]] * 6])
    orders = [("d", *order) for order in permutations("abc")]
    spelt = plackett_luce([*decided * 6, *orders])
    for player in "abcd":
        assert tied.estimate(player)[:3] == pytest.approx(spelt.estimate(player)[:3])


def test_too_many_equals_are_refused() -> None:
    with pytest.raises(OptionError, match="more than 12 players tied"):
        plackett_luce([[[f"p{n}" for n in range(13)]]])
