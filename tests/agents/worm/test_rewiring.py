"""Networks wired at random: every neuron keeps as many partners, and little else stays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.agents.worm.brains import NUMPY, parameters
from ludus.agents.worm.brains.connectome import Connectome, Wiring, wiring
from ludus.agents.worm.brains.connectome_null import ConnectomeNull, rewire_connectome
from ludus.agents.worm.brains.rewiring import rewire, rewire_undirected
from ludus.errors import OptionError

FEATURES = ("food_chemotaxis.strength", "food_chemotaxis.angle")
NEURONS = 7
EDGES = st.sets(
    st.tuples(st.integers(0, NEURONS - 1), st.integers(0, NEURONS - 1)), min_size=1, max_size=30
)


def ends(edges: set[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    table = np.array(sorted(edges), np.int64)
    return table[:, 0], table[:, 1]


def degrees(*neurons: np.ndarray, size: int = NEURONS) -> list[int]:
    counts: list[int] = np.bincount(np.concatenate(neurons), minlength=size).tolist()
    return counts


@settings(deadline=None, max_examples=60)
@given(edges=EDGES, seed=st.integers(0, 99))
def test_every_neuron_keeps_its_targets_and_sources(edges: set[tuple[int, int]], seed: int) -> None:
    source, target = ends(edges)
    other = rewire(source, target, np.random.default_rng(seed), swaps=3)
    assert degrees(other) == degrees(target)
    pairs = list(zip(source.tolist(), other.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    loops = {(a, b) for a, b in edges if a == b}
    assert {(a, b) for a, b in pairs if a == b} == loops


@settings(deadline=None, max_examples=60)
@given(edges=EDGES, seed=st.integers(0, 99))
def test_every_neuron_keeps_its_gap_junctions(edges: set[tuple[int, int]], seed: int) -> None:
    once = {(min(pair), max(pair)) for pair in edges if pair[0] != pair[1]}
    if not once:
        return
    first, second = ends(once)
    other = rewire_undirected(first, second, np.random.default_rng(seed), swaps=3)
    assert degrees(*other) == degrees(first, second)
    pairs = [tuple(sorted(pair)) for pair in zip(*map(np.ndarray.tolist, other), strict=True)]
    assert len(set(pairs)) == len(pairs)
    assert all(a != b for a, b in pairs)


@pytest.fixture(scope="module")
def rewired() -> Wiring:
    return rewire_connectome(np.random.default_rng(3))


def test_hardly_a_connection_of_the_connectome_is_where_it_was(rewired: Wiring) -> None:
    real, size = wiring(), len(wiring().names)
    assert np.array_equal(rewired.source, real.source)
    assert degrees(rewired.target, size=size) == degrees(real.target, size=size)
    assert degrees(rewired.gap_first, rewired.gap_second, size=size) == degrees(
        real.gap_first, real.gap_second, size=size
    )
    before = set(real.places.tolist())
    stayed = len(before & set(rewired.places.tolist()))
    by_chance = len(before) ** 2 / size**2  # 151, and more between neurons with many partners
    assert by_chance < stayed < 5 * by_chance
    assert np.array_equal(rewired.signs, real.signs)
    assert np.array_equal(rewired.gaps, rewired.gaps.T)
    assert not np.array_equal(rewired.gaps, real.gaps)


def test_a_network_that_leaves_no_swap_stays_as_it_is() -> None:
    full = {(a, b) for a in range(4) for b in range(4)}
    source, target = ends(full)
    assert np.array_equal(rewire(source, target, np.random.default_rng(0)), target)


def test_a_control_differs_in_what_is_shuffled_alone() -> None:
    real = Connectome().init(np.random.default_rng(5), FEATURES, 4)
    signs = ConnectomeNull(shuffled="signs").init(np.random.default_rng(5), FEATURES, 4)
    assert all(np.array_equal(real[name], signs[name]) for name in real)
    assert np.array_equal(signs["fixed.places"], wiring().places)
    assert sorted(signs["fixed.signs"]) == sorted(wiring().signs)
    assert not np.array_equal(signs["fixed.signs"], wiring().signs)
    assert parameters(signs) == parameters(real) == 4044
    wired = ConnectomeNull(swaps=1).init(np.random.default_rng(5), FEATURES, 4)
    assert all(
        np.array_equal(real[name], wired[name]) for name in real if name not in ("strength",)
    )
    again = ConnectomeNull(swaps=1).init(np.random.default_rng(6), FEATURES, 4)
    assert not np.array_equal(wired["fixed.places"], again["fixed.places"])


def test_a_control_with_the_real_wiring_is_the_connectome() -> None:
    real, control = Connectome(), ConnectomeNull(swaps=0)
    weights = control.init(np.random.default_rng(1), FEATURES, 4)
    sensed = np.array([0.4, -0.2], np.float32)
    ours = control.policy(NUMPY, weights, {}, sensed)
    theirs = real.policy(NUMPY, real.init(np.random.default_rng(1), FEATURES, 4), {}, sensed)
    assert np.allclose(ours[0], theirs[0], atol=1e-6)
    assert np.allclose(ours[1], theirs[1], atol=1e-6)


def test_only_wiring_and_signs_can_be_shuffled() -> None:
    with pytest.raises(OptionError, match="shuffled is 'names': wiring or signs"):
        ConnectomeNull(shuffled="names")  # type: ignore[arg-type]
