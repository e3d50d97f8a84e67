"""Trains the policies that come with Ludus and packs them in half precision.

    python scripts/train_policies.py              all of them, one after the other
    python scripts/train_policies.py 1-1 2-1      some
    python scripts/train_policies.py all          the one for all 32 levels
    python scripts/train_policies.py unseen       the one for generated levels

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

LARGE: dict[str, Any] = {"hidden": "128,128", "games": 1024, "minibatches": 8}
LATER: dict[str, Any] = {**LARGE, "retry": 0.5, "patience": 150}

SELDOM = {"evaluate_every": 1_000_000, "checkpoint_every": 1_000_000}

FIRST = "all-20m"
"""The policy that others go on from; it is not shipped."""

OPTIONS: dict[str, dict[str, Any]] = {
    FIRST: {"steps": 20_000_000, "evaluation_episodes": 20, "settings": LARGE, **SELDOM},
    "all": {
        "steps": 24_000_000,
        "observe": "wide",
        "evaluation_episodes": 20,
        "settings": {**LATER, "epochs": 2, "rate": 0.0004, "entropy": 0.005},
        **SELDOM,
    },
    "unseen": {
        "steps": 12_000_000,
        "observe": "wide",
        "levels": 5_000,
        "evaluation_episodes": 288,
        "settings": {**LATER, "epochs": 3, "rate": 0.0005, "entropy": 0.006},
        **SELDOM,
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
    track = "all" if stage == FIRST else stage
    folder = Path("runs") / f"shipped-{stage}"
    if not (folder / "best.npz").exists():
        options = dict(OPTIONS.get(stage, {}))
        if options.get("observe") == "wide":
            options["start"] = pack(train_policy(FIRST), Path("runs") / f"{FIRST}.npz")
        train(f"mario-arena/{track}", out=folder, **options)
    return folder / "best.npz"


def main(stages: list[str]) -> None:
    """Train and pack."""
    for stage in stages or SHIPPED:
        pack(train_policy(stage), POLICIES / f"{stage}.npz")


if __name__ == "__main__":
    main(sys.argv[1:])
