"""An OpenAI-compatible endpoint: asks a question, learns what the endpoint can do, never raises."""

from __future__ import annotations

import asyncio
import base64
import os
import random
from asyncio import sleep
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from ludus.agents.llm.budget import shared_ledger
from ludus.agents.llm.capabilities import EndpointCapabilities
from ludus.agents.llm.contents import text_of, thoughts_of
from ludus.agents.llm.faults import (
    LONGEST_PAUSE,
    error_message,
    is_bad_request,
    is_hopeless,
    is_refusal,
    is_too_long,
    retry_after,
)
from ludus.agents.llm.prices import price_of
from ludus.agents.llm.schemas import without_limits
from ludus.agents.llm.spec import FORMS, ModelSpec
from ludus.agents.llm.thread import gate
from ludus.agents.llm.tokens import estimate_tokens
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.distribution import install_command
from ludus.errors import MissingExtra, OptionError, Paused

__all__ = ["Endpoint", "Question", "Reply"]

NO_ANSWER = (ValueError, TypeError, AttributeError, LookupError)
MESSAGE_TOKENS = 8
"""What a message takes besides its text."""
PICTURE_TOKENS = 1000
"""What a small picture takes where the endpoint does not say; most take less."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked.

    Attributes:
        kind: What for, such as ``orders``; names the schema.
        system: Who the model is.
        text: What it is asked.
        schema: The form of the answer.
        seed: Sent along, for endpoints that can repeat themselves.
        so_far: Further messages between the two: an answer that was no good, in a second asking.
        picture: A PNG that is shown with the text, for models that see; none if empty.
    """

    kind: str
    system: str
    text: str
    schema: Mapping[str, Any]
    seed: int = 0
    so_far: tuple[Mapping[str, str], ...] = ()
    picture: bytes = field(default=b"", repr=False)

    def messages(self) -> list[dict[str, Any]]:
        """Return it as a chat."""
        system: dict[str, Any] = {"role": "system", "content": self.system}
        asked: dict[str, Any] = {"role": "user", "content": self._asked}
        return [system, asked, *map(dict, self.so_far)]

    @property
    def _asked(self) -> str | list[dict[str, Any]]:
        if not self.picture:
            return self.text
        url = f"data:image/png;base64,{base64.b64encode(self.picture).decode('ascii')}"
        return [
            {"type": "text", "text": self.text},
            {"type": "image_url", "image_url": {"url": url}},
        ]

    def count_tokens(self) -> int:
        """Return about how many tokens it has."""
        texts = (self.system, self.text, *(message["content"] for message in self.so_far))
        picture = PICTURE_TOKENS if self.picture else 0
        return sum(map(estimate_tokens, texts)) + MESSAGE_TOKENS * len(texts) + picture


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of asking.

    Attributes:
        text: The answer; empty if there is none.
        status: ``answered``, or why there is nothing to read.
        attempts: How many requests it took.
        seconds: How long, with all pauses.
        tokens_in: Tokens of all requests that were answered.
        tokens_out: Tokens of the answers.
        finish: Why the model stopped, in the endpoint's word.
        form: How the answer's form was asked for.
        cost: In dollars; None if the price is not known.
        estimated: Whether tokens are estimated, as the endpoint did not count them.
    """

    text: str
    status: str
    attempts: int
    seconds: float
    tokens_in: int = 0
    tokens_out: int = 0
    finish: str = ""
    form: str = ""
    cost: float | None = None
    estimated: bool = False

    @property
    def unread_status(self) -> str:
        """What the call is if nothing in its answer could be read."""
        if self.status != "answered":
            return self.status
        return "truncated" if self.finish == "length" else "unparsed"

    def row(self, kind: str, status: str) -> dict[str, Any]:
        """Return the call as records keep it."""
        row = {
            "kind": kind,
            "status": status,
            "attempts": self.attempts,
            "seconds": round(self.seconds, 3),
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "finish": self.finish,
            "form": self.form,
            "cost": None if self.cost is None else round(self.cost, 9),
        }
        return {**row, "estimated": True} if self.estimated else row


_CAPABILITIES: dict[tuple[str, str, str], EndpointCapabilities] = {}


class Endpoint:
    """One model at one address.

    Args:
        spec: The model and where it is asked.
        context: What the run may spend, and where its processes count it.

    Raises:
        MissingExtra: The client is not installed.
        AgentError: There is no key.
        OptionError: The budget is in dollars and nobody knows the price.
    """

    def __init__(self, spec: ModelSpec, context: RunContext = DEFAULT_CONTEXT) -> None:
        self.spec = spec
        self.ledger = shared_ledger(context)
        self.price = spec.price or price_of(spec.model)
        _import_client()
        spec.api_key()
        budget = context.budget
        if budget and budget.unit == "usd" and self.price is None:
            raise OptionError(
                f"no price is known for {spec.model!r}: add ?price=IN/OUT to its spec, or give the "
                "budget in tokens"
            )
        self._clients: dict[int, Any] = {}
        self.closed = False

    async def ask(self, question: Question) -> Reply:
        """Ask, again where that may help, and return what came of it.

        Raises:
            Paused: The budget is spent, or nothing the model could say would help: the key is
                wrong, the model unknown, the account empty.
        """
        exchange = _Exchange(self, question)
        async with gate():
            began = perf_counter()
            text, status = await exchange.run()
            seconds = perf_counter() - began
        cost = self.price.cost(exchange.tokens_in, exchange.tokens_out) if self.price else None
        return Reply(
            text=self.spec.redact(text),
            status=status,
            attempts=exchange.attempts,
            seconds=seconds,
            tokens_in=exchange.tokens_in,
            tokens_out=exchange.tokens_out,
            finish=self.spec.redact(exchange.finish),
            form=exchange.form,
            cost=cost,
            estimated=exchange.estimated,
        )

    @property
    def capabilities(self) -> EndpointCapabilities:
        """What is known of the endpoint in this process."""
        key = self.spec.base_url, self.spec.model, self.spec.form
        if key not in _CAPABILITIES:
            first = FORMS.index(self.spec.form)
            _CAPABILITIES[key] = EndpointCapabilities(first, first)
        return _CAPABILITIES[key]

    def client(self) -> Any:
        """Return the client of this process; one on this machine is not looked for by a proxy."""
        process = os.getpid()
        if self.closed:
            raise ValueError("the endpoint is closed")
        if process not in self._clients:
            openai = _import_client()
            encrypted = self.spec.base_url.startswith("https:")  # else no certificates are needed
            http = openai.DefaultAsyncHttpxClient(
                trust_env=not self.spec.loopback, verify=encrypted
            )
            self._clients[process] = openai.AsyncOpenAI(
                api_key=self.spec.api_key(),
                base_url=self.spec.base_url,
                max_retries=0,
                timeout=self.spec.timeout,
                http_client=http,
            )
        return self._clients[process]

    async def close(self) -> None:
        """Close the connections of this process; questions that are under way get no answer."""
        self.closed = True
        client = self._clients.pop(os.getpid(), None)
        if client is not None:
            await client.close()


class _Exchange:
    """One question on its way: requests, pauses, what they took."""

    def __init__(self, endpoint: Endpoint, question: Question) -> None:
        self._endpoint = endpoint
        self._spec = endpoint.spec
        self._question = question
        self._openai = _import_client()
        self.attempts = self.tokens_in = self.tokens_out = 0
        self.finish = self.form = ""
        self.estimated = False
        self._doubled = False
        self._cut_off = ""  # what there was of an answer that more room is tried for
        self._sent: dict[str, Any] = {}

    async def run(self) -> tuple[str, str]:
        """Return the answer and ``answered``, or nothing and why."""
        failures = 0
        while True:
            self._endpoint.ledger.check()
            capabilities = self._endpoint.capabilities
            status, pause = "", 0.0
            try:
                text, status = await self._request()
            except self._openai.APIStatusError as error:
                if is_bad_request(error) and self._may_ask_for_less(error):
                    continue
                status, pause = self._classify(error)
            except (self._openai.APITimeoutError, TimeoutError):
                status = "timeout"
            except self._openai.APIConnectionError:
                status = "unreachable"
            except (self._openai.OpenAIError, *NO_ANSWER):
                status = "unreadable"  # an answer that is no answer of this protocol
            else:
                capabilities.unreachable = False
                if self._may_double():
                    self._cut_off = text
                    continue
                return text or self._cut_off, "answered" if self._cut_off else status
            failures += 1
            if (
                status in ("rejected", "refused")
                or failures > self._retries()
                or self._endpoint.closed
            ):
                capabilities.unreachable = status == "unreachable"
                return self._cut_off, "answered" if self._cut_off else status
            await sleep(pause or self._pause(failures))

    def _may_double(self) -> bool:
        """Return whether to give an answer that was cut off twice the room; once at most."""
        room = self._endpoint.capabilities.most_tokens > self._spec.tokens
        again = self.finish == "length" and room and not self._doubled
        self._doubled = self._doubled or again
        return again

    def _retries(self) -> int:
        """Return how often to try again: not at all where nobody was the last time."""
        return 0 if self._endpoint.capabilities.unreachable else self._spec.retries

    def _pause(self, failures: int) -> float:
        longest = self._spec.pause * 2.0 ** (failures - 1)
        return min(longest, LONGEST_PAUSE) * random.uniform(0.75, 1.25)  # noqa: S311

    async def _request(self) -> tuple[str, str]:
        self.attempts += 1
        self._sent = self._arguments()
        request = self._endpoint.client().chat.completions.create(**self._sent)
        created = await asyncio.wait_for(request, self._spec.timeout)
        choice = created.choices[0]
        self._count(created.usage, choice.message)
        return self._read(choice)

    def _arguments(self) -> dict[str, Any]:
        spec, capabilities, question = self._spec, self._endpoint.capabilities, self._question
        self.form = FORMS[capabilities.form]
        wishes: dict[str, Any] = {"seed": question.seed}
        for name in ("temperature", "top_p", "reasoning_effort"):
            if (wish := getattr(spec, name)) not in (None, ""):
                wishes[name] = wish
        room = min(spec.tokens * (2 if self._doubled else 1), capabilities.most_tokens)
        return {
            "model": spec.model,
            "messages": question.messages(),
            capabilities.limit: room,
            **_response_format(self.form, question),
            **{name: wish for name, wish in wishes.items() if name not in capabilities.refused},
            "extra_body": dict(spec.body) or None,
            "extra_headers": spec.sent_headers() or None,
        }

    def _count(self, usage: Any, message: Any) -> None:
        """Add what an answer took; what the endpoint does not say is estimated."""
        tokens_in = int(getattr(usage, "prompt_tokens", 0) or 0)
        tokens_out = int(getattr(usage, "completion_tokens", 0) or 0)
        if tokens_in <= 0 or tokens_out < 0 or usage is None:
            self.estimated = True
            tokens_in = self._question.count_tokens()
            tokens_out = estimate_tokens(text_of(message.content) + thoughts_of(message))
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        price = self._endpoint.price
        usd = price.cost(tokens_in, tokens_out) if price else None
        self._endpoint.ledger.spend(tokens_in + tokens_out, usd)

    def _read(self, choice: Any) -> tuple[str, str]:
        """Return an answer's text, and what it is if that can be told before reading it."""
        self.finish = str(choice.finish_reason or "")
        message = choice.message
        text = text_of(message.content)
        if getattr(message, "refusal", None) or self.finish == "content_filter":
            return "", "refused"
        if not text.strip():
            if getattr(message, "tool_calls", None):
                return "", "tool_call"
            return "", "truncated" if self.finish == "length" else "empty"
        return text, "answered"

    def _may_ask_for_less(self, error: Any) -> bool:
        """Learn from a request that was called bad; return whether to send another at once."""
        message = error_message(error)
        if is_refusal(error.status_code, message):
            return False
        if is_too_long(message):
            return self._endpoint.capabilities.shorten(self._sent)
        return self._endpoint.capabilities.step_down(message, self._sent, self.form)

    def _classify(self, error: Any) -> tuple[str, float]:
        """Return what a refused request is, and how long the endpoint asks us to wait.

        Raises:
            Paused: No further request can be answered either.
        """
        message, code = self._spec.redact(error_message(error)), error.status_code
        if is_refusal(code, message):
            return "refused", 0.0
        if is_hopeless(code, message):
            model = f"{self._spec.model!r} at {self._spec.base_url}"
            reason = f"{code}: {message[:200]}"
            raise Paused(f"{model} cannot be asked ({reason}): set it right and resume")
        if code == 429:
            return "rate_limited", retry_after(error)
        if is_bad_request(error):
            return "rejected", 0.0
        return "server_error", retry_after(error)


def _response_format(form: str, question: Question) -> dict[str, Any]:
    if form == "text":
        return {}
    if form == "object":
        return {"response_format": {"type": "json_object"}}
    schema = question.schema if form == "schema" else without_limits(question.schema)
    named = {"name": question.kind, "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def _import_client() -> Any:
    try:
        import openai
    except ImportError:
        raise MissingExtra(
            f"the openai client is not installed; language models need it: {install_command('llm')}"
        ) from None
    return openai
