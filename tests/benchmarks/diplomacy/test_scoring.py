from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.benchmarks.diplomacy.scoring import (
    POWERS,
    RULES,
    SOLO,
    Fate,
    Outcome,
    Position,
    Solo,
    find_solo,
    is_complete,
    judge,
    judge_game,
    years,
)
from ludus.errors import OptionError

M = 1925


def played(*records: tuple[str, Mapping[str, int]]) -> list[Position]:
    return [Position(name, {**dict.fromkeys(POWERS, 3), **held}) for name, held in records]


def france(positions: list[Position], rule: str = "document", max_year: int = M) -> tuple[str, int]:
    verdicts = {one.power: one for one in judge_game(positions, max_year, rule)}
    return str(verdicts["FRANCE"].outcome), verdicts["FRANCE"].score


@pytest.mark.parametrize(
    ("fate", "solo", "score"),
    [
        (Fate("FRANCE", 18), Solo("FRANCE", 1920), 48),
        (Fate("FRANCE", 18), Solo("FRANCE", 1915), 53),
        (Fate("FRANCE", 11), None, 36),
        (Fate("FRANCE", 8), None, 33),
        (Fate("FRANCE", 0, eliminated_year=1910), None, 10),
        (Fate("FRANCE", 0, eliminated_year=1905), None, 5),
        (Fate("FRANCE", 12), Solo("ITALY", 1909), 9),
        (Fate("FRANCE", 20), Solo("FRANCE", M), 43),
        (Fate("FRANCE", 17), None, 42),
        (Fate("FRANCE", 1), None, 26),
    ],
)
def test_worked_examples(fate: Fate, solo: Solo | None, score: int) -> None:
    assert judge(fate, solo, M).score == score


def test_the_reference_knows_no_loss_to_a_solo() -> None:
    fate, solo = Fate("FRANCE", 12), Solo("ITALY", 1909)
    assert judge(fate, solo, M, "reference").outcome is Outcome.SURVIVED
    assert judge(fate, solo, M, "reference").score == 37


def test_examples_of_the_document_that_cannot_happen() -> None:
    survived = [judge(Fate("FRANCE", n), None, M).score for n in range(SOLO)]
    assert judge(Fate("FRANCE", 15), None, M).score == 40  # said to be 45
    assert 45 not in survived
    lost = judge(Fate("FRANCE", 8), Solo("ITALY", 1915), M)
    assert (lost.score, lost.outcome) == (15, Outcome.LOST)  # said to be an elimination
    assert min(survived[1:]) == 26  # said to be 28
    solos = [judge(Fate("FRANCE", 18), Solo("FRANCE", year), M).score for year in range(1901, 1926)]
    assert (min(solos), max(solos)) == (43, 67)  # said to be 42 to more than 70


@given(
    centres=st.integers(0, 34),
    gone=st.none() | st.integers(1901, M),
    winner=st.none() | st.sampled_from(POWERS),
    year=st.integers(1901, M),
    rule=st.sampled_from(RULES),
)
def test_ranges_do_not_overlap(
    centres: int, gone: int | None, winner: str | None, year: int, rule: str
) -> None:
    fate = Fate("FRANCE", 0 if gone else max(centres, 1), gone)
    power_score = judge(fate, Solo(winner, year) if winner else None, M, rule)
    ranges = {
        Outcome.SOLO: (43, 67),
        Outcome.SURVIVED: (26, 59),
        Outcome.ELIMINATED: (1, 25),
        Outcome.LOST: (1, 25),
    }
    low, high = ranges[power_score.outcome]
    assert low <= power_score.score <= high
    assert power_score.outcome is not Outcome.LOST or rule == "document"
    assert power_score.centres == fate.centres


@given(st.integers(1902, M))
def test_faster_solos_and_later_eliminations_are_worth_more(year: int) -> None:
    fate = Fate("FRANCE", 18)
    earlier = judge(fate, Solo("FRANCE", year - 1), M).score
    assert earlier == judge(fate, Solo("FRANCE", year), M).score + 1
    gone = [
        judge(Fate("FRANCE", 0, eliminated_year=when), None, M).score for when in (year - 1, year)
    ]
    assert gone == [year - 1901, year - 1900]


def test_a_solo_is_dated_by_the_record_before_completed() -> None:
    game = played(("F1907M", {"FRANCE": 16}), ("F1907R", {}), ("COMPLETED", {"FRANCE": 18}))
    assert find_solo(game, M) == Solo("FRANCE", 1907)
    assert france(game) == ("solo", 25 + 18 + 18)


def test_a_solo_without_any_year_counts_as_one_in_the_last() -> None:
    assert france(played(("COMPLETED", {"FRANCE": 18}))) == ("solo", 43)


