"""The campaign is what it was, and each of its levels can be finished."""

from __future__ import annotations

import hashlib

import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Status, replay
from ludus.games.platformer.generators import generate_from
from ludus.games.platformer.levels.campaign import (
    STAGES,
    campaign_level,
    campaign_levels,
    campaign_proof,
)

#: SHA-256 over the names, texts and rules of the levels: campaign-v1 never changes.
DIGEST = "685d3e11ddfca48d3b77c3d1152451f3ef2a6f973d3139475e05266131e74bb4"

TYPES = {"1": "overground", "2": "underground", "3": "overground", "4": "castle"}


def test_the_campaign_never_changes() -> None:
    digest = hashlib.sha256()
    for name, level in campaign_levels().items():
        digest.update(f"{name}\n{level.rules}\n{level.time_limit}\n{level.text}\n".encode())
    assert digest.hexdigest() == DIGEST


def test_there_are_eight_worlds_of_four_stages() -> None:
    levels = campaign_levels()
    assert list(levels) == list(STAGES)
    assert len({level.text for level in levels.values()}) == 32


@pytest.mark.parametrize("name", STAGES)
def test_its_recipe_makes_the_level_again(name: str) -> None:
    level = campaign_level(name)
    assert level.recipe is not None
    assert generate_from(level.recipe) == level
    assert TYPES[name[2]] in level.labels


@pytest.mark.parametrize("name", STAGES)
def test_its_proof_wins(name: str) -> None:
    assert replay(campaign_level(name), campaign_proof(name)).status == Status.WIN


def test_worlds_rise_in_difficulty() -> None:
    asked = [
        int(level.recipe.options["difficulty"] or 0)
        for level in campaign_levels().values()
        if level.recipe
    ]
    assert asked == sorted(asked)
    assert asked[0] < asked[-1]


def test_an_unknown_stage_is_named() -> None:
    with pytest.raises(OptionError, match="9-1"):
        campaign_level("9-1")
