from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ludus.errors import OptionError
from ludus.games.worm import (
    Hotspots,
    Predators,
    Reward,
    Task,
    Temperature,
    _native,
    feature_names,
    find_task,
    tasks,
)
from ludus.games.worm.native_task import native_constants, native_task
from ludus.games.worm.task import MODES

FROZEN = {
    "foraging-small@head": "d468ddbaae8d1f4b",
    "foraging-small@e25": "cc89b5e857dc8951",
    "foraging-medium@head": "ce3e201e83bbfaf0",
    "foraging-medium@e25": "cb63ec273f22bc23",
    "foraging-large@head": "c326d2304ff5a4d0",
    "foraging-large@e25": "1173617b0005202f",
    "predator-small@head": "c7a91c58c7b7fb8f",
    "predator-small@e25": "780f4747c33ae480",
    "predator-medium@head": "c122602293438802",
    "predator-medium@e25": "5e7d9c419271b0e1",
    "predator-large@head": "8c01c25f7916e435",
    "predator-large@e25": "f8707f6cd1d9e073",
    "pursuit-small@head": "33dcc970e82cfc3f",
    "stationary-small@head": "9a33a367e90c6b2e",
    "thermal-foraging-small@head": "df05bef690b12698",
    "thermal-foraging-medium@head": "e2b745ce7b8286e1",
    "thermal-foraging-large@head": "181df8d780ae3f3a",
    "thermal-pursuit-small@head": "30790287407d97ea",
    "thermal-pursuit-medium@head": "c9fd889a89fab3e6",
    "thermal-pursuit-large@head": "5d37ca9910a23ce1",
    "thermal-stationary-small@head": "c15561c9e08f72c4",
    "thermal-stationary-medium@head": "a7810dbf2bb926e8",
    "thermal-stationary-large@head": "914267567e19e768",
    "oxygen-foraging-medium@head": "d0a14c632918f335",
    "oxygen-foraging-large@head": "1f1199db841bd8a9",
    "oxygen-pursuit-large@head": "4495abadf079f6b1",
    "oxygen-stationary-large@head": "81089189e7dbd959",
    "oxygen-thermal-foraging-large@head": "73642562e8fbe6e0",
    "oxygen-thermal-pursuit-large@head": "48a93e6d361619a1",
    "oxygen-thermal-stationary-large@head": "748f4cb2eb0ca4af",
    "oxygen-foraging-large@head2": "d5fbd6dc1d4a0d4d",
    "oxygen-pursuit-large@head2": "3de23dab064f2e80",
    "oxygen-stationary-large@head2": "33005a62ff56bfba",
    "oxygen-thermal-foraging-large@head2": "70fbdbb6f23aed2e",
    "oxygen-thermal-pursuit-large@head2": "4357e396a6db95bd",
    "oxygen-thermal-stationary-large@head2": "8736c618a983362d",
    "c3-grid@head": "7774d978b7ebb7a6",
    "c3-continuous@head": "1ab8f875d5d7b2db",
}


def test_frozen_tasks_never_change() -> None:
    assert {name: find_task(name).digest[:16] for name in tasks()} == FROZEN


def test_the_engine_gets_every_constant() -> None:
    spots = {"hot_spots", "cold_spots", "high_spots", "low_spots", "hotspots"}
    assert set(native_constants(find_task("foraging-small"))) == {*_native.term_names(), *spots}


@pytest.mark.parametrize("name", tasks())
@pytest.mark.parametrize("sensing", MODES)
def test_every_feature_has_a_name(name: str, sensing: str) -> None:
    if "@e25" in name and sensing != "oracle":
        with pytest.raises(OptionError, match="try oracle"):
            find_task(f"{name}+{sensing}")
        return
    task = find_task(f"{name}+{sensing}")
    names = feature_names(task)
    assert len(names) == native_task(task).n_features == len(set(names))
    assert find_task(task.id) == task


def test_names_tell_version_sensing_and_rules() -> None:
    task = find_task("predator-small@e25+reference")
    assert (task.version, task.sensing, task.rules) == ("e25", "oracle", "reference")
    assert task.id == "predator-small@e25+reference"
    task = find_task("pursuit-small+klinotaxis")
    assert task.id == "pursuit-small@head+klinotaxis"
    assert "proprioception" in task.senses
    assert find_task("pursuit-small@head") == find_task("pursuit-small+oracle+corrected")


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("forraging-small", "did you mean 'foraging-small'"),
        ("zebra", "there are foraging-small"),
        ("pursuit-small@e25", "no version 'e25', only head"),
        ("foraging-small+smell", "'smell' in 'foraging-small.smell' is unknown: try one of oracle"),
    ],
)
def test_unknown_names_are_met_with_a_hint(spec: str, hint: str) -> None:
    with pytest.raises(OptionError, match=hint):
        find_task(spec)


@pytest.mark.parametrize("name", tasks())
def test_a_task_comes_back_from_plain_values(name: str) -> None:
    task = find_task(name)
    assert Task.from_dict(task.to_dict()) == task


def test_a_task_with_everything_comes_back_from_plain_values() -> None:
    task = replace(
        find_task("oxygen-thermal-pursuit-large"),
        hotspots=Hotspots(places=((3.0, 4.0, 1.0),)),
        portion=0.25,
    )
    assert Task.from_dict(task.to_dict()) == task
    assert task.digest != find_task("oxygen-thermal-pursuit-large").digest


@pytest.mark.parametrize("values", [{}, {"name": "x", "colour": 3}, {"name": "x", "reward": 5}])
def test_other_values_are_no_task(values: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="not a task"):
        Task.from_dict(values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": 4}, "size 4 is out of range: give 5 to 128"),
        ({"size": 129}, "out of range"),
        ({"foods": 65}, "foods 65 is out of range"),
        ({"foods": 0}, "out of range"),
        ({"max_steps": 0}, "max_steps 0"),
        ({"decay": float("nan")}, "decay nan is out of range"),
        ({"sensing": "radar"}, "sensing 'radar' is unknown: try one of oracle"),
        ({"rules": "own"}, "rules 'own'"),
        ({"substrate": "cube"}, "substrate 'cube'"),
        ({"senses": ()}, "none or repeat"),
        ({"senses": ("food_chemotaxis", "food_chemotaxis")}, "none or repeat"),
        ({"senses": ("sight",)}, "sense 'sight' is unknown"),
        ({"senses": ("thermotaxis",)}, "thermotaxis has nothing to sense"),
        ({"memory_size": 65}, "memory_size 65"),
        ({"adaptation": "habit"}, "adaptation 'habit'"),
    ],
)
def test_what_makes_no_sense_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        replace(find_task("foraging-small"), **change)


def test_parts_are_checked_too() -> None:
    with pytest.raises(OptionError, match="kind of predators 'sleepy'"):
        Predators(count=1, kind="sleepy")
    with pytest.raises(OptionError, match="count of predators 33"):
        Predators(count=33)
    with pytest.raises(OptionError, match="predator_mode 'hope'"):
        Reward(predator_mode="hope")
    with pytest.raises(OptionError, match="number of spots 17"):
        Temperature(hot_spots=((1.0, 1.0, 1.0),) * 17)
    with pytest.raises(OptionError, match="weights above 0"):
        Hotspots(places=((1.0, 1.0, 0.0),))
