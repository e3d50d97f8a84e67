"""Playing: one agent through one scenario, or all of them through all."""

from __future__ import annotations

from ludus.runs.play import Episode, play, race

__all__ = ["Episode", "play", "race"]
