"""Votes of visitors for organisers: clips to judge, generators that compete, votes to take home."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import NamedTuple

from ludus.api.families.mario_ai import find_recording
from ludus.api.human_plays import HUMAN
from ludus.api.settings import open_store
from ludus.benchmarks.mario_ai.vote_files import write_votes
from ludus.benchmarks.platformer.daily import DAILY, seed_of_day
from ludus.boards import BoardEntry, board
from ludus.errors import LudusError, OptionError
from ludus.runs import Store
from ludus.runs.explain import find_episode
from ludus.runs.sealed import open_revealed
from ludus.seeds import check_seed
from ludus.voting import clips as stored_clips
from ludus.voting.clips import Clip
from ludus.voting.counting import count_votes, find_track_ballot
from ludus.voting.level_pairs import LevelBallot, choose_generators
from ludus.voting.sittings import Track

__all__ = ["DayClips", "add_clip", "add_day_clips", "export_votes", "set_generators"]

MOST_DAY_CLIPS = 50


def add_clip(
    source: str,
    episode: int = 0,
    *,
    player: str = "",
    is_human: bool = False,
    store: str | Store | None = None,
) -> Clip:
    """Let visitors of the Turing test judge recorded play.

    Args:
        source: A recording's file, or a run's id or its beginning.
        episode: The episode's number in the run.
        player: Who plays; the agent of the run if empty.
        is_human: Whether that is a person; whoever played in a browser is.
        store: Where runs and clips are; the user's own store if None.

    Raises:
        OptionError: There is no such play, a name is missing, or the player has one on the level.
        RunError: There is no such run or episode.
    """
    with open_store(store) as database:
        is_file = Path(source).is_file()
        if is_file and not player:
            raise OptionError(f"{source!r} does not say who plays: give --name")
        if not is_file:
            run = open_revealed(database.run(source), database)
            agent = run.plan.agents[find_episode(run.id, episode, database).episode.agent]
            player = player or agent.name
            is_human = is_human or agent.spec.startswith(HUMAN)
        recording = find_recording(source, episode, store=database)
        return stored_clips.add_clip(recording, player, is_human=is_human, store=database)


class DayClips(NamedTuple):
    """What became of the plays on the board of a day.

    Attributes:
        added: The clips that visitors judge now.
        left_out: Why others are none, by player.
    """

    added: list[Clip]
    left_out: dict[str, str]


def add_day_clips(day: date, *, store: str | Store | None = None) -> DayClips:
    """Let visitors of the Turing test judge all on the board of a day's level, people and agents.

    All of them play the same level, so that everybody can be shown beside everybody.

    Args:
        day: Whose level.
        store: Where runs and clips are; the user's own store if None.

    Raises:
        OptionError: Nobody is on the board of that day.
    """
    with open_store(store) as database:
        rows = board(DAILY.id, database, seed=seed_of_day(day)).rows
        if not rows:
            raise OptionError(f"nobody has played the level of {day}: ludus play, or ludus serve")
        found = DayClips([], {})
        for row in rows[:MOST_DAY_CLIPS]:
            try:
                found.added.append(_add_entry(row.entry, database))
            except LudusError as error:
                found.left_out[row.entry.agent] = str(error)
        return found


def _add_entry(entry: BoardEntry, store: Store) -> Clip:
    """Let visitors judge the first episode of an entry."""
    names = [source.name for source in store.run(entry.run).plan.agents]
    episode = store.run(entry.run).plan.episodes.number_of(names.index(entry.agent), 0)
    return add_clip(entry.run, episode, store=store)


def set_generators(
    names: list[str], *, seed: int = 0, store: str | Store | None = None
) -> LevelBallot:
    """Choose the generators that visitors compare.

    Args:
        names: Generators for players, by name or as ``path.py:function``.
        seed: The seed of the test level and of the order of pairs.
        store: Where votes are; the user's own store if None.

    Raises:
        OptionError: One is no generator for players, or they are fewer than two.
    """
    with open_store(store) as database:
        return choose_generators(names, check_seed(seed), database)


def export_votes(track: Track, out: str | Path, *, store: str | Store | None = None) -> int:
    """Write the votes of visitors to a file, and return how many there are.

    Args:
        track: ``turing`` or ``levels``.
        out: The file of JSON lines, as :func:`~ludus.api.families.mario_ai.score_votes` reads it.
        store: Where votes are; the user's own store if None.

    Raises:
        OptionError: There is nothing to vote on yet, or the file cannot be written.
    """
    if track not in ("levels", "turing"):
        raise OptionError(f"no voted track {track!r:.40}: give levels or turing")
    with open_store(store) as database:
        ballot = find_track_ballot(track, database)
        if ballot is None:
            raise OptionError("there are no clips of two players yet: add some by votes clip")
        box = count_votes(ballot, database)
    write_votes(out, ballot, [*box.judgements, *box.preferences])
    return len(box.judgements) + len(box.preferences)
