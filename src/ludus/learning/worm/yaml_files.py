"""Plain values of YAML files that may be anybody's: small, shallow, without references or tags."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from ludus.errors import MissingExtra, OptionError, one_line
from ludus.json_files import NotJson, parse_json, reason_of

__all__ = ["read_yaml"]

MOST_BYTES = 256 * 2**10
DEEPEST = 20
MOST_VALUES = 20_000
LONGEST = 2_000
"""Signs of a value: whole numbers of more digits than Python writes are longer."""


def read_yaml(file: Path) -> dict[str, Any]:
    """Return the fields that a file of YAML or JSON holds.

    Raises:
        OptionError: It cannot be read, or holds anything else.
        MissingExtra: It is no JSON, and the package that reads YAML is not installed.
    """
    try:
        content = file.read_bytes() if file.stat().st_size <= MOST_BYTES else None
        text = None if content is None else content.decode("utf-8")
    except OSError as error:
        raise OptionError(f"{file}: cannot be read: {reason_of(error)}") from None
    except UnicodeDecodeError:
        raise OptionError(f"{file}: is no text") from None
    if text is None:
        raise OptionError(f"{file}: is larger than {MOST_BYTES // 2**10} KiB")
    try:
        values = parse_json(text)
    except NotJson:
        values = _parse_yaml(file, text)
    if not isinstance(values, dict):
        raise OptionError(f"{file}: is not an object of fields by name")
    return values


def _parse_yaml(file: Path, text: str) -> Any:
    yaml = _import_yaml()
    try:
        _check_events(yaml, text)
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise OptionError(f"{file}: is no YAML: {one_line(error)[:200]}") from None
    except (ValueError, RecursionError) as error:
        raise OptionError(f"{file}: {error}") from None


def _check_events(yaml: ModuleType, text: str) -> None:
    """Refuse a text before anything is made of it.

    Raises:
        ValueError: It refers to itself, has tags, or is too deep or too long.
    """
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=yaml.SafeLoader)):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            raise ValueError(f"refers to *{event.anchor[:40]}, which is not supported")
        if getattr(event, "tag", None):
            raise ValueError(f"has the tag {event.tag!r:.60}, which is not supported")
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > LONGEST:
            raise ValueError(f"holds a value of more than {LONGEST:,} signs")
        if depth > DEEPEST:
            raise ValueError(f"is nested more than {DEEPEST} deep")
        if number > MOST_VALUES:
            raise ValueError(f"holds more than {MOST_VALUES:,} values")


def _import_yaml() -> ModuleType:
    try:
        return import_module("yaml")
    except ImportError as error:
        raise MissingExtra(
            "PyYAML is not installed; files of YAML need it: pip install pyyaml"
        ) from error
