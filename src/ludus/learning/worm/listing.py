"""The catalogue as a list for people."""

from __future__ import annotations

from typing import NamedTuple

from ludus.learning.extra import require_jax

__all__ = ["BrainListing", "list_brains"]

LEARNERS = {
    "Ppo": "PPO",
    "Reinforce": "REINFORCE",
    "Dqn": "DQN",
    "CmaEs": "CMA-ES",
    "Genetic": "genetic",
    "Greedy": "none: frozen",
}
"""What learners are called, by the names of their classes."""


class BrainListing(NamedTuple):
    """What a list shows of a brain: its name, what trains it, and a few words."""

    name: str
    learner: str
    summary: str


def list_brains() -> list[BrainListing]:
    """Return the brains that can be trained by name, in the order of the catalogue.

    Raises:
        MissingExtra: JAX is not installed.
    """
    require_jax()
    from ludus.learning.worm.catalogue import CATALOGUE

    kinds = {name: type(entry.learner).__name__ for name, entry in CATALOGUE.items()}
    return [
        BrainListing(name, LEARNERS.get(kinds[name], kinds[name]), entry.summary)
        for name, entry in CATALOGUE.items()
    ]
