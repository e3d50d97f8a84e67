"""Pairs, votes and what they are worth, by hand; what forgers and stuffers try."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from math import log, sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.benchmarks.mario_ai.ballots import Ballot, schedule_sessions
from ludus.benchmarks.mario_ai.humanness import score_humanness
from ludus.benchmarks.mario_ai.preferences import score_preferences
from ludus.benchmarks.mario_ai.vote_files import read_votes, write_votes
from ludus.benchmarks.mario_ai.votes import (
    HumannessVote,
    PreferenceVote,
    VoteRefused,
    VotingBox,
    first_complete_set,
)
from ludus.errors import OptionError

KEY = b"a secret of the organiser"
ABC = Ballot("levels", ("a", "b", "c"))

TABLE_1 = {"weber": 9, "shimizu": 8, "sorenson": 6, "mawhorter": 4, "takahashi": 2, "baumgarten": 1}
"""Votes won at the event of 2010."""


def votes_of_table_1() -> list[PreferenceVote]:
    """Return votes with those sums: who wins one of two orders is our invention.

    The better one wins both orders, but for five pairs in which each order has another winner.
    """
    split = {
        ("weber", "shimizu"),
        ("shimizu", "sorenson"),
        ("sorenson", "mawhorter"),
        ("mawhorter", "takahashi"),
        ("takahashi", "baumgarten"),
    }
    votes = []
    for number, (better, worse) in enumerate(combinations(TABLE_1, 2)):
        voter = f"judge-{number}"
        second = "A" if (better, worse) in split else "B"
        votes.append(PreferenceVote(voter, better, worse, "A"))
        votes.append(PreferenceVote(voter, worse, better, second))  # type: ignore[arg-type]
    return votes


def test_the_scores_of_2010() -> None:
    result = score_preferences(Ballot("levels", tuple(TABLE_1)), votes_of_table_1())
    assert {row.entrant: row.score for row in result.rows} == TABLE_1
    assert [row.rank for row in result.rows] == [1, 2, 3, 4, 5, 6]
    assert result.complete
    assert sum(row.score for row in result.rows) == result.scoring_votes == 30
    assert all(row.won + row.lost == 10 for row in result.rows)
    assert [row.entrant for row in result.rows] == list(TABLE_1)
    strengths = [row.strength.value for row in result.rows if row.strength]
    assert strengths == sorted(strengths, reverse=True)
    assert len(strengths) == 6
    assert result.model == "Bradley-Terry"


def test_strengths_of_two_by_hand() -> None:
    """Three of four votes: the odds are 3, so the strengths are half of ln 3 from the mean."""
    ballot = Ballot("levels", ("a", "b"))
    votes = [PreferenceVote(f"j{n}", "a", "b", "B" if n == 3 else "A") for n in range(4)]
    (first, second) = score_preferences(ballot, votes).rows
    assert first.strength is not None
    assert second.strength is not None
    assert first.strength.value == pytest.approx(log(3) / 2)
    assert second.strength.value == pytest.approx(-log(3) / 2)
    assert first.strength.low < 0 < first.strength.high


def test_votes_for_both_and_neither_are_ties_of_davidson_s_model() -> None:
    """Two votes each for a, b and a tie: equal strengths; nobody scores for a tie."""
    ballot = Ballot("levels", ("a", "b"), answers=4)
    answers = ("A", "A", "B", "B", "both", "neither")
    votes = [PreferenceVote(f"j{n}", "a", "b", one) for n, one in enumerate(answers)]  # type: ignore[arg-type]
    result = score_preferences(ballot, votes)
    assert result.model == "Davidson"
    assert not result.complete
    for row in result.rows:
        assert (row.score, row.won, row.lost, row.both, row.neither) == (2, 2, 2, 1, 1)
        assert row.strength is not None
        assert row.strength.value == pytest.approx(0, abs=1e-9)
    assert result.shown_first is not None
    assert result.shown_first.value == 0.5


def test_strengths_that_votes_do_not_fix_are_not_invented() -> None:
    result = score_preferences(ABC, [PreferenceVote("j", "a", "b", "A")])
    assert result.model.startswith("no strengths: ")
    assert all(row.strength is None for row in result.rows)
    assert score_preferences(ABC, []).model == "no votes"


def test_the_first_complete_set_scores_and_later_votes_do_not() -> None:
    votes = [
        PreferenceVote(f"{judge}{pair}", *order, "A")
        for judge in ("first", "later")
        for pair in combinations("abc", 2)
        for order in (pair, pair[::-1])
    ]
    chosen = first_complete_set(ABC, votes)
    assert chosen is not None
    assert all(vote.voter.startswith("first") for vote in chosen)
    assert score_preferences(ABC, votes).scoring_votes == 6
    assert first_complete_set(ABC, votes[:5]) is None
    one_order = [vote for vote in votes if vote.first < vote.second]
    assert first_complete_set(ABC, one_order) is None


@given(st.integers(2, 7), st.integers(0, 2**40), st.integers(1, 60))
def test_every_pair_comes_before_any_repeats(count: int, seed: int, sessions: int) -> None:
    ballot = Ballot("levels", tuple("abcdefg"[:count]), seed=seed)
    scheduled = schedule_sessions(ballot, sessions)
    assert scheduled == schedule_sessions(ballot, sessions + 5)[:sessions]
    played = Counter(frozenset((one.first, one.second)) for one in scheduled)
    assert (
        max(played.values()) - min([*played.values(), *[0] * (len(played) < len(ballot.pairs))])
        <= 1
    )
    round_ = len(ballot.pairs)
    both = schedule_sessions(ballot, 2 * round_)
    assert Counter((one.first, one.second) for one in both) == Counter(
        order for pair in ballot.pairs for order in (pair, pair[::-1])
    )


def test_other_seeds_give_other_orders() -> None:
    names = tuple("abcdef")
    orders = {tuple(schedule_sessions(Ballot("levels", names, seed=seed), 15)) for seed in range(9)}
    assert len(orders) == 9


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"answer": "C"}, "no answer 'C'"),
    ({"answer": "both"}, "no answer 'both'"),
    ({"first": "b", "second": "b"}, "compared with itself"),
    ({"second": "mallory"}, "no entrant 'mallory'"),
    ({"voter": ""}, "voter '' is no name"),
    ({"voter": "x" * 100}, "is no name"),
    ({"voter": "a\u202eb"}, "is no name"),
    ({"voter": 3}, "voter 3 is no text"),
    ({"vote": "veto"}, "no kind of vote 'veto'"),
    ({"vote": None}, "no kind of vote None"),
    ({"weight": 100}, "no field 'weight'"),
    ({"session": "1"}, "this is no vote"),
]


@pytest.mark.parametrize(("change", "reason"), REFUSED)
def test_what_is_no_vote_is_refused(change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    good = {"vote": "preference", "voter": "j", "first": "a", "second": "b", "answer": "A"}
    read = read_lines(tmp_path, good, {**good, "voter": "k"} | change)
    assert len(read.preferences) == 1
    assert [refusal.line for refusal in read.refusals] == [3]
    assert reason in read.refusals[0].reason
    assert "\n" not in str(read.refusals[0])


def read_lines(folder: Path, *values: object, ballot: Ballot = ABC, key: bytes = b"") -> Any:
    file = folder / "votes.jsonl"
    write_votes(file, ballot)
    with file.open("a", encoding="utf-8") as lines:
        for value in values:
            lines.write((value if isinstance(value, str) else json.dumps(value)) + "\n")
    return read_votes(file, key)


def test_lines_that_are_no_json_are_refused(tmp_path: Path) -> None:
    read = read_lines(tmp_path, "{", "[]", "null", '{"vote": "preference", "vote": 1}', "NaN")
    assert [refusal.line for refusal in read.refusals] == [2, 3, 4, 5, 6]


def test_a_voter_cannot_stuff_the_ballot() -> None:
    box = VotingBox(ABC)
    box.add(PreferenceVote("j", "a", "b", "A"))
    box.add(PreferenceVote("j", "b", "a", "A"))
    for again in (("a", "b"), ("b", "a")):
        with pytest.raises(VoteRefused, match="has voted on"):
            box.add(PreferenceVote("j", *again, "A"))
    with pytest.raises(VoteRefused, match="has judged 1 pairs, the most"):
        box.add(PreferenceVote("j", "a", "c", "A"))
    box.add(PreferenceVote("k", "a", "c", "A"))
    assert len(box.preferences) == 3


def test_tickets() -> None:
    box = VotingBox(ABC, KEY)
    session = schedule_sessions(ABC, 3, KEY)[1]
    shown = (session.first, session.second)
    good = PreferenceVote("j", *shown, "A", session.number, session.ticket)
    other = next(name for name in ABC.entrants if name not in shown)
    for forged, reason in (
        (good._replace(ticket=""), "it is forged"),
        (good._replace(ticket="ü" * 32), "it is forged"),
        (good._replace(session=2), "it is forged"),
        (good._replace(session=-1), "it is forged"),
        (good._replace(session=10**30), "it is forged"),
        (good._replace(second=other), "does not show"),
    ):
        with pytest.raises(VoteRefused, match=reason):
            box.add(forged)
    box.add(good)
    with pytest.raises(VoteRefused, match="that of another voter"):
        box.add(good._replace(voter="k", first=shown[1], second=shown[0]))
    box.add(good._replace(first=shown[1], second=shown[0]))
    assert len(box.preferences) == 2
    assert not any(one.ticket for one in schedule_sessions(ABC, 3))
    assert session.ticket != schedule_sessions(ABC, 3, KEY + b"2")[1].ticket


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"track": "fun"}, "no voted track 'fun'"),
        ({"entrants": ("a",)}, "1 entrants"),
        ({"entrants": ("a", "a")}, "there twice"),
        ({"entrants": ("a", "\x1b[2J")}, "is no name"),
        ({"humans": ("z",)}, "human but no entrant"),
        ({"answers": 3}, "3 answers"),
        ({"pairs_each": 0}, "0 pairs each"),
    ],
)
def test_ballots_that_are_none(values: dict[str, Any], reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        Ballot(**{"track": "levels", "entrants": ("a", "b"), **values})


@pytest.mark.parametrize(
    "first",
    [
        "",
        "{}",
        "[1]",
        '{"ballot": "levels"}',
        '{"ballot": "levels", "entrants": "ab"}',
        '{"ballot": "levels", "entrants": [1, 2]}',
        '{"ballot": 3, "entrants": ["a", "b"]}',
        '{"ballot": "levels", "entrants": ["a", "b"], "prize": 1}',
        "{",
    ],
)
def test_files_without_a_ballot_are_refused(first: str, tmp_path: Path) -> None:
    file = tmp_path / "votes.jsonl"
    file.write_text(first + "\n", encoding="utf-8")
    with pytest.raises(OptionError) as caught:
        read_votes(file)
    assert "\n" not in str(caught.value)


def test_files_hold_what_was_written(tmp_path: Path) -> None:
    ballot = Ballot("turing", ("ann", "astar"), 4, ("ann",), 2, 7)
    votes: list[PreferenceVote | HumannessVote] = [
        PreferenceVote("j", "ann", "astar", "neither"),
        HumannessVote("j", "ann", "1", "human", 5, "novice"),
        HumannessVote("j", "astar", "2", "machine"),
    ]
    file = tmp_path / "votes.jsonl"
    write_votes(file, ballot, votes, schedule_sessions(ballot, 2, KEY))
    read = read_votes(file)
    assert (read.ballot, read.refusals) == (ballot, ())
    assert [*read.preferences, *read.judgements] == votes
    with pytest.raises(OptionError, match="cannot be written"):
        write_votes(tmp_path / "none" / "votes.jsonl", ballot)
    with pytest.raises(OptionError, match="cannot be read"):
        read_votes(tmp_path / "none.jsonl")


TURING = Ballot("turing", ("ann", "ben", "astar"), humans=("ann", "ben"))


def test_humanness_by_hand() -> None:
    """3 of 4 say human: Wilson's interval; weighted by confidence 5 + 4 + 1 of 5 + 4 + 1 + 2."""
    votes = [
        HumannessVote("j1", "ann", "1", "human", 5, "expert"),
        HumannessVote("j2", "ann", "1", "human", 4, "novice"),
        HumannessVote("j3", "ann", "1", "human", 1, "novice"),
        HumannessVote("j4", "ann", "1", "machine", 2, "novice"),
        HumannessVote("j5", "astar", "1", "machine", 3),
    ]
    result = score_humanness(TURING, votes)
    ann, astar, ben = result.rows
    assert (ann.player, astar.player, ben.player) == ("ann", "astar", "ben")
    z2, n, share = 1.959964**2, 4, 0.75
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    margin = sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    assert ann.humanness is not None
    assert ann.humanness[:3] == pytest.approx((0.75, centre - margin, centre + margin), abs=1e-6)
    assert ann.weighted == pytest.approx(10 / 12)
    assert ann.by_expertise == {"novice": (pytest.approx(2 / 3), 3), "expert": (1.0, 1)}
    assert (ben.humanness, ben.weighted, ben.answers) == (None, None, 0)
    assert result.people is not None
    assert result.people[:1] == (0.75,)
    assert result.accuracy is not None
    assert result.accuracy.value == 4 / 5
    assert result.voters == 5


