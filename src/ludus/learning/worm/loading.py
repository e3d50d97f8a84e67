"""Brains by their spec: a name of the catalogue, ``file.py:Class`` or ``package.module:Class``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.agents.loading import load_class
from ludus.agents.worm.brains import Brain
from ludus.errors import AgentError, OptionError
from ludus.learning.brain_errors import describe_failure
from ludus.learning.setting import parse_setting
from ludus.learning.worm.setting_ranges import check_parts, check_range

if TYPE_CHECKING:
    from ludus.learning.worm.learners.learner import Learner

__all__ = ["SelfLearner", "load_brain"]


class SelfLearner(Protocol):
    """A brain in pure Python, or PyTorch, or what you like, that learns by itself.

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
) -> tuple[Brain, Learner] | type[SelfLearner]:
    """Return a brain with its learner, or the class of one that learns by itself.

    Args:
        spec: What names it.
        size: The side of the task's world; some brains grow with it.
        settings: Attributes of brain or learner that are to be others.

    Raises:
        AgentError: There is no such brain, or it is none.
        OptionError: A setting is unknown, of the wrong kind, or none that can be trained with.
    """
    if ":" not in spec:
        from ludus.learning.worm.catalogue import find_brain

        brain, learner = find_brain(spec, size)
        return _apply_settings(brain, learner, settings)
    kind: Any = load_class(spec)
    if callable(getattr(kind, "policy", None)):
        try:
            brain = kind()
        except Exception as error:
            raise AgentError(f"brain {spec!r} cannot be made: {describe_failure(error)}") from error
        from ludus.learning.worm.learners.ppo import Ppo  # what learns by itself needs no JAX

        return _apply_settings(brain, getattr(brain, "learner", Ppo()), settings)
    if callable(getattr(kind, "act", None)) and callable(getattr(kind, "learn", None)):
        if settings:
            raise OptionError(f"{spec!r} has no settings that can be changed from here")
        self_learner: type[SelfLearner] = kind
        return self_learner
    raise AgentError(
        f"{spec!r} is no brain: give it policy(), or act() and learn(); see 'ludus new brain'"
    )


def _apply_settings(
    brain: Brain, learner: Learner, settings: Mapping[str, Any]
) -> tuple[Brain, Learner]:
    parts: list[Any] = [brain, learner]
    for name, value in settings.items():
        owner = next((k for k, part in enumerate(parts) if name in _field_names(part)), None)
        if owner is None:
            offered = sorted(field for part in parts for field in _field_names(part))
            raise OptionError(f"no setting {name!r}; there are {', '.join(offered)}")
        changed = parse_setting(name, value, getattr(parts[owner], name))
        if type(parts[owner]).__module__.startswith("ludus."):
            check_range(name, changed)
        parts[owner] = replace(parts[owner], **{name: changed})
    if settings:
        check_parts(parts)
    return parts[0], parts[1]


def _field_names(part: Any) -> list[str]:
    return [field.name for field in fields(part)] if is_dataclass(part) else []
