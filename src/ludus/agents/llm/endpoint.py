"""An OpenAI-compatible endpoint: asks a question, learns what the endpoint can do, never raises."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from ludus.agents.llm.budget import shared_ledger
from ludus.agents.llm.prices import price_of
from ludus.agents.llm.schemas import without_limits
from ludus.agents.llm.spec import FORMS, ModelSpec
from ludus.agents.llm.thread import gate
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.distribution import install_command
from ludus.errors import MissingExtra, OptionError, Paused

__all__ = ["Endpoint", "Question", "Reply"]

LONGEST_PAUSE = 60.0
TOO_LONG = re.compile(r"context.{0,20}(length|size|window)|maximum context|too many tokens", re.I)
NO_ANSWER = (ValueError, TypeError, AttributeError, LookupError)
HOPELESS = (401, 402, 403, 404)
PASSING = (408, 409, 425, 429)
NO_MONEY = re.compile(r"insufficient_quota|insufficient (funds|credits|balance)|billing", re.I)


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
    """

    kind: str
    system: str
    text: str
    schema: Mapping[str, Any]
    seed: int = 0
    so_far: tuple[Mapping[str, str], ...] = ()

    def messages(self) -> list[dict[str, str]]:
        """Return it as a chat."""
        ends = {"role": "system", "content": self.system}, {"role": "user", "content": self.text}
        return [dict(message) for message in (*ends, *self.so_far)]


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

    def row(self, kind: str, status: str) -> dict[str, Any]:
        """Return the call as records keep it."""
        return {
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


@dataclass
class EndpointCapabilities:
    """What an endpoint has shown that it can do; remembered as long as the process lives."""

    first: int
    form: int
    limit: str = "max_tokens"
    refused: set[str] = field(default_factory=set)
    unreachable: bool = False

    def step_down(self, message: str, sent: Mapping[str, Any], form: str) -> bool:
        """Ask for less, after a request was called bad; return whether to send another.

        Requests are under way side by side: one that asked for more than we ask for now has
        nothing new to say.
        """
        if "max_tokens" in sent and "max_completion_tokens" in message:
            self.limit = "max_completion_tokens"
            return True
        for name in ("seed", "temperature"):
            if name in sent and name in message:
                self.refused.add(name)
                return True
        self.form = max(self.form, FORMS.index(form) + 1)
        if self.form < len(FORMS):
            return True
        self.form = self.first  # it was never the form
        return False


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
            text=text,
            status=status,
            attempts=exchange.attempts,
            seconds=seconds,
            tokens_in=exchange.tokens_in,
            tokens_out=exchange.tokens_out,
            finish=exchange.finish,
            form=exchange.form,
            cost=cost,
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
                if _is_bad_request(error) and self._may_ask_for_less(error):
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
                return text, status
            failures += 1
            if status == "rejected" or failures > self._retries() or self._endpoint.closed:
                capabilities.unreachable = status == "unreachable"
                return "", status
            await asyncio.sleep(pause or self._pause(failures))

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
        self._count(created)
        return self._read(created.choices[0])

    def _arguments(self) -> dict[str, Any]:
        spec, capabilities, question = self._spec, self._endpoint.capabilities, self._question
        self.form = FORMS[capabilities.form]
        wishes: dict[str, Any] = {"seed": question.seed}
        if spec.temperature is not None:
            wishes["temperature"] = spec.temperature
        return {
            "model": spec.model,
            "messages": question.messages(),
            capabilities.limit: spec.tokens,
            **_response_format(self.form, question),
            **{name: wish for name, wish in wishes.items() if name not in capabilities.refused},
        }

    def _count(self, created: Any) -> None:
        usage = created.usage
        tokens_in = int(getattr(usage, "prompt_tokens", 0) or 0)
        tokens_out = int(getattr(usage, "completion_tokens", 0) or 0)
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        price = self._endpoint.price
        usd = price.cost(tokens_in, tokens_out) if price else None
        self._endpoint.ledger.spend(tokens_in + tokens_out, usd)

    def _read(self, choice: Any) -> tuple[str, str]:
        """Return an answer's text, and what it is if that can be told before reading it."""
        self.finish = str(choice.finish_reason or "")
        message = choice.message
        text = message.content if isinstance(message.content, str) else ""
        if getattr(message, "refusal", None) or self.finish == "content_filter":
            return "", "refused"
        if not text.strip():
            if getattr(message, "tool_calls", None):
                return "", "tool_call"
            return "", "truncated" if self.finish == "length" else "empty"
        return text, "answered"

    def _may_ask_for_less(self, error: Any) -> bool:
        """Learn from a request that was called bad; return whether to send another at once."""
        message = _error_message(error)
        if TOO_LONG.search(message):
            return False
        return self._endpoint.capabilities.step_down(message, self._sent, self.form)

    def _classify(self, error: Any) -> tuple[str, float]:
        """Return what a refused request is, and how long the endpoint asks us to wait.

        Raises:
            Paused: No further request can be answered either.
        """
        message, code = _error_message(error), error.status_code
        if code in HOPELESS or (code == 429 and NO_MONEY.search(message)):
            model = f"{self._spec.model!r} at {self._spec.base_url}"
            reason = f"{code}: {message[:200]}"
            raise Paused(f"{model} cannot be asked ({reason}): set it right and resume")
        if code == 429:
            return "rate_limited", _retry_after(error)
        if _is_bad_request(error):
            return "rejected", 0.0
        return "server_error", _retry_after(error)


def _response_format(form: str, question: Question) -> dict[str, Any]:
    if form == "text":
        return {}
    if form == "object":
        return {"response_format": {"type": "json_object"}}
    schema = question.schema if form == "schema" else without_limits(question.schema)
    named = {"name": question.kind, "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def _is_bad_request(error: Any) -> bool:
    return 400 <= error.status_code < 500 and error.status_code not in HOPELESS + PASSING


def _error_message(error: Any) -> str:
    """Return what the endpoint said, as one line."""
    body = error.body if isinstance(error.body, str) else json.dumps(error.body, default=str)
    return " ".join(f"{body} {error.message}".split())


def _retry_after(error: Any) -> float:
    """Return the seconds that the endpoint asks us to wait; 0 if it does not say."""
    try:
        seconds = float(error.response.headers.get("retry-after", "0"))
    except ValueError:
        return 0.0
    return min(max(seconds, 0.0), LONGEST_PAUSE)


def _import_client() -> Any:
    try:
        import openai
    except ImportError:
        raise MissingExtra(
            f"the openai client is not installed; language models need it: {install_command('llm')}"
        ) from None
    return openai
