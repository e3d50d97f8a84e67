from __future__ import annotations

import jax
import numpy as np
import pytest

from ludus.learning.platformer.networks import apply_network, count_at_once, initial_network
from ludus.learning.platformer.settings import Ppo
from ludus.learning.platformer.shuffling import Shuffle


@pytest.mark.parametrize(("games", "slots"), [(64, 32), (37, 3), (1, 1)])
def test_parts_are_what_jax_would_permute(games: int, slots: int) -> None:
    settings = Ppo(games=games, slots=slots, epochs=2, minibatches=1)
    keys = jax.random.split(jax.random.key(5), 2)
    expected = [
        [jax.random.permutation(epoch, games * slots) for epoch in jax.random.split(key, 2)]
        for key in keys
    ]
    np.testing.assert_array_equal(Shuffle(settings)(keys), np.array(expected))


def test_pictures_are_seen_alike_few_at_a_time_and_all_at_once() -> None:
    settings = Ppo(channels=(2, 2), strides=(8, 2), hidden=(4,))
    network = initial_network(jax.random.key(0), settings, "pixels")
    pictures = np.random.default_rng(0).integers(0, 256, (34, 2, 64, 64)).astype(np.uint8)
    assert count_at_once(len(pictures), settings.strides) == 17
    preferences, values = apply_network(network, pictures, settings.strides)
    for row, picture in enumerate(pictures):
        alone, value = apply_network(network, picture[None], settings.strides)
        np.testing.assert_allclose(preferences[row], alone[0], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(values[row], value[0], rtol=1e-4, atol=1e-5)
