"""The categories of brains, as the leaderboard lists them."""

from __future__ import annotations

from ludus.agents import AgentSource
from ludus.agents.registry import REGISTERED
from ludus.benchmarks.submitting import OWN_CODE

__all__ = ["CATEGORIES", "category_of"]

QUANTUM, CLASSICAL, SPIKING = "quantum", "classical", "spiking"
EVOLVED, HAND_WRITTEN, OWN = "evolved", "hand-written", "own code"
CATEGORIES = {
    QUANTUM: (
        "circuit-ppo",
        "circuit-frozen",
        "quantum-reservoir-ppo",
        "quantum-echo-ppo",
        "qlif-reinforce",
        "hybrid-ppo",
        "equivariant-ppo",
    ),
    CLASSICAL: (
        "mlp-ppo",
        "mlp-reinforce",
        "dqn",
        "lstm-ppo",
        "gru-ppo",
        "mingru-ppo",
        "minlstm-ppo",
        "cfc-ppo",
        "transformer-ppo",
        "reservoir-ppo",
        "connectome-ppo",
        "connectome-rewired-ppo",
        "connectome-signs-ppo",
        "hybrid-classical-ppo",
    ),
    SPIKING: ("spiking-ppo", "spiking-reinforce"),
    EVOLVED: ("cma-es", "genetic"),
    HAND_WRITTEN: tuple(REGISTERED["worm"]),
    OWN: (),
}
"""The categories in the order of the leaderboard, with the brains and agents of Ludus in each."""

_CATEGORY_OF = {name: category for category, names in CATEGORIES.items() for name in names}


def category_of(source: AgentSource) -> str:
    """Return the category of a brain or an agent.

    Code and files of others are a category of their own: nobody knows what is in them.

    Example:
        >>> category_of(AgentSource("circuit-ppo", "mine", "0123"))
        'quantum'
        >>> category_of(AgentSource("mine.py:Brain", "mine", "0123"))
        'own code'
    """
    if source.fingerprint.startswith(OWN_CODE):
        return OWN
    return _CATEGORY_OF.get(source.spec.partition("#")[0], OWN)
