"""``ludus serve``, ``ludus publish``: results in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus import api
from ludus.api.serving import LOOPBACK, PORT
from ludus.cli.options import JsonOption, StoreOption
from ludus.cli.output import print_json, progress, say

__all__ = ["publish", "serve"]

StoreArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[STORE]",
        help="Where runs are kept: a file, sqlite:///… or postgresql://…",
        envvar="LUDUS_STORE",
        show_default="a file of yours",
    ),
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
    open_browser: Annotated[bool, typer.Option("--open", help="Open the first page.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print the address as JSON instead of a sentence.")
    ] = False,
) -> None:
    """Show boards, replays and levels in a browser.

    Example: ludus serve results.db --open
    """

    def print_address(address: str) -> None:
        if json:
            print_json({"address": address})
        else:
            say(f"The arena is at {address}; stop it with Ctrl-C.")

    api.serve(
        store_url,
        host=host,
        port=port,
        prefix=prefix,
        submissions=submissions,
        open_browser=open_browser,
        on_ready=print_address,
    )


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
