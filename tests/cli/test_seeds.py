"""Seeds: one range and one error line, whichever command takes one."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Ludus, refused

import ludus
from ludus.errors import OptionError
from ludus.seeds import LARGEST_SEED, check_seed

COMMANDS = [
    "run platformer/bundled idle",
    "race platformer/bundled idle rule-based",
    "judge platformer/bundled idle",
    "board show platformer/bundled",
    "train mario-arena/1-1",
    "train mario-ai/agents",
    "train nematode/foraging-small",
    "level make ludus",
    "level make notch-framework",
    "diplomacy league hold dumb",
    "votes schedule promp hopper",
    "player level hopper expert",
    "play ludus",
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_out_of_range(ludus: Ludus, command: str, seed: int) -> None:
    line = refused(ludus(*command.split(), "--seed", str(seed), code=2)).strip()
    assert line == f"error: seed {seed} is out of range: give 0 to 9223372036854775807"


def test_the_largest_seed_is_one() -> None:
    assert check_seed(LARGEST_SEED) == LARGEST_SEED
    played = ludus.run(
        "platformer/bundled", "idle", episodes=1, seed=LARGEST_SEED, workers=1, store="sqlite://"
    )
    assert played.leader == "idle"


@pytest.mark.parametrize("seed", [-1, 2**63, 2**64])
def test_the_library_takes_the_same_seeds(seed: int) -> None:
    with pytest.raises(OptionError, match=f"seed {seed} is out of range"):
        ludus.run("platformer/bundled", "idle", seed=seed, store="sqlite://")
