"""Measures how fast policies learn, beside Stable-Baselines3 and published figures of the NES game.

    python -m perf.training

A rate is decisions learned from, a second: play, what is seen, the network and its updates, by the
wall clock and per second of processor time. The first row is a whole training of a million
decisions with its evaluations and files, from the call to the outcome. Stable-Baselines3,
if it is installed, learns from the same level with its own defaults, 8 environments and one thread.
The published figures are of the original game and count decisions of four frames.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ludus.games.platformer.levels.campaign import campaign_level
from ludus.learning.platformer.settings import Course, settings_for

STAGE = "1-1"
TARGETS = {"fields": 100_000, "pixels": 15_000}
WARM_UP = 2
SECONDS = 15.0


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    work: str
    wall: float | None
    processor: float | None
    note: str = ""


PUBLISHED = (
    Row("NES 1-1, SB3 PPO from pixels, 8 games, batch 64", 40, 80, "recorded, busy machine"),
    Row("NES 1-1, SB3 PPO from pixels, 8 games, batch 256", 30, 86, "recorded, busy machine"),
    Row("NES 1-1, SB3 PPO on RAM tiles, 10 M in 4.5 h", 617, None, "published, M1 laptop"),
    Row("NES 1-1, SB3 PPO, 5 M in 12 to 15 h", 103, None, "published, RTX 4070 class"),
)


def _whole_training() -> Row:
    from ludus.learning import train

    wall, processor = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        steps = train(f"mario-arena/{STAGE}", out=Path(folder) / "training").steps
    return Row(
        "ours, a whole training from fields",
        steps / (time.perf_counter() - wall),
        steps / (time.process_time() - processor),
    )


def _ours(observe: str, seeds: int = 1) -> Row:
    from ludus.learning.platformer.ppo import PpoLearner

    settings = settings_for("ppo", observe)
    learner = PpoLearner(
        Course(
            benchmark=f"mario-arena/{STAGE}",
            steps=10**9,
            seeds=seeds,
            observe=observe,
            settings=settings,
        )
    )
    for _ in range(WARM_UP):
        learner.improve()
    steps, wall, processor = learner.steps, time.perf_counter(), time.process_time()
    while time.perf_counter() - wall < SECONDS:
        learner.improve()
    done = seeds * (learner.steps - steps)
    name = f"ours, PPO from {observe}" + (f", {seeds} seeds" if seeds > 1 else "")
    return Row(name, done / (time.perf_counter() - wall), done / (time.process_time() - processor))


def _stable_baselines() -> Row:
    name = "SB3 PPO on ours, fields of 16 × 16, 8 games"
    if find_spec("stable_baselines3") is None:
        return Row(name, None, None, "not installed")
    import stable_baselines3
    from stable_baselines3.common.env_util import make_vec_env

    import_module("torch").set_num_threads(1)
    options: dict[str, Any] = {
        "levels": campaign_level(STAGE),
        "actions": "discrete",
        "frame_skip": 4,
    }
    envs = make_vec_env("ludus/Platformer-v0", n_envs=8, env_kwargs=options)
    model = stable_baselines3.PPO("MultiInputPolicy", envs, n_steps=128, device="cpu")
    model.learn(1024)
    wall, processor = time.perf_counter(), time.process_time()
    steps = 4096
    model.learn(steps)
    return Row(
        name, steps / (time.perf_counter() - wall), steps / (time.process_time() - processor)
    )


def _number(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:,.0f}"


def main() -> None:
    """Measure and print."""
    whole, pixels = _whole_training(), _ours("pixels")
    ours = [whole, _ours("fields"), _ours("fields", seeds=4), pixels]
    table = Table(title="Decisions learned from, a second")
    for heading in ("work", "wall clock", "processor", ""):
        table.add_column(heading, justify="left" if heading in ("work", "") else "right")
    for row in (*ours, _stable_baselines(), *PUBLISHED):
        table.add_row(row.work, _number(row.wall), _number(row.processor), row.note)
    console = Console()
    console.print(table)
    load = os.getloadavg()[0]
    for row, (observe, target) in zip((whole, pixels), TARGETS.items(), strict=True):
        met = "met" if (row.wall or 0) >= target else "not met"
        console.print(
            f"Target from {observe}: {target:,}/s by the wall clock on two quiet cores: {met} "
            f"(load {load:.1f})."
        )


if __name__ == "__main__":
    main()
