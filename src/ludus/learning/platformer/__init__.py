"""Trainings of the platformer's policies: many games at once, in C, learned from with JAX."""

from __future__ import annotations

from ludus.learning.platformer.train import folder_of, resume, train

__all__ = ["folder_of", "resume", "train"]