def test_equal_humanness_is_settled_by_pairs_won() -> None:
    judgements = [
        HumannessVote(voter, player, "1", "human")
        for voter, player in (("j1", "ann"), ("j2", "ben"), ("j3", "astar"))
    ]
    pairs = [PreferenceVote("j1", "ben", "ann", "A"), PreferenceVote("j1", "ann", "ben", "B")]
    rows = score_humanness(TURING, judgements, pairs).rows
    assert [(row.player, row.rank, row.pair_wins) for row in rows] == [
        ("ben", 1, 2),
        ("ann", 2, 0),
        ("astar", 2, 0),
    ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"answer": "cyborg"}, "no answer 'cyborg'"),
        ({"confidence": 0}, "confidence 0"),
        ({"confidence": 6}, "confidence 6"),
        ({"expertise": "god"}, "no expertise 'god'"),
        ({"player": "eve"}, "no entrant 'eve'"),
        ({"clip": ""}, "clip '' is no name"),
    ],
)
def test_judgements_that_do_not_count(change: dict[str, Any], reason: str) -> None:
    box = VotingBox(TURING)
    with pytest.raises(VoteRefused, match=reason):
        box.add(HumannessVote("j", "ann", "1", "human")._replace(**change))
    assert not box.judgements


def test_a_voter_cannot_stuff_judgements() -> None:
    box = VotingBox(TURING)
    box.add(HumannessVote("j", "ann", "1", "human"))
    with pytest.raises(VoteRefused, match="has judged clip 1 of ann"):
        box.add(HumannessVote("j", "ann", "1", "machine"))
    box.add(HumannessVote("j", "astar", "1", "human"))
    with pytest.raises(VoteRefused, match="has judged 2 clips"):
        box.add(HumannessVote("j", "astar", "2", "human"))
    with pytest.raises(VoteRefused, match="asks nobody who is human"):
        VotingBox(ABC).add(HumannessVote("j", "a", "1", "human"))
