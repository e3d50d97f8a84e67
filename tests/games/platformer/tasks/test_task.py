"""Tasks are fixed, checked records that files can hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.games.platformer.tasks.task import GRIDS, KINDS, Noise, ReceptiveField, Task

SHARES = st.floats(0, 0.5)
FIELDS = st.builds(
    ReceptiveField,
    st.tuples(st.integers(1, 128), st.integers(1, 128)),
    st.integers(0, 2),
)
TASKS = st.builds(
    Task,
    kinds=st.sets(st.sampled_from(KINDS[:-1])).map(tuple),
    scene=FIELDS,
    enemies=FIELDS,
    noise=st.builds(Noise, SHARES, SHARES, st.floats(0, 40)),
    reward=st.booleans(),
    evaluation=st.sampled_from(["distance", "basic", "weighted-2010"]),
    attempts=st.integers(1, 100),
    forward_model=st.just(False),
)


@given(TASKS)
def test_a_task_comes_back_from_json(task: Task) -> None:
    assert Task.from_dict(json.loads(json.dumps(task.to_dict()))) == task


def test_a_task_at_its_defaults_is_small_and_shows_the_whole_game() -> None:
    assert Task().to_dict() == {}
    assert Task().forward_model


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kinds": ("sound",)}, "no kind 'sound'; there are scene, enemies"),
        ({"kinds": ("scene",)}, "a forward model shows enemies, merged, positions, state"),
        ({"noise": Noise(flip=0.1)}, "a forward model undoes noise"),
        ({"noise": Noise(drop=0.1), "kinds": KINDS, "forward_model": False}, "a picture undoes"),
        ({"evaluation": "beauty"}, "no evaluation 'beauty'; there are distance, basic"),
        ({"attempts": 0}, "0 attempts: give 1 to"),
        ({"scene": ReceptiveField(detail=(0, 0))}, "the field 'scene' has one detail"),
        ({"merged": ReceptiveField(detail=0)}, "the field 'merged' has two details"),
    ],
)
def test_a_task_that_cannot_be_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Task(**options)


@pytest.mark.parametrize("values", [(0, 9), (129, 9), (9,), ("9", 9), 2.5, None])
def test_a_field_has_a_size(values: Any) -> None:
    with pytest.raises(OptionError, match="give columns and rows from 1 to 128"):
        ReceptiveField(values)


@pytest.mark.parametrize("detail", [-1, 3, True, 1.0, (0, 3), (0, 1, 2), "1"])
def test_a_field_has_a_detail(detail: Any) -> None:
    with pytest.raises(OptionError, match="is not 0, 1, 2 or a pair"):
        ReceptiveField((9, 9), detail)


@pytest.mark.parametrize("values", [(-0.1, 0, 0), (0.6, 0.5, 0), (0, 0, -1), (0, 0, float("nan"))])
def test_noise_is_made_of_shares(values: tuple[float, float, float]) -> None:
    with pytest.raises(OptionError, match=r"give 0 to 1|pixels"):
        Noise(*values)


@pytest.mark.parametrize(
    "values",
    [
        {"kinds": "scene"},
        {"noise": {"drop": "much"}},
        {"noise": 3},
        {"scene": [16, 16]},
        {"scene": {"sighs": 3}},
        {"reward": 1},
        {"evaluation": 7},
        {"evaluation": None},
        {"attempts": 2.5},
        {"seed": 3},
        [],
        None,
    ],
)
def test_a_forged_description_is_refused_in_one_line(values: Any) -> None:
    with pytest.raises(OptionError) as refused:
        Task.from_dict(values)
    assert "\n" not in str(refused.value)


def test_a_function_evaluates_but_cannot_be_written() -> None:
    task = Task(evaluation=lambda figures: 2 * figures["coins"])
    assert task.evaluate({"coins": 21}) == 42
    with pytest.raises(OptionError, match="a function of yours evaluates the task"):
        task.to_dict()


def test_every_grid_has_a_field() -> None:
    assert [getattr(Task(), kind).size for kind in GRIDS] == [(16, 16)] * 3
