"""Any options within their ranges make a level; any other is refused in one line."""

from __future__ import annotations

import json
import pickle
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.games.platformer import World
from ludus.games.platformer.generators import generate, generate_from, load, names
from ludus.games.platformer.generators.tunable_2010 import KINDS
from ludus.games.platformer.levels.level import Recipe

REFERENCE = ["notch-2009", "notch-framework", "tunable-2010"]
DIFFICULTIES = st.integers(0, 15) | st.integers(0, 100)
LONGS = st.integers(-(2**63), 2**63 - 1)

CREATURES = st.lists(
    st.tuples(st.sampled_from(KINDS), st.none() | st.integers(1, 9)), max_size=12
).map(lambda kinds: ",".join(kind + (f":{n}" if n else "") for kind, n in kinds))
SWITCHES = [
    name for name, f in load("tunable-2010").options.model_fields.items() if f.annotation is bool
]

NOTCH = {"seed": LONGS, "difficulty": DIFFICULTIES, "type": st.integers(0, 2)}
OPTIONS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "notch-2009": {**NOTCH, "width": st.integers(32, 400)},
    "notch-framework": {**NOTCH, "width": st.integers(16, 300), "height": st.integers(8, 40)},
    "tunable-2010": {
        "seed": st.integers(0, 2**31 - 1),
        "difficulty": DIFFICULTIES,
        "type": st.integers(0, 2),
        "width": st.integers(16, 300),
        "height": st.integers(15, 40),
        "creatures": st.just("off") | CREATURES,
        "exit_x": st.just(0) | st.integers(0, 15),
        "exit_y": st.just(0) | st.integers(0, 14),
        **dict.fromkeys(SWITCHES, st.booleans()),
    },
}


def asked() -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return st.sampled_from(REFERENCE).flatmap(
        lambda name: st.fixed_dictionaries({}, optional=OPTIONS[name]).map(lambda o: (name, o))
    )


def test_every_option_is_tried() -> None:
    assert {name: set(load(name).options.model_fields) for name in REFERENCE} == {
        name: set(options) for name, options in OPTIONS.items()
    }


@given(asked())
@settings(max_examples=300, deadline=None)
def test_options_in_range_make_a_level(asked: tuple[str, dict[str, Any]]) -> None:
    name, options = asked
    level = generate(name, **options)
    fields = load(name).options(**options).model_dump()
    rows = level.text.split("\n")
    assert {len(row) for row in rows} == {level.width} == {fields["width"]}
    assert len(rows) == level.height == fields.get("height", 15)
    assert level.recipe is not None
    assert level.recipe.options == fields
    again = generate_from(Recipe.from_json(level.recipe.to_json()))
    assert again == level
    assert hash(again) == hash(level)
    assert again.recipe == level.recipe


