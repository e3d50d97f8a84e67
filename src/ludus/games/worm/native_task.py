"""Converts a task into the form that the native engine takes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ludus.games.worm import _native
from ludus.games.worm.surroundings import (
    PREDATORS,
    PROXIMITIES,
    Hotspots,
    Oxygen,
    Predators,
    Temperature,
)
from ludus.games.worm.task import ADAPTATIONS, MODES, Task

__all__ = ["native_constants", "native_task"]

_ABSENT_PREDATORS = Predators(count=1)
_ABSENT_TEMPERATURE = Temperature()
_ABSENT_OXYGEN = Oxygen()
_ABSENT_HOTSPOTS = Hotspots(places=((0.0, 0.0, 1.0),))


def native_constants(task: Task) -> dict[str, Any]:
    """Return the task's constants by the names that the engine has for them."""
    return {
        **_food(task),
        **_predators(task),
        **_temperature(task),
        **_oxygen(task),
        **_senses(task),
        **_reward(task),
        "continuous": task.substrate == "continuous",
        "size": task.size,
        "max_steps": task.max_steps,
        "reference": task.rules == "reference",
        "zone_radius": task.zone_radius,
        "max_step": task.dish.max_step,
        "max_turn": task.dish.max_turn,
        "capture_radius": task.dish.capture_radius,
        "sweep": task.dish.sweep,
    }


def _food(task: Task) -> dict[str, Any]:
    hotspots = task.hotspots or _ABSENT_HOTSPOTS
    return {
        "foods": task.foods,
        "target": task.target,
        "min_food_distance": task.min_food_distance,
        "exclusion": task.exclusion,
        "decay": task.decay,
        "strength": task.strength,
        "fick": task.fick,
        "respawn": task.respawn,
        "eats_below": task.eats_below,
        "food_predator_distance": task.food_predator_distance if task.predators else 0.0,
        "safe_zone_bias": task.safe_zone_bias,
        "portion": task.portion,
        "hotspots": task.hotspots.places if task.hotspots else (),
        "hotspot_bias": hotspots.bias,
        "hotspot_decay": hotspots.decay,
        "satiety": task.satiety,
        "satiety_decay": task.satiety_decay,
        "satiety_gain": task.satiety_gain,
        "health": task.health or 0.0,
        "food_healing": task.food_healing,
    }


def _predators(task: Task) -> dict[str, Any]:
    predators = task.predators or _ABSENT_PREDATORS
    return {
        "predators": predators.count if task.predators else 0,
        "predator_kind": PREDATORS.index(predators.kind),
        "predator_speed": predators.speed,
        "detection": predators.detection,
        "damage_radius": predators.damage_radius,
        "predator_damage": predators.damage,
        "predator_decay": predators.decay,
        "predator_strength": predators.strength,
        "predator_kills": predators.kills,
        "predator_spawns_by_steps": predators.spawn_by_steps,
    }


def _temperature(task: Task) -> dict[str, Any]:
    heat = task.temperature or _ABSENT_TEMPERATURE
    return {
        "thermal": task.temperature is not None,
        "temperature": heat.base,
        "temperature_gradient": heat.gradient,
        "temperature_direction": heat.direction,
        "temperature_spot_decay": heat.spot_decay,
        "hot_spots": heat.hot_spots,
        "cold_spots": heat.cold_spots,
        "cultivation": heat.cultivation,
        "comfort_delta": heat.comfort,
        "discomfort_delta": heat.discomfort,
        "danger_delta": heat.danger,
        "comfort_reward": heat.comfort_reward,
        "discomfort_reward": heat.discomfort_reward,
        "danger_reward": heat.danger_reward,
        "danger_damage": heat.danger_damage,
        "lethal_damage": heat.lethal_damage,
        "brave_reward": heat.brave_reward,
    }


def _oxygen(task: Task) -> dict[str, Any]:
    air = task.oxygen or _ABSENT_OXYGEN
    return {
        "aerial": 0 if task.oxygen is None else 1 + air.charged,
        "oxygen": air.base,
        "oxygen_gradient": air.gradient,
        "oxygen_direction": air.direction,
        "oxygen_spot_decay": air.spot_decay,
        "high_spots": air.high_spots,
        "low_spots": air.low_spots,
        "oxygen_lethal_below": air.lethal_below,
        "oxygen_danger_below": air.danger_below,
        "oxygen_comfort_to": air.comfort_to,
        "oxygen_danger_to": air.danger_to,
        "oxygen_comfort_reward": air.comfort_reward,
        "oxygen_danger_reward": air.danger_reward,
        "oxygen_danger_damage": air.danger_damage,
        "oxygen_lethal_damage": air.lethal_damage,
    }


def _senses(task: Task) -> dict[str, Any]:
    mode = MODES.index(task.sensing)
    return {
        "senses_gradient": "gradient" in task.senses,
        "senses_food": "food_chemotaxis" in task.senses,
        "senses_touch": "mechanosensation" in task.senses,
        "senses_predators": "nociception" in task.senses,
        "senses_self": "proprioception" in task.senses,
        "senses_temperature": "thermotaxis" in task.senses,
        "senses_oxygen": "aerotaxis" in task.senses,
        "food_mode": mode,
        "predator_mode": mode,
        "temperature_mode": mode,
        "oxygen_mode": mode,
        "memory": task.remembers,
        "memory_size": task.memory_size,
        "memory_decay": task.memory_decay,
        "adaptation": ADAPTATIONS.index(task.adaptation),
        "adaptation_rate": task.adaptation_rate,
        "adaptation_floor": task.adaptation_floor,
    }


def _reward(task: Task) -> dict[str, Any]:
    pay = task.reward
    return {
        "reward_distance": pay.distance,
        "reward_exploration": pay.exploration,
        "reward_dither": pay.dither,
        "reward_step": pay.step,
        "reward_wall": pay.wall,
        "reward_stuck": pay.stuck,
        "stuck_after": pay.stuck_after,
        "reward_proximity": pay.proximity,
        "proximity": PROXIMITIES.index(pay.predator_mode),
        "reward_temperature": pay.temperature,
        "reward_goal": pay.goal,
        "reward_healing": pay.healing,
        "reward_damage": pay.damage,
        "reward_death": pay.death,
        "reward_starvation": pay.starvation,
    }


@lru_cache(maxsize=64)
def native_task(task: Task) -> _native.Task:
    """Return the task as the engine holds it; equal tasks are converted once."""
    return _native.Task(native_constants(task))
