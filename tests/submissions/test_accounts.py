"""Accounts: tokens that are shown once, roles, and what one account may do to another."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from tests.submissions.conftest import CUP, create, pack, send

import ludus
from ludus.errors import AccessError, BoardError, OptionError
from ludus.events import Event
from ludus.events.entering import enter
from ludus.events.organising import open_event
from ludus.runs import Store
from ludus.runs.schema import accounts
from ludus.submissions import (
    Credentials,
    add_account,
    authenticate,
    check_may_read,
    list_accounts,
    list_jobs,
    replace_token,
    revoke_account,
    submit,
)


def test_a_token_is_known_and_nothing_in_the_store_tells_it(
    robin: Credentials, store: Store
) -> None:
    assert authenticate(f" {robin.token}\n", store) == robin.account
    with store.connection() as connection:
        kept = str([tuple(row) for row in connection.execute(sa.select(accounts))])
    assert robin.token.partition(".")[2] not in kept
    assert "entry_key" not in repr(robin.account)
    assert robin.token.partition(".")[2] not in str(robin.account.to_dict())


def test_forged_tokens_are_refused(robin: Credentials, store: Store) -> None:
    other = add_account("Eve", "submitter", store)
    id_, _, secret = robin.token.partition(".")
    forged = ["", ".", id_, f"{id_}.", f"{id_}.{secret[:-1]}", f"{other.account.id}.{secret}"]
    for token in [*forged, "x" * 10_000, "' OR 1=1 --", f"{id_}.\0", f"{id_}.\ud800"]:
        with pytest.raises(AccessError, match="of no account here"):
            authenticate(token, store)


def test_a_lost_token_is_replaced_and_the_entry_stays_its_own(
    robin: Credentials, store: Store
) -> None:
    send(robin.account, store)
    fresh = replace_token("ROBIN", store)
    with pytest.raises(AccessError):
        authenticate(robin.token, store)
    job = submit(CUP, pack("x = 1\n"), authenticate(fresh.token, store), store, claim=2.0)
    entry = open_event(CUP, store).find_entry("Robin")
    assert (entry.number, entry.claim, entry.digest) == (2, 2.0, job.digest)


def test_a_revoked_token_is_worth_nothing(robin: Credentials, store: Store) -> None:
    assert revoke_account("robin", store).revoked
    with pytest.raises(AccessError):
        authenticate(robin.token, store)
    assert [one.revoked is not None for one in list_accounts(store)] == [False, True]


def test_names_and_roles_are_checked(event: Event, store: Store) -> None:
    for name, role, organiser in [
        ("Robin", "king", ""),
        ("", "submitter", ""),
        ("a\x1b[2J", "submitter", ""),
        ("Robin", "organiser", "Olga"),
    ]:
        with pytest.raises(OptionError):
            add_account(name, role, store, organiser=organiser)
    with pytest.raises(BoardError, match="already: take another name"):
        add_account("OLGA ", "submitter", store)
    with pytest.raises(BoardError, match="no account 'nobody'"):
        add_account("Robin", "submitter", store, organiser="nobody")
    assert [one.name for one in list_accounts(store)] == ["Olga"]


def test_submitters_of_one_organiser_cannot_submit_to_anothers_events(
    robin: Credentials, store: Store
) -> None:
    other = add_account("Paul", "organiser", store)
    create(store, "other-cup", by="Paul")
    for account in (robin.account, list_accounts(store)[0]):
        with pytest.raises(AccessError, match="events of another organiser"):
            submit("other-cup", pack(), account, store, claim=1.0)
    assert list_jobs(store) == []
    everywhere = add_account("Sam", "submitter", store).account
    for cup, account in (
        ("other-cup", other.account),
        ("other-cup", everywhere),
        (CUP, everywhere),
    ):
        submit(cup, pack(), account, store, claim=1.0)


def test_an_account_reads_its_own_jobs_and_an_organiser_those_of_own_events(
    robin: Credentials, store: Store
) -> None:
    job = send(robin.account, store)
    eve = add_account("Eve", "submitter", store)
    paul = add_account("Paul", "organiser", store)
    olga = replace_token("Olga", store)
    for reader in (robin, olga):
        check_may_read(reader.account, job, open_event(CUP, store))
        assert ludus.find_submission(job.number, token=reader.token, store=store) == job
        assert ludus.list_submissions(CUP, token=reader.token, store=store) == [job]
    for reader in (eve, paul):
        with pytest.raises(AccessError, match="is not of the account"):
            ludus.find_submission(job.number, token=reader.token, store=store)
        assert ludus.list_submissions(CUP, token=reader.token, store=store) == []
        with pytest.raises(AccessError, match="is no submitter of"):
            ludus.replace_token("Robin", token=reader.token, store=store)
    fresh = ludus.replace_token("Robin", token=olga.token, store=store)
    assert authenticate(fresh.token, store).name == "Robin"


def test_a_submission_takes_over_nobodys_entry(robin: Credentials, store: Store) -> None:
    enter(CUP, pack(), store, entrant="ROBIN", claim=3.0, by="somebody")
    with pytest.raises(BoardError, match="not the token of 'ROBIN'"):
        send(robin.account, store)
    assert list_jobs(store) == []
    assert open_event(CUP, store).find_entry("robin").claim == 3.0
