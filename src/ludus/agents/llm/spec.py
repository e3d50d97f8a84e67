"""``llm:MODEL@BASE_URL?setting=value&…``: which model is asked, where, and how."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from typing import Any, TypeAlias
from urllib.parse import SplitResult, parse_qsl, urlsplit

from ludus.agents.llm.model_file import ModelFile, read_model_file
from ludus.errors import AgentError

__all__ = ["FORMS", "ModelSpec", "Price", "ReadSetting", "one_of", "read_count", "read_yes_or_no"]

FORMS = ("schema", "loose", "object", "text")
"""How an answer's form can be asked for, the strictest first.

A JSON schema with limits; one without, as some endpoints know no ``maxLength``; any JSON; text.
"""
OPENAI = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
NO_KEY = "none"  # the SDK wants one, servers of one's own do not
ReadSetting: TypeAlias = Callable[[str], Any]
"""Reads a setting's text; a ValueError says what it should have been."""

_ADDRESS = re.compile(r"@(?=https?://)", re.I)
_NO_SCHEME = re.compile(r"[^@?]@(?=[^@?]*[.:/]|localhost\b)", re.I)
SHORTEST_KEY = 6  # what is shorter is no secret, and may be a word
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    tokens_in: float
    tokens_out: float

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Return what so many tokens cost."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1_000_000


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model, its address and its settings, as a spec names them.

    Attributes:
        model: The model, as the endpoint knows it.
        base_url: Where the endpoint is.
        key: The environment variable that holds the API key; the key itself is never kept.
        temperature: Sent with each call unless None.
        top_p: Sent with each call unless None.
        reasoning_effort: Sent with each call unless empty.
        tokens: The most an answer may have; twice as many after an answer that was cut off.
        timeout: Seconds until a request is given up.
        retries: How often a request that failed is sent again.
        pause: Seconds before the first of them; each further pause is twice as long.
        form: The strictest form of answers to ask for; one of :data:`FORMS`.
        price: What tokens cost, if the spec says so.
        body: Further fields of each request, from the model's file.
        headers: Further headers; a value such as ``$NAME`` stands for that variable.
        player: Settings that are not the client's but the player's, by name.
    """

    model: str
    base_url: str = OPENAI
    key: str = KEY
    temperature: float | None = None
    top_p: float | None = None
    reasoning_effort: str = ""
    tokens: int = 8000
    timeout: float = 120.0
    retries: int = 3
    pause: float = 1.0
    form: str = FORMS[0]
    price: Price | None = None
    body: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    player: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def parse(cls, spec: str, player: Mapping[str, ReadSetting] | None = None) -> ModelSpec:
        """Return what a spec says.

        Args:
            spec: The spec.
            player: Readers of further settings, which are the player's own.

        Raises:
            AgentError: It has no model, or a setting that there is not or has no such value.

        Example:
            >>> ModelSpec.parse("llm:smol@http://127.0.0.1:8080/v1?temperature=0").temperature
            0.0
        """
        model, *rest = _ADDRESS.split(spec.removeprefix("llm:"), maxsplit=1)
        if not model.partition("?")[0] or model.startswith(("http://", "https://")):
            raise AgentError(
                f"{_hide_secrets(spec)} names no model: try llm:MODEL@http://HOST:PORT/v1"
            )
        if not rest:
            model, _, query = model.partition("?")
            _refuse_address(model)
            address = os.environ.get("OPENAI_BASE_URL") or OPENAI
            url = urlsplit(address)
        else:
            url = urlsplit(rest[0])
            query = url.query
        return cls(model, _address(spec, url), **_settings(spec, query, player or {}))

    @property
    def name(self) -> str:
        """What tables call the model: its last part, with hyphens."""
        return re.sub(r"[^A-Za-z0-9.]+", "-", self.model.rpartition("/")[2]).strip("-")

    @property
    def loopback(self) -> bool:
        """Whether the endpoint is on this machine."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    def api_key(self) -> str:
        """Return the key from its variable.

        Raises:
            AgentError: It is not set, and the endpoint is not on this machine.
        """
        key = os.environ.get(self.key, "").strip()
        if not key and not self.loopback:
            raise AgentError(
                f"no API key for {self.base_url}: set {self.key}, or name another variable with "
                "?key=NAME"
            )
        return key or NO_KEY

    def sent_headers(self) -> dict[str, str]:
        """Return the further headers, with the values of variables in their places."""
        return {
            name: os.environ.get(value[1:], "") if value.startswith("$") else value
            for name, value in self.headers.items()
        }

    def redact(self, text: str) -> str:
        """Return a text without keys, should an endpoint have put them there."""
        secrets = [name[1:] for name in self.headers.values() if name.startswith("$")]
        for name in (self.key, *secrets):
            key = os.environ.get(name, "").strip()
            for written in (key, key.replace("/", r"\/")):  # the latter is how JSON may have it
                text = text.replace(written, "[key]") if len(key) >= SHORTEST_KEY else text
        return text

    def identity(self) -> dict[str, Any]:
        """Return what decides how the model plays: not where it is, nor how patient we are."""
        return {
            "model": self.model,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "reasoning_effort": self.reasoning_effort,
            "body": dict(self.body),
            "tokens": self.tokens,
            "form": self.form,
            **self.player,
        }


