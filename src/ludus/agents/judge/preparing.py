"""The counter of this process, told which functions in C are quick and which values have sizes."""

from __future__ import annotations

import array
import bisect
import collections
import functools
import heapq
import itertools
import math
import random
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from ludus.agents.judge import _counter
from ludus.agents.judge.rules import names

__all__ = ["prepare", "prepare_for_arrays", "quick_in_math", "take_control"]

QUICK_METHODS: tuple[tuple[object, str], ...] = (
    ([], "append clear pop"),
    ({}, "get pop popitem setdefault items keys values clear"),
    (set(), "add discard pop clear"),
    (collections.deque(), "append appendleft pop popleft clear"),
    ("", "startswith endswith isdigit isalpha isspace isupper islower"),
    (0, "bit_length bit_count"),
    (0.0, "is_integer as_integer_ratio"),
    (heapq, "heappush heappop heapreplace heappushpop"),
    (bisect, "bisect bisect_left bisect_right"),
    (random.Random(0), "random"),  # noqa: S311
    (random, "random"),
    (time, "time perf_counter monotonic process_time perf_counter_ns time_ns monotonic_ns"),
)
"""Methods and functions that take the same short time whatever they get, or nearly so."""

SLOW_IN_MATH = names("comb factorial perm fsum prod dist sumprod gcd lcm isqrt")


def prepare(control: _counter.Control) -> None:
    """Tell a counter what it cannot know in C."""
    empty: dict[str, str] = {}
    views = (type(empty.keys()), type(empty.values()), type(empty.items()))
    control.set_sized_types((collections.deque, array.array, *views))
    control.set_takers(tuple(_takers()))
    control.learn_classes(_InPython, _OfLists)
    for function in _quick_functions():
        control.add_quick(function)


def prepare_for_arrays(control: _counter.Control) -> None:
    """Tell a counter what NumPy's arrays are, and which functions multiply them."""
    import numpy as np

    control.set_array_type(np.ndarray)
    products = (np.dot, np.matmul, np.inner, np.vdot, np.outer, np.tensordot, np.einsum, np.kron)
    control.set_products((*products, np.convolve, np.correlate), np.zeros(1).dot)


@cache
def take_control() -> _counter.Control:
    """Return the control of this process's counter, prepared."""
    control = _counter.take_control()
    prepare(control)
    prepare_for_arrays(control)
    return control


class _InPython:
    """A class of which nothing is in C."""

    def __new__(cls) -> _InPython:
        return super().__new__(cls)

    def __init__(self) -> None:
        pass

    def __iter__(self) -> _InPython:
        return self

    def __next__(self) -> None:
        raise StopIteration


class _OfLists(list[object]):
    """A class whose instances are no iterators, though a slot says so."""


def _takers() -> Iterator[Callable[..., Any]]:
    yield from (map, filter, iter, functools.partial, functools.reduce, functools.cmp_to_key)
    yield from (itertools.starmap, itertools.accumulate, itertools.takewhile, itertools.dropwhile)
    yield from (itertools.filterfalse, itertools.groupby, collections.defaultdict)


def _quick_functions() -> Iterator[Callable[..., Any]]:
    for owner, listed in QUICK_METHODS:
        yield from (getattr(owner, name) for name in listed.split())
    yield from quick_in_math().values()


def quick_in_math() -> dict[str, Callable[..., Any]]:
    """Return the functions of ``math`` that take the same short time whatever they get."""
    return {
        name: function
        for name, function in vars(math).items()
        if callable(function) and name not in SLOW_IN_MATH and not name.startswith("__")
    }
