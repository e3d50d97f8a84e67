"""Configurations of the reference, as trainings of the nearest task and brain here.

A configuration is a YAML file (or the same as JSON) with ``brain`` and ``environment``. What it
asks for and nobody has here is named, key by key; what it leaves out is as it is here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from ludus.errors import OptionError
from ludus.games.worm import Task, find_task
from ludus.learning.extra import require_jax
from ludus.learning.worm.yaml_files import read_yaml

__all__ = ["ReferenceConfig", "read_config"]

BRAINS = {
    "mlpppo": "mlp-ppo",
    "ppo": "mlp-ppo",
    "mlpreinforce": "mlp-reinforce",
    "mlp": "mlp-reinforce",
    "mlpdqn": "dqn",
    "lstmppo": "lstm-ppo",
    "mingruppo": "mingru-ppo",
    "minlstmppo": "minlstm-ppo",
    "cfcppo": "cfc-ppo",
    "transformerppo": "transformer-ppo",
    "spikingppo": "spiking-ppo",
    "spikingreinforce": "spiking-reinforce",
    "spiking": "spiking-reinforce",
    "connectomeppo": "connectome-ppo",
    "crh": "reservoir-ppo",
    "qvarcircuit": "circuit-ppo",
    "modular": "circuit-ppo",
    "qrh": "quantum-reservoir-ppo",
    "qef": "quantum-echo-ppo",
    "qsnnreinforce": "qlif-reinforce",
    "qsnn": "qlif-reinforce",
    "hybridquantum": "hybrid-ppo",
    "hybridclassical": "hybrid-classical-ppo",
    "equivariantquantum": "equivariant-ppo",
}
"""The reference's brains, old names included, and ours; some of ours may not be there yet."""

SETTINGS = {
    "learning_rate": "rate",
    "actor_lr": "rate",
    "entropy_coef": "entropy",
    "entropy_beta": "entropy",
    "rollout_buffer_size": "horizon",
    "num_epochs": "epochs",
    "num_minibatches": "minibatches",
    "bptt_chunk_length": "chunk",
    "gamma": "discount",
    "gae_lambda": "trace",
    "clip_epsilon": "clip",
    "value_loss_coef": "value",
    "max_grad_norm": "most",
    "lr_scheduler_gamma": "decay",
    "lr_scheduler_step_size": "decay_every",
    "lstm_hidden_dim": "units",
}
"""Settings of brains and learners by their names there and here."""

SIZES = ((20, "small"), (50, "medium"), (100, "large"))
FIGURES = {
    "environment.grid_size": "size",
    "environment.foraging.foods_on_grid": "foods",
    "environment.foraging.target_foods_to_collect": "target",
    "environment.foraging.min_food_distance": "min_food_distance",
    "environment.foraging.agent_exclusion_radius": "exclusion",
    "environment.foraging.gradient_decay_constant": "decay",
    "environment.foraging.gradient_strength": "strength",
    "environment.health.max_hp": "health",
    "environment.health.food_healing": "food_healing",
    "satiety.initial_satiety": "satiety",
    "satiety.satiety_decay_rate": "satiety_decay",
    "satiety.satiety_gain_per_food": "satiety_gain",
    "max_steps": "max_steps",
}
"""Figures of a task by their names there and here."""

READ = ("brain", "environment", "satiety", "max_steps", "seed")
WITHOUT_EFFECT = ("reward", "body_length", "qubits", "shots", "gradient", "learning_rate")
"""What worlds and learners here have as they have it; named once if it is there."""


@dataclass(frozen=True, slots=True)
class ReferenceConfig:
    """What a configuration asks for, in the words of Ludus.

    Attributes:
        task: The benchmark's task, such as ``foraging-small``.
        sensing: What the worm smells with.
        brain: The brain's name in the catalogue.
        settings: Settings of brain and learner that it names.
        seed: The seed it names; None if it names none.
        unsupported: What it asks for and is otherwise here, a line each.
    """

    task: str
    sensing: str
    brain: str
    settings: Mapping[str, Any]
    seed: int | None
    unsupported: tuple[str, ...]


def read_config(path: str | Path) -> ReferenceConfig:
    """Return what a configuration of the reference asks for.

    Raises:
        OptionError: It cannot be read, or its task or brain is not there at all.
        MissingExtra: JAX, or the package that reads YAML, is not installed.
    """
    require_jax()
    values = read_yaml(Path(path))
    try:
        environment = _read_part(values, "environment")
        task, sensing = _find_task_name(environment), _find_sensing(environment)
        name, asked = _find_brain(_read_part(values, "brain"))
        settings, unknown = _split_settings(name, asked)
        spec = task + ("" if sensing == "oracle" else f"+{sensing}")
        unsupported = [*_compare_task(values, find_task(spec)), *unknown, *_list_others(values)]
        return ReferenceConfig(
            task, sensing, name, settings, _read_seed(values), tuple(unsupported)
        )
    except OptionError as error:
        raise OptionError(f"{path}: {error}") from None


