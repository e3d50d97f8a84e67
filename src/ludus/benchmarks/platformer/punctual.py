"""``platformer/punctual``: how far does a player get that may think only so long?"""

from __future__ import annotations

from dataclasses import replace

from ludus.benchmarks.platformer.sprint import SPRINT
from ludus.limits import Limits

__all__ = ["PUNCTUAL"]

PUNCTUAL = replace(
    SPRINT,
    id="platformer/punctual",
    title="How far does a player get that may do a fixed amount of work for each decision?",
    limits=Limits(decision_units=1_000_000, episode_units=250_000_000),
)
