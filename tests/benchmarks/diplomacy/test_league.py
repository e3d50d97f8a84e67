from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.benchmarks.diplomacy.league import SeatResult, judge_powers, rank_game, rate_league
from ludus.benchmarks.diplomacy.scoring import POWERS, Outcome
from ludus.errors import OptionError


def seats(**scores: float) -> list[SeatResult]:
    return [SeatResult(name, score, int(score)) for name, score in scores.items()]


def test_players_are_ranked_by_score_and_then_by_centres() -> None:
    table = [SeatResult("a", 30, 5), SeatResult("b", 31, 6), SeatResult("c", 30, 9)]
    assert rank_game(table) == [["b"], ["c"], ["a"]]


def test_a_player_with_several_seats_has_their_mean() -> None:
    table = [
        SeatResult("a", 10, 0),
        SeatResult("b", 30, 5),
        SeatResult("a", 40, 15),
        SeatResult("c", 20, 0),
    ]
    assert rank_game(table) == [["b"], ["a"], ["c"]]


@given(st.permutations(range(6)))
def test_equals_share_a_place_whatever_the_order_of_seats(order: list[int]) -> None:
    table = [SeatResult(f"p{n}", 7 + n // 4, 0) for n in range(6)]
    assert rank_game([table[n] for n in order]) == [["p4", "p5"], ["p0", "p1", "p2", "p3"]]


def rate_three(a: str, b: str, c: str) -> list[float]:
    """Return the ratings of three players, the first two of whom are always equal."""
    results = [{a: 9, b: 9, c: 1}, {a: 5, b: 5, c: 5}, {c: 7, a: 2, b: 2}, {a: 3, b: 3, c: 1}]
    games = {f"{a}/{n}": seats(**scores) for n, scores in enumerate(results)}
    rated = {one.player: one.rating for one in rate_league(games)}
    return [rated[a], rated[b], rated[c]]


@given(st.permutations("abc"))
def test_ratings_depend_on_results_and_not_on_names_or_folders(names: list[str]) -> None:
    first, second, third = rate_three(*names)
    assert [first, second, third] == pytest.approx(rate_three("x", "y", "z"))
    assert first == pytest.approx(second)
    assert first > third


def test_ratings_follow_who_is_better() -> None:
    games = {f"{n}": seats(a=30 + n % 3, b=31 - n % 2, c=10 + 20 * (n % 5 == 0)) for n in range(30)}
    rated = rate_league(games)
    assert [one.player for one in rated] == ["a", "b", "c"]
    assert {one.method for one in rated} == {"plackett-luce"}
    assert sum(one.rating for one in rated) / 3 == pytest.approx(1500)
    assert all(one.low < one.rating < one.high and one.games == 30 for one in rated)


def test_who_never_lost_is_rated_all_the_same() -> None:
    rated = rate_league({f"{n}": seats(a=40, b=30, c=20) for n in range(5)})
    assert [one.player for one in rated] == ["a", "b", "c"]
    assert {one.method for one in rated} == {"plackett-luce with one draw added"}
    assert rated[0].score == 40


def test_a_league_takes_two() -> None:
    with pytest.raises(OptionError, match="two different players"):
        rate_league({"g": [SeatResult("a", 30, 5), SeatResult("a", 31, 6)]})


def test_every_seat_of_a_run_has_its_worth() -> None:
    facts: dict[str, int | None] = {f"centres_{power}": 2 for power in POWERS}
    facts |= {"max_year": 1910, "centres_ITALY": 18, "centres_TURKEY": 0, "emptied_TURKEY": 1905}
    found = judge_powers({**facts, "first_18_record": 1908}, "document")
    assert (found["ITALY"].outcome, found["ITALY"].score) == (Outcome.SOLO, 10 + 2 + 18)
    assert (found["TURKEY"].outcome, found["TURKEY"].score) == (Outcome.ELIMINATED, 5)
    assert (found["FRANCE"].outcome, found["FRANCE"].score) == (Outcome.LOST, 8)


def test_whose_fault_ended_the_game_is_last() -> None:
    table = [SeatResult("a", 40, 9, faulty=True), SeatResult("b", 1, 0), SeatResult("c", 2, 1)]
    assert rank_game(table) == [["c"], ["b"], ["a"]]


def test_names_and_the_order_of_games_change_nothing() -> None:
    def rate(names: str, *, backwards: bool) -> list[float]:
        first, second, third = list(names)
        games = {
            "x": [SeatResult(first, 40, 9), SeatResult(second, 30, 5), SeatResult(third, 30, 5)],
            "y": [SeatResult(first, 40, 9), SeatResult(second, 35, 5), SeatResult(third, 30, 5)],
        }
        ordered = dict(reversed(games.items())) if backwards else games
        found = {one.player: one.rating for one in rate_league(ordered)}
        return [round(found[name], 6) for name in names]

    usual = rate("abc", backwards=False)
    assert usual == rate("zbc", backwards=True) == rate("cba", backwards=True)
    assert usual[0] > usual[1]


def test_too_many_unbeaten_players_are_rated_one_by_one() -> None:
    seats = [SeatResult(f"player {n}", 40 - n, 5) for n in range(13)]
    assert {one.method for one in rate_league({"x": seats})} == {"weng-lin"}
