"""``ludus check``: will an organiser's machine take this agent?"""

from __future__ import annotations

from typing import Annotated

import typer

from ludus import api
from ludus.api.checking import CHECKED_BENCHMARK, EPISODES
from ludus.cli.options import (
    JsonOption,
    StoreOption,
    TrustOption,
    finite,
    seed_option,
    split_options,
)
from ludus.cli.output import print_json, print_view, progress
from ludus.errors import LudusError, OptionError

__all__ = ["check"]

VIOLATED = 1

Agent = Annotated[
    str, typer.Argument(metavar="AGENT", help="A name (see 'ludus agents') or file.py:Class.")
]
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[BENCHMARK] [OPTION…]",
        help="What it plays, and options of that; its limits count.",
        show_default=CHECKED_BENCHMARK,
    ),
]
Sandbox = Annotated[
    bool,
    typer.Option(
        "--sandbox/--no-sandbox",
        help="Confine it, as an organiser does; without, it plays in a process of its own.",
    ),
]


def check(
    agent: Agent,
    words: Words = None,
    episodes: Annotated[
        int | None,
        typer.Option(
            "--episodes", help="How many it plays.", show_default=f"{EPISODES}, or all of the event"
        ),
    ] = None,
    seed: Annotated[
        int | None,
        seed_option("What scenarios are made from.", show_default="0"),
    ] = None,
    event: Annotated[
        str | None,
        typer.Option(
            "--event",
            metavar="EVENT",
            help="Track, limits and public seed of an event: its name, or its file event.json.",
            show_default="",
        ),
    ] = None,
    sandbox: Sandbox = True,
    trust: TrustOption = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Play an agent in the sandbox and the limits of an organiser; exit code 1 if it fails.

    Shows what it used beside what it may use, what it has printed, and one line for everything that
    it may not do.

    Example: ludus check my_agent.py:MyAgent platformer/punctual

    Example: ludus check my_agent.py:MyAgent --event cup-2026
    """
    names, options = split_options(words or [])
    if len(names) > 1:
        raise OptionError(f"one benchmark at a time: {' '.join(names)[:80]!r} are {len(names)}")
    if event and (words or seed is not None):
        raise OptionError(f"event {event!r} has a track, options and a seed: leave yours out")
    terms = api.event_terms(event, store=store_url) if event else None
    count = episodes or (terms.episodes if terms else EPISODES)
    try:
        with progress("checking", count) as advance:
            result = api.check(
                agent,
                names[0] if names else CHECKED_BENCHMARK,
                episodes=episodes,
                seed=seed or 0,
                options=options,
                sandbox=sandbox,
                trust=trust,
                event=terms,
                on_episode=lambda _: advance(),
            )
    except LudusError as error:  # what it has printed says more
        for line in getattr(error, "__notes__", ()):
            typer.echo(f"| {line}", err=True)
        raise
    if json:
        print_json(finite(result.to_dict()))
    else:
        print_view(result.view)
    if not result:
        raise typer.Exit(VIOLATED)
