"""Training of brains that learn by themselves: one at a time, a world at a time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.errors import AgentError
from ludus.games.worm import Batch, Ending, feature_names
from ludus.learning.worm.episodes import Diary, line_of
from ludus.learning.worm.folder import Folder
from ludus.learning.worm.loading import PlainBrain
from ludus.learning.worm.plan import Plan

if TYPE_CHECKING:
    from ludus.learning.worm.chunk import OnEpisodes

__all__ = ["train_alone"]

ACTIONS = 4


def train_alone(
    made: type[PlainBrain],
    plan: Plan,
    folder: Folder,
    training: int,
    on_episodes: OnEpisodes | None,
    keep_every: float,
) -> None:
    """Bring one training to its end.

    A brain with ``save`` and ``load`` is taken up where it was broken off, any other begins anew.
    """
    first = plan.first_seed(training)
    brain: Any = made(feature_names(plan.world), ACTIONS, first)
    diary, file = Diary(training, first), folder.path / "progress" / f"{training:04d}.brain"
    kept = folder.kept(training)
    if kept and file.exists() and callable(getattr(brain, "load", None)):
        diary = kept[0]
        brain.load(file)
    world, last = Batch(plan.world, 1), time.monotonic()
    while len(diary.lines) < plan.episodes:
        began = time.process_time()
        _episode(brain, plan, world, diary)
        diary.cpu_seconds += time.process_time() - began
        if on_episodes:
            wins = sum(line.success for line in diary.lines)
            on_episodes(training, len(diary.lines), wins)
        if time.monotonic() - last > keep_every and callable(getattr(brain, "save", None)):
            _keep(brain, folder, diary, file)
            last = time.monotonic()
    folder.finish(diary, None, {}, {})
    file.unlink(missing_ok=True)


def _keep(brain: Any, folder: Folder, diary: Diary, file: Path) -> None:
    brain.save(file)
    folder.keep(diary, [])


def _episode(brain: Any, plan: Plan, world: Batch, diary: Diary) -> None:
    world.begin([diary.seed])
    actions: list[int] = []
    while not world.ended[0]:
        features = world.features[0].copy()
        action = _checked(brain.act(features))
        world.step(np.array([action], np.int32))
        actions.append(action)
        brain.learn(features, action, float(world.rewards[0]), bool(world.ended[0]))
    reason = Ending(int(world.ended[0])).reason
    diary.add(line_of(world.figures(), 0, plan.world, reason), np.array(actions, np.int32))


def _checked(action: Any) -> int:
    if int(action) != action or not 0 <= action < ACTIONS:
        raise AgentError(
            f"the brain's act() gave {action!r}: give 0 forward, 1 left, 2 right, 3 stay"
        )
    return int(action)
