"""The frozen tasks, by name and version; what is in here never changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from typing import Any

from ludus.errors import OptionError
from ludus.games.worm.surroundings import Dish, Oxygen, Predators, Reward, Temperature
from ludus.games.worm.task import MODES, RULES, Task

__all__ = ["apply_suffix", "find_recorded_task", "find_task", "tasks"]

_SIZES: Mapping[str, Mapping[str, Any]] = {
    "small": {"size": 20, "max_steps": 500, "decay": 8.0},
    "medium": {"size": 50, "max_steps": 1000, "decay": 10.0},
    "large": {"size": 100, "max_steps": 2000, "decay": 12.0},
}

_FORAGING: Mapping[str, Mapping[str, Any]] = {
    "small": {"foods": 5, "target": 10, "min_food_distance": 3.0, "exclusion": 5.0},
    "medium": {"foods": 20, "target": 30, "min_food_distance": 5.0, "exclusion": 10.0},
    "large": {"foods": 35, "target": 50, "min_food_distance": 10.0, "exclusion": 15.0},
}
_FORAGING_SATIETY = {"small": 200.0, "medium": 500.0, "large": 800.0}

_HEAD_SENSES = ("food_chemotaxis", "nociception")


def _foraging() -> list[Task]:
    variants = []
    for size, fields in _FORAGING.items():
        head = Task(
            name=f"foraging-{size}", satiety=_FORAGING_SATIETY[size], **_SIZES[size], **fields
        )
        variants += [head, _e25(head)]
    return variants


def _e25(task: Task) -> Task:
    """Return the task under the rules of December 2025: no health, one combined sense."""
    return replace(
        task,
        version="e25",
        health=None,
        senses=("gradient",),
        reward=replace(task.reward, wall=0.0, proximity=0.1, predator_mode="flat"),
    )


def _predator() -> list[Task]:
    """Return predators on the foraging tasks: random killers, and hunters since."""
    random = {"small": 2, "medium": 5, "large": 10}
    pursuit = {
        "small": Predators(count=2, detection=6.0, damage=20.0, decay=10.0),
        "medium": Predators(count=4, detection=5.0, damage=8.0, decay=12.0),
        "large": Predators(count=4, detection=10.0, damage=15.0, decay=12.0),
    }
    variants = []
    for size, count in random.items():
        base = Task(
            name=f"predator-{size}",
            satiety=_FORAGING_SATIETY[size],
            **_SIZES[size],
            **_FORAGING[size],
        )
        head = replace(base, predators=pursuit[size], food_healing=10.0, senses=_HEAD_SENSES)
        killers = Predators(
            count=count,
            kind="random",
            speed=1.0,
            detection=8.0,
            kills=True,
            decay=12.0,
            spawn_by_steps=True,
        )
        variants += [head, replace(_e25(base), predators=killers)]
    return variants


_LATER: Mapping[str, Any] = {
    "foods": 6,
    "target": 10,
    "satiety": 300.0,
    "satiety_decay": 0.8,
    "food_healing": 10.0,
}


def _single() -> list[Task]:
    return [
        Task(
            name="pursuit-small",
            predators=Predators(count=2, detection=6.0, damage=20.0, decay=10.0),
            senses=_HEAD_SENSES,
            **_LATER,
        ),
        Task(
            name="stationary-small",
            predators=Predators(
                count=3,
                kind="stationary",
                speed=0.0,
                detection=4.0,
                damage_radius=2.0,
                damage=15.0,
                decay=8.0,
                strength=1.2,
            ),
            senses=(*_HEAD_SENSES, "mechanosensation"),
            reward=Reward(proximity=0.1),
            **_LATER,
        ),
    ]


# ---- temperature and oxygen --------------------------------------------------------------------

_MIDDLING: Mapping[str, Mapping[str, Any]] = {
    "small": {**_SIZES["small"], **_LATER, "food_healing": 5.0},
    "medium": {
        **_SIZES["medium"],
        "foods": 15,
        "target": 20,
        "min_food_distance": 4.0,
        "exclusion": 8.0,
        "satiety": 500.0,
        "satiety_decay": 0.8,
    },
    "large": {
        **_SIZES["large"],
        "foods": 40,
        "target": 20,
        "min_food_distance": 8.0,
        "exclusion": 12.0,
        "satiety": 1000.0,
        "satiety_decay": 0.8,
        "satiety_gain": 0.25,
        "health": 150.0,
        "food_healing": 15.0,
    },
}
_LARGE_WITH_PREDATORS: dict[str, Any] = {
    "foods": 45,
    "target": 25,
    "satiety": 800.0,
    "satiety_decay": 1.0,
    "satiety_gain": 0.2,
}

_HEAT = {
    "small": Temperature(gradient=1.5, discomfort_reward=0.0),
    "medium": Temperature(
        gradient=0.6, discomfort_reward=0.0, danger_damage=1.0, lethal_damage=8.0
    ),
    "large": Temperature(
        gradient=0.15,
        hot_spots=((75.0, 50.0, 25.0), (25.0, 75.0, 20.0), (80.0, 80.0, 22.0)),
        cold_spots=((25.0, 25.0, 25.0), (75.0, 25.0, 20.0), (50.0, 85.0, 18.0)),
        discomfort_reward=-0.05,
        danger_reward=-0.5,
        danger_damage=0.5,
        lethal_damage=6.0,
        brave_reward=0.3,
    ),
}
_AIR = {
    "medium": Oxygen(gradient=0.3, danger_reward=-0.3, danger_damage=1.0, lethal_damage=8.0),
    "large": Oxygen(
        gradient=0.12,
        high_spots=((80.0, 50.0, 8.0), (20.0, 80.0, 6.0)),
        low_spots=((30.0, 30.0, 8.0), (70.0, 20.0, 6.0), (50.0, 70.0, 5.0)),
    ),
}
_PURSUIT = {
    "small": Predators(count=2, detection=5.0, damage=6.0, decay=10.0),
    "medium": Predators(count=4, detection=5.0, damage=8.0, decay=12.0),
    "large": Predators(count=4, detection=10.0, damage=15.0, decay=12.0),
}
_STATIONARY = {
    "small": Predators(
        count=2, kind="stationary", speed=0.0, detection=4.0, damage_radius=1.0, damage=8.0,
        decay=4.0, strength=1.2,
    ),
    "medium": Predators(
        count=4, kind="stationary", speed=0.0, detection=4.0, damage_radius=1.0, damage=8.0,
        decay=4.0, strength=1.2,
    ),
    "large": Predators(
        count=5, kind="stationary", speed=0.0, detection=8.0, damage_radius=4.0, damage=10.0,
        decay=5.0, strength=1.2,
    ),
}  # fmt: skip


def _reward(size: str, kind: str, heat: bool) -> Reward:
    large = size == "large"
    pursued = kind == "pursuit"
    return Reward(
        distance=0.5 if large or pursued else 0.3,
        damage=0.3 if large else 0.0,
        healing=0.2 if large else 0.1,
        proximity=0.3 if kind == "stationary" else 0.15,
        temperature=0.3 if large and pursued and heat else 0.0,
    )


def _climate(name: str, size: str, kind: str, heat: Temperature | None, air: Oxygen | None) -> Task:
    fields: dict[str, Any] = dict(_MIDDLING[size])
    senses = ["food_chemotaxis"]
    predators = {"foraging": None, "pursuit": _PURSUIT[size], "stationary": _STATIONARY[size]}[kind]
    if predators is not None:
        senses += ["nociception", "mechanosensation"]
        fields |= _LARGE_WITH_PREDATORS if size == "large" else {"food_healing": 10.0}
    senses += ["thermotaxis"] * (heat is not None) + ["aerotaxis"] * (air is not None)
    return Task(
        name=f"{name}-{kind}-{size}",
        predators=predators,
        temperature=heat,
        oxygen=air,
        senses=tuple(senses),
        reward=_reward(size, kind, heat is not None),
        **fields,
    )


def _climates() -> list[Task]:
    kinds = ("foraging", "pursuit", "stationary")
    variants = [
        _climate("thermal", size, kind, heat, None)
        for kind in kinds
        for size, heat in _HEAT.items()
    ]
    variants += [_climate("oxygen", "medium", "foraging", None, _AIR["medium"])]
    variants += [_climate("oxygen", "large", kind, None, _AIR["large"]) for kind in kinds]
    variants += [
        _climate("oxygen-thermal", "large", kind, _HEAT["large"], _AIR["large"]) for kind in kinds
    ]
    charged = (task for task in variants if task.reward.damage)
    return [*variants, *(_charge_air(task, task.oxygen) for task in charged if task.oxygen)]


def _charge_air(task: Task, air: Oxygen) -> Task:
    """Return the task with wounds by bad air charged as others are, as the reference does."""
    return replace(task, version="head2", oxygen=replace(air, charged=True))


# ---- food, hunters and temperature together ----------------------------------------------------

_ALL_SENSES = ("food_chemotaxis", "nociception", "mechanosensation", "proprioception")


def _combined() -> list[Task]:
    grid = Task(
        name="c3-grid",
        predators=replace(_PURSUIT["small"], detection=6.0),
        temperature=_HEAT["small"],
        senses=(*_ALL_SENSES, "thermotaxis"),
        reward=Reward(damage=0.0, predator_mode="distal_chemo_contact_trigger"),
        **_LATER,
    )
    continuous = Task(
        name="c3-continuous",
        substrate="continuous",
        size=60,
        max_steps=2400,
        foods=45,
        decay=24.0,
        fick=True,
        satiety=900.0,
        satiety_decay=0.8,
        satiety_gain=20.0,
        food_healing=10.0,
        predators=Predators(
            count=2, speed=0.4, detection=15.0, damage_radius=1.0, damage=15.0, decay=5.0
        ),
        temperature=Temperature(gradient=0.4, discomfort_reward=-0.05),
        senses=(*_ALL_SENSES, "thermotaxis"),
        adaptation="fold_change",
        dish=Dish(),
        reward=Reward(temperature=0.3, predator_mode="distal_chemo_contact_trigger"),
    )
    return [grid, continuous]


@cache
def _tasks_by_id() -> dict[str, Task]:
    variants = [*_foraging(), *_predator(), *_single(), *_climates(), *_combined()]
    return {f"{task.name}@{task.version}": task for task in variants}


def tasks() -> tuple[str, ...]:
    """Return the ids of the frozen tasks.

    Example:
        >>> "foraging-small@head" in tasks()
        True
    """
    return tuple(_tasks_by_id())


def find_task(spec: str) -> Task:
    """Return a frozen task, in the sensing mode and under the rules that the name asks for.

    Args:
        spec: ``NAME[@VERSION][+SENSING][+reference]``, such as ``"foraging-small"`` or
            ``"pursuit-small@head+klinotaxis"``. Without a version it is the newest: ``head2`` where
            there is one, else ``head``. Modes other than ``oracle`` add the sense of one's own
            movement, as the reference does.

    Raises:
        OptionError: There is no such task; the message names the likeliest.

    Example:
        >>> task = find_task("pursuit-small+klinotaxis")
        >>> task.id, task.predators.count
        ('pursuit-small@head+klinotaxis', 2)
    """
    return _find(spec, ("head2", "head"))


def find_recorded_task(spec: str) -> Task:
    """Return the task that a record names; without a version, ``head``'s, as it always was.

    Raises:
        OptionError: There is no such task.

    Example:
        >>> spec = "oxygen-pursuit-large"
        >>> find_recorded_task(spec).version, find_task(spec).version
        ('head', 'head2')
    """
    return _find(spec, ("head",))


def _find(spec: str, versions: Sequence[str]) -> Task:
    name, *suffixes = spec.split("+")
    name, _, version = name.partition("@")
    known = _tasks_by_id()
    ids = [f"{name}@{one}" for one in ([version] if version else versions)]
    task = next((known[one] for one in ids if one in known), None)
    if task is None:
        raise OptionError(f"no task {spec!r}; {_suggest(name, version)}")
    for suffix in suffixes:
        task = apply_suffix(task, suffix, spec)
    return task


def apply_suffix(task: Task, suffix: str, spec: str) -> Task:
    """Return the task in the mode or under the rules that a suffix of its spec asks for.

    Raises:
        OptionError: There is no such suffix.

    Example:
        >>> apply_suffix(find_task("foraging-small"), "klinotaxis", "foraging-small").sensing
        'klinotaxis'
    """
    if suffix in RULES:
        return replace(task, rules=suffix)
    if suffix not in MODES:
        raise OptionError(
            f"{suffix!r} in {spec!r} is unknown: try one of {', '.join(MODES + RULES)}"
        )
    senses = task.senses
    if suffix != "oracle" and "proprioception" not in senses:
        senses = (*senses, "proprioception")
    return replace(task, sensing=suffix, senses=senses)


def _suggest(name: str, version: str) -> str:
    versions = [task.version for task in _tasks_by_id().values() if task.name == name]
    if versions:
        return f"{name} has no version {version!r}, only {' and '.join(versions)}"
    names = list(dict.fromkeys(task.name for task in _tasks_by_id().values()))
    close = get_close_matches(name, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are {', '.join(names)}"
