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
from ludus.learning import folder_of, train

POLICIES = Path(__file__).parents[1] / "src/ludus/agents/platformer/policies"

LARGE = {"hidden": "128,128", "games": 1024, "minibatches": 8}

OPTIONS: dict[str, dict[str, Any]] = {
    "all": {
        "steps": 20_000_000,
        "evaluate_every": 1_000_000,
        "evaluation_episodes": 20,
        "checkpoint_every": 1_000_000,
        "settings": LARGE,
    },
    "unseen": {
        "steps": 20_000_000,
        "levels": 10_000,
        "evaluate_every": 1_000_000,
        "evaluation_episodes": 192,
        "checkpoint_every": 1_000_000,
        "settings": {**LARGE, "gamma": 0.995, "retry": 0.3, "patience": 150},
    },
}
"""Those that differ from the usual ones, by policy."""


def made(stage: str) -> Path:
    """Return the file of a trained policy."""
    folder = folder_of(f"mario-arena/{stage}", "ppo")
    if not (folder / "best.npz").exists():
        train(f"mario-arena/{stage}", **OPTIONS.get(stage, {}))
    return folder / "best.npz"


def main(stages: list[str]) -> None:
    """Train and pack."""
    for stage in stages or SHIPPED:
        _, arrays = read_checkpoint(made(stage))
        Policy.from_checkpoint(arrays).save(POLICIES / f"{stage}.npz", half=True)


if __name__ == "__main__":
    main(sys.argv[1:])
