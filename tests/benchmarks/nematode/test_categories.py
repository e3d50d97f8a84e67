from __future__ import annotations

import pytest

from ludus.agents import AgentSource
from ludus.agents.registry import REGISTERED
from ludus.benchmarks.nematode.categories import CATEGORIES, category_of
from ludus.benchmarks.submitting import OWN_CODE

pytest.importorskip("jax")


def test_every_brain_of_the_catalogue_has_one_category() -> None:
    from ludus.learning.worm.catalogue import CATALOGUE

    listed = [name for names in CATEGORIES.values() for name in names]
    assert sorted(listed) == sorted({*CATALOGUE, *REGISTERED["worm"]})


def test_qubits_are_quantum_and_spikes_are_spiking() -> None:
    from ludus.learning.worm.catalogue import CATALOGUE

    for name, entry in CATALOGUE.items():
        category = category_of(AgentSource(name, name, "0"))
        assert (category == "quantum") == ("qubit" in entry.summary), name
        assert (category == "spiking") == ("spiking" in entry.summary), name


def test_code_of_somebody_is_its_own_category_whatever_it_is_called() -> None:
    assert category_of(AgentSource("gradient", "gradient", "0")) == "hand-written"
    assert category_of(AgentSource("mlp-ppo", "mine", OWN_CODE + "0")) == "own code"
    assert category_of(AgentSource("brain.npz", "mine", "0")) == "own code"
