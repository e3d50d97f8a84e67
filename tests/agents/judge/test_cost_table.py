"""The published cost table is the one that counts."""

from __future__ import annotations

import re
from pathlib import Path

from ludus.agents.judge import loading, replaced
from ludus.agents.judge.costs import COSTS, LOOP_COST, SMALL_BRANCH
from ludus.agents.judge.judged_agent import DECISIONS_OF_LOADING
from ludus.agents.judge.rules import ALLOWED_MODULES, MOST_BITS
from ludus.games.platformer import _native

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "what-your-agent-may-do.md").read_text()
PROSE = " ".join(PAGE.split())
COUNTER = "".join(file.read_text() for file in sorted((ROOT / "native" / "judge").glob("*.[ch]")))


def cost(words: str) -> int:
    """Return the units that the page's table of sizes has beside some words."""
    row = next(line for line in PAGE.splitlines() if line.startswith("|") and words in line)
    return int(row.rstrip("| ").rpartition("|")[2])


def in_counter(name: str) -> int:
    """Return a constant of the counter."""
    found = re.search(rf"{name} = (\d+)", COUNTER)
    assert found
    return int(found[1])


def test_cost_of_every_piece_of_syntax_is_on_the_page() -> None:
    rows = re.findall(r"^\| (\d+) \| (`.*`) \|$", PAGE, re.MULTILINE)
    listed = {name: int(units) for units, names in rows for name in re.findall(r"`(\w+)`", names)}
    assert listed == {kind.__name__: units for kind, units in COSTS.items()}


def test_costs_of_sizes_are_on_the_page() -> None:
    assert cost("an item of a container") == cost("8 letters") == in_counter("ITEM_COST")
    assert in_counter("LETTERS_OF_AN_ITEM") == in_counter("ITEMS_FOR_A_UNIT") == 8
    assert cost("a function of NumPy") == in_counter("ARRAY_COST")
    assert cost("compiled, executed or evaluated") == loading.COMPILING
    assert cost("deepcopy") == replaced.NODE
    assert f"at most {SMALL_BRANCH} units" in PROSE
    assert f"costs {LOOP_COST} units" in PROSE
    assert in_counter("MOST_DIGITS") * in_counter("DIGIT_BITS") == MOST_BITS
    assert f"at most {MOST_BITS:,} bits" in PROSE
    assert f"of {DECISIONS_OF_LOADING} decisions" in PROSE


def test_costs_of_the_engine_are_on_the_page() -> None:
    listed = {
        "tick": cost("a tick of a forward model"),
        "copy": cost("a copy of a forward model"),
        "record": cost("Mario, a sprite"),
        "look": cost("a grid or another array"),
        "cells for a unit": 8,
    }
    assert listed == _native.COSTS


def test_costs_of_java_are_on_the_page() -> None:
    source = (ROOT / "native/bindings/java/ludus/judge/Costs.java").read_text()
    numbers = {name: int(value) for name, value in re.findall(r"([A-Z]+) = (\d+)", source)}
    listed = {
        "ARITHMETIC": cost("other arithmetic"),
        "BRANCH": cost("other arithmetic"),
        "ACCESS": cost("other arithmetic"),
        "SWITCH": cost("a switch"),
        "CALL": cost("| a call |"),
        "THROW": cost("athrow"),
        "MAKE": cost("`new` and new arrays"),
        "LOCK": cost("`new` and new arrays"),
        "QUICK": cost("`poll`"),
        "LIBRARY": cost("any other method of the library"),
        "TICK": cost("`advance` of a model"),
        "COPY": cost("`clone` of a model"),
        "GRID": cost("| a grid |"),
        "ENEMIES": cost("places of all enemies"),
        "GETTER": cost("any other method of the engine"),
    }
    assert listed == numbers
    engine = _native.COSTS
    assert (numbers["TICK"], numbers["COPY"]) == (engine["tick"], engine["copy"])
    assert numbers["GRID"] == engine["look"] + 16 * 16 // engine["cells for a unit"]


def test_modules_that_may_be_imported_are_on_the_page() -> None:
    rules = PAGE[PAGE.index("## Rules") :]
    ours = {name for name in ALLOWED_MODULES if name.startswith(("ludus", "__"))}
    for name in ALLOWED_MODULES - ours:
        assert f"`{name.split('.')[-1]}`" in rules or name == "collections.abc", name
