"""``ludus account``, ``ludus event submit`` and ``ludus worker`` at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Ludus, refused
from tests.events.conftest import RUNNER
from tests.runs.small import SMALL
from tests.submissions.conftest import make_zip

AGENT = "runner.py:Runner"


def test_an_account_submits_and_reads_its_log(
    ludus: Ludus, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("mine.zip").write_bytes(make_zip({"runner.py": RUNNER}))
    ludus("account", "add", "Olga", "--role", "organiser")
    words = ["--name", "cup", "--deadline", "2126-12-31", "--episodes", "1", "--organiser", "Olga"]
    ludus("event", "create", SMALL.id, *words)
    added = ludus("account", "add", "Robin", "--organiser", "Olga")
    assert "The token of the submitter Robin, shown only now:" in added.out
    token = added.out.split()[-1]
    submit = ["event", "submit", "cup", "mine.zip", AGENT, "--score", "12", "--approach", "rules"]
    assert "of no account here" in refused(ludus(*submit, "--token", "1.2", code=2))
    assert "Nothing was submitted yet" in ludus("event", "jobs", "cup").out
    assert "Nothing waits" in ludus("worker", "--once").out
    monkeypatch.setenv("LUDUS_ACCOUNT_TOKEN", token)
    assert "job 1, received." in ludus(*submit).out
    (job,) = ludus("event", "jobs", "cup", "--json").json
    assert (job["entrant"], job["state"], job["number"]) == ("Robin", "received", 1)
    assert "account" not in job
    assert "Robin" in ludus("event", "jobs", "cup").out
    assert ludus("event", "log", "1").out.endswith(" received\n")
    assert ludus("event", "log", "1", "--json").json == job
    assert "no job 7" in refused(ludus("event", "log", "7", code=2))
    fresh = ludus("account", "replace-token", "Robin", "--json").json["token"]
    assert "of no account here" in refused(ludus(*submit, code=2))
    assert ludus(*submit, "--token", fresh, "--json").json["number"] == 2
    assert "is worth nothing since" in ludus("account", "revoke", "Robin").out
    assert [one["name"] for one in ludus("account", "list", "--json").json] == ["Olga", "Robin"]
    assert "submitter" in ludus("account", "list").out
    assert "no account 'Nobody'" in refused(ludus("account", "revoke", "Nobody", code=2))


def test_there_are_no_accounts_yet(ludus: Ludus) -> None:
    assert "There are none yet" in ludus("account", "list").out
    assert "See to the accounts" in ludus("account").out
