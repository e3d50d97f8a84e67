"""The votes of a store, as the scoring functions and files of votes take them."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from ludus.benchmarks.mario_ai.ballots import Ballot
from ludus.benchmarks.mario_ai.votes import (
    HumannessVote,
    PreferenceVote,
    VoteRefused,
    VotingBox,
)
from ludus.runs import Store
from ludus.runs.schema import sittings, votes
from ludus.voting.clips import list_clips, make_ballot
from ludus.voting.level_pairs import find_ballot
from ludus.voting.sittings import Track

__all__ = ["count_votes", "find_track_ballot"]

KINDS = {"preference": PreferenceVote, "humanness": HumannessVote}


def find_track_ballot(track: Track, store: Store) -> Ballot | None:
    """Return what is voted on; None if there is nothing yet."""
    return find_ballot(store).ballot if track == "levels" else make_ballot(list_clips(store))


def count_votes(ballot: Ballot, store: Store) -> VotingBox:
    """Return the votes of a ballot that count, in the order in which they were cast.

    Votes on entrants that the organiser has taken off the ballot do not.
    """
    order = (votes.c.at, sittings.c.number, votes.c.step, votes.c.place)
    query = (
        sa.select(votes.c.kind, votes.c.body)
        .join(sittings, sittings.c.id == votes.c.sitting)
        .where(sittings.c.track == ballot.track)
        .order_by(*order)
    )
    box = VotingBox(ballot)
    with store.connection() as connection:
        rows: list[Any] = list(connection.execute(query))
    for kind, body in rows:
        with suppress(VoteRefused):
            box.add(KINDS[kind](**json.loads(body)))
    return box
