"""Trains the policies that come with Ludus and packs them in half precision.

    python scripts/train_policies.py              all of them, one after the other
    python scripts/train_policies.py 1-1 2-1      some
    python scripts/train_policies.py unseen       the one for generated levels
    python scripts/train_policies.py all          the one for all 32 levels, which goes on from it

Each is the best by evaluation of the command that policies/README.md names. A training that is
there already, in runs/, is packed as it is.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ludus.agents.checkpoint import read_checkpoint
from ludus.agents.platformer.policy import Policy
from ludus.agents.platformer.shipped import SHIPPED
from ludus.learning import train

POLICIES = Path(__file__).parents[1] / "src/ludus/agents/platformer/policies"

LARGE: dict[str, Any] = {
    "hidden": "256,256", "games": 1024, "minibatches": 8, "retry": 0.5, "patience": 150,
}  # fmt: skip

OPTIONS: dict[str, dict[str, Any]] = {
    "unseen": {
        "steps": 100_000_000,
        "observe": "wide",
        "levels": 10_000,
        "evaluate_every": 5_000_000,
        "evaluation_episodes": 288,
        "checkpoint_every": 5_000_000,
        "settings": {**LARGE, "rate": 0.0007},
    },
    "all": {
        "steps": 40_000_000,
        "observe": "wide",
        "start": POLICIES / "unseen.npz",
        "evaluate_every": 2_000_000,
        "evaluation_episodes": 20,
        "checkpoint_every": 2_000_000,
        "settings": {**LARGE, "rate": 0.0005, "entropy": 0.005},
    },
}
"""Those that differ from the usual ones, by policy."""


def pack(policy: Path, into: Path) -> Path:
    """Write a policy in half precision."""
    _, arrays = read_checkpoint(policy)
    Policy.from_checkpoint(arrays).save(into, half=True)
    return into


def train_policy(stage: str) -> Path:
    """Return the file of a trained policy."""
    folder = Path("runs") / f"shipped-{stage}"
    if not (folder / "best.npz").exists():
        train(f"mario-arena/{stage}", out=folder, **OPTIONS.get(stage, {}))
    return folder / "best.npz"


def main(stages: list[str]) -> None:
    """Train and pack."""
    for stage in stages or SHIPPED:
        pack(train_policy(stage), POLICIES / f"{stage}.npz")


if __name__ == "__main__":
    main(sys.argv[1:])
