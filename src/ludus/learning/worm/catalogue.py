"""The brains that can be trained by name, each with the learner that trains it."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import Any, NamedTuple

from ludus.agents.worm.brains import Brain
from ludus.agents.worm.brains.cfc import Cfc
from ludus.agents.worm.brains.circuit import FORAGING, FORAGING_STEPS, Circuit
from ludus.agents.worm.brains.connectome import Connectome
from ludus.agents.worm.brains.connectome_null import ConnectomeNull
from ludus.agents.worm.brains.equivariant import Equivariant
from ludus.agents.worm.brains.hybrid import Hybrid, HybridClassical
from ludus.agents.worm.brains.mlp import Mlp
from ludus.agents.worm.brains.qlif import Qlif
from ludus.agents.worm.brains.quantum_echo import QuantumEcho
from ludus.agents.worm.brains.quantum_reservoir import QuantumReservoir
from ludus.agents.worm.brains.recurrent import Recurrent
from ludus.agents.worm.brains.reservoir import Reservoir
from ludus.agents.worm.brains.spiking import Bursting, Spiking
from ludus.agents.worm.brains.transformer import Transformer
from ludus.errors import AgentError
from ludus.learning.worm.learners.dqn import Dqn
from ludus.learning.worm.learners.evolution import CmaEs, Genetic
from ludus.learning.worm.learners.learner import Greedy, Learner
from ludus.learning.worm.learners.ppo import Ppo
from ludus.learning.worm.learners.reinforce import Reinforce

__all__ = ["CATALOGUE", "CatalogueEntry", "find_brain"]


class CatalogueEntry(NamedTuple):
    """A brain, what trains it, and one line on it."""

    brain: Brain
    learner: Learner
    summary: str


_RECURRENT = Ppo(rate=1e-3, horizon=256, epochs=4, minibatches=2, chunk=16)

CATALOGUE: dict[str, CatalogueEntry] = {
    entry.brain.name: entry
    for entry in (
        CatalogueEntry(Mlp("mlp-ppo"), Ppo(), "rectifiers, actor and critic"),
        CatalogueEntry(Mlp("mlp-reinforce", critic=False), Reinforce(), "rectifiers, no critic"),
        CatalogueEntry(
            Mlp("dqn", critic=False, last_gain=0.1), Dqn(), "rectifiers that expect returns"
        ),
        CatalogueEntry(Recurrent("lstm-ppo", "lstm"), _RECURRENT, "long short-term memory"),
        CatalogueEntry(Recurrent("gru-ppo", "gru"), _RECURRENT, "gated recurrent units"),
        CatalogueEntry(
            Recurrent("mingru-ppo", "mingru"), _RECURRENT, "gates that see the input alone"
        ),
        CatalogueEntry(
            Recurrent("minlstm-ppo", "minlstm", let_in=-1.0),  # keeps as much as the minGRU
            _RECURRENT,
            "two such gates that add up to 1",
        ),
        CatalogueEntry(Cfc("cfc-ppo"), replace(_RECURRENT, rate=3e-3), "continuous-time circuit"),
        CatalogueEntry(
            Transformer("transformer-ppo"),
            Ppo(rate=5e-4, entropy=0.02, epochs=4),
            "attention over sixteen steps",
        ),
        CatalogueEntry(
            Spiking("spiking-ppo"), replace(_RECURRENT, rate=2e-3), "recurrent spiking neurons"
        ),
        CatalogueEntry(
            Bursting("spiking-reinforce"),
            Reinforce(horizon=20, decay_every=0, temperature=1.0, noise=0.0),
            "spiking neurons that think in bursts",
        ),
        CatalogueEntry(Reservoir("reservoir-ppo"), Ppo(rate=5e-4, epochs=6), "echo-state network"),
        CatalogueEntry(Mlp("cma-es", (6,), critic=False), CmaEs(), "small net, adapted covariance"),
        CatalogueEntry(
            Mlp("genetic", (6,), critic=False), Genetic(), "small net, genetic algorithm"
        ),
        CatalogueEntry(Connectome("connectome-ppo"), Ppo(rate=2e-3), "the worm's 302 neurons"),
        CatalogueEntry(
            ConnectomeNull("connectome-rewired-ppo"),
            Ppo(rate=2e-3),
            "the same, wired at random: a control",
        ),
        CatalogueEntry(
            ConnectomeNull("connectome-signs-ppo", shuffled="signs"),
            Ppo(rate=2e-3),
            "the same, inhibition at random: a control",
        ),
        CatalogueEntry(
            Circuit("circuit-ppo"), Ppo(rate=1e-2, entropy=0.005), "two qubits that learn"
        ),
        CatalogueEntry(
            Circuit("circuit-frozen", angles=FORAGING, critic=()),
            Greedy(
                sampled=True,
                pretrained="CMA-ES on foraging-small@e25+reference",
                pretraining_steps=FORAGING_STEPS,
            ),
            "two qubits, angles found before, does not learn",
        ),
        CatalogueEntry(
            QuantumReservoir("quantum-reservoir-ppo"),
            Ppo(rate=5e-4, epochs=6),
            "eight random qubits, trained read-out",
        ),
        CatalogueEntry(
            Qlif("qlif-reinforce"),
            Reinforce(rate=1e-2, entropy=0.02, horizon=20, decay_every=0, temperature=1.0, noise=0),
            "neurons that are qubits",
        ),
        CatalogueEntry(Hybrid("hybrid-ppo"), Ppo(), "qubit reflex under a cortex"),
        CatalogueEntry(
            HybridClassical("hybrid-classical-ppo"), Ppo(), "rectifier reflex: the control of it"
        ),
        CatalogueEntry(
            Equivariant("equivariant-ppo"),
            Ppo(rate=1e-2, entropy=0.005),
            "four qubits, mirrored senses give mirrored actions",
        ),
        CatalogueEntry(
            QuantumEcho("quantum-echo-ppo"),
            Ppo(rate=5e-4, epochs=6),
            "echoes of eight qubits, trained read-out",
        ),
    )
}


def find_brain(name: str, size: float = 20) -> tuple[Brain, Learner]:
    """Return a brain and its learner, as large as the dish asks for.

    Raises:
        AgentError: There is none of this name.
    """
    if name not in CATALOGUE:
        close = get_close_matches(name, CATALOGUE, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise AgentError(
            f"no brain {name!r}; {hint}there are {', '.join(CATALOGUE)}; "
            "or name yours as file.py:Class"
        )
    entry = CATALOGUE[name]
    if name != "mlp-ppo" or size <= 20:
        return entry.brain, entry.learner
    wide: Any = (
        ((128,) * 3, Ppo(horizon=512))
        if size <= 50
        else (
            (256,) * 4,
            Ppo(horizon=1024, minibatches=4),
        )
    )
    return Mlp("mlp-ppo", wide[0]), wide[1]
