"""Configurations of the reference: what is taken, what is named, what is refused."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from ludus.cli import main
from ludus.errors import MissingExtra, OptionError
from ludus.learning.worm.loading import load_brain
from ludus.learning.worm.reference_config import BRAINS, read_config

FORAGING: dict[str, Any] = {
    "brain": {
        "name": "mlpppo",
        "config": {
            "actor_hidden_dim": 32, "critic_hidden_dim": 32, "num_hidden_layers": 3,
            "learning_rate": 0.002, "rollout_buffer_size": 128,
            "sensory_modules": ["food_chemotaxis"],
        },
    },
    "environment": {
        "grid_size": 20,
        "foraging": {"foods_on_grid": 5, "target_foods_to_collect": 10},
    },
    "max_steps": 500,
    "satiety": {"initial_satiety": 200.0},
    "seed": 7,
}  # fmt: skip


def write(folder: Path, **changes: Any) -> Path:
    """Write a configuration; names with dots lead to parts of it."""
    values = copy.deepcopy(FORAGING)
    for name, value in changes.items():
        *words, last = name.split("__")
        part = values
        for word in words:
            part = part.setdefault(word, {})
        part[last] = value
    file = folder / "config.yml"
    file.write_text(yaml.safe_dump(values), encoding="utf-8")
    return file


def test_a_configuration_of_a_known_task_and_brain_is_taken_whole(tmp_path: Path) -> None:
    config = read_config(write(tmp_path))
    assert (config.task, config.sensing, config.brain) == ("foraging-small", "oracle", "mlp-ppo")
    assert config.settings == {"hidden": [32, 32, 32], "rate": 0.002, "horizon": 128}
    assert (config.seed, config.unsupported) == (7, ())
    loaded: Any = load_brain(config.brain, 20, config.settings)
    brain, learner = loaded
    assert (brain.hidden, learner.rate, learner.horizon) == ((32, 32, 32), 0.002, 128)
    as_json = tmp_path / "config.json"
    as_json.write_text(json.dumps(FORAGING), encoding="utf-8")
    assert read_config(as_json) == config


@pytest.mark.parametrize(
    ("changes", "task"),
    [
        ({"environment__grid_size": 100}, "foraging-large"),
        ({"environment__predators": {"enabled": True}}, "pursuit-small"),
        (
            {"environment__predators": {"enabled": True, "movement_pattern": "stationary"}},
            "stationary-small",
        ),
        ({"environment__thermotaxis": {"enabled": True}}, "thermal-foraging-small"),
        (
            {
                "environment__grid_size": 100,
                "environment__aerotaxis": {"enabled": True},
                "environment__thermotaxis": {"enabled": True},
                "environment__predators": {"enabled": True},
            },
            "oxygen-thermal-pursuit-large",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_tasks_are_told_by_their_parts(tmp_path: Path, changes: Any, task: str) -> None:
    assert read_config(write(tmp_path, **changes)).task == task


def test_what_is_otherwise_here_is_named(tmp_path: Path) -> None:
    file = write(
        tmp_path, max_steps=1000, shots=3000, brain__config__lr_warmup_episodes=50,
        environment__sensing={"chemotaxis_mode": "klinotaxis"},
    )  # fmt: skip
    task = "foraging-small@head+klinotaxis"
    assert read_config(file).unsupported == (
        "max_steps 1000: foraging-small has 500",
        f"sensory_modules food_chemotaxis: {task} shows food_chemotaxis, proprioception, stam",
        "brain.config.lr_warmup_episodes 50: mlp-ppo has no such setting",
        "shots: as the task and the learner have it here",
    )


def test_a_gated_brain_is_told_by_its_cell(tmp_path: Path) -> None:
    gru = {"name": "lstmppo", "config": {"rnn_type": "gru", "bptt_chunk_length": 64}}
    config = read_config(write(tmp_path, brain=gru))
    assert (config.brain, config.settings, config.unsupported) == ("gru-ppo", {"chunk": 64}, ())
    assert BRAINS["ppo"] == BRAINS["mlpppo"]


def test_what_is_here_anyway_is_not_named(tmp_path: Path) -> None:
    asked = {"actor_lr": 0.0003, "critic_lr": 0.0003, "rollout_buffer_size": 512}
    lstm = {"name": "lstmppo", "config": {**asked, "bptt_chunk_length": 96}}
    config = read_config(write(tmp_path, brain=lstm))
    assert config.settings == {"rate": 0.0003, "horizon": 512}
    assert config.unsupported == ("brain.config.bptt_chunk_length 96: it does not divide 512",)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"brain": {"name": "qrc"}}, "brain 'qrc' is not supported: mlpppo"),
    ({"brain": "mlpppo"}, "no part 'brain'"),
    ({"environment__env_type": "continuous_2d"}, "env_type 'continuous_2d' is not supported"),
    ({"environment__grid_size": 30}, "grid_size 30 is not supported: 20, 50, 100 are"),
    ({"environment__sensing": {"chemotaxis_mode": "x"}}, "chemotaxis_mode 'x' is not supported"),
    ({"environment__pheromones": {"enabled": True}}, "environment.pheromones is not supported"),
    ({"multi_agent": {"enabled": True}}, "multi_agent is not supported"),
    ({"environment__aerotaxis": {"enabled": True}}, "no task 'oxygen-foraging-small'"),
]


@pytest.mark.parametrize(("changes", "reason"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_is_not_there_is_refused(tmp_path: Path, changes: Any, reason: str) -> None:
    file = write(tmp_path, **changes)
    with pytest.raises(OptionError) as caught:
        read_config(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert reason in str(caught.value)


HOSTILE = {
    "a bomb": "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
    "code": "brain: !!python/object/apply:os.system ['touch hacked']\n",
    "a tag of nothing": "seed: !!int ''\n",
    "digits": f"environment: {{grid_size: 0x{'F' * 5_000}}}\n",
    "a list for a word": (
        "environment: {grid_size: 20, predators: {enabled: yes, movement_pattern: []}}\n"
    ),
    "depth": "[" * 500 + "]" * 500,
    "length": "a: [" + "1," * 30_000 + "]",
    "size": "#" * 300_000,
    "no mapping": "- 1\n- 2\n",
    "half": "brain: {name: 'mlp",
    "bytes": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_one_line(
    tmp_path: Path,
    content: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "hostile.yml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert main(["train", "--config", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: {file}: ")
    assert said.count("\n") == 1
    assert [one.name for one in tmp_path.iterdir()] == ["hostile.yml"]


def test_without_the_package_json_is_read_and_yaml_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path)
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(MissingExtra, match="pip install pyyaml"):
        read_config(file)
    (tmp_path / "config.yml").write_text(json.dumps(FORAGING), encoding="utf-8")
    assert read_config(tmp_path / "config.yml").brain == "mlp-ppo"


def test_a_benchmark_beside_a_configuration_is_one_too_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "nematode/foraging-small", "--config", str(write(tmp_path))]
    assert main(words) == 2
    assert "leave nematode/foraging-small out" in capsys.readouterr().err
