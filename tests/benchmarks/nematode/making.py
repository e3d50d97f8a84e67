"""Submissions to test with: a worm that follows its nose, trained by nobody."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ludus.agents.worm.brain import write_brain
from ludus.agents.worm.brains import settings_to_dict
from ludus.agents.worm.brains.mlp import Mlp
from ludus.array_files import read_arrays
from ludus.escaping import look_alike
from ludus.games.worm import ACTIONS, RULES, Batch, feature_names, find_task
from ludus.games.worm.training import (
    EPISODES,
    Declaration,
    EpisodeResult,
    Session,
    pack_actions,
    read_session,
    training_seed,
)
from ludus.games.worm.training.retrained import Retrained

FORWARD, LEFT, RIGHT = 0, 1, 2
BRAIN = Mlp("nose", (1,), critic=False)
PARAMETERS = 2 * 1 + 1 + 1 * 4 + 4


@cache
def _whole() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="ludus-nose-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    train("foraging-small", "nose", folder=folder)
    return folder


def whole_submission(folder: Path) -> Path:
    """Copy a submission that a board takes into a folder; it is made once in a process."""
    return Path(shutil.copytree(_whole(), folder))


def small_submission(folder: Path, trainings: int = 3, **more: Any) -> Path:
    """Make a submission of few and short trainings in a folder."""
    train("foraging-small", "nose", trainings=trainings, episodes=12, folder=folder, **more)
    return folder


def change(file: Path, **fields: Any) -> None:
    """Write other values into a file of a submission; None takes a field out."""
    told = json.loads(file.read_text(encoding="utf-8"))
    told |= fields
    kept = {name: value for name, value in told.items() if value is not None}
    file.write_text(json.dumps(kept), encoding="utf-8")


@dataclass
class NoseTrainer:
    """The catalogue of a single brain, which follows its nose, and what trains it again."""

    learning: bool = False
    noise: float | None = None

    def describe(self, task: str, brain: str, config: Mapping[str, Any]) -> Declaration | None:
        """Return what is true of the nose."""
        return Declaration(self.learning, parameters=PARAMETERS) if brain == "nose" else None

    def find_namesake(self, name: str) -> str | None:
        """Return the nose for names that are taken for its own."""
        return "nose" if look_alike("nose", name) else None

    def train(
        self,
        task: str,
        brain: str,
        *,
        trainings: Sequence[int],
        seed: int,
        episodes: int,
        config: Mapping[str, Any],
        code: str = "",
    ) -> list[Retrained]:
        """Train some of them again; the nose has no code of its own."""
        assert not code, "the nose comes from the catalogue"
        settings = {**config} if self.noise is None else {**config, "noise": self.noise}
        with tempfile.TemporaryDirectory() as place:
            for first in trainings:
                wishes: Any = {"trainings": 1, "first": first, "seed": seed, "episodes": episodes}
                train(task, brain, **wishes, config=settings, folder=Path(place))
            files = [Path(place) / f"{number:04d}.json" for number in trainings]
            return [Retrained(read_session(f), read_arrays(f.with_suffix(".npz"))) for f in files]


def train(
    task: str,
    brain: str,
    *,
    trainings: int = 50,
    first: int = 0,
    seed: int = 0,
    episodes: int = EPISODES,
    config: Mapping[str, Any] | None = None,
    folder: Path,
) -> None:
    """Let a worm go where the smell comes from, but for a share of random steps that shrinks.

    It remembers nothing, so that all episodes of all trainings can be played side by side.
    """
    built = json.loads(json.dumps(settings_to_dict(BRAIN)))
    settings = {"brain": built, "noise": 0.9, "calm": 0.05, **(config or {})}
    found = find_task(task)
    numbers = range(first, first + trainings)
    starts = [training_seed(found.name, seed, number) for number in numbers]
    seeds = np.array([start + k for start in starts for k in range(episodes)], np.uint64)
    noise = np.tile(settings["noise"] * (1 - settings["calm"]) ** np.arange(episodes), trainings)
    batch = Batch(found, len(seeds))
    batch.begin(seeds)
    played: list[Any] = []
    while not batch.ended.all():
        chance = _chance(seeds, len(played))
        wild = (chance * 4e6 % 4).astype(np.int32)
        chosen = np.where(chance < noise, wild, _followed(batch.features)).astype(np.int32)
        played.append(chosen.astype(np.uint8))
        batch.step(chosen)
    figures = batch.figures()
    table, steps = np.stack(played, axis=1), figures["steps"].astype(int)
    folder.mkdir(parents=True, exist_ok=True)
    for k, number in enumerate(numbers):
        own = range(k * episodes, (k + 1) * episodes)
        rows = [{name: values[i] for name, values in figures.items()} for i in own]
        actions = b"".join(table[i, : steps[i]].tobytes() for i in own)
        session = Session.of_episodes(
            [EpisodeResult.from_figures(row, found) for row in rows],
            name=f"training {number}",
            brain=brain,
            task=found.id,
            rules=RULES,
            seed=seed,
            training=number,
            first_seed=starts[k],
            config=settings,
            declaration=Declaration(parameters=PARAMETERS),
            cpu_seconds=0.5,
            actions=pack_actions(actions),
        )
        file = folder / f"{number:04d}.json"
        file.write_text(json.dumps(session.to_dict()), encoding="utf-8")
        names = feature_names(found)
        weights = BRAIN.init(np.random.default_rng(number), names, len(ACTIONS))
        write_brain(file.with_suffix(".npz"), BRAIN, weights, names, sum(session.steps))


def _chance(seeds: Any, step: int) -> Any:
    """Return a number from 0 to 1 for each dish, which depends on its seed and the step alone."""
    mixed = (seeds + np.uint64(step) * np.uint64(1_000_003)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(11)).astype(np.float64) / 2**53


def _followed(features: Any) -> Any:
    angles = features[:, 1]
    turned = np.where(angles > 0, LEFT, RIGHT)
    return np.where(np.abs(angles) < 0.25, FORWARD, turned)
