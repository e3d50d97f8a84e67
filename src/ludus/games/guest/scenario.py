"""Scenarios of guest environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludus.errors import OptionError, one_line
from ludus.field_kinds import check_kinds
from ludus.games.guest.loading import find_origin
from ludus.games.sticky_actions import StickyActions

__all__ = ["GuestScenario", "guest_scenario"]


@dataclass(frozen=True, slots=True)
class GuestScenario:
    """A guest environment to play, and how decisions become actions in it.

    Attributes:
        name: What tables call it.
        env: The environment, as ``MODULE:ID``, ``MODULE:FUNCTION`` or ``file.py:FUNCTION``.
        origin: The package and version that it comes from, or a digest of its file.
        seed: What the terms and the environment draw their chance from; an agent's own seed is
            derived from it.
        terms: Frame skip, sticky actions, no-ops, step cap; lives are the environment's own.
        stages: The levels that make up the task: one, or all.
        policy: How a player that has probabilities is to act: ``sample`` or ``argmax``.
        scoring: The scoring mode that the episode will be scored by.
        actions: How many actions there are; they are numbered from 0, which is to do nothing. A
            game that can open environments asks the environment; descriptions do not hold it.
    """

    name: str
    env: str
    origin: str
    seed: int
    terms: StickyActions = field(default_factory=StickyActions)
    stages: tuple[str, ...] = ("1-1",)
    policy: str = "sample"
    scoring: str = "standard"
    actions: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the scenario as plain values."""
        return {
            "name": self.name,
            "env": self.env,
            "origin": self.origin,
            "seed": self.seed,
            "terms": self.terms.to_dict(),
            "stages": list(self.stages),
            "policy": self.policy,
            "scoring": self.scoring,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> GuestScenario:
        """Return the scenario that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one.
        """
        try:
            check_kinds(cls, values)
            terms, stages = StickyActions.from_dict(values["terms"]), tuple(values["stages"])
            return cls(**{**values, "terms": terms, "stages": stages})
        except (KeyError, TypeError) as error:
            raise OptionError(f"not a scenario for a guest: {one_line(error)}") from None


def guest_scenario(
    name: str,
    env: str,
    seed: int,
    terms: StickyActions,
    *,
    stages: Sequence[str],
    policy: str = "sample",
    scoring: str = "standard",
) -> GuestScenario:
    """Return a scenario for an environment as it is installed here; nothing of it is run.

    Raises:
        OptionError: Its file cannot be read.
    """
    return GuestScenario(name, env, find_origin(env), seed, terms, tuple(stages), policy, scoring)
