"""Ludus's own agents under the judge: their work is counted, and nothing is forbidden to them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from ludus.agents.judge.calls import CallSorter
from ludus.agents.judge.loading import JudgedCode
from ludus.errors import AgentError

__all__ = ["OwnCode"]


class OwnCode(JudgedCode):
    """The modules of one of Ludus's packages of agents.

    Args:
        package: The package; what is imported from elsewhere is not counted.
        profile: Whether to count how often each block is entered.
    """

    def __init__(self, package: str, *, profile: bool = False) -> None:
        super().__init__(Path(__file__).parent, profile=profile)
        self._package = package

    def load_module(self, name: str) -> ModuleType:
        """Return a module, counted.

        Raises:
            AgentError: There is none.
        """
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise AgentError(f"there is no module {name[:100]!r}")
        return self._load(name, Path(spec.origin))

    def _check(self, tree: ast.AST, file: str) -> None:
        """Ludus's own code may do anything."""

    def _check_attributes(self, calls: CallSorter, file: str) -> None:
        """Ludus's own code hides no calls."""

    def _import(
        self,
        name: str,
        globals_: Mapping[str, Any] | None = None,
        locals_: Mapping[str, Any] | None = None,
        fromlist: tuple[str, ...] | list[str] | None = (),
        level: int = 0,
    ) -> ModuleType | None:
        own = name.startswith(f"{self._package}.") and fromlist and isinstance(fromlist, tuple)
        if own and level == 0:
            return self.load_module(name)
        return builtins.__import__(name, globals_, locals_, fromlist or (), level)

    def _make_builtins(self) -> dict[str, Any]:
        return {**vars(builtins), "__import__": self._import}
