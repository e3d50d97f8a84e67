"""Trained players that come with Ludus; ``policies/README.md`` has the commands that made them."""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib.resources import files
from typing import Any

from ludus.agents.platformer.policy import Policy, read_shipped
from ludus.games.platformer.view import View

__all__ = ["SHIPPED", "PpoAll", "PpoOneMillion", "PpoUnseen"]

SHIPPED = tuple(f"{world}-1" for world in range(1, 9))
"""The levels that have a policy of their own."""

_FOLDER = files("ludus.agents.platformer").joinpath("policies")


class _Shipped:
    """Plays with policies of the package."""

    name = "shipped"
    policies: tuple[str, ...] = ()

    def __init__(self, variant: str | None = None) -> None:
        self._variant = variant
        self._loaded: dict[str, Policy] = {}
        self._policy = self._load(self.policies[0])

    @cached_property
    def fingerprint(self) -> str:
        """A digest of all the policies."""
        digest = hashlib.sha256()
        for name in self.policies:
            digest.update(_FOLDER.joinpath(f"{name}.npz").read_bytes())
        return digest.hexdigest()[:16]

    def reset(self, scenario: Any) -> None:
        """Take the policy of the level, or else the first."""
        stage = (*getattr(scenario, "stages", ()), "")[0]
        self._policy = self._load(stage if stage in self.policies else self.policies[0])
        self._policy.reset(scenario)

    def act(self, view: View) -> int:
        """Return what the policy plays."""
        return self._policy.act(view)

    def _load(self, name: str) -> Policy:
        if name not in self._loaded:
            self._loaded[name] = Policy.from_checkpoint(read_shipped(name), self._variant)
        return self._loaded[name]


class PpoOneMillion(_Shipped):
    """Learned the first level of each world from a million decisions; elsewhere plays as on 1-1."""

    name = "ppo-1m"
    policies = SHIPPED


class PpoAll(_Shipped):
    """Learned all 32 levels at once, with one policy that knew generated levels before."""

    name = "ppo-all"
    policies = ("all",)


class PpoUnseen(_Shipped):
    """Learned 10,000 generated levels, to play levels that nobody has seen."""

    name = "ppo-unseen"
    policies = ("unseen",)
