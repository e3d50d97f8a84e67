"""Clips for the Turing test: recorded play of people and agents, and the pairs of a visit."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from ludus.benchmarks.mario_ai.ballots import Ballot, check_name, find_session
from ludus.errors import OptionError
from ludus.games.platformer.recordings import Recording
from ludus.runs import Store
from ludus.runs.schema import clips as table

__all__ = [
    "PAIRS_EACH",
    "Clip",
    "add_clip",
    "cut_pair",
    "draw_pairs",
    "find_clips",
    "list_clips",
    "load_recording",
    "make_ballot",
]

PAIRS_EACH = 4
SECONDS = 30
TICKS_A_SECOND = {"2009": 24, "2010": 24}
USUAL_TICKS = 30
SHORTEST = 15
"""The fewest ticks of a clip: nobody can be judged by less."""


@dataclass(frozen=True, slots=True)
class Clip:
    """Recorded play that visitors judge.

    Attributes:
        id: A random word, which says nothing about the player.
        level: A digest of the level and of how it starts; clips of one level have the same.
        player: Who plays.
        is_human: Whether that is a person.
    """

    id: str
    level: str
    player: str
    is_human: bool


def add_clip(recording: Recording, player: str, *, is_human: bool, store: Store) -> Clip:
    """Let visitors judge recorded play.

    Raises:
        OptionError: The name cannot be shown, is that of a player of the other kind, the play is
            too short, or the player has a clip on this level.
    """
    check_name("player", player)
    if len(recording.lives[0]) < SHORTEST:
        raise OptionError(f"{len(recording.lives[0])} ticks are too few: give {SHORTEST} or more")
    clip = Clip(secrets.token_hex(8), _name_level(recording), player, is_human)
    for other in list_clips(store):
        if other.player == player and other.is_human != is_human:
            raise OptionError(f"{player!r} is human in one clip and not in another: use two names")
        if (other.player, other.level) == (player, clip.level):
            raise OptionError(f"{player!r} has a clip on this level: add one of another level")
    row = {"id": clip.id, "level": clip.level, "player": player, "human": int(is_human)}
    added = store.now().isoformat(timespec="seconds")
    text = json.dumps(recording.to_dict())
    with store.transaction() as connection:
        connection.execute(table.insert().values(**row, recording=text, added=added))
    return clip


def _name_level(recording: Recording) -> str:
    values = recording.scenario.to_dict()
    values = {name: values[name] for name in ("level", "mode", "time_limit")}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def list_clips(store: Store) -> list[Clip]:
    """Return all clips, in the order in which they were added."""
    columns = (table.c.id, table.c.level, table.c.player, table.c.human)
    query = sa.select(*columns).order_by(table.c.added, table.c.id)
    with store.connection() as connection:
        return [Clip(*row[:3], is_human=bool(row.human)) for row in connection.execute(query)]


def find_clips(ids: Sequence[str], store: Store) -> list[Clip]:
    """Return clips by their ids, in this order."""
    found = {clip.id: clip for clip in list_clips(store)}
    return [found[id_] for id_ in ids]


def load_recording(clip: Clip, store: Store) -> Recording:
    """Return what was played in a clip; its first life is shown."""
    query = sa.select(table.c.recording).where(table.c.id == clip.id)
    with store.connection() as connection:
        return Recording.from_dict(json.loads(connection.execute(query).scalar_one()))


def make_ballot(clips: Sequence[Clip]) -> Ballot | None:
    """Return the ballot of all who have clips; None if they are fewer than two."""
    players = tuple(dict.fromkeys(clip.player for clip in clips))
    humans = tuple(dict.fromkeys(clip.player for clip in clips if clip.is_human))
    if len(players) < 2:
        return None
    return Ballot("turing", players, 2, humans, PAIRS_EACH)


def draw_pairs(clips: Sequence[Clip], visit: int) -> list[tuple[Clip, Clip]]:
    """Return the pairs of clips that a visitor judges, who is shown first in front.

    A round of the ballot has every pair once. It is shared out among visitors in equal parts, of
    at most four pairs and each on a level of its own. So no clip is shown twice, and pairs are
    balanced if all players have clips on all levels. Whose part has no pair of clips on one level
    gets the next part.
    """
    ballot = make_ballot(clips)
    if ballot is None:
        return []
    levels = len({clip.level for clip in clips})
    parts = -(-len(ballot.pairs) // min(PAIRS_EACH, levels))
    drawn = (_draw_part(ballot, clips, visit + later, parts) for later in range(parts))
    return next(filter(None, drawn), [])


def _draw_part(
    ballot: Ballot, clips: Sequence[Clip], visit: int, parts: int
) -> list[tuple[Clip, Clip]]:
    levels = list(dict.fromkeys(clip.level for clip in clips))
    pairs = len(ballot.pairs)
    played, part = divmod(visit, parts)
    numbers = range(pairs * part // parts, pairs * (part + 1) // parts)
    chosen: list[tuple[Clip, Clip]] = []
    for place, number in enumerate(numbers):
        session = find_session(ballot, played * pairs + number, b"")
        unseen = [clip for clip in clips if all(clip not in pair for pair in chosen)]
        wanted = levels[(visit + place) % len(levels)]
        chosen += _match(unseen, session.first, session.second, wanted)
    return chosen


def _match(clips: Sequence[Clip], first: str, second: str, wanted: str) -> list[tuple[Clip, Clip]]:
    """Return two clips of one level, the wanted one if they have it; none if they share none."""
    theirs = {clip.level: clip for clip in clips if clip.player == second}
    pairs = [
        (clip, theirs[clip.level])
        for clip in clips
        if clip.player == first and clip.level in theirs
    ]
    return sorted(pairs, key=lambda pair: pair[0].level != wanted)[:1]


def cut_pair(first: Recording, second: Recording) -> tuple[bytes, bytes]:
    """Return the buttons of two clips, both as long as the shorter one and half a minute at most.

    So the length of a clip tells nothing.
    """
    rate = TICKS_A_SECOND.get(first.scenario.level.rules, USUAL_TICKS)
    lives = first.lives[0], second.lives[0]
    ticks = min(SECONDS * rate, *map(len, lives))
    return lives[0][:ticks], lives[1][:ticks]
