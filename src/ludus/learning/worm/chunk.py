"""Some of a plan's trainings, from where they are to their end, in this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ludus.agents.worm.brains import Brain
from ludus.games.worm import Batch, Ending, feature_names
from ludus.learning.worm import lockstep as lanes
from ludus.learning.worm.episodes import Diary
from ludus.learning.worm.folder import Folder
from ludus.learning.worm.learners.learner import Greedy, Learner
from ludus.learning.worm.lockstep import ACTIONS, Lockstep
from ludus.learning.worm.plan import Plan
from ludus.learning.worm.solitary import train_alone

__all__ = ["OnEpisodes", "train_some"]

OnEpisodes = Callable[[int, int, int], None]
"""Hears of a training's number, how many episodes it has finished and how many it succeeded in."""

HELD_OUT = 2**32 - 2**19
"""Worlds from this seed on are for evaluation: no training has them."""


def train_some(
    folder: Folder,
    trainings: Sequence[int],
    on_episodes: OnEpisodes | None = None,
    keep_every: float = 10.0,
) -> None:
    """Bring some trainings of a folder's plan to their end.

    Args:
        folder: Where they are kept.
        trainings: Their numbers.
        on_episodes: Hears how it goes.
        keep_every: Seconds between two checkpoints.
    """
    plan = folder.plan
    if isinstance(plan.loaded, type):
        for training in trainings:
            train_alone(plan.loaded, plan, folder, training, on_episodes, keep_every)
        return
    jax.config.update("jax_cpu_enable_async_dispatch", False)  # type: ignore[no-untyped-call]
    brain, learner = plan.loaded
    for at in range(0, len(trainings), lanes.LANES):
        _train_lanes(
            folder, plan, brain, learner, trainings[at : at + lanes.LANES], on_episodes, keep_every
        )


def _train_lanes(
    folder: Folder,
    plan: Plan,
    brain: Brain,
    learner: Learner,
    trainings: Sequence[int],
    on_episodes: OnEpisodes | None,
    keep_every: float,
) -> None:
    found = [folder.kept(k) for k in trainings]
    diaries = [
        kept[0] if kept else Diary(k, plan.first_seed(k))
        for k, kept in zip(trainings, found, strict=True)
    ]
    shape = _structure(plan, brain, learner)
    memories = [jax.tree.unflatten(shape, kept[1]) if kept else None for kept in found]
    lockstep = _lockstep(plan, brain, learner, diaries, memories, plan.episodes)
    due: set[int] = set()
    last = time.monotonic()

    def after_round(over: list[int]) -> None:
        nonlocal last
        if time.monotonic() - last > keep_every:
            due.update(range(len(diaries)))
            last = time.monotonic()
        for lane in over:
            diary = diaries[lane]
            if on_episodes:
                wins = sum(line.success for line in diary.lines)
                on_episodes(diary.training, len(diary.lines), wins)
            if lane in due or len(diary.lines) == plan.episodes:
                folder.keep(diary, jax.tree.leaves(lockstep.memory_of(lane)))
                due.discard(lane)

    lockstep.run(after_round)
    _finish(folder, plan, brain, learner, lockstep)


def _structure(plan: Plan, brain: Brain, learner: Learner) -> Any:
    """Return how a training's memory is put together of arrays."""
    weights = brain.init(np.random.default_rng(0), feature_names(plan.world), ACTIONS)
    made = learner.begin({n: jnp.asarray(w) for n, w in weights.items()}, jax.random.key(0))
    return jax.tree.structure(made)


def _lockstep(
    plan: Plan,
    brain: Brain,
    learner: Learner,
    diaries: list[Diary],
    memories: Sequence[Any],
    episodes: int,
) -> Lockstep:
    worlds = Batch(plan.world, lanes.LANES)
    worlds.begin(0)
    names = feature_names(plan.world)
    return Lockstep(brain, learner, plan.world, worlds, names, diaries, memories, episodes, _reason)


def _reason(code: int) -> str:
    return Ending(code).reason


def _finish(folder: Folder, plan: Plan, brain: Brain, learner: Learner, lockstep: Lockstep) -> None:
    """Evaluate what came of the trainings on unseen worlds, and write it all down."""
    results = [
        {n: np.asarray(w) for n, w in learner.result(lockstep.memory_of(lane)).items()}
        for lane in range(len(lockstep.diaries))
    ]
    evaluations: list[dict[str, Any]] = [{} for _ in results]
    if plan.evaluation:
        best, drawn = (_evaluated(plan, brain, results, sampled) for sampled in (False, True))
        evaluations = [{**one, "sampled": two} for one, two in zip(best, drawn, strict=True)]
    names = feature_names(plan.world)
    for diary, weights, evaluation in zip(lockstep.diaries, results, evaluations, strict=True):
        folder.finish(diary, brain, weights, {**evaluation, "features": names})


def _evaluated(
    plan: Plan, brain: Brain, results: Sequence[Any], sampled: bool
) -> list[dict[str, Any]]:
    """Play what brains find best, or by chance, in worlds that no training has."""
    diaries = [Diary(number, HELD_OUT) for number in range(len(results))]
    memories = [{"weights": weights} for weights in results]
    _lockstep(plan, brain, Greedy(sampled), diaries, memories, plan.evaluation).run()
    return [_summary(diary) for diary in diaries]


def _summary(diary: Diary) -> dict[str, Any]:
    """Return what an evaluation came to."""
    lines = diary.lines
    return {
        "episodes": len(lines),
        "first_seed": diary.first_seed,
        "success_rate": float(np.mean([line.success for line in lines])),
        "steps": float(np.mean([line.steps for line in lines])),
        "foods": float(np.mean([line.foods for line in lines])),
        "distance_efficiency": float(np.mean([line.efficiency for line in lines])),
        "chemotaxis": float(np.mean([line.chemotaxis for line in lines])),
        "total_reward": float(np.mean([line.total_reward for line in lines])),
    }
