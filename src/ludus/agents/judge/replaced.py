"""Functions of Python that a judged agent has in another form: what they call is counted."""

from __future__ import annotations

import _thread
import collections
import enum
import functools
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from typing import Any

from ludus.agents.judge import _counter
from ludus.agents.judge.rules import QUICK_ATTRIBUTES

__all__ = ["REPLACED", "wait_for_threads"]

NODE = 40
"""What it costs to copy one object."""


def wraps(wrapped: Callable[..., Any], **_: Any) -> Callable[..., Any]:
    """Give a wrapper the name and the docstring of what it wraps."""

    def name(wrapper: Callable[..., Any]) -> Callable[..., Any]:
        wrapper.__name__ = str(getattr(wrapped, "__name__", "wrapper"))
        wrapper.__doc__ = getattr(wrapped, "__doc__", None)
        return wrapper

    return name


def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
    """Remember results, as ``functools.lru_cache`` does; what is not remembered is counted."""
    if callable(maxsize):
        return functools.lru_cache(128, typed)(_counter.checked(maxsize))
    return lambda function: functools.lru_cache(maxsize, typed)(_counter.checked(function))


def cache(function: Callable[..., Any]) -> Any:
    """Remember every result."""
    return functools.lru_cache(None)(_counter.checked(function))


def namedtuple(typename: str, field_names: Any, **options: Any) -> type:
    """Return a class of named tuples; no field has the name of a quick method."""
    listed = field_names.replace(",", " ").split() if isinstance(field_names, str) else field_names
    words = [str(word) for word in listed]
    for word in QUICK_ATTRIBUTES.intersection(words):
        raise ValueError(f"a field {word!r} would look like the method of a container")
    return collections.namedtuple(str(typename), words, **options)


# ---- copies


def copy(value: Any) -> Any:
    """Return a copy of a value, as ``copy.copy`` does, without asking it how it is pickled."""
    _counter.tick(NODE)
    if isinstance(value, type) or not hasattr(type(value), "__mro__"):
        return value
    own = getattr(type(value), "__copy__", None)
    if own is not None:
        return own(value)
    if isinstance(value, list | dict | set | bytearray | deque):
        _counter.sized(value)
        return value.copy()
    return _copy_object(value, lambda part: part)


def deepcopy(value: Any, memo: dict[int, Any] | None = None) -> Any:
    """Return a copy of a value and of all that is in it, as ``copy.deepcopy`` does."""
    _counter.tick(NODE)
    memo = {} if memo is None else memo
    if id(value) in memo:
        return memo[id(value)]
    result = _deepcopy_anew(value, memo)
    memo[id(value)] = result
    memo.setdefault(id(memo), []).append(value)  # keeps it alive, so that its id stays its own
    return result


def _deepcopy_anew(value: Any, memo: dict[int, Any]) -> Any:
    kind = type(value)
    own = None if isinstance(value, type) else getattr(kind, "__deepcopy__", None)
    if own is not None:
        return own(value, memo)
    if kind in (list, set, frozenset, deque):
        return kind(deepcopy(item, memo) for item in value)
    if kind is dict:
        return {deepcopy(key, memo): deepcopy(item, memo) for key, item in value.items()}
    if kind is defaultdict:
        pairs = {deepcopy(key, memo): deepcopy(item, memo) for key, item in value.items()}
        return defaultdict(value.default_factory, pairs)
    if isinstance(value, tuple):
        items = [deepcopy(item, memo) for item in value]
        return tuple(items) if kind is tuple else tuple.__new__(kind, items)
    return _copy_object(value, lambda part: deepcopy(part, memo))


def _copy_object(value: Any, copy_part: Callable[[Any], Any]) -> Any:
    """Return a copy of an object of a class in Python; what has no attributes is its own copy."""
    kind = type(value)
    slots = [name for base in kind.__mro__ for name in _slots(base)]
    if isinstance(value, type) or (not slots and not hasattr(value, "__dict__")):
        return value
    if vars(object)["__new__"] is not kind.__new__ or callable(value):
        return value
    result = object.__new__(kind)
    for name, part in getattr(value, "__dict__", {}).items():
        result.__dict__[name] = copy_part(part)
    for name in slots:
        if hasattr(value, name):
            object.__setattr__(result, name, copy_part(getattr(value, name)))
    return result


def _slots(kind: type) -> list[str]:
    slots = vars(kind).get("__slots__", ())
    listed = [slots] if isinstance(slots, str) else list(slots)
    return [name for name in listed if not name.startswith("__")]


# ---- enumerations


class _NamedMembers(enum.EnumMeta):
    """The class of enumerations whose members stand in the source."""

    def __call__(cls, value: Any, *names: Any, **options: Any) -> Any:
        if names or options:
            raise TypeError("a judged agent lists the members of an enumeration in a class")
        return super().__call__(value)


class Enum(enum.Enum, metaclass=_NamedMembers):
    """An enumeration."""


class IntEnum(enum.IntEnum, metaclass=_NamedMembers):
    """An enumeration of whole numbers."""


class StrEnum(enum.StrEnum, metaclass=_NamedMembers):
    """An enumeration of texts."""


class Flag(enum.Flag, metaclass=_NamedMembers):
    """An enumeration of flags."""


class IntFlag(enum.IntFlag, metaclass=_NamedMembers):
    """An enumeration of flags that are whole numbers."""


# ---- threads

_RUNNING: list[Any] = []


class Thread:
    """A thread of a judged agent. The call in which it is started lasts until it ends.

    Args:
        group: None.
        target: What it calls.
        name: What it is called.
        args: With what.
        kwargs: Likewise.
        daemon: Makes no difference.
    """

    def __init__(
        self,
        group: None = None,
        target: Callable[..., Any] | None = None,
        name: str | None = None,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
        *,
        daemon: bool | None = None,
    ) -> None:
        self.name, self.daemon = name or "thread", bool(daemon)
        self._target, self._args, self._kwargs = target, args, dict(kwargs or {})
        self._done: Any = None

    def start(self) -> None:
        """Begin to run."""
        if self._done is not None:
            raise RuntimeError("threads can only be started once")
        self._done = done = _thread.allocate_lock()
        done.acquire()
        _RUNNING.append(done)
        _thread.start_new_thread(_run_thread, (self, done))

    def run(self) -> None:
        """Call the target."""
        if self._target is not None:
            _counter.checked(self._target)(*self._args, **self._kwargs)

    def join(self, timeout: float | None = None) -> None:
        """Wait until it has ended."""
        if self._done.acquire(timeout=-1 if timeout is None else timeout):
            self._done.release()

    def is_alive(self) -> bool:
        """Return whether it runs."""
        return self._done is not None and self._done.locked()


def _run_thread(thread: Thread, done: Any) -> None:
    try:
        thread.run()
    except BaseException:  # noqa: S110 - as with any thread, its errors are its own
        pass
    finally:
        done.release()


def wait_for_threads() -> None:
    """Wait for all threads that the agent has started."""
    while _RUNNING:
        done = _RUNNING.pop()
        done.acquire()
        done.release()


REPLACED: dict[str, dict[str, Any]] = {
    "collections": {"namedtuple": namedtuple},
    "copy": {"copy": copy, "deepcopy": deepcopy},
    "enum": {
        "Enum": Enum, "IntEnum": IntEnum, "StrEnum": StrEnum, "Flag": Flag, "IntFlag": IntFlag,
    },
    "functools": {"wraps": wraps, "lru_cache": lru_cache, "cache": cache},
    "threading": {"Thread": Thread},
}  # fmt: skip
"""The values of modules that are others for judged agents."""
