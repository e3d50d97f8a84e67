"""Trainings on a Ray cluster: each chunk is a task that sends its files back."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ludus.cluster import joined_cluster
from ludus.learning.worm.folder import PLAN, Folder

__all__ = ["train_on_ray"]


def train_on_ray(
    folder: Folder,
    address: str,
    chunks: list[list[int]],
    hear: Callable[[Sequence[Sequence[int]]], None],
) -> None:
    """Train chunks of a folder's plan on a cluster; finished ones are written as they come.

    Args:
        folder: Where the files go; the cluster need not see it.
        address: ``ray`` for a cluster of its own, ``ray://HOST:PORT`` for one that is there.
        chunks: The trainings of each task.
        hear: Hears of trainings as they are finished.
    """
    with joined_cluster(address) as ray:
        remote = ray.remote(_train_elsewhere)
        plan = (folder.path / PLAN).read_text(encoding="utf-8")
        waiting = {remote.remote(plan, chunk): chunk for chunk in chunks}
        while waiting:
            done, _ = ray.wait(list(waiting))
            for name, data in ray.get(done[0]).items():
                (folder.path / name).write_bytes(data)
            finished = waiting.pop(done[0])
            hear([(k, folder.plan.episodes, 0) for k in finished])


def _train_elsewhere(plan: str, trainings: list[int]) -> dict[str, bytes]:
    """Train in a folder of this machine's and return its files."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    from ludus.learning.worm.chunk import train_some
    from ludus.learning.worm.train import ONE_CORE

    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {ONE_CORE}".strip()
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / PLAN).parent.mkdir()
        (Path(place) / PLAN).write_text(plan, encoding="utf-8")
        train_some(Folder(place), trainings)
        return {file.name: file.read_bytes() for file in Path(place).glob("[0-9]*.*")}
