"""Submissions to test with: a worm that follows its nose, trained by nobody."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ludus.games.worm import RULES, Batch, find_task
from ludus.games.worm.training import (
    EPISODES,
    Declaration,
    EpisodeResult,
    Session,
    pack_actions,
    read_session,
    training_seed,
)

FORWARD, LEFT, RIGHT = 0, 1, 2


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


def train_again(
    task: str, brain: str, *, training: int, seed: int, episodes: int, config: Mapping[str, Any]
) -> Session:
    """Train one of them again."""
    with tempfile.TemporaryDirectory() as place:
        wishes: Any = {"trainings": 1, "first": training, "seed": seed, "episodes": episodes}
        train(task, brain, **wishes, config=config, folder=Path(place))
        return read_session(next(Path(place).iterdir()))


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
    settings = {"noise": 0.9, "calm": 0.05, **(config or {})}
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
            declaration=Declaration(parameters=2),
            cpu_seconds=0.5,
            actions=pack_actions(actions),
        )
        (folder / f"{number:04d}.json").write_text(json.dumps(session.to_dict()), encoding="utf-8")


def _chance(seeds: Any, step: int) -> Any:
    """Return a number from 0 to 1 for each dish, which depends on its seed and the step alone."""
    mixed = (seeds + np.uint64(step) * np.uint64(1_000_003)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(11)).astype(np.float64) / 2**53


def _followed(features: Any) -> Any:
    angles = features[:, 1]
    turned = np.where(angles > 0, LEFT, RIGHT)
    return np.where(np.abs(angles) < 0.25, FORWARD, turned)
