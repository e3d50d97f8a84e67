"""``ludus account``: who organises events, and who submits to them."""

from __future__ import annotations

from typing import Annotated

import typer

from ludus import api
from ludus.cli.mounting import PlainGroup
from ludus.cli.options import JsonOption, StoreOption
from ludus.cli.output import print_json, say, show_table
from ludus.submissions import Credentials

__all__ = ["account"]

account = typer.Typer(cls=PlainGroup, invoke_without_command=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")]


@account.callback()
def _account(context: typer.Context) -> None:
    """See to the accounts of organisers and submitters; nobody else needs one.

    Example: ludus account add Robin --organiser Olga
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@account.command()
def add(
    name: Name,
    role: Annotated[str, typer.Option("--role", help="organiser or submitter.")] = "submitter",
    organiser: Annotated[
        str | None,
        typer.Option(
            "--organiser",
            metavar="NAME",
            help="To whose events a submitter may submit.",
            show_default="all of the store",
        ),
    ] = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Add an account and print its token, once.

    Example: ludus account add Robin --organiser Olga
    """
    added = api.add_account(name, role, organiser=organiser, store=store_url)
    _show_token(added, json=json)


@account.command("list")
def list_accounts(store_url: StoreOption = None, json: JsonOption = False) -> None:
    """List the accounts.

    Example: ludus account list
    """
    listed = api.list_accounts(store=store_url)
    if json:
        print_json([one.to_dict() for one in listed])
        return
    names = {one.id: one.name for one in listed}
    rows = [
        [
            one.name,
            str(one.role),
            names.get(one.organiser, "–"),
            one.created[:10],
            one.revoked or "–",
        ]
        for one in listed
    ]
    headings = ["account", "role", "organiser", "since", "revoked"]
    show_table("", headings, rows, left=(0, 1, 2, 3, 4), fold=(0,))
    if not listed:
        say("There are none yet. Try: ludus account add NAME --role organiser")


@account.command()
def revoke(name: Name, store_url: StoreOption = None, json: JsonOption = False) -> None:
    """Make an account's token worth nothing; what it has submitted stays.

    Example: ludus account revoke Robin
    """
    revoked = api.revoke_account(name, store=store_url)
    if json:
        print_json(revoked.to_dict())
    else:
        say(f"The token of {revoked.name} is worth nothing since {revoked.revoked}.")


@account.command("replace-token")
def replace_token(name: Name, store_url: StoreOption = None, json: JsonOption = False) -> None:
    """Give an account a new token, and print it once; the old one is worth nothing.

    Example: ludus account replace-token Robin
    """
    _show_token(api.replace_token(name, store=store_url), json=json)


def _show_token(given: Credentials, *, json: bool) -> None:
    if json:
        print_json({**given.account.to_dict(), "token": given.token})
        return
    say(f"The token of the {given.account.role} {given.account.name}, shown only now:")
    say(given.token)
