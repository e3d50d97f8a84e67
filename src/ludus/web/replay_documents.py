"""Replays and levels to play as the documents that pages read: docs/web.md describes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from ludus.api.level_sources import LevelSource
from ludus.boards import Board
from ludus.errors import LudusError, RunError
from ludus.games.platformer import rule_sets
from ludus.games.platformer.rounds import HasRounds, Round
from ludus.games.platformer.scenario import level_to_dict
from ludus.runs import Plan, Run, ScoredEpisode, Store
from ludus.runs.explain import find_episode, scenario_name
from ludus.runs.sealed import open_revealed
from ludus.web.dish_documents import make_dish
from ludus.web.models import ReplayDocument, RoundDocument, TrackDocument
from ludus.web.table_documents import make_table
from ludus.web.tracks import MOST_GHOSTS, find_others, link_replay, make_track

__all__ = ["make_replay", "make_round"]


def make_replay(run_id: str, number: int, store: Store) -> ReplayDocument:
    """Return what a page needs to play an episode again, with the run's other agents as ghosts.

    Raises:
        RunError: There is no such run or episode, it was played by other rules, or it is sealed.
    """
    run = open_revealed(store.run(run_id), store)
    plan = run.plan
    scored = find_episode(run.id, number, store)
    name = plan.agents[scored.episode.agent].name
    title = f"{name} on {scenario_name(plan, scored.episode.scenario)}"
    document = ReplayDocument(game=plan.game, title=title)
    plan.check_rules()
    if plan.game == "worm":
        document.dish = make_dish(run, scored, store)
    elif plan.game == "diplomacy":
        document.table = make_table(run, scored, store)
    else:
        document.rounds = _make_rounds(run, scored, store)
    return document


def _make_rounds(run: Run, scored: ScoredEpisode, store: Store) -> list[RoundDocument]:
    """Return the rounds of an episode; a single one has the run's other agents as ghosts."""
    rounds = _split(run.plan, scored)
    documents = [_make_document(run, scored, one, rounds[-1] is one) for one in rounds]
    if len(documents) == 1:
        documents[0].tracks += _find_ghosts(run, scored, store)
    return documents


def _split(plan: Plan, scored: ScoredEpisode) -> Sequence[Round]:
    """Return the rounds of an episode; none if its game is not the platformer."""
    game = plan.check_rules()
    if not isinstance(game, HasRounds):
        return []
    scenario = game.parse_scenario(plan.scenarios[scored.episode.scenario])
    return game.split_rounds(scenario, scored.episode.record)


def _make_document(run: Run, scored: ScoredEpisode, one: Round, last: bool) -> RoundDocument:
    track = _make_track(run, scored, one, last=last)
    return _describe(one, [track])


def _describe(one: Round, tracks: list[TrackDocument], source: str = "") -> RoundDocument:
    return RoundDocument(
        name=one.name,
        source=source,
        rules=one.level.rules,
        rules_version=rule_sets()[one.level.rules],
        level=level_to_dict(one.level),
        mode=one.mode,
        time_limit=one.time_limit,
        tracks=tracks,
    )


def _make_track(run: Run, scored: ScoredEpisode, one: Round, *, last: bool) -> TrackDocument:
    """Return who played a round; the digest of the last one is the one that is stored."""
    facts = scored.episode.facts
    if not last:
        return make_track(run, scored, one.actions, one.digest, {"status": one.status})
    return make_track(run, scored, one.actions, str(facts.get("state") or one.digest), facts)


def _find_ghosts(run: Run, scored: ScoredEpisode, store: Store) -> list[TrackDocument]:
    """Return the other agents of the run on the same level, the best first."""
    ghosts = []
    for other in find_others(run, scored, store):
        track = _make_track(run, other, _split(run.plan, other)[0], last=True)
        track.link = link_replay(run, scored, other)
        ghosts.append(track)
    return ghosts


def make_round(source: LevelSource, board: Board | None, store: Store) -> RoundDocument:
    """Return a level to play, with the best of its board to race against.

    Args:
        source: The level.
        board: The board of the level, or None if it has none.
        store: Where the runs of the board are.
    """
    scenario = source.scenario
    plain = Round(
        scenario.name, scenario.level, scenario.mode, scenario.time_limit, b"", "", status=0
    )
    document = _describe(plain, [], source.text)
    if board is not None:
        document.tracks += _find_rivals(board, store)
    return document


def _find_rivals(board: Board, store: Store) -> Iterator[TrackDocument]:
    """Yield the best of a board as ghosts, as far as their runs are here."""
    for row in board.rows[:MOST_GHOSTS]:
        with suppress(LudusError):  # a ledger may come without its runs
            yield _find_track(row.entry.run, row.entry.agent, store)


def _find_track(run_id: str, agent: str, store: Store) -> TrackDocument:
    """Return the track of an agent's first episode in a run.

    Raises:
        RunError: The run is not here, or the agent is not in it.
    """
    run = open_revealed(store.run(run_id), store)
    names = [source.name for source in run.plan.agents]
    if agent not in names:
        raise RunError(f"no agent {agent!r} in run {run.id}; it has {', '.join(names)}")
    number = run.plan.episodes.number_of(names.index(agent), 0)
    scored = find_episode(run.id, number, store)
    return _make_track(run, scored, _split(run.plan, scored)[0], last=True)