def _read_part(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = values.get(name)
    if not isinstance(part, dict):
        raise OptionError(f"is no configuration of the reference: it has no part {name!r}")
    return part


def _read_seed(values: Mapping[str, Any]) -> int | None:
    seed = values.get("seed")
    return seed if type(seed) is int else None


# ---- the task


def _find_task_name(environment: Mapping[str, Any]) -> str:
    """Return the name of the task that an environment is nearest to.

    Raises:
        OptionError: There is none like it.
    """
    if environment.get("env_type", "grid") not in ("grid", "dynamic"):
        raise OptionError(f"env_type {environment['env_type']!r:.40} is not supported: grids are")
    for part in ("multi_agent", "pheromones", "bit_memory_task", "associative_memory_task"):
        if _is_enabled(environment.get(part)):
            raise OptionError(f"environment.{part} is not supported")
    words = [name for name, part in CLIMATES.items() if _is_enabled(environment.get(part))]
    size = environment.get("grid_size")
    width = next((word for cells, word in SIZES if size == cells), None)
    if width is None:
        known = ", ".join(str(cells) for cells, _ in SIZES)
        raise OptionError(f"grid_size {size!r:.40} is not supported: {known} are")
    name = "-".join([*words, _find_kind(environment.get("predators")), width])
    try:
        find_task(name)
    except OptionError:
        raise OptionError(f"there is no task {name!r} here") from None
    return name


CLIMATES = {"oxygen": "aerotaxis", "thermal": "thermotaxis"}
KINDS = {"pursuit": "pursuit", "stationary": "stationary", "random": "predator"}


def _find_kind(predators: Any) -> str:
    if not _is_enabled(predators):
        return "foraging"
    pattern = predators.get("movement_pattern", "pursuit")
    if pattern not in KINDS:
        raise OptionError(f"predators.movement_pattern {pattern!r:.40} is not supported")
    return KINDS[pattern]


def _is_enabled(part: Any) -> bool:
    return isinstance(part, dict) and bool(part.get("enabled", False))


def _find_sensing(environment: Mapping[str, Any]) -> str:
    sensing = environment.get("sensing")
    mode = sensing.get("chemotaxis_mode", "oracle") if isinstance(sensing, dict) else "oracle"
    if mode not in ("oracle", "temporal", "derivative", "klinotaxis"):
        raise OptionError(f"sensing.chemotaxis_mode {mode!r:.40} is not supported")
    return str(mode)


def _compare_task(values: Mapping[str, Any], task: Task) -> Iterator[str]:
    """Yield the figures of a configuration that our task has otherwise."""
    for key, name in FIGURES.items():
        asked, ours = _look_up(values, key), getattr(task, name)
        if asked is not None and asked != ours:
            yield f"{key} {asked!r:.40}: {task.name} has {ours!r}"


def _look_up(values: Mapping[str, Any], key: str) -> Any:
    found: Any = values
    for word in key.split("."):
        found = found.get(word) if isinstance(found, dict) else None
    return found


# ---- the brain


def _find_brain(part: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return our name of a brain, and the settings that are asked for.

    Raises:
        OptionError: There is none like it.
    """
    from ludus.learning.worm.catalogue import CATALOGUE

    asked = part.get("config")
    settings = dict(asked) if isinstance(asked, dict) else {}
    theirs = part.get("name")
    ours = BRAINS.get(str(theirs), "")
    if ours == "lstm-ppo" and settings.pop("rnn_type", "lstm") == "gru":
        ours = "gru-ppo"
    if ours not in CATALOGUE:
        supported = ", ".join(name for name, here in BRAINS.items() if here in CATALOGUE)
        raise OptionError(f"brain {theirs!r:.40} is not supported: {supported} are")
    return ours, settings


def _split_settings(name: str, asked: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the settings that a brain of ours takes, and a line on each that it does not."""
    from ludus.learning.worm.catalogue import find_brain

    offered = {
        field.name for part in find_brain(name) if is_dataclass(part) for field in fields(part)
    }
    settings: dict[str, Any] = {}
    unknown: list[str] = []
    for key, value in {**asked, **_join_layers(asked)}.items():
        here = SETTINGS.get(key, key if key in LAYERS.values() else "")
        if here in offered:
            settings[here] = value
        elif key not in (*LAYERS, *LAYERS_COUNTED):
            unknown.append(f"brain.config.{key} {value!r:.40}: {name} has no such setting")
    return settings, unknown


LAYERS = {"actor_hidden_dim": "hidden", "hidden_dim": "hidden", "readout_hidden_dim": "hidden"}
LAYERS_COUNTED = ("num_hidden_layers", "critic_hidden_dim", "actor_num_layers", "critic_num_layers")


def _join_layers(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the layers of a network, which the reference names by width and number."""
    for key, here in LAYERS.items():
        width, count = asked.get(key), asked.get("num_hidden_layers", 2)
        if type(width) is int and type(count) is int and 1 <= count <= MOST_LAYERS:
            return {here: [width] * count}
    return {}


MOST_LAYERS = 16


def _list_others(values: Mapping[str, Any]) -> Iterator[str]:
    for key in values:
        if key in WITHOUT_EFFECT:
            yield f"{str(key)[:40]}: as the task and the learner have it here"
        elif key not in READ:
            yield f"{str(key)[:40]!r}: not supported"