def _address(spec: str, parts: SplitResult) -> str:
    if not parts.hostname or parts.username or parts.password:
        raise AgentError(
            f"{_hide_secrets(spec)} has no plain address: try llm:MODEL@http://HOST:PORT/v1, with "
            f"the key in {KEY}"
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")


def _refuse_address(model: str) -> None:
    """Refuse an address without a scheme, which would be sent to the default endpoint as a name."""
    if _NO_SCHEME.search(model):
        name, _, address = model.rpartition("@")
        name = name.partition("@")[0] or name
        raise AgentError(
            f"the address {address!r} is without http:// or https://: "
            f"try llm:{name}@http://{address}"
        )


def _settings(spec: str, query: str, player: Mapping[str, ReadSetting]) -> dict[str, Any]:
    readers = {**_READERS, **player}
    texts = dict(parse_qsl(query, keep_blank_values=True))
    file = read_model_file(texts.pop("file")) if "file" in texts else ModelFile()
    texts = {**file.settings, **texts}
    unknown = texts.keys() - readers.keys()
    if unknown:
        known = ", ".join((*readers, "file"))
        raise AgentError(f"{_hide_secrets(spec)}: no setting {min(unknown)!r}; there are {known}")
    values = {name: _read(name, text, readers[name]) for name, text in texts.items()}
    of_player = {name: values.pop(name) for name in player if name in values}
    return {**values, "player": of_player, "body": file.body, "headers": file.headers}


def _read(name: str, text: str, reader: ReadSetting) -> Any:
    try:
        return reader(text)
    except ValueError as error:
        value = "its value" if name == "key" else repr(text)
        raise AgentError(f"setting {name}: {value} is not {error}") from None


def _read_variable(text: str) -> str:
    if not _VARIABLE.fullmatch(text):
        raise ValueError("the name of a variable such as OPENROUTER_API_KEY (give no key itself)")
    return text


def _read_word(text: str) -> str:
    if not re.fullmatch(r"[a-z]{1,20}", text):
        raise ValueError("a word such as low, medium or high")
    return text


def _number(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            raise ValueError(f"a number from {least:g} to {most:g}")
        return value

    return read


def read_count(least: int, most: int) -> Callable[[str], int]:
    """Return what reads a whole number from one to another."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return read


def one_of(values: Mapping[str, Any]) -> ReadSetting:
    """Return what reads one of these words."""

    def read(text: str) -> Any:
        if text not in values:
            raise ValueError(f"one of {', '.join(values)}")
        return values[text]

    return read


def read_yes_or_no(text: str) -> bool:
    """Return whether a setting is on.

    Raises:
        ValueError: The text is neither ``yes`` nor ``no``.
    """
    return bool(one_of({"yes": True, "no": False})(text))


def _read_price(text: str) -> Price:
    halves = text.split("/")
    try:
        values = [float(half) for half in halves]
    except ValueError:
        values = []
    if len(values) != 2 or not all(0 <= value < math.inf for value in values):
        raise ValueError("IN/OUT in dollars for a million tokens, such as 0.15/0.60")
    return Price(*values)


_READERS: dict[str, ReadSetting] = {
    "key": _read_variable,
    "temperature": _number(0, 2),
    "top_p": _number(0, 1),
    "reasoning_effort": _read_word,
    "tokens": read_count(16, 1_000_000),
    "timeout": _number(0.01, 86_400),
    "retries": read_count(0, 20),
    "pause": _number(0, 600),
    "form": one_of({form: form for form in FORMS}),
    "price": _read_price,
}
assert _READERS.keys() <= {setting.name for setting in fields(ModelSpec)}  # noqa: S101


def _hide_secrets(spec: str) -> str:
    """Return a spec without whatever somebody may have put there as a secret."""
    return f"agent {re.sub('//[^/@]*@', '//…@', spec.partition('?')[0])!r}"
