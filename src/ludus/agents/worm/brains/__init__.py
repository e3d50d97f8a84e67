"""Brains: how each is built and what it answers; one a file, playable with NumPy alone."""

from __future__ import annotations

from dataclasses import asdict, fields, is_dataclass
from typing import Any

import numpy as np

from ludus.agents.worm.brains.brain import NUMPY, Array, Brain, Library, Plain, State, Weights
from ludus.agents.worm.brains.cfc import Cfc
from ludus.agents.worm.brains.circuit import Circuit
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

__all__ = [
    "KINDS",
    "NUMPY",
    "Array",
    "Brain",
    "Library",
    "Plain",
    "State",
    "Weights",
    "brain_from_dict",
    "parameters",
    "settings_to_dict",
]

KINDS: dict[str, type[Any]] = {
    kind.__name__.lower(): kind
    for kind in (
        Bursting,
        Cfc,
        Circuit,
        Connectome,
        ConnectomeNull,
        Equivariant,
        Hybrid,
        HybridClassical,
        Mlp,
        Qlif,
        QuantumEcho,
        QuantumReservoir,
        Recurrent,
        Reservoir,
        Spiking,
        Transformer,
    )
}
"""The classes of brains that a checkpoint can name."""


def settings_to_dict(part: Any) -> dict[str, Any]:
    """Return the settings of a brain or a learner as plain values.

    Fields that older releases had not are left out at their defaults, so that what was written
    before and what is written now agree.
    """
    values: dict[str, Any] = {}
    if is_dataclass(part) and not isinstance(part, type):
        unchanged = {
            field.name
            for field in fields(part)
            if field.metadata.get("later") and getattr(part, field.name) == field.default
        }
        values = {name: value for name, value in asdict(part).items() if name not in unchanged}
    return {"kind": type(part).__name__.lower(), **values}


def brain_from_dict(values: dict[str, Any]) -> Brain:
    """Return the brain, one of the :data:`KINDS`, that :func:`settings_to_dict` described.

    Raises:
        AgentError: The values describe none.
    """
    kind = KINDS.get(str(values.get("kind")))
    if kind is None:
        raise AgentError(f"no kind of brain {values.get('kind')!r}; there are {', '.join(KINDS)}")
    names = {field.name for field in fields(kind)}
    options = {name: _option(value) for name, value in values.items() if name in names}
    brain: Brain = kind(**options)
    return brain


def _option(value: Any) -> Any:
    if isinstance(value, dict):
        return Qlif(**value)
    return tuple(value) if isinstance(value, list) else value


def parameters(weights: Weights) -> int:
    """Return how many numbers of a brain can learn."""
    return sum(int(np.size(w)) for name, w in weights.items() if not name.startswith("fixed."))
