"""What was sensed and paid in one play of every frozen task: it never changes within a version."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from ludus.games.worm import Batch, find_task, tasks

WORLDS, STEPS = 8, 300

GOLDEN = {
    "foraging-small@head": "014188f0ed48f85e",
    "foraging-small@e25": "68d39b050343197f",
    "foraging-medium@head": "5818ee907be2324b",
    "foraging-medium@e25": "640f9db7429b7902",
    "foraging-large@head": "59a8caa261a8878b",
    "foraging-large@e25": "e9fcf033c996208e",
    "predator-small@head": "ea709eb7bffaeb9a",
    "predator-small@e25": "dbed59b765464eef",
    "predator-medium@head": "2c783b8c590d18b7",
    "predator-medium@e25": "8b51cdaea7a85078",
    "predator-large@head": "9392c025dae48b16",
    "predator-large@e25": "436bed47e29914b4",
    "pursuit-small@head": "54612eeae95cbe8b",
    "stationary-small@head": "eaf05a3169974501",
    "thermal-foraging-small@head": "2004d28a7cd2a53f",
    "thermal-foraging-medium@head": "789a5471a0489b48",
    "thermal-foraging-large@head": "186ab053c22cb255",
    "thermal-pursuit-small@head": "61cfeb7c6396bb0e",
    "thermal-pursuit-medium@head": "cb977c95e5a3cfa7",
    "thermal-pursuit-large@head": "cc072decff200f87",
    "thermal-stationary-small@head": "45203c93d73b54b8",
    "thermal-stationary-medium@head": "de513fe1c1cb57f6",
    "thermal-stationary-large@head": "80c3660f0cb76851",
    "oxygen-foraging-medium@head": "513b85b35aadce41",
    "oxygen-foraging-large@head": "e0fef4911594828c",
    "oxygen-pursuit-large@head": "586e3b7791bda824",
    "oxygen-stationary-large@head": "0442b61d9c34b1ee",
    "oxygen-thermal-foraging-large@head": "bd3126c0668a253c",
    "oxygen-thermal-pursuit-large@head": "ccc72aef67fe7bc6",
    "oxygen-thermal-stationary-large@head": "eea4f89d5c98f726",
    "oxygen-foraging-large@head2": "bb789d11aa8da4e3",
    "oxygen-pursuit-large@head2": "3f788597dfafa960",
    "oxygen-stationary-large@head2": "6cd2ec09f8b1f79f",
    "oxygen-thermal-foraging-large@head2": "6907eacd7147632e",
    "oxygen-thermal-pursuit-large@head2": "f505a892dcb0e0c7",
    "oxygen-thermal-stationary-large@head2": "99e91386119afebe",
    "c3-grid@head": "b31e3fd776baa0f9",
    "c3-continuous@head": "82323748f8f871e4",
}


def digest(name: str) -> str:
    """Gives a digest over all features, rewards and endings of some worlds."""
    sensing = "oracle" if "@e25" in name else ("oracle", "klinotaxis")[len(name) % 2]
    rules = ("corrected", "reference")[len(name) // 2 % 2]
    batch = Batch(find_task(f"{name}+{sensing}+{rules}"), WORLDS, autoreset="same_step")
    batch.begin(2026)
    told = hashlib.sha256(batch.features.tobytes())
    for step in range(STEPS):
        batch.step(np.array([(step * step + 5 * k + step // 7) % 4 for k in range(WORLDS)]))
        for part in (batch.features, batch.rewards, batch.ended, batch.seeds):
            told.update(part.tobytes())
    told.update(batch.last.tobytes())
    return told.hexdigest()[:16]


@pytest.mark.parametrize("name", tasks())
def test_play_never_changes(name: str) -> None:
    assert digest(name) == GOLDEN[name]
