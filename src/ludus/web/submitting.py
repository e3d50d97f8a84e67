"""The pages on which an account submits an agent, and sees what becomes of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

from ludus.errors import AccessError, BoardError, LudusError, OptionError, one_line
from ludus.events import Description
from ludus.events.packing import pack_archive
from ludus.json_files import finite
from ludus.runs import Store
from ludus.submissions import (
    Account,
    Job,
    authenticate,
    check_may_read,
    check_may_submit,
    find_job,
    list_jobs,
    submit,
)
from ludus.submissions.job import State
from ludus.web.arena import Arena, ThisArena
from ludus.web.events import EventName, open_page
from ludus.web.multipart import parse_form
from ludus.web.problems import TooMany
from ludus.web.sessions import Forbidden, check_same_site

__all__ = ["ROUTER"]

ROUTER = APIRouter()
JobNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]
STEPS = (State.RECEIVED, State.CHECKED, State.QUEUED, State.RUNNING, State.SCORED)
LOOK_SECONDS = 1.0
MOST_LOOKS = 600
BEARER = "Bearer "


# ---- who it is


@ROUTER.post("/events/{name}/login/", include_in_schema=False)
async def log_in(request: Request, arena: ThisArena, name: EventName) -> Response:
    """Log an account in with its token."""
    check_same_site(request)
    _take(arena.logins, request, "log-ins")
    fields = parse_qs((await request.body()).decode("utf-8", "replace"))
    token = fields.get("token", [""])[0]
    account = await run_in_threadpool(authenticate, token, arena.store)
    answer = RedirectResponse("../submit/", 303)
    arena.sessions.open(account, request, answer)
    return answer


@ROUTER.post("/events/{name}/logout/", include_in_schema=False)
async def log_out(request: Request, arena: ThisArena, name: EventName) -> Response:
    """Log out."""
    check_same_site(request)
    answer = RedirectResponse("../", 303)
    arena.sessions.close(request, answer)
    return answer


def _take(limit: Any, request: Request, what: str) -> None:
    client = request.client.host if request.client else ""
    if not limit.take(client):
        raise TooMany(f"too many {what} came from here: wait a little")


def _find_account(request: Request, arena: Arena) -> Account | None:
    """Return who asks: by the token of a program, or by the session of a browser."""
    given = request.headers.get("authorization", "")
    if given.startswith(BEARER):
        _take(arena.logins, request, "log-ins")
        return authenticate(given.removeprefix(BEARER), arena.store)
    return arena.sessions.read(request, arena.store)


def _require_account(request: Request, arena: Arena) -> Account:
    account = _find_account(request, arena)
    if account is None:
        raise Forbidden("only the account that submitted it sees this: log in on the event's page")
    return account


def _check_offered(arena: Arena) -> None:
    if not arena.settings.submissions:
        raise Forbidden("this arena takes no submissions: ludus serve --submissions")


# ---- submitting


@ROUTER.get("/events/{name}/submit/", include_in_schema=False)
def show_form(request: Request, arena: ThisArena, name: EventName) -> Response:
    """Show the form of a submission, or that to log in."""
    _check_offered(arena)
    event = open_page(name, arena)
    account = arena.sessions.read(request, arena.store)
    jobs = list_jobs(arena.store, event=name, account=account.id) if account else []
    values = {
        "event": event,
        "account": account,
        "word": arena.sessions.form_word(account) if account else "",
        "jobs": list(reversed(jobs)),
        "open": event.state(arena.store.now()) == "open",
    }
    answer = arena.pages.render(request, "submit.html", values)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@ROUTER.post("/events/{name}/submit/", include_in_schema=False)
async def take_form(request: Request, arena: ThisArena, name: EventName) -> Response:
    """Take an agent from the form of a browser."""
    check_same_site(request)
    _check_offered(arena)
    account = await run_in_threadpool(arena.sessions.read, request, arena.store)
    if account is None:
        raise Forbidden("you are not logged in any more: log in with your token")
    form = parse_form(request.headers.get("content-type", ""), await request.body())
    arena.sessions.check_form(account, form.fields.get("word", ""))
    texts = {what: form.fields.get(what, "") for what in ("approach", "method")}
    job = await run_in_threadpool(
        _submit,
        request,
        arena,
        name,
        account,
        form.fields.get("agent", ""),
        form.fields.get("score", ""),
        form.files.get("archive", b""),
        Description(**texts),
    )
    return RedirectResponse(f"../../../jobs/{job.number}/", 303)


@ROUTER.post("/api/v1/events/{name}/submissions", tags=["events"], status_code=201)
async def take_archive(
    request: Request,
    arena: ThisArena,
    name: EventName,
    agent: Annotated[str, Query(max_length=300)],
    score: Annotated[float, Query()],
) -> dict[str, Any]:
    """Take an agent from a program: the archive is the body, the token a bearer's."""
    _check_offered(arena)
    if not request.headers.get("authorization", "").startswith(BEARER):
        raise Forbidden("send the token of your account: Authorization: Bearer TOKEN")
    account = await run_in_threadpool(_require_account, request, arena)
    body = await request.body()
    job = await run_in_threadpool(
        _submit, request, arena, name, account, agent, str(score), body, Description()
    )
    shown: dict[str, Any] = finite(job.to_dict())
    return shown