def test_a_change_without_a_winter_is_seen_in_the_next_spring() -> None:
    with_winter = played(("F1905M", {}), ("W1905A", {"FRANCE": 0}), ("S1906M", {"FRANCE": 0}))
    without = played(("F1905M", {}), ("S1906M", {"FRANCE": 0}))
    for rule in RULES:
        assert france(with_winter, rule) == ("eliminated", 5)
        assert france(without, rule) == ("eliminated", 6)


def test_elimination_in_the_last_fall_can_be_worth_as_much_as_one_centre() -> None:
    game = played(("F1925M", {}), ("S1926M", {"FRANCE": 0, "ITALY": 1}))
    verdicts = {one.power: one.score for one in judge_game(game, M)}
    assert verdicts["FRANCE"] == verdicts["ITALY"] == 26


def test_eighteen_and_then_fewer() -> None:
    game = played(
        ("S1920M", {"FRANCE": 18}), ("S1921M", {"FRANCE": 17}), ("S1923M", {"FRANCE": 17})
    )
    assert france(game, "document", 1922) == ("survived", 39)
    assert france(game, "reference", 1922) == ("solo", 42)
    italy = {one.power: one for one in judge_game(game, 1922)}["ITALY"]
    assert (italy.outcome, italy.score) == (Outcome.SURVIVED, 25)


def test_eighteen_without_the_game_being_ended() -> None:
    game = played(("S1920M", {"FRANCE": 18, "ITALY": 0}), ("S1923M", {"FRANCE": 18, "ITALY": 0}))
    for rule in RULES:
        assert france(game, rule, 1922) == ("solo", 42)
    losers = {one.power: one for one in judge_game(game, 1922)}
    assert (losers["TURKEY"].outcome, losers["TURKEY"].score) == (Outcome.LOST, 20)
    assert (losers["ITALY"].outcome, losers["ITALY"].score) == (Outcome.ELIMINATED, 20)


def test_eighteen_lost_and_another_wins() -> None:
    game = played(
        ("S1910M", {"FRANCE": 18}),
        ("S1912M", {"FRANCE": 9}),
        ("F1915M", {"FRANCE": 9, "TURKEY": 16}),
        ("COMPLETED", {"FRANCE": 4, "TURKEY": 19}),
    )
    assert find_solo(game, M, "document") == find_solo(game, M) == Solo("TURKEY", 1915)
    assert find_solo(game, M, "reference") == Solo("FRANCE", 1910)
    assert france(game) == ("lost_to_solo", 15)


def test_games_beyond_the_last_year_score_their_years() -> None:
    game = played(("S1986M", {"FRANCE": 0}), ("S1987M", {"FRANCE": 0, "ITALY": 5}))
    for rule in RULES:
        verdicts = {one.power: one.score for one in judge_game(game, 1930, rule)}
        assert (verdicts["FRANCE"], verdicts["ITALY"]) == (86, 35)


def test_a_draw_is_survived_by_everybody_with_centres() -> None:
    game = played(("F1999M", {}), ("COMPLETED", {"FRANCE": 12}))
    assert france(game) == ("survived", 37)
    assert is_complete(game, M)


def test_a_power_that_a_record_does_not_name_has_no_centres() -> None:
    game = [Position("S1901M", {"ITALY": 3}), Position("S1926M", {"ITALY": 5})]
    for rule in RULES:
        assert france(game, rule) == ("eliminated", 1)
        assert judge_game(game, M, rule, ["FRANCE"])[0].centres == 0


def test_custom_starts_count_from_1900_all_the_same() -> None:
    game = played(("S1915M", {}), ("S1916M", {"FRANCE": 5}))
    assert france(game, max_year=1915) == ("survived", 20)


@pytest.mark.parametrize(
    ("last", "complete"),
    [("F1925M", False), ("W1925A", False), ("S1926M", True), ("COMPLETED", True)],
)
def test_what_counts_as_an_end(last: str, complete: bool) -> None:
    assert is_complete(played(("S1901M", {}), (last, {})), M) is complete


def test_a_solo_is_an_end() -> None:
    assert is_complete(played(("S1908M", {"FRANCE": 18})), M)
    assert not is_complete(played(("S1908M", {"FRANCE": 17})), M)


def test_years_of_records() -> None:
    names = ["FORMING", "S1901M", "nonsense", "W1902A", "COMPLETED"]
    found = years([Position(name, {}) for name in names], 1925)
    assert found == [1925, 1901, 1901, 1902, 1902]


def test_wrong_rules_and_empty_games_are_refused() -> None:
    with pytest.raises(OptionError, match=r"'published'.*document, reference"):
        judge(Fate("FRANCE", 3), None, M, "published")
    with pytest.raises(OptionError, match="one record at least"):
        judge_game([], M)
