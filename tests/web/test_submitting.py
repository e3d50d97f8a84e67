"""Events in the browser: who may submit, what is refused, and who sees what became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from tests.events.conftest import RUNNER
from tests.submissions.conftest import CUP, create, make_zip
from tests.web.conftest import settings

import ludus
from ludus.api import settings as api_settings
from ludus.errors import AgentError, OptionError
from ludus.events.organising import close_event, open_event
from ludus.foreign_files import ENTRY_BYTES
from ludus.runs import Store
from ludus.submissions import JobQueue, State, find_job, list_jobs
from ludus.web.app import create_app
from ludus.web.multipart import parse_form

TRACK = "platformer/sprint"
EVIL = "<script>alert(1)</script>"
ARCHIVE = make_zip({"agent.py": RUNNER.replace("Runner", "Agent")})
FIELDS = {"agent": "agent.py:Agent", "score": "12.5", "approach": EVIL}
SUBMIT = f"/events/{CUP}/submit/"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = Store(str(tmp_path_factory.mktemp("events") / "cup.db"))
    create(opened, benchmark=TRACK)
    yield opened
    opened.close()


@pytest.fixture
def client(store: Store) -> Iterator[TestClient]:
    """A browser at an arena that takes submissions; its limits are new."""
    app = create_app(store, replace(settings(), submissions=True))
    with TestClient(app, base_url="https://arena.test", follow_redirects=False) as opened:
        yield opened


def add(store: Store, name: str, role: str = "submitter") -> str:
    return ludus.add_account(name, role, store=store).token


def log_in(client: TestClient, token: str) -> str:
    """Log in and return the word of the form."""
    answer = client.post(f"/events/{CUP}/login/", data={"token": token})
    assert answer.status_code == 303, answer.text
    found = re.search(r'name="word" value="(\w+)"', client.get(SUBMIT).text)
    assert found
    return found[1]


def send(client: TestClient, word: str, archive: bytes = ARCHIVE, **fields: str) -> Any:
    files = {"archive": ("mine.zip", archive)}
    return client.post(SUBMIT, data={**FIELDS, "word": word, **fields}, files=files)


def test_an_account_submits_and_sees_its_log(client: TestClient, store: Store) -> None:
    word = log_in(client, add(store, "Robin <b>"))
    (cookie,) = client.cookies.jar
    assert cookie.secure
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "strict"
    answer = send(client, word)
    assert answer.status_code == 303
    (job,) = list_jobs(store)
    assert answer.headers["location"] == f"../../../jobs/{job.number}/"
    page = client.get(f"/jobs/{job.number}/")
    assert "received" in page.text
    assert EVIL not in client.get(f"/events/{CUP}/").text
    assert "Robin &lt;b&gt;" in client.get(f"/events/{CUP}/").text
    claimed = JobQueue(store)
    taken = claimed.claim()
    assert taken is not None
    claimed.move(taken, State.REFUSED, lines=[EVIL], verdict=EVIL)
    page = client.get(f"/jobs/{job.number}/")
    assert EVIL not in page.text
    assert "&lt;script&gt;" in page.text
    live = client.get(f"/api/v1/jobs/{job.number}/progress")
    assert '"state": "refused"' in live.text
    assert "event: complete" in live.text
    client.post(f"/events/{CUP}/logout/")
    assert client.get(f"/jobs/{job.number}/").status_code == 403


def test_a_second_user_reads_nothing_of_others(client: TestClient, store: Store) -> None:
    owner, other = add(store, "Owner"), add(store, "Other")
    send(client, log_in(client, owner))
    number = list_jobs(store)[-1].number
    paths = [f"/jobs/{number}/", f"/api/v1/jobs/{number}.json", f"/api/v1/jobs/{number}/progress"]
    client.cookies.clear()
    for path in paths:
        assert client.get(path).status_code == 403
    log_in(client, other)
    for path in [*paths, "/jobs/4711/"]:
        answer = client.get(path)
        assert answer.status_code == 403
        assert "is of the account" in answer.text
    client.cookies.clear()
    bearer = {"Authorization": f"Bearer {owner}"}
    assert client.get(paths[1], headers=bearer).json()["entrant"] == "Owner"
    organiser = {"Authorization": f"Bearer {add(store, 'Olga', 'organiser')}"}
    assert client.get(paths[1], headers=organiser).json()["number"] == number


def test_forged_sessions_and_forms_are_refused(client: TestClient, store: Store) -> None:
    before = len(list_jobs(store))
    assert client.post(f"/events/{CUP}/login/", data={"token": "1.2"}).status_code == 403
    word = log_in(client, add(store, "Mallory"))
    add(store, "Victim")
    assert send(client, "").status_code == 403
    assert send(client, "0" * 64).status_code == 403
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    assert client.post(SUBMIT, headers=elsewhere, data={"word": word}).status_code == 403
    good = client.cookies["ludus_session"]
    victim = next(one for one in ludus.list_accounts(store=store) if one.name == "Victim")
    id_, expires, signature = good.split(".")
    for forged in (
        f"{victim.id}.{expires}.{signature}",
        f"{id_}.{int(expires) + 1}.{signature}",
        f"{id_}.{expires}.",
        f"{id_}.1.{signature}",
        "x.٣.y",
        "",
        "." * 4000,
    ):
        headers = {b"Cookie": f"ludus_session={forged}".encode()}
        client.cookies.clear()
        files = {"archive": ("a.zip", ARCHIVE)}
        fields = {**FIELDS, "word": word}
        assert client.post(SUBMIT, headers=headers, data=fields, files=files).status_code == 403
    ludus.replace_token("Mallory", store=store)
    client.cookies.set("ludus_session", good)
    assert send(client, word).status_code == 403
    assert len(list_jobs(store)) == before


def test_what_is_sent_is_checked(client: TestClient, store: Store) -> None:
    word = log_in(client, add(store, "Careless"))
    before = len(list_jobs(store))
    for status, fields, archive in (
        (422, {"score": "much"}, ARCHIVE),
        (422, {"score": "nan"}, ARCHIVE),
        (422, {"agent": "os:system"}, ARCHIVE),
        (422, {}, make_zip({"agent.py": "", "../evil.py": ""})),
        (422, {}, b"PK\x03\x04 not really"),
        (422, {"approach": "x" * 50_000}, ARCHIVE),
    ):
        answer = send(client, word, archive, **fields)
        assert answer.status_code == status, answer.text
    plain = {"Content-Type": "text/plain"}
    assert client.post(SUBMIT, content=b"x", headers=plain).status_code == 422
    large = client.post(SUBMIT, content=bytes(ENTRY_BYTES + 2**17))
    assert large.status_code == 413
    assert "send less" in large.text
    assert len(list_jobs(store)) == before
    answers = [send(client, word).status_code for _ in range(8)]
    assert set(answers) <= {303, 409, 429}
    assert 429 in answers


def test_the_server_runs_and_unpacks_nothing_of_an_upload(
    client: TestClient, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mark = tmp_path / "mark"
    code = f"open({str(mark)!r}, 'w')\n"
    files = {"agent.py": f"{code}class Agent: pass\n", "setup.py": code, "sitecustomize.py": code}
    answer = send(client, log_in(client, add(store, "Sly")), make_zip(files))
    assert answer.status_code == 303
    path = answer.headers["location"].removeprefix("../../..")
    assert client.get(path).status_code == client.get(f"/events/{CUP}/").status_code == 200
    assert list(tmp_path.iterdir()) == []


def test_a_program_submits_with_a_token(client: TestClient, store: Store) -> None:
    address = f"/api/v1/events/{CUP}/submissions"
    words = {"agent": "agent.py:Agent", "score": "3"}
    assert client.post(address, params=words, content=ARCHIVE).status_code == 403
    headers = {"Authorization": f"Bearer {add(store, 'Robot')}"}
    answer = client.post(address, params=words, content=ARCHIVE, headers=headers)
    assert answer.status_code == 201
    assert find_job(answer.json()["number"], store).entrant == "Robot"
    wrong = client.post(address, params=words, content=b"", headers=headers)
    assert wrong.status_code == 422
    assert wrong.headers["content-type"] == "application/problem+json"
    assert "cannot be entered" in wrong.json()["detail"]


def test_too_many_logins_are_refused(client: TestClient) -> None:
    answers = {client.get("/jobs/1/", headers={"Authorization": "Bearer x"}).status_code
               for _ in range(25)}  # fmt: skip
    assert answers == {403, 429}


def test_nobody_submits_where_that_is_not_offered(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with TestClient(create_app(store, settings())) as closed:
        assert closed.get(SUBMIT).status_code == 403
        assert "Submit an agent" not in closed.get(f"/events/{CUP}/").text
        assert closed.get("/events/none/").status_code == 404
        assert CUP in closed.get("/events/").text
    monkeypatch.setattr(api_settings, "has_sandbox", lambda: False)
    with pytest.raises(AgentError, match="this system has no sandbox"):
        ludus.serve(tmp_path / "x.db", port=0, submissions=True)  # type: ignore[arg-type]


def test_results_are_shown_as_papers_show_them(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "over.db"))
    create(store, benchmark=TRACK, episodes=1)
    ludus.enter_event(CUP, "forward-jumping", entrant="Jo & Co", score=1, store=store)
    close_event(CUP, store, by="Olga")
    with TestClient(create_app(store, settings())) as client:
        assert client.get(f"/events/{CUP}/results.tex").status_code == 404
        ludus.run_event(CUP, workers=1, store=store)
        page = client.get(f"/events/{CUP}/").text
        assert "Results" in page
        assert "Jo &amp; Co" in page
        assert open_event(CUP, store).terms.commitment in page
        assert "Jo \\& Co" in client.get(f"/events/{CUP}/results.tex").text
        assert client.get(f"/api/v1/events/{CUP}.json").json()["state"] == "run"
        assert [one["name"] for one in client.get("/api/v1/events.json").json()] == [CUP]
    store.close()


def test_a_form_with_a_file_is_read() -> None:
    body = (
        b'--xx\r\nContent-Disposition: form-data; name="agent"\r\n\r\n a.py:A \r\n'
        b'--xx\r\nContent-Disposition: form-data; name="archive"; filename="../m.zip"\r\n'
        b"Content-Type: application/zip\r\n\r\n\x00\r\n\xff\r\n--xx--\r\n"
    )
    form = parse_form("multipart/form-data; boundary=xx", body)
    assert form == ({"agent": "a.py:A"}, {"archive": b"\x00\r\n\xff"})


@given(st.binary(max_size=200), st.text(max_size=60))
def test_a_broken_form_is_refused(body: bytes, kind: str) -> None:
    for content_type in (kind, f"multipart/form-data; boundary={kind}"):
        for content in (body, b"--" + kind.encode("utf-8", "replace") + body):
            with suppress(OptionError):
                form = parse_form(content_type, content)
                assert all(len(text) <= 200 for text in form.fields.values())
