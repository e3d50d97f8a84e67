"""Addresses of generated levels: a generator and its options, as in ``ludus?length=60&seed=7``."""

from __future__ import annotations

from urllib.parse import parse_qsl

from ludus.errors import OptionError, one_line
from ludus.games.platformer.generators import load
from ludus.games.platformer.levels.level import Level

__all__ = ["generate_at", "split_address"]

LONGEST = 500


def generate_at(address: str) -> Level:
    """Return the level of an address.

    Raises:
        OptionError: The generator or an option is unknown, or a value is outside its range.

    Example:
        >>> generate_at("ludus?length=60&seed=7").width
        60
    """
    name, options = split_address(address)
    generator = load(name)
    return generator(**generator.validate_texts(options).model_dump())


def split_address(address: str) -> tuple[str, dict[str, str]]:
    """Return the generator and the options that an address names.

    Raises:
        OptionError: The text is too long, or its options are none.

    Example:
        >>> split_address("ludus?length=60&seed=7")
        ('ludus', {'length': '60', 'seed': '7'})
    """
    name, _, query = address.partition("?")
    if len(address) > LONGEST:
        raise OptionError(f"an address of {len(address)} letters is too long for a level")
    try:
        pairs = parse_qsl(query, strict_parsing=bool(query))
    except ValueError as error:
        raise OptionError(f"{address[:60]!r} names no level: {one_line(error)}") from None
    if len(dict(pairs)) < len(pairs):
        raise OptionError(f"{address[:60]!r} says something twice: leave one out")
    return name, dict(pairs)
