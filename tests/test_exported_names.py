"""What every package offers: listed, sorted, there, documented; and what was offered stays."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SOURCE = Path(__file__).parents[1] / "src"
GOLDEN = Path(__file__).parent / "golden" / "exported_names.txt"
SCRIPTS = "ludus.runs.migrations"  # Alembic runs these; nobody imports from them


def module_name(file: Path) -> str:
    return ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def binds_names(file: Path) -> bool:
    """Whether there is more in the file than a docstring."""
    return len(ast.parse(file.read_text(encoding="utf-8")).body) > 1


def exporting_modules() -> list[str]:
    files = [file for file in sorted((SOURCE / "ludus").rglob("*.py")) if binds_names(file)]
    names = [module_name(file) for file in files]
    return [name for name in names if not name.startswith(SCRIPTS) and name != "ludus.__main__"]


def recorded() -> dict[str, list[str]]:
    """Return the documented packages, and the names that each has offered."""
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    pairs = (line.split(": ") for line in lines if not line.startswith("#"))
    return {package: names.split() for package, names in pairs}


@pytest.fixture(scope="module")
def modules() -> list[ModuleType]:
    return [importlib.import_module(name) for name in exporting_modules()]


def offers(modules: list[ModuleType]) -> Iterator[tuple[ModuleType, str]]:
    """Yield every module with each of the names that it lists."""
    for module in modules:
        for name in module.__all__:
            yield module, name


def sort_key(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def test_modules_list_their_names_in_order(modules: list[ModuleType]) -> None:
    for module in modules:
        names = list(module.__all__)
        assert names == sorted(set(names), key=sort_key), module


def test_listed_names_exist_and_are_public(modules: list[ModuleType]) -> None:
    for module, name in offers(modules):
        assert hasattr(module, name), (module, name)
        assert not name.startswith("_") or name == "__version__", (module, name)


def test_listed_names_are_documented(modules: list[ModuleType]) -> None:
    for module in modules:
        assert module.__doc__, module
    for module, name in offers(modules):
        offered = getattr(module, name)
        if isinstance(offered, type | ModuleType) or inspect.isroutine(offered):
            assert offered.__doc__, (module, name)


def test_packages_list_all_that_they_define(modules: list[ModuleType]) -> None:
    for module in modules:
        for name, bound in vars(module).items():
            if name.startswith("_") or not (inspect.isclass(bound) or inspect.isfunction(bound)):
                continue
            if hasattr(module, "__path__") and bound.__module__ == module.__name__:
                assert name in module.__all__, (module, name)


@pytest.mark.parametrize("package", recorded())
def test_documented_packages_keep_their_names(package: str) -> None:
    offered = importlib.import_module(package).__all__
    gone = [name for name in recorded()[package] if name not in offered]
    assert not gone, f"{package} no longer offers {gone}; keep them, or say so in CHANGELOG"
