"""``solvable=True`` goes on to other seeds until the solver finds a way through."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace

import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Level
from ludus.games.platformer.generators import generate, generate_from


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[Level]]:
    """Put a solver in place that solves the n-th level it is asked for, and list them all."""

    def solve_the(number: int) -> list[Level]:
        levels: list[Level] = []

        def solve(level: Level) -> SimpleNamespace:
            levels.append(level)
            return SimpleNamespace(outcome="solved" if len(levels) == number else "unknown")

        module = ModuleType("ludus.games.platformer.levels.solver")
        module.solve = solve  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return levels

    return solve_the


def test_a_level_that_is_solved_is_the_one_of_its_seed(
    asked: Callable[[int], list[Level]],
) -> None:
    asked(1)
    assert generate("ludus", seed=5, solvable=True) == generate("ludus", seed=5)


@pytest.mark.parametrize("name", ["ludus", "notch-2009", "notch-framework", "tunable-2010"])
def test_the_recipe_names_the_seed_that_was_solved(
    name: str, asked: Callable[[int], list[Level]]
) -> None:
    levels = asked(3)
    level = generate(name, seed=5, difficulty=4, solvable=True)
    assert len({one.text for one in levels}) == 3
    assert level == levels[-1]
    assert level.recipe is not None
    assert level.recipe.options["difficulty"] == 4
    assert level.recipe.options["seed"] != 5
    assert generate_from(level.recipe) == level
    asked(3)
    assert generate(name, seed=5, difficulty=4, solvable=True) == level


def test_it_gives_up_in_the_end(asked: Callable[[int], list[Level]]) -> None:
    levels = asked(101)
    with pytest.raises(OptionError, match="none of 100 levels"):
        generate("ludus", seed=5, length=50, solvable=True)
    assert len(levels) == 100


def test_nothing_is_both_solvable_and_impossible(asked: Callable[[int], list[Level]]) -> None:
    assert asked(1) == []
    with pytest.raises(OptionError, match="on purpose"):
        generate("ludus", impossible=True, solvable=True)
