"""The ranges that settings of brains and learners lie in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ludus.errors import OptionError

__all__ = ["check_parts", "check_range"]

COUNTS = (
    *("actor", "critic", "feed", "heads", "hidden", "layers", "pairs", "qubits", "units"),
    *("batch", "chunk", "depth", "epochs", "follow", "gradients", "group", "minibatches"),
    *("parents", "passes", "population", "replay", "ticks", "tuning", "window"),
)
"""Of these there is at least one."""

SHARES = (
    *("discount", "explore", "explore_decay", "explore_least", "leak", "memory", "mutation"),
    *("sparsity", "trace"),
)
"""These lie between 0 and 1."""

ANY_SIGN = ("angles", "hold", "kick", "let_in")
"""These may lie below 0, as no others."""

MOST = {"qubits": 12, "pairs": 5} | dict.fromkeys(
    ("actor", "critic", "feed", "hidden", "units"), 4096
)
MOST_LAYERS = 16
MOST_CONNECTIONS = 2**25


def check_parts(parts: Sequence[Any]) -> None:
    """Make sure that the settings of a brain and its learner go together.

    Raises:
        OptionError: They do not.
    """
    for part in parts:
        for whole, share in DIVIDED:
            number, by = getattr(part, whole, None), getattr(part, share, None)
            if isinstance(number, int) and isinstance(by, int) and number % by:
                raise OptionError(
                    f"setting {share} is {by}: give one that divides {whole} {number}"
                )


DIVIDED = (("horizon", "chunk"), ("units", "heads"))
"""Settings of which the second cuts the first into equal parts."""


def check_range(name: str, value: Any) -> None:
    """Make sure that a brain can be built and trained with a setting.

    Raises:
        OptionError: It cannot.
    """
    numbers = value if isinstance(value, tuple) else (value,)
    for number in numbers:
        if isinstance(number, int | float) and not isinstance(number, bool):
            _check_number(name, number)
    if name in MOST and isinstance(value, tuple):
        _check_layers(name, value)


def _check_number(name: str, number: float) -> None:
    low = 1 if name in COUNTS else -math.inf if name in ANY_SIGN else 0
    high = 1 if name in SHARES else MOST.get(name, math.inf)
    if not low <= number <= high:
        wanted = f"from {low} to {high}" if high < math.inf else f"{low} or more"
        raise OptionError(f"setting {name} is {number!r:.40}: give {wanted}")


def _check_layers(name: str, widths: Sequence[int]) -> None:
    connections = sum(before * behind for before, behind in pairwise(widths))
    if len(widths) > MOST_LAYERS:
        raise OptionError(f"setting {name} has {len(widths)} layers: {MOST_LAYERS} are the most")
    if connections > MOST_CONNECTIONS:
        raise OptionError(
            f"setting {name} asks for {connections:,} connections: {MOST_CONNECTIONS:,} are the "
            "most"
        )
