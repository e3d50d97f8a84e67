"""Scenarios of the arena."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludus.errors import OptionError, one_line
from ludus.field_kinds import check_kinds
from ludus.games.platformer.arena.levels import arena_level
from ludus.games.platformer.levels.campaign import VERSION
from ludus.games.platformer.levels.level import Level
from ludus.games.sticky_actions import StickyActions

__all__ = ["ArenaScenario"]


@dataclass(frozen=True, slots=True)
class ArenaScenario:
    """Levels to play, one after the other, and how decisions become actions.

    Attributes:
        name: What tables call it.
        stages: The levels' names, in their order: ``"1-1"``, or the address of a generated level,
            ``"ludus?difficulty=3&seed=7"``.
        seed: What the game draws its chance from; an agent's own seed is derived from it.
        terms: Frame skip, sticky actions, no-ops, step cap, lives.
        mode: How Mario starts: 0 small, 1 large, 2 with fire.
        policy: How a player that has probabilities is to act: ``sample`` or ``argmax``.
        scoring: The scoring mode that the episode will be scored by.
    """

    name: str
    stages: tuple[str, ...]
    seed: int
    terms: StickyActions = field(default_factory=StickyActions)
    mode: int = 0
    policy: str = "sample"
    scoring: str = "standard"

    def __post_init__(self) -> None:
        if self.mode not in (0, 1, 2):
            raise OptionError(f"mode {self.mode} is not 0 (small), 1 (large) or 2 (fire)")

    @property
    def level(self) -> Level:
        """The first level."""
        return arena_level(self.stages[0])

    @property
    def time_limit(self) -> int:
        """Seconds on the first level's clock."""
        return self.level.time_limit

    def to_dict(self) -> dict[str, Any]:
        """Return the scenario as plain values; levels are named, with a digest of their texts."""
        return {
            "name": self.name,
            "campaign": VERSION,
            "stages": list(self.stages),
            "levels": _digest(self.stages),
            "seed": self.seed,
            "terms": self.terms.to_dict(),
            "mode": self.mode,
            "policy": self.policy,
            "scoring": self.scoring,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ArenaScenario:
        """Return the scenario that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one, or the levels here are others.
        """
        try:
            check_kinds(cls, values)
            stages = tuple(values["stages"])
            scenario = cls(
                name=values["name"],
                stages=stages,
                seed=values["seed"],
                terms=StickyActions.from_dict(values["terms"]),
                mode=values["mode"],
                policy=values["policy"],
                scoring=values["scoring"],
            )
            campaign, levels = values["campaign"], values["levels"]
        except (KeyError, TypeError) as error:
            raise OptionError(f"not an arena scenario: {one_line(error)}") from None
        if not stages or campaign != VERSION or levels != _digest(stages):
            raise OptionError(f"the levels of {campaign!r:.40} are others here: there is {VERSION}")
        return scenario


def _digest(stages: tuple[str, ...]) -> str:
    texts = "\n\n".join(arena_level(stage).text for stage in stages)
    return hashlib.sha256(texts.encode()).hexdigest()[:16]
