from __future__ import annotations

import doctest
import importlib
import pkgutil
from types import ModuleType

import pytest

import ludus.stats

MODULES = [name for _, name, _ in pkgutil.iter_modules(ludus.stats.__path__, "ludus.stats.")]


@pytest.fixture(params=MODULES)
def module(request: pytest.FixtureRequest) -> ModuleType:
    name: str = request.param
    return importlib.import_module(name)


def test_examples_show_what_happens(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


def test_every_module_says_what_it_offers(module: ModuleType) -> None:
    assert all(hasattr(module, name) for name in module.__all__)
    assert len(set(module.__all__)) == len(module.__all__)


def test_no_public_name_hides_a_module() -> None:
    assert not {name.rpartition(".")[2] for name in MODULES} & set(ludus.stats.__all__)


def test_public_functions_have_an_example() -> None:
    for name in ludus.stats.__all__:
        thing = getattr(ludus.stats, name)
        if not isinstance(thing, type):
            assert "Example:" in (thing.__doc__ or ""), name


def test_every_public_name_is_there_once() -> None:
    assert sorted(ludus.stats.__all__) == sorted(set(ludus.stats.__all__))
    for name in ludus.stats.__all__:
        assert hasattr(ludus.stats, name)
