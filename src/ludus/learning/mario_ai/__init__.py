"""Trainings of the players of mario-ai, on all cores and with NumPy alone."""

from __future__ import annotations

from ludus.learning.mario_ai.train import folder_of, resume, train

__all__ = ["folder_of", "resume", "train"]
