"""``ludus serve``, ``ludus play``, ``ludus publish``: results and games in a browser."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

import typer

from ludus import api
from ludus.api.ghosts import RIVALS
from ludus.api.level_sources import name_level_source
from ludus.api.serving import LOOPBACK, PORT
from ludus.cli.options import JsonOption, StoreOption, check_seed_option, split_options
from ludus.cli.output import print_json, progress, say
from ludus.errors import OptionError

__all__ = ["play", "publish", "serve"]


class Mode(StrEnum):
    """How Mario starts, in the order of the engine's numbers."""

    SMALL = "small"
    LARGE = "large"
    FIRE = "fire"


StoreArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[STORE]",
        help="Where runs are kept: a file, sqlite:///… or postgresql://…",
        envvar="LUDUS_STORE",
        show_default="a file of yours",
    ),
]


AddressJson = Annotated[
    bool, typer.Option("--json", help="Print the address as JSON instead of a sentence.")
]


def serve(
    store_url: StoreArgument = None,
    host: Annotated[
        str, typer.Option("--host", help="The address to listen at; 0.0.0.0 for all networks.")
    ] = LOOPBACK,
    port: Annotated[int, typer.Option("--port", help="The port; 0 for any that is free.")] = PORT,
    prefix: Annotated[
        str, typer.Option("--prefix", help="The path below which a proxy shows the pages.")
    ] = "",
    submissions: Annotated[
        bool,
        typer.Option("--submissions", help="Let accounts submit agents; needs the sandbox."),
    ] = False,
    trainings: Annotated[
        Path | None,
        typer.Option("--trainings", metavar="DIR", help="Show the trainings in this folder."),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the first page.")] = False,
    json: AddressJson = False,
) -> None:
    """Show boards, replays and levels in a browser.

    Example: ludus serve results.db --open
    """
    api.serve(
        store_url,
        host=host,
        port=port,
        prefix=prefix,
        submissions=submissions,
        trainings=trainings,
        open_browser=open_browser,
        on_ready=lambda address: _print_address("The arena is", address, json),
    )


def play(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[LEVEL] [--OPTION VALUE]…",
            help="A level (1-1, sprint-01) or a generator (ludus, notch-2009, …) with its options.",
            show_default="the level of the day",
        ),
    ] = None,
    mode: Annotated[
        Mode | None, typer.Option("--mode", help="How Mario starts.", show_default="the level's")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="AGENT", help=f"Race a ghost: {', '.join(RIVALS)}."),
    ] = None,
    port: Annotated[int, typer.Option("--port", help="The port; 0 for any that is free.")] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address and open nothing.")
    ] = False,
    store_url: StoreOption = None,
    json: AddressJson = False,
) -> None:
    """Play a level in your browser: keyboard, touch or gamepad.

    Plays of the level of the day come on its board in your store.

    Example: ludus play notch-2009 --seed 7 --difficulty 3 --mode fire --against astar
    """
    page = find_play_page(words or [], mode, against)
    api.serve(
        store_url,
        port=port,
        page=page,
        open_browser=not no_browser,
        on_ready=lambda address: _print_address("Play", f"{address}{page}", json),
    )


def _print_address(what: str, address: str, json: bool) -> None:
    if json:
        print_json({"address": address})
    else:
        say(f"{what} at {address}; stop it with Ctrl-C.")


def find_play_page(words: list[str], mode: Mode | None, against: str | None) -> str:
    """Return where the page of a level is, below the arena's own.

    Raises:
        OptionError: There is no such level or rival.

    Example:
        >>> find_play_page(["ludus", "--seed", "7"], Mode.FIRE, None)
        'play/?generator=ludus&seed=7#mode=2'
    """
    names, options = split_options(words)
    if len(names) > 1:
        raise OptionError(f"{names[1]!r} is one word too many: give one level or generator")
    if against is not None and against not in RIVALS:
        raise OptionError(f"no rival {against!r}: there are {', '.join(RIVALS)}")
    wished = {} if mode is None else {"mode": list(Mode).index(mode)}
    behind = urlencode(wished | ({"against": against} if against else {}))
    return _find_level_page(names, options) + (f"#{behind}" if behind else "")


def _find_level_page(names: list[str], options: dict[str, str]) -> str:
    if not names:
        if options:
            raise OptionError(f"option --{min(options)} needs a generator before it, such as ludus")
        return "play/"
    check_seed_option(options.get("seed"))
    return f"play/?{name_level_source(names[0], options).text}"


def publish(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the pages go.")],
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write boards, entries and replays as a folder of pages for any web host.

    Example: ludus publish site --store results.db
    """
    with progress("writing", None) as advance:
        site = api.publish(folder, store=store_url, on_page=advance)
    if json:
        values = {"folder": str(site.folder), "files": len(site.files), "bytes": site.bytes}
        print_json(values)
    else:
        say(f"{len(site.files)} files, {site.bytes / 1e6:.1f} MB, are in {site.folder}.")
        say(f"Look at them: python -m http.server --directory {site.folder}")
