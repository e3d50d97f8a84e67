"""Registers the environments with Gymnasium, without importing Gymnasium for it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.abc import Loader  # it costs more than all the rest of ``import ludus``

__all__ = ["ENVIRONMENTS", "register_environments"]

ENVIRONMENTS = {
    "ludus/Platformer-v0": (
        "ludus.games.platformer.environments:PlatformerEnv",
        "ludus.games.platformer.environments:PlatformerVectorEnv",
    ),
    "ludus/MarioArena-v0": (
        "ludus.benchmarks.mario_arena.environments:MarioArenaEnv",
        "ludus.benchmarks.mario_arena.environments:MarioArenaVectorEnv",
    ),
    "ludus/Worm-v0": (
        "ludus.games.worm.environments:WormEnv",
        "ludus.games.worm.environments:WormVectorEnv",
    ),
}
"""The entry points of each environment: one game, and many at once."""


def register_environments() -> None:
    """Let ``gymnasium.make("ludus/…")`` find the environments of Ludus.

    If Gymnasium is not imported yet, they are registered as soon as it is: whoever needs no
    environment does not pay for the import.
    """
    if "gymnasium" in sys.modules:
        _register()
    else:
        sys.meta_path.insert(0, _GymnasiumFinder())


def _register() -> None:
    from gymnasium.envs.registration import register

    for name, (entry_point, vector_entry_point) in ENVIRONMENTS.items():
        register(name, entry_point=entry_point, vector_entry_point=vector_entry_point)


class _GymnasiumFinder:
    """Finds Gymnasium once, as the other finders do, and has its loader register environments."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec and spec.loader:
            spec.loader = _RegisteringLoader(spec.loader)  # type: ignore[assignment]
        return spec


class _RegisteringLoader:
    """Loads a module by its own loader, then registers the environments."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self.loader
        if module.__spec__:
            module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        _register()
