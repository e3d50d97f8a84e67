"""Runs of sealed seasons: who has the secret plays and verifies them, everybody else waits."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa

from ludus.errors import OptionError, RunError, StoreError
from ludus.execution.plan import Plan
from ludus.execution.sealing import SeasonMark, SeasonTerms, read_secret
from ludus.runs.schema import events
from ludus.runs.store import Run, Store

__all__ = [
    "REVEALED",
    "find_secret",
    "forget_secret",
    "is_public",
    "keep_secret",
    "open_plan",
    "open_revealed",
    "secret_file",
]

FOLDER = "seasons"
REVEALED = "season-revealed"  # the kind of a ledger's line that holds a secret
OWNER_ONLY = 0o600
MOST_BYTES = 4_096


def open_plan(run: Run, store: Store) -> Plan:
    """Return a run's plan with its scenarios, also if they are those of a sealed season.

    Raises:
        RunError: The season is not revealed, and its secret is not here.
        StoreError: The secret is here, but others can read it, or it was changed.
    """
    plan = run.plan
    if plan.season is None or not plan.sealed:
        return plan
    secret = find_secret(plan.terms, plan.season, store)
    if secret is None:
        raise RunError(
            f"run {run.id} is sealed until season {plan.season.name!r} is revealed; then: "
            "ludus season open LEDGER"
        )
    return plan.open(secret)


def open_revealed(run: Run, store: Store) -> Run:
    """Return a run whose plan has its scenarios, to be shown to anybody.

    Raises:
        RunError: It is of a season that is not revealed, whoever has its secret.
    """
    plan = run.plan
    if plan.season is None:
        return run
    if not is_public(run, store):
        raise RunError(f"run {run.id} is sealed until season {plan.season.name!r} is revealed")
    return replace(run, text=open_plan(run, store).to_json(opened=True))


def is_public(run: Run, store: Store) -> bool:
    """Return whether everybody may know what a run played: its seed is public or revealed."""
    season = run.plan.season
    return season is None or any(_revealed_secrets(season, store))


def find_secret(terms: SeasonTerms, season: SeasonMark, store: Store) -> bytes | None:
    """Return a season's secret: the organiser's own, or the one that was revealed; else None.

    Raises:
        StoreError: The organiser's secret can be read by others, or was changed.
    """
    file = secret_file(season, store)
    if file.exists():
        return _readsecret_file(file, terms, season)
    good = (s for s in _revealed_secrets(season, store) if terms.commit(s) == season.commitment)
    return next(good, None)


def keep_secret(secret: bytes, season: SeasonMark, store: Store) -> Path:
    """Write a season's secret to a file that only its owner can read, and return the file.

    Raises:
        StoreError: The file cannot be written, or is there already.
    """
    file = secret_file(season, store)
    text = json.dumps({"ludus": "secret", "season": season.name, "secret": secret.hex()})
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(f"{text}\n")
            stream.flush()
            os.fsync(handle)
    except OSError as error:
        raise StoreError(f"cannot write {str(file)!r}: {error.strerror or error}") from error
    return file


def forget_secret(season: SeasonMark, store: Store) -> None:
    """Remove the secret of a season that was not started after all."""
    secret_file(season, store).unlink(missing_ok=True)


def secret_file(season: SeasonMark, store: Store) -> Path:
    """Return where a secret is; the commitment names the file, so no text of others does."""
    return store.folder_beside(FOLDER) / f"{season.commitment}.json"


def _readsecret_file(file: Path, terms: SeasonTerms, season: SeasonMark) -> bytes:
    try:
        if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise StoreError(f"others can read the secret of a season: chmod 600 {str(file)!r}")
        with file.open("rb") as stream:
            secret = read_secret(json.loads(stream.read(MOST_BYTES))["secret"])
    except OSError as error:
        raise StoreError(f"cannot read {str(file)!r}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{str(file)!r} holds no secret: restore it from a copy") from error
    if terms.commit(secret) != season.commitment:
        raise StoreError(
            f"{str(file)!r} does not hold the secret that season {season.name!r} is committed to: "
            "restore it from a copy"
        )
    return secret


def _revealed_secrets(season: SeasonMark, store: Store) -> Iterator[bytes]:
    query = sa.select(events.c.body).where(events.c.kind == REVEALED)
    with store.connection() as connection:
        bodies = [json.loads(text) for text in connection.scalars(query)]
    for body in bodies:
        if isinstance(body, dict) and body.get("season") == season.name:
            with suppress(OptionError):  # a forged line opens nothing
                yield read_secret(body.get("secret"))
