"""Every entry into the games has an example that shows its use."""

from __future__ import annotations

import importlib
import inspect

import pytest

PACKAGES = (
    "ludus.games.platformer.environments",
    "ludus.games.platformer.formats",
    "ludus.games.platformer.generators",
    "ludus.games.platformer.levels.metrics",
    "ludus.games.platformer.levels.solver",
    "ludus.games.platformer.pictures.film",
    "ludus.games.platformer.pictures.frames",
    "ludus.games.platformer.pictures.terminal",
    "ludus.games.worm.chemotaxis",
    "ludus.games.worm.frozen_tasks",
    "ludus.games.worm.pictures.text",
)
CLASSES = (
    "ludus.games.diplomacy.env:DiplomacyEnv",
    "ludus.games.diplomacy.match:DiplomacyMatch",
    "ludus.games.diplomacy.scenario:Scenario.from_dict",
    "ludus.games.diplomacy.table:Table",
    "ludus.games.diplomacy.view:View",
    "ludus.games.platformer.environments:PlatformerEnv",
    "ludus.games.platformer.environments:PlatformerVectorEnv",
    "ludus.games.platformer.game:PlatformerGame",
    "ludus.games.platformer.levels.level:Level",
    "ludus.games.platformer.physics:Physics",
    "ludus.games.platformer.scenario:Scenario",
    "ludus.games.platformer.view:View",
    "ludus.games.sticky_actions:SplitMix64",
    "ludus.games.worm.batch:Batch",
    "ludus.games.worm.environments:WormEnv",
    "ludus.games.worm.environments:WormVectorEnv",
    "ludus.games.worm.observation:Observation",
    "ludus.games.worm.task:Task",
    "ludus.games.worm.world:World",
)


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_show_their_use(package: str) -> None:
    module = importlib.import_module(package)
    for name in module.__all__:
        offered = getattr(module, name)
        if inspect.isfunction(offered) and name != "camera_edge":
            assert ">>> " in (offered.__doc__ or ""), name


@pytest.mark.parametrize("path", CLASSES)
def test_classes_show_their_use(path: str) -> None:
    package, _, name = path.partition(":")
    entry = importlib.import_module(package)
    for part in name.split("."):
        entry = getattr(entry, part)
    assert ">>> " in (entry.__doc__ or "")


def test_worlds_and_forward_models_are_shown_by_their_package() -> None:
    text = importlib.import_module("ludus.games.platformer").__doc__ or ""
    assert "World(" in text
    assert "forward_model()" in text
