"""Brains by their spec: a name of the catalogue, ``file.py:Class`` or ``package.module:Class``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.agents.loading import load_class
from ludus.agents.worm.brains import Brain
from ludus.errors import AgentError, OptionError
from ludus.learning.worm.catalogue import pick
from ludus.learning.worm.learners.learner import Learner
from ludus.learning.worm.learners.ppo import Ppo

__all__ = ["PlainBrain", "load_brain"]


class PlainBrain(Protocol):
    """A brain in plain Python, or PyTorch, or what you like, that learns by itself.

    It may also have ``save(path)`` and ``load(path)``; without them a training that is broken off
    begins anew.
    """

    def __init__(self, features: tuple[str, ...], actions: int, seed: int) -> None: ...

    def act(self, features: NDArray[np.float32]) -> int:
        """Return an action."""
        ...

    def learn(self, features: NDArray[np.float32], action: int, reward: float, ended: bool) -> None:
        """Learn from what an action brought; ``features`` are those it was chosen on."""
        ...


def load_brain(
    spec: str, size: float, settings: Mapping[str, Any]
) -> tuple[Brain, Learner] | type[PlainBrain]:
    """Return a brain with its learner, or the class of one that learns by itself.

    Args:
        spec: What names it.
        size: The side of the task's world; some brains grow with it.
        settings: Attributes of brain or learner that are to be others.

    Raises:
        AgentError: There is no such brain, or it is none.
        OptionError: A setting is unknown or of the wrong kind.
    """
    if ":" not in spec:
        brain, learner = pick(spec, size)
        return _changed(brain, learner, settings)
    made: Any = load_class(spec)
    if callable(getattr(made, "policy", None)):
        try:
            brain = made()
        except Exception as error:
            raise AgentError(f"brain {spec!r} cannot be made: {error}") from error
        return _changed(brain, getattr(brain, "learner", Ppo()), settings)
    if callable(getattr(made, "act", None)) and callable(getattr(made, "learn", None)):
        if settings:
            raise OptionError(f"{spec!r} has no settings that can be changed from here")
        plain: type[PlainBrain] = made
        return plain
    raise AgentError(
        f"{spec!r} is no brain: give it policy(), or act() and learn(); see 'ludus new brain'"
    )


def _changed(brain: Brain, learner: Learner, settings: Mapping[str, Any]) -> tuple[Brain, Learner]:
    made: list[Any] = [brain, learner]
    for name, value in settings.items():
        for place, thing in enumerate(made):
            known = {field.name for field in fields(thing)} if _has_fields(thing) else set()
            if name in known:
                made[place] = replace(thing, **{name: _like(name, getattr(thing, name), value)})
                break
        else:
            offered = [f.name for t in made if _has_fields(t) for f in fields(t)]
            raise OptionError(f"no setting {name!r}; there are {', '.join(sorted(offered))}")
    return made[0], made[1]


def _has_fields(thing: Any) -> bool:
    return hasattr(thing, "__dataclass_fields__")


def _like(name: str, old: Any, new: Any) -> Any:
    """Return a value, possibly a text, as the kind that a setting has."""
    try:
        if isinstance(old, tuple):
            parts = new.split(",") if isinstance(new, str) else new
            return tuple(type(old[0])(part) if old else float(part) for part in parts)
        if isinstance(old, bool):
            return {"true": True, "false": False}[str(new).lower()]
        return type(old)(new)
    except (ValueError, TypeError, KeyError):
        raise OptionError(f"setting {name} is {new!r}: give something like {old!r}") from None
