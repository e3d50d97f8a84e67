"""A small TOML file with the settings of one model, for ``?file=PATH`` in a spec."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus.errors import AgentError, one_line
from ludus.foreign_files import read_text

__all__ = ["ModelFile", "read_model_file"]

OURS = ("model", "messages", "stream", "n")
"""Fields of a request that a file may not change."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """What a file says.

    Attributes:
        settings: The texts of settings, as a spec has them.
        body: Further fields of each request.
        headers: Further headers of each request.
    """

    settings: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


def read_model_file(path: str) -> ModelFile:
    """Return the settings, the ``[body]`` and the ``[headers]`` of a file.

    Raises:
        AgentError: It cannot be read, or holds something else; the message names the file.
    """
    try:
        values = tomllib.loads(read_text(Path(path).expanduser()))
        body = values.pop("body", {})
        headers = values.pop("headers", {})
        json.dumps(body)  # no dates
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise AgentError(f"{path!r} is no file of a model: {one_line(error)}") from None
    if not isinstance(body, dict) or not isinstance(headers, dict):
        raise AgentError(f"{path!r}: [body] and [headers] have to be tables")
    for name in OURS:
        if name in body:
            raise AgentError(f"{path!r}: [body] may not set {name!r}: Ludus does")
    for name, value in headers.items():
        _check_header(path, name, value)
    for name, value in values.items():
        if isinstance(value, dict | list):
            raise AgentError(f"{path!r}: {name!r} is no setting; there are [body] and [headers]")
    return ModelFile({name: _write(value) for name, value in values.items()}, body, headers)


def _check_header(path: str, name: str, value: Any) -> None:
    if not isinstance(value, str) or not value.isprintable() or not value.isascii():
        raise AgentError(f"{path!r}: the header {name!r} has to be a line of text")
    secret = any(word in name.lower() for word in ("auth", "key", "token", "secret", "cookie"))
    if secret and not value.startswith("$"):
        raise AgentError(
            f"{path!r}: the header {name!r} looks like a secret: give $NAME and set that variable"
        )


def _write(value: Any) -> str:
    """Return a value of a file as a spec has it."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