def _submit(
    request: Request,
    arena: Arena,
    name: str,
    account: Account,
    agent: str,
    score: str,
    archive: bytes,
    description: Description,
) -> Job:
    _take(arena.uploads, request, "submissions")
    check_may_submit(account, open_page(name, arena), arena.store)
    try:
        claim = float(score)
    except ValueError:
        raise OptionError(f"{score[:40]!r} is no score: give what 'ludus check' prints") from None
    packed = pack_archive(agent, archive)
    try:
        return submit(name, packed, account, arena.store, claim=claim, description=description)
    except BoardError as error:
        raise HTTPException(409, one_line(error)) from error


# ---- what becomes of it


@ROUTER.get("/jobs/{number}/", include_in_schema=False)
def show_job(request: Request, arena: ThisArena, number: JobNumber) -> Response:
    """Show how far a submission has come, with its log."""
    job = _find_readable(request, arena, number)
    reached = [state for state, _ in job.history]
    values = {
        "job": job,
        "steps": [(str(one), one in reached, dict(job.history).get(one, "")) for one in STEPS],
        "log": job.log.splitlines(),
        "source": f"api/v1/jobs/{number}/progress",
    }
    answer = arena.pages.render(request, "job.html", values)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@ROUTER.get("/api/v1/jobs/{number}.json", tags=["events"])
def read_job(request: Request, arena: ThisArena, number: JobNumber) -> dict[str, Any]:
    """Return how far a submission has come, with its log; to its account or its organiser."""
    shown: dict[str, Any] = finite(_find_readable(request, arena, number).to_dict())
    return shown


@ROUTER.get("/api/v1/jobs/{number}/progress", tags=["events"], response_class=StreamingResponse)
def follow_job(request: Request, arena: ThisArena, number: JobNumber) -> StreamingResponse:
    """Send the state of a submission whenever it changes, as server-sent events."""
    _find_readable(request, arena, number)
    return StreamingResponse(
        _follow(number, arena.store),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _find_readable(request: Request, arena: Arena, number: int) -> Job:
    """Return a job that whoever asks may read; others cannot tell whether it is there."""
    account = _require_account(request, arena)
    try:
        job = find_job(number, arena.store)
        check_may_read(account, job, open_page(job.event, arena))
    except LudusError:
        raise AccessError(f"no job {number} is of the account {account.name!r}") from None
    return job


async def _follow(number: int, store: Store) -> AsyncIterator[str]:
    """Yield the state until it stays, or for ten minutes; browsers ask again then."""
    before: tuple[object, ...] = ()
    for _ in range(MOST_LOOKS):
        job = await run_in_threadpool(find_job, number, store)
        now = (job.state, job.played, job.planned)
        if now != before:
            before = now
            values = {"state": str(job.state), "played": job.played, "planned": job.planned}
            yield f"data: {json.dumps(values)}\n\n"
        if job.ended:
            yield "event: complete\ndata: {}\n\n"
            return
        await asyncio.sleep(LOOK_SECONDS)
