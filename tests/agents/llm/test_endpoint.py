"""Every fault of an endpoint, through the real client."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.agents.llm.server import Request, Say, Script, Scripted

from ludus.agents.llm.budget import shared_ledger
from ludus.agents.llm.endpoint import Endpoint, Question, Reply
from ludus.agents.llm.spec import ModelSpec
from ludus.agents.llm.thread import wait_for
from ludus.context import DEFAULT_CONTEXT, Budget, RunContext
from ludus.errors import AgentError, OptionError, Paused

SCHEMA = {
    "type": "object",
    "properties": {
        "messages": {"type": "array", "items": {"type": "string", "maxLength": 9}, "maxItems": 6}
    },
    "required": ["messages"],
    "additionalProperties": False,
}
GOOD = Say('{"messages": []}')


def asked(
    server: Scripted, script: Script, settings: str = "", context: RunContext = DEFAULT_CONTEXT
) -> Reply:
    server.script = script
    return ask_at(server.spec(settings), context)


def ask_at(spec: str, context: RunContext = DEFAULT_CONTEXT) -> Reply:
    endpoint = Endpoint(ModelSpec.parse(spec), context)
    question = Question("negotiate", "You play.", "Answer in JSON.", SCHEMA)
    try:
        return wait_for(endpoint.ask(question))
    finally:
        wait_for(endpoint.close())


def after(times: int, fault: Say, then: Say = GOOD) -> Script:
    return lambda _, number: fault if number < times else then


def test_a_good_answer(server: Scripted) -> None:
    reply = asked(server, after(0, GOOD), "temperature=0.5&price=2/8")
    assert (reply.text, reply.status, reply.attempts) == (GOOD.text, "answered", 1)
    assert (reply.finish, reply.form) == ("stop", "schema")
    assert reply.tokens_in > 0
    assert reply.tokens_out > 0
    assert reply.cost == pytest.approx((reply.tokens_in * 2 + reply.tokens_out * 8) / 1e6)
    assert reply.seconds > 0
    (request,) = server.requests
    assert request["model"] == "scripted"
    assert request["temperature"] == 0.5
    assert request["max_tokens"] == 8000
    assert request["response_format"]["json_schema"]["strict"] is True
    assert [one["role"] for one in request["messages"]] == ["system", "user"]


def test_the_row_of_a_call_is_plain(server: Scripted) -> None:
    row = asked(server, after(0, GOOD)).row("negotiate", "parsed")
    assert json.loads(json.dumps(row)) == row
    assert row["kind"] == "negotiate"
    assert row["status"] == "parsed"
    assert row["cost"] is None


@pytest.mark.parametrize("status", [429, 500, 503, 408])
def test_passing_faults_are_tried_again(server: Scripted, status: int) -> None:
    reply = asked(server, after(2, Say(status=status)))
    assert (reply.status, reply.attempts) == ("answered", 3)


@pytest.mark.parametrize(
    ("fault", "status"),
    [(Say(status=429), "rate_limited"), (Say(status=500), "server_error")],
)
def test_lasting_faults_end(server: Scripted, fault: Say, status: str) -> None:
    reply = asked(server, after(99, fault), "retries=2")
    assert (reply.text, reply.status, reply.attempts) == ("", status, 3)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("told", "least", "most"), [("7", 7, 7), ("3600", 60, 60), ("soon", 0, 1), ("-4", 0, 1)]
)
def test_the_endpoints_own_pause_is_kept(
    server: Scripted, monkeypatch: pytest.MonkeyPatch, told: str, least: float, most: float
) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr("ludus.agents.llm.endpoint.sleep", sleep)
    asked(server, after(1, Say(status=429, headers={"retry-after": told})))
    assert least <= pauses[0] <= most


def test_slow_answers_time_out(server: Scripted) -> None:
    server.script = after(99, Say(GOOD.text, delay=0.5))
    spec = f"llm:scripted@{server.url}?timeout=0.1&retries=1&pause=0"
    reply = ask_at(spec)
    assert (reply.status, reply.attempts) == ("timeout", 2)


def test_nobody_there() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    spec = f"llm:x@http://127.0.0.1:{port}/v1?pause=0&retries=2"
    first = ask_at(spec)
    assert (first.text, first.status, first.attempts) == ("", "unreachable", 3)
    again = ask_at(spec)
    assert (again.status, again.attempts) == ("unreachable", 1)  # not waited for any more


def test_an_endpoint_that_comes_back_is_waited_for_again(server: Scripted) -> None:
    gone = f"llm:scripted@{server.url}?pause=0&retries=2&timeout=0.2"
    server.script = after(99, Say(body=b"", status=200))
    assert ask_at(gone).status == "unreadable"
    server.requests.clear()
    reply = asked(server, after(1, Say(status=500)))
    assert (reply.status, reply.attempts) == ("answered", 2)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (Say(""), "empty"),
        (Say(None), "empty"),
        (Say("   \n"), "empty"),
        (Say("", finish="length"), "truncated"),
        (Say('{"messages": [', finish="length"), "answered"),
        (Say("", refusal="I will not."), "refused"),
        (Say("half", finish="content_filter"), "refused"),
        (
            Say(
                None,
                finish="tool_calls",
                tool_calls=[
                    {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
                ],
            ),
            "tool_call",
        ),
    ],
)
def test_answers_without_an_answer(server: Scripted, said: Say, status: str) -> None:
    reply = asked(server, after(0, GOOD, said))
    attempts = 2 if said.finish == "length" else 1
    assert (reply.status, reply.attempts, reply.finish) == (status, attempts, said.finish)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>gateway</html>",
        b"",
        b"[]",
        b'"text"',
        b'{"choices": []}',
        b'{"choices": null}',
        b"{}",
    ],
)
def test_bodies_that_are_no_answers(server: Scripted, body: bytes) -> None:
    reply = asked(server, after(99, Say(body=body)), "retries=1")
    assert (reply.text, reply.status, reply.attempts) == ("", "unreadable", 2)


@pytest.mark.parametrize(
    "usage",
    [
        False,
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        {"prompt_tokens": -900, "completion_tokens": -900, "total_tokens": -1800},
    ],
)
def test_tokens_that_are_not_counted_are_estimated(server: Scripted, usage: Any) -> None:
    said = Say(GOOD.text, usage=usage, thoughts="Let me think about it.")
    reply = asked(server, after(0, GOOD, said))
    assert reply.status == "answered"
    assert reply.tokens_in > 5
    assert reply.tokens_out > 5
    assert reply.estimated
    assert reply.row("orders", "parsed")["estimated"] is True
    assert "estimated" not in asked(server, after(0, GOOD)).row("orders", "parsed")


def test_a_budget_holds_where_tokens_are_not_counted(server: Scripted) -> None:
    context = allowing("60tokens")
    silent = Say("word " * 30, usage=False)
    asked(server, after(0, GOOD, silent), context=context)
    with pytest.raises(Paused, match="budget of 60 tokens is spent"):
        asked(server, after(0, GOOD, silent), context=context)


def test_an_answer_may_come_in_parts(server: Scripted) -> None:
    parts = [
        {"type": "thinking", "text": "hm"},
        {"type": "text", "text": '{"messages":'},
        {"type": "text", "text": " []}"},
        {"type": "image_url", "image_url": {"url": "x"}},
        7,
    ]
    reply = asked(server, after(0, GOOD, Say(parts, usage=False)))
    assert (reply.text, reply.status) == (GOOD.text, "answered")
    assert asked(server, after(0, GOOD, Say([], usage=False))).status == "empty"


# ---- what an endpoint can do is learned once


def refusing(*words: str) -> Script:
    """An endpoint that knows none of these words."""

    def script(request: Request, _: int) -> Say:
        text = json.dumps({key: request[key] for key in request if key != "messages"})
        found = [word for word in words if f'"{word}"' in text]
        return Say(status=400, error=f"unknown: {found[0]}") if found else GOOD

    return script


@pytest.mark.parametrize(
    ("words", "form", "attempts"),
    [
        ((), "schema", 1),
        (("maxLength",), "loose", 2),
        (("json_schema",), "object", 3),
        (("response_format",), "text", 4),
        (("json_schema", "seed"), "object", 4),
    ],
)
def test_forms_are_stepped_down_and_remembered(
    server: Scripted, words: tuple[str, ...], form: str, attempts: int
) -> None:
    reply = asked(server, refusing(*words))
    assert (reply.status, reply.form, reply.attempts) == ("answered", form, attempts)
    again = asked(server, refusing(*words))
    assert (again.status, again.form, again.attempts) == ("answered", form, 1)


def test_the_other_word_for_the_limit(server: Scripted) -> None:
    def script(request: Request, _: int) -> Say:
        if "max_tokens" in request:
            return Say(status=400, error="use 'max_completion_tokens' instead of 'max_tokens'")
        return GOOD

    reply = asked(server, script)
    assert (reply.status, reply.form, reply.attempts) == ("answered", "schema", 2)
    assert server.requests[-1]["max_completion_tokens"] == 8000


def test_what_is_wrong_in_every_form_is_rejected(server: Scripted) -> None:
    reply = asked(server, after(99, Say(status=400, error="no")))
    assert (reply.status, reply.attempts, reply.form) == ("rejected", 4, "text")
    assert asked(server, after(0, GOOD)).form == "schema"


def test_a_prompt_that_is_too_long_says_nothing_about_the_form(server: Scripted) -> None:
    error = "This model's maximum context length is 4096 tokens"
    reply = asked(server, after(99, Say(status=400, error=error)))
    assert (reply.status, reply.attempts) == ("rejected", 3)
    assert [one["max_tokens"] for one in server.requests] == [8000, 2000, 500]
    assert asked(server, after(0, GOOD)).form == "schema"


# ---- room to think


def test_an_answer_that_was_cut_off_gets_twice_the_room_once(server: Scripted) -> None:
    thinking = Say("", finish="length", thoughts="hm " * 99)
    reply = asked(server, after(1, thinking), "tokens=700")
    assert (reply.text, reply.status, reply.attempts) == (GOOD.text, "answered", 2)
    assert [one["max_tokens"] for one in server.requests] == [700, 1400]
    server.requests.clear()
    assert asked(server, after(9, thinking), "tokens=700").status == "truncated"
    assert len(server.requests) == 2


@pytest.mark.parametrize("then", [Say(status=500), Say(""), Say("", finish="length")])
def test_what_there_was_of_an_answer_is_not_lost(server: Scripted, then: Say) -> None:
    half = Say('{"messages": ["a", "b', finish="length")
    reply = asked(server, after(1, half, then), "retries=0")
    assert (reply.text, reply.status) == (half.text, "answered")


@pytest.mark.parametrize(
    "error",
    [
        "This model's maximum context length is 4096 tokens, however you requested 9000",
        "max_tokens is too large: 8000. This model supports at most 4096 completion tokens",
    ],
)
def test_a_small_model_is_asked_for_less(server: Scripted, error: str) -> None:
    def small(request: Request, _: int) -> Say:
        return Say(status=400, error=error) if request["max_tokens"] > 4096 else GOOD

    reply = asked(server, small)
    assert (reply.status, reply.form, reply.attempts) == ("answered", "schema", 2)
    assert asked(server, small).attempts == 1  # remembered


def test_settings_of_a_file_are_sent(
    server: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATE_KEY", SECRET)
    file = tmp_path / "model.toml"
    file.write_text(
        'tokens = 99\ntop_p = 0.5\nreasoning_effort = "low"\n[body]\nmin_p = 0.1\n'
        '[body.provider]\nonly = ["x"]\n[headers]\nX-Gate-Key = "$GATE_KEY"\nX-Title = "Ludus"\n'
    )
    reply = asked(server, after(0, GOOD, Say(f"I saw {SECRET}")), f"file={file}&tokens=77")
    (request,) = server.requests
    assert (request["max_tokens"], request["top_p"]) == (77, 0.5)
    assert request["reasoning_effort"] == "low"
    assert (request["min_p"], request["provider"]) == (0.1, {"only": ["x"]})
    assert server.headers[0]["x-gate-key"] == SECRET
    assert server.headers[0]["x-title"] == "Ludus"
    assert reply.text == "I saw [key]"


def test_wishes_that_are_refused_are_left_out(server: Scripted) -> None:
    reply = asked(server, refusing("top_p", "reasoning_effort"), "top_p=0.5&reasoning_effort=high")
    assert (reply.status, reply.form, reply.attempts) == ("answered", "schema", 3)


def test_requests_side_by_side_step_down_once(server: Scripted) -> None:
    server.script = refusing("maxLength")
    endpoint = Endpoint(ModelSpec.parse(server.spec()))

    async def several() -> list[Reply]:
        question = Question("negotiate", "", "JSON", SCHEMA)
        return await asyncio.gather(*(endpoint.ask(question) for _ in range(6)))

    assert {reply.form for reply in wait_for(several())} == {"loose"}
    wait_for(endpoint.close())


# ---- what stops a run


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, "wrong key"),
        (403, "no"),
        (404, "no such model"),
        (402, "pay"),
        (429, "insufficient_quota"),
    ],
)
def test_what_no_answer_could_mend_pauses(server: Scripted, status: int, error: str) -> None:
    with pytest.raises(Paused, match=f"{status}.*{error}.*resume"):
        asked(server, after(99, Say(status=status, error=error)))
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (403, "Your chosen model requires moderation and your input was flagged"),
        (400, "The response was filtered due to Azure's content management policy"),
        (400, "content_policy_violation"),
        (422, "Input blocked by our safety system"),
    ],
)
def test_one_input_that_is_refused_is_no_end_of_the_run(
    server: Scripted, status: int, error: str
) -> None:
    reply = asked(server, after(1, Say(status=status, error=error)))
    assert (reply.text, reply.status, reply.attempts) == ("", "refused", 1)
    again = asked(server, after(0, GOOD))
    assert (again.status, again.form) == ("answered", "schema")


def allowing(text: str, folder: Path | None = None) -> RunContext:
    return RunContext(folder, Budget.parse(text))


def test_tokens_are_limited(server: Scripted) -> None:
    context = allowing("30tokens")
    while shared_ledger(context).tokens < 30:
        asked(server, after(0, GOOD), context=context)
    before = len(server.requests)
    with pytest.raises(Paused, match="budget of 30 tokens is spent"):
        asked(server, after(0, GOOD), context=context)
    assert 1 < before == len(server.requests)


def test_money_is_limited(server: Scripted) -> None:
    context = allowing("0.01usd")
    asked(server, after(0, GOOD), "price=1000/1000", context)
    with pytest.raises(Paused, match=r"0.01 USD is spent"):
        asked(server, after(0, GOOD), "price=1000/1000", context)
    assert len(server.requests) == 1


def test_money_needs_a_price(server: Scripted) -> None:
    with pytest.raises(OptionError, match=r"no price is known for 'scripted'.*price=IN/OUT"):
        asked(server, after(0, GOOD), context=allowing("1usd"))


def test_processes_share_what_is_spent(server: Scripted, tmp_path: Path) -> None:
    context = allowing("1000tokens", tmp_path)
    asked(server, after(0, GOOD), context=context)
    with (tmp_path / "spent").open("a") as file:
        file.write("990 0.0\n")  # another process
    with pytest.raises(Paused, match="is spent"):
        asked(server, after(0, GOOD), context=context)


# ---- keys and concurrency


def test_the_key_is_sent_and_comes_from_its_variable(
    server: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(server, after(0, GOOD))
    monkeypatch.setenv("OPENAI_API_KEY", "first")
    asked(server, after(0, GOOD))
    monkeypatch.setenv("OTHER_KEY", "second")
    asked(server, after(0, GOOD), "key=OTHER_KEY")
    assert server.keys == ["Bearer none", "Bearer first", "Bearer second"]


SECRET = "sk-0123456789-very-secret"


@pytest.mark.parametrize(
    "said",
    [
        Say(f'{{"messages": ["Bearer {SECRET}"]}}'),
        Say([{"type": "text", "text": SECRET}], usage=False),
        Say("yes", finish=SECRET),
        Say(status=500, error=SECRET),
    ],
)
def test_a_key_that_is_echoed_is_redacted(
    server: Scripted, monkeypatch: pytest.MonkeyPatch, said: Say
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    reply = asked(server, after(9, said), "retries=0")
    assert SECRET not in repr(reply)
    assert SECRET not in json.dumps(reply.row("orders", "parsed"))


@pytest.mark.parametrize("before", ["", "x" * 190])
def test_a_key_that_is_echoed_in_an_error_is_redacted(
    server: Scripted, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with pytest.raises(Paused) as caught:
        asked(server, after(9, Say(status=401, error=f"{before}wrong key {SECRET}")))
    assert SECRET[:8] not in str(caught.value)  # not even the part before the cut


def test_other_machines_want_a_key() -> None:
    with pytest.raises(AgentError, match=r"no API key for https://api.example.org/v1: set MY_KEY"):
        Endpoint(ModelSpec.parse("llm:x@https://api.example.org/v1?key=MY_KEY"))


@pytest.mark.parametrize("limit", [1, 3])
def test_requests_at_once_are_limited(
    server: Scripted, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setenv("LUDUS_LLM_CONCURRENCY", str(limit))
    together = threading.Barrier(limit)

    def script(request: Request, number: int) -> Say:
        together.wait(timeout=60)  # breaks unless as many as may are there
        return GOOD

    server.script = script
    endpoints = [Endpoint(ModelSpec.parse(server.spec(model=name))) for name in "abcdef"]

    async def several() -> list[Reply]:
        question = Question("negotiate", "", "JSON", SCHEMA)
        return await asyncio.gather(*(endpoint.ask(question) for endpoint in endpoints))

    wait_for(several())
    assert server.most_at_once == limit
    for endpoint in endpoints:
        wait_for(endpoint.close())


def test_a_limit_that_is_none(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_LLM_CONCURRENCY", "many")
    with pytest.raises(OptionError, match="LUDUS_LLM_CONCURRENCY is 'many'"):
        asked(server, after(0, GOOD))


def test_a_missing_client_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from ludus.errors import MissingExtra

    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtra, match=r'pip install "ludus-arena\[llm\]"'):
        Endpoint(ModelSpec.parse("llm:x@http://127.0.0.1:1/v1"))
