"""Accounts: who organises events, and who submits to them.

An account is known by a token. It is shown once; the store has a digest of it that is slow to
compute. scrypt is a part of Python, so nothing has to be installed for it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from ludus.errors import AccessError, BoardError, OptionError
from ludus.events import Event
from ludus.events.entry import check_entrant, entrant_key
from ludus.events.terms import format_time
from ludus.runs.connection_loss import retry_when_lost
from ludus.runs.schema import accounts as table
from ludus.runs.store import Store

__all__ = [
    "Account",
    "Credentials",
    "Role",
    "add_account",
    "authenticate",
    "find_account",
    "find_active",
    "list_accounts",
    "replace_token",
    "revoke_account",
]

ID_BYTES = 6
SECRET_BYTES = 24
SCRYPT = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}
MOST_TOKEN = 100


class Role(StrEnum):
    """What an account is for."""

    ORGANISER = "organiser"
    SUBMITTER = "submitter"


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who organises events, or submits to them.

    Attributes:
        id: What the store calls it.
        name: Its name; result tables call a submitter so.
        role: What it is for.
        organiser: The id of the organiser to whose events it may submit; empty for all events.
        created: When it was added, UTC.
        revoked: Since when its token is worth nothing, or None.
        entry_key: What the tokens of its entries are made from.
        mark: What changes with its token, and tells nothing of it.
    """

    id: str
    name: str
    role: Role
    organiser: str
    created: str
    revoked: str | None
    entry_key: bytes = field(repr=False)
    mark: str = field(repr=False)

    def entry_token(self, event: str) -> str:
        """Return the token of its entry for an event, which outlives a token that was lost."""
        return hmac.new(self.entry_key, event.encode(), hashlib.sha256).hexdigest()

    def organises(self, event: Event) -> bool:
        """Return whether an event is this account's own."""
        return self.role == Role.ORGANISER and entrant_key(event.by) == entrant_key(self.name)

    def to_dict(self) -> dict[str, Any]:
        """Return what may be shown of it, as plain values."""
        names = ("id", "name", "role", "organiser", "created", "revoked")
        return {name: getattr(self, name) for name in names}


class Credentials(NamedTuple):
    """A new account, or an old one with a new token.

    Attributes:
        account: The account.
        token: What it is known by. It is shown once and stored nowhere.
    """

    account: Account
    token: str


@retry_when_lost
def add_account(name: str, role: str, store: Store, *, organiser: str = "") -> Credentials:
    """Add an account and return it with its token.

    Args:
        name: Its name.
        role: ``organiser`` or ``submitter``.
        store: Where accounts are.
        organiser: The name of the organiser to whose events a submitter may submit; all events of
            the store if empty.

    Raises:
        OptionError: Name or role is impossible.
        BoardError: The name is taken, or there is no such organiser.
    """
    who, what = check_entrant(name), _check_role(role)
    owner = find_account(organiser, store) if organiser else None
    if owner and (owner.role != Role.ORGANISER or what != Role.SUBMITTER):
        raise OptionError(f"{name!r} cannot belong to {organiser!r}: submitters have an organiser")
    id_ = secrets.token_hex(ID_BYTES)
    token, hashed = _draw_token(id_)
    row = {
        "id": id_,
        "key": entrant_key(who),
        "name": who,
        "role": str(what),
        "organiser": owner.id if owner else "",
        **hashed,
        "entry_key": secrets.token_bytes(32),
        "created": format_time(store.now()),
        "revoked": None,
    }
    with store.transaction() as connection:
        if _read(connection, table.c.key == entrant_key(who)):
            raise BoardError(f"there is an account {who!r} already: take another name")
        connection.execute(table.insert().values(**row))
        (account,) = _read(connection, table.c.id == id_)
    return Credentials(account, token)


def _check_role(role: str) -> Role:
    try:
        return Role(role)
    except ValueError:
        raise OptionError(f"{role[:40]!r} is no role: give {' or '.join(Role)}") from None


@retry_when_lost
def list_accounts(store: Store) -> list[Account]:
    """Return all accounts, in the order of their names."""
    with store.connection() as connection:
        return sorted(_read(connection, sa.true()), key=lambda one: entrant_key(one.name))


@retry_when_lost
def find_account(name: str, store: Store) -> Account:
    """Return the account of this name.

    Raises:
        BoardError: There is none.
    """
    with store.connection() as connection:
        found = _read(connection, table.c.key == entrant_key(name))
    if not found:
        raise BoardError(f"no account {name[:60]!r}: ludus account list")
    return found[0]


@retry_when_lost
def find_active(id_: str, store: Store) -> Account | None:
    """Return the account of this id; None if there is none, or it was revoked."""
    with store.connection() as connection:
        found = _read(connection, (table.c.id == id_[:MOST_TOKEN]) & table.c.revoked.is_(None))
    return found[0] if found else None


def revoke_account(name: str, store: Store) -> Account:
    """Make an account's token worth nothing; what it has submitted stays.

    Raises:
        BoardError: There is no such account.
    """
    account = find_account(name, store)
    revoked = account.revoked or format_time(store.now())
    _change(account, store, revoked=revoked)
    return replace(account, revoked=revoked)


def replace_token(name: str, store: Store) -> Credentials:
    """Give an account a new token; the old one is worth nothing, and its entries stay its own.

    Raises:
        BoardError: There is no such account.
    """
    account = find_account(name, store)
    token, hashed = _draw_token(account.id)
    _change(account, store, **hashed, revoked=None)
    return Credentials(find_account(name, store), token)


def authenticate(token: str, store: Store) -> Account:
    """Return the account that a token belongs to.

    Raises:
        AccessError: It is no token of an account here, or was revoked.
    """
    id_, _, secret = token.strip()[:MOST_TOKEN].partition(".")
    with store.connection() as connection:
        row = connection.execute(sa.select(table).where(table.c.id == id_)).one_or_none()
    salt, digest = (row.salt, row.digest) if row else (bytes(16), bytes(32))
    same = hmac.compare_digest(_hash(secret, bytes(salt)), bytes(digest))
    if row is None or not same or row.revoked:
        raise AccessError("this token is of no account here: ask the organiser for a new one")
    return _to_account(row)


@retry_when_lost
def _change(account: Account, store: Store, **values: Any) -> None:
    with store.transaction() as connection:
        connection.execute(table.update().where(table.c.id == account.id).values(**values))


def _draw_token(id_: str) -> tuple[str, dict[str, bytes]]:
    """Return a new token, and what the store keeps of it."""
    secret, salt = secrets.token_urlsafe(SECRET_BYTES), secrets.token_bytes(16)
    return f"{id_}.{secret}", {"salt": salt, "digest": _hash(secret, salt)}


def _hash(secret: str, salt: bytes) -> bytes:
    return hashlib.scrypt(secret.encode("utf-8", "surrogatepass"), salt=salt, **SCRYPT)


def _read(connection: Connection, condition: sa.ColumnElement[bool]) -> list[Account]:
    return [_to_account(row) for row in connection.execute(sa.select(table).where(condition))]


def _to_account(row: Any) -> Account:
    return Account(
        row.id,
        row.name,
        Role(row.role),
        row.organiser,
        row.created,
        row.revoked,
        bytes(row.entry_key),
        hashlib.sha256(bytes(row.digest)).hexdigest()[:16],
    )