@given(asked())
@settings(max_examples=60, deadline=None)
def test_levels_can_be_played_and_pickled(asked: tuple[str, dict[str, Any]]) -> None:
    name, options = asked
    level = generate(name, **options)
    copy = pickle.loads(pickle.dumps(level))
    assert copy == level
    assert copy.recipe == level.recipe
    assert copy.creatures == level.creatures
    world = World(level)
    for action in [10, 26] * 30:
        if world.status == 0:
            world.step(action)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("notch-2009", {"difficulty": -1}, "difficulty -1 is out of range: give 0 to 100"),
        ("notch-2009", {"type": 3}, "type 3 is out of range: give 0 to 2"),
        ("notch-2009", {"width": 31}, "width 31 is out of range: give 32 to 100000"),
        ("notch-2009", {"width": "wide"}, "width 'wide' is out of range: give 32 to 100000"),
        (
            "notch-2009",
            {"height": 15},
            "notch-2009 has no option 'height'; there are seed, difficulty",
        ),
        ("notch-framework", {"height": 7}, "height 7 is out of range: give 8 to 256"),
        ("notch-framework", {"seed": 2**63}, f"seed {2**63} is out of range: give {-(2**63)} to"),
        ("tunable-2010", {"seed": -1}, "seed -1 is out of range: give 0 to 2147483647"),
        ("tunable-2010", {"flat": 1}, "flat 1 is out of range: give True or False"),
        ("tunable-2010", {"dead_end": True}, "did you mean 'dead_ends'?"),
        (
            "tunable-2010",
            {"creatures": "g,x:2"},
            "'x:2' is out of range: give off, or a list of g gw",
        ),
        ("tunable-2010", {"creatures": "g:0"}, "each with :count from 1"),
        ("tunable-2010", {"creatures": 3}, "creatures 3 is out of range: give a value of type str"),
        (
            "tunable-2010",
            {"width": 50, "exit_x": 50},
            "(50, 0) is out of range: give columns 0 to 49",
        ),
        ("tunable-2010", {"options": "-ld"}, "'-ld' has no value"),
        ("tunable-2010", {"options": "-ld x"}, "-ld 'x' is no whole number"),
        ("tunable-2010", {"options": "-ld 101"}, "difficulty 101 is out of range: give 0 to 100"),
        ("tunable-2010", {"options": "-lde yes"}, "-lde 'yes' is no switch: give on or off"),
        ("tunable-2010", {"options": "-lxy 3"}, "no option '-lxy' in the benchmark"),
        ("tunable-2010", {"options": "-le 'g"}, "cannot be read"),
        ("tunable-2010", {"options": 5}, "cannot be read"),
        ("notch-2010", {}, "no generator 'notch-2010'; did you mean 'notch-2009'? there are"),
    ],
)
def test_other_options_are_refused_in_one_line(
    name: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError) as refused:
        generate(name, **options)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_option_string_is_the_same_as_names() -> None:
    string = "-lde on -lhb on -ld 9 -ls 211 -le g:5,rkw -ld 4 -lb off -ex 90 -ll 100 -mm 0 -vis off"
    by_name = generate(
        "tunable-2010",
        seed=211,
        difficulty=4,
        dead_ends=True,
        hidden_blocks=True,
        blocks=False,
        creatures="g:5,rkw",
        exit_x=90,
        width=100,
    )
    by_string = generate("tunable-2010", options=string)
    assert by_string == by_name
    assert by_string.recipe == by_name.recipe
    assert generate("tunable-2010", options=string, difficulty=9, seed=3) != by_name


def test_an_option_string_raises_small_heights() -> None:
    assert generate("tunable-2010", options="-lh 3").height == 15


def test_creatures_by_difficulty_have_an_empty_list() -> None:
    by_string = generate("tunable-2010", options="-le '' -ld 4 -ls 3")
    assert by_string == generate("tunable-2010", creatures="", difficulty=4, seed=3)
    assert len(by_string.creatures) > 50


def test_asking_for_piranhas_changes_nothing() -> None:
    with_them = generate("tunable-2010", creatures="f,g:3", difficulty=4)
    assert with_them == generate("tunable-2010", creatures="g:3", difficulty=4)


def test_numbers_may_come_from_numpy() -> None:
    assert generate("notch-2009", seed=int(np.int64(7))) == generate("notch-2009", seed=np.int64(7))  # type: ignore[arg-type]


def test_names_and_help() -> None:
    assert list(names())[:4] == ["ludus", *REFERENCE]
    for name in REFERENCE:
        assert names()[name]
        for field in load(name).options.model_fields.values():
            assert field.description
            assert "\n" not in field.description


def test_recipes_are_plain_and_of_one_version() -> None:
    level = generate("notch-framework", seed=5, difficulty=2)
    assert level.recipe is not None
    assert json.loads(json.dumps(asdict(level.recipe)))["options"]["seed"] == 5
    assert hash(level.recipe) == hash(Recipe.from_json(level.recipe.to_json()))
    newer = Recipe(level.recipe.generator, 2, level.recipe.options)
    with pytest.raises(OptionError, match="version 2 of notch-framework: this is version 1"):
        generate_from(newer)
