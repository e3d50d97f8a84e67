"""``ludus.start_season`` and its kin: boards that nobody can learn by heart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from ludus.api.players import Player, resolve_players
from ludus.api.playing import Watch, make_players_executor, play_plan
from ludus.api.run_result import RunResult
from ludus.api.settings import current_user, make_context, open_store
from ludus.benchmarks import find_benchmark
from ludus.boards import organising, read_ledger
from ludus.boards.seasons import Season, find_season, read_seasons
from ludus.errors import BoardError
from ludus.execution.plan import make_season_plan
from ludus.games.game import find_game
from ludus.runs import Store

__all__ = ["open_seasons", "play_season", "reveal_season", "seasons", "start_season"]


def start_season(
    benchmark: str,
    name: str,
    *,
    episodes: int | None = None,
    ends: date | None = None,
    options: Mapping[str, Any] | None = None,
    store: str | Store | None = None,
    secret: bytes | None = None,
) -> Season:
    """Start a sealed season of a benchmark and publish the commitment to its secret.

    The secret lies beside the store, in a file that only its owner can read.

    Args:
        benchmark: The benchmark's id.
        name: What the season is called, such as ``2026-autumn``.
        episodes: How many every entry plays; the benchmark's own number if None.
        ends: The last day on which entries are played; None if it is open.
        options: What is played otherwise than by default: the benchmark's options.
        store: Where the boards are; the user's own store if None.
        secret: The secret, 32 bytes; drawn by chance if None.

    Raises:
        BenchmarkError: There is no such benchmark.
        OptionError: The name, the number of episodes, an option or the last day is impossible.
        BoardError: There is a season of this name.
        StoreError: The secret cannot be kept.
    """
    texts = {option: str(value) for option, value in (options or {}).items()}
    organising.check_season(benchmark, name, episodes, texts, ends)
    with open_store(store) as database:
        return organising.start_season(
            benchmark,
            database,
            name=name,
            by=current_user(),
            episodes=episodes,
            options=texts,
            ends=ends,
            secret=secret,
        )


def play_season(
    name: str,
    agents: Player | Sequence[Player],
    *,
    variants: Sequence[str] = (),
    workers: int | None = None,
    on: str = "here",
    store: str | Store | None = None,
    budget: str | None = None,
    trust: bool = False,
    watch: Watch | None = None,
) -> RunResult:
    """Play agents on the secret scenarios of a season and put them on its board.

    Args:
        name: The season's name.
        agents: One or several: specs such as ``astar`` or ``file.py:Class``, classes, instances.
        variants: Play every agent in these variants.
        workers: How many processes play; one for each core if None.
        on: Where they play: ``here``, ``ray`` or ``ray://HOST:PORT``.
        store: Where the season was started; the user's own store if None.
        budget: The most that language models may use, such as ``5usd``.
        trust: Whether to play agents that are not Ludus's own where there is no sandbox, so that
            they can read the organiser's files.
        watch: Is told of the run and of each episode.

    Raises:
        BoardError: There is no such season, it is over or revealed, or its secret is not here.
        AgentError: An agent cannot be loaded.
        StoreError: The secret was changed, or others can read it.
        Paused: The run cannot go on now; ``resume`` takes it up again.
    """
    context = make_context(budget, trust=trust, from_outside=True)
    with open_store(store) as database:
        season = find_season(name, read_ledger(database))
        _check_playable(season)
        secret = organising.organiser_secret(season, database)
        terms = season.terms
        game = find_game(find_benchmark(terms.benchmark).game_for(terms.options, context))
        players = resolve_players(agents, game.agent_family, variants)
        plan = make_season_plan(terms, secret, players.sources, context=context)
        executor = make_players_executor(players, workers, on)
        return play_plan(plan, executor, context, database, watch, accept=True)


def reveal_season(name: str, *, early: bool = False, store: str | Store | None = None) -> Season:
    """Reveal the secret of a season: everybody can check it, and nobody can enter any more.

    Args:
        name: The season's name.
        early: Whether to reveal it though its last day has not passed.
        store: Where the season was started; the user's own store if None.

    Raises:
        BoardError: There is no such season, it is revealed already, it is not over, or its secret
            is not here.
        StoreError: The secret was changed, or others can read it.
    """
    with open_store(store) as database:
        return organising.reveal_season(name, database, by=current_user(), early=early)


def open_seasons(ledger: str | Path, *, store: str | Store | None = None) -> list[Season]:
    """Take the revealed secrets of an exported ledger, so that sealed runs can be verified.

    Args:
        ledger: The file, as ``ludus board export`` wrote it.
        store: Where the runs are; the user's own store if None.

    Raises:
        BoardError: It is no ledger, it is broken, or a secret is not the one committed to.
        StoreError: A secret cannot be kept.
    """
    with open_store(store) as database:
        return organising.open_seasons(ledger, database)


def seasons(*, store: str | Store | None = None) -> list[Season]:
    """Return the seasons of all boards, in the order of their starts.

    Args:
        store: Where the boards are; the user's own store if None.

    Example:
        >>> import ludus
        >>> ludus.seasons(store="sqlite://")
        []
    """
    with open_store(store) as database:
        return list(read_seasons(read_ledger(database)).values())


def _check_playable(season: Season) -> None:
    if season.of_event:
        raise BoardError(
            f"season {season.name!r} is an event's: ludus event enter {season.name} AGENT"
        )
    if season.revealed:
        raise BoardError(
            f"season {season.name!r} was revealed on {season.revealed[:10]}: it takes no more "
            "entries"
        )
    if season.over:
        raise BoardError(
            f"season {season.name!r} ended on {season.ends}: ludus season reveal {season.name}"
        )
