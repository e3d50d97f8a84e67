"""What tokens cost: the table beside this file, and the user's own over it."""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from ludus.agents.llm.spec import Price
from ludus.errors import OptionError, one_line
from ludus.foreign_files import read_text

__all__ = ["price_of", "read_prices", "user_table"]

TABLE = Path(__file__).with_name("prices.toml")
MOST = 1e9
"""Nobody asks for so many dollars for a million tokens."""

_DATE = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$")


def price_of(model: str) -> Price | None:
    """Return a model's price, or None if no table has it.

    Example:
        >>> price_of("openai/gpt-4o-mini-2024-07-18")
        Price(tokens_in=0.15, tokens_out=0.6)
    """
    prices = read_prices(TABLE) | _read_user_table()
    bare = model.rpartition("/")[2]
    for name in (model, bare, _DATE.sub("", bare)):
        if name in prices:
            return prices[name]
    return None


def user_table() -> Path:
    """Return where the user's own prices are looked for."""
    if named := os.environ.get("LUDUS_PRICES"):
        return Path(named).expanduser()
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "ludus" / "prices.toml"


def _read_user_table() -> dict[str, Price]:
    path = user_table()
    if not path.is_file():
        if "LUDUS_PRICES" in os.environ:
            raise OptionError(f"no table of prices at {str(path)!r}: see LUDUS_PRICES")
        return {}
    return read_prices(path)


@cache
def read_prices(path: Path) -> dict[str, Price]:
    """Return the prices of a file by model.

    Raises:
        OptionError: It cannot be read, or an entry is not two numbers.
    """
    try:
        models = tomllib.loads(read_text(path)).get("models", {})
    except (OSError, ValueError, RecursionError) as error:
        raise OptionError(f"{str(path)!r} is no table of prices: {one_line(error)}") from None
    if not isinstance(models, dict):
        raise OptionError(f"{str(path)!r} is no table of prices: 'models' is no table")
    return {name: _price(path, name, value) for name, value in models.items()}


def _price(path: Path, name: str, value: Any) -> Price:
    two = isinstance(value, list) and len(value) == 2
    if not two or not all(isinstance(n, int | float) and 0 <= n < MOST for n in value):
        raise OptionError(
            f"{str(path)!r}: the price of {name!r} is {value!r:.60}, not [input, output]"
        )
    return Price(float(value[0]), float(value[1]))
