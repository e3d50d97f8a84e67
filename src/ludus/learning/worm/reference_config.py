"""Configurations of the reference, as trainings of the nearest task and brain here.

A configuration is a YAML file (or the same as JSON) with ``brain`` and ``environment``. What it
asks for and nobody has here is named, key by key; what it leaves out is as it is here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from ludus.errors import OptionError
from ludus.games.worm import Task, feature_names, find_task
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
    "ppo_buffer_size": "horizon",
    "ppo_clip_epsilon": "clip",
    "ppo_epochs": "epochs",
    "ppo_minibatches": "minibatches",
    "entropy_coeff": "entropy",
    "forward_pass_depth": "passes",
    "reservoir_depth": "depth",
    "num_reservoir_qubits": "qubits",
    "num_reservoir_neurons": "units",
    "spectral_radius": "radius",
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
    "reward.reward_distance_scale": "reward.distance",
    "reward.reward_exploration": "reward.exploration",
    "reward.penalty_anti_dithering": "reward.dither",
    "reward.penalty_step": "reward.step",
    "reward.penalty_boundary_collision": "reward.wall",
    "reward.penalty_stuck_position": "reward.stuck",
    "reward.penalty_predator_proximity": "reward.proximity",
    "reward.penalty_temperature_proximity": "reward.temperature",
    "reward.penalty_health_damage": "reward.damage",
    "reward.penalty_starvation": "reward.starvation",
    "reward.reward_health_gain": "reward.healing",
}
"""Figures of a task by their names there and here."""

READ = ("brain", "environment", "satiety", "max_steps", "seed", "reward", "body_length")
"""What is compared with the task, and the length of a body that has no effect on a grid."""


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
        if _is_enabled(values.get("multi_agent")):
            raise OptionError("multi_agent is not supported: train on the task of one worm")
        task, sensing = _find_task_name(environment), _find_sensing(environment)
        name, asked = _find_brain(_read_part(values, "brain"))
        world = find_task(task + ("" if sensing == "oracle" else f"+{sensing}"))
        senses = _compare_senses(asked.pop("sensory_modules", None), world)
        settings, unknown = _split_settings(name, asked)
        unsupported = [*_compare_task(values, world), *senses, *unknown, *_list_others(values)]
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
    if not isinstance(pattern, str) or pattern not in KINDS:
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
        asked, ours = _look_up(values, key), attrgetter(name)(task)
        if asked is not None and asked != ours:
            yield f"{key} {asked!r:.40}: {task.name} has {ours!r}"


def _compare_senses(asked: Any, task: Task) -> Iterator[str]:
    """Yield that a brain is to sense otherwise than a task shows it."""
    ours = {name.partition(".")[0] for name in feature_names(task)}
    if isinstance(asked, list) and set(map(str, asked)) != ours:
        yield f"sensory_modules {', '.join(map(str, asked))[:60]}: {task.id} shows {_join(ours)}"


def _join(words: set[str]) -> str:
    return ", ".join(sorted(words))


def _look_up(values: Mapping[str, Any], key: str) -> Any:
    found: Any = values
    for word in key.split("."):
        found = found.get(word) if isinstance(found, dict) else None
    return found


# ---- the brain


def _find_brain(part: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
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

    parts: list[Any] = [part for part in find_brain(name) if is_dataclass(part)]
    offered = {field.name: getattr(part, field.name) for part in parts for field in fields(part)}
    layers = _join_layers(asked).items()
    settings: dict[str, Any] = {
        here: widths for here, widths in layers if isinstance(offered.get(here), tuple)
    }
    unknown: list[str] = []
    for key, value in asked.items():
        if SETTINGS.get(key) in offered:
            settings[SETTINGS[key]] = value
        elif not (settings and key in LAYERS) and not _is_as_here(key, value, asked):
            unknown.append(
                f"brain.config.{str(key)[:40]} {value!r:.40}: {name} has no such setting"
            )
    chunk, horizon = (settings.get(key, offered.get(key)) for key in ("chunk", "horizon"))
    if type(chunk) is int and type(horizon) is int and chunk > 0 and horizon % chunk:
        del settings["chunk"]
        unknown.append(f"brain.config.bptt_chunk_length {chunk}: it does not divide {horizon}")
    return settings, unknown


def _is_as_here(key: str, value: Any, asked: Mapping[str, Any]) -> bool:
    """Return whether a setting that brains of ours do not have asks for what they do anyway."""
    if key == "critic_lr":  # actor and critic learn at one rate
        return bool(value == asked.get("actor_lr"))
    return key in AS_HERE and bool(value == AS_HERE[key])


AS_HERE = {
    "action_mode": "discrete",
    "connectome_source": "cook_2019_hermaphrodite",
    "enable_gap_junctions": True,
    "freeze_updates": False,
}
"""Settings of the reference that brains have in one way only, and the way that they have it."""

WIDTHS = ("actor_hidden_dim", "hidden_dim", "readout_hidden_dim")
COUNTS = ("num_hidden_layers", "actor_num_layers", "readout_num_layers")
LAYERS = (*WIDTHS, *COUNTS, "critic_hidden_dim", "critic_num_layers")
MOST_LAYERS, MOST_WIDTH = 16, 4096


def _join_layers(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the layers of a network, which the reference names by width and number."""
    width = next((asked[key] for key in WIDTHS if key in asked), None)
    count = next((asked[key] for key in COUNTS if key in asked), 2)
    critic = asked.get("critic_hidden_dim", width), asked.get("critic_num_layers", count)
    for number in (width, count, *critic):
        if type(number) is not int or not 1 <= number <= MOST_WIDTH:
            return {}
    return {
        "hidden": [width] * min(count, MOST_LAYERS),
        "actor": [width] * min(count, MOST_LAYERS),
        "critic": [critic[0]] * min(critic[1], MOST_LAYERS),
    }


def _list_others(values: Mapping[str, Any]) -> Iterator[str]:
    for key in values:
        if key not in READ:
            yield f"{str(key)[:40]}: as the task and the learner have it here"
