"""Trainings of the worm's brains: many at a time, with JAX, each as if it were alone."""

from __future__ import annotations

from ludus.learning.worm.standing import OnProgress, Standing
from ludus.learning.worm.train import Trainings, resume, train

__all__ = ["OnProgress", "Standing", "Trainings", "resume", "train"]
