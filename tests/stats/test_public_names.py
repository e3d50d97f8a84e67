from __future__ import annotations

import pkgutil

import ludus.stats


def test_no_public_name_hides_a_module() -> None:
    modules = {module.name for module in pkgutil.iter_modules(ludus.stats.__path__)}
    assert not modules & set(ludus.stats.__all__)


def test_public_functions_have_an_example() -> None:
    for name in ludus.stats.__all__:
        thing = getattr(ludus.stats, name)
        if not isinstance(thing, type):
            assert "Example:" in (thing.__doc__ or ""), name
