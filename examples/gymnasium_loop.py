"""Play one environment with random actions and a reward of your own.

python examples/gymnasium_loop.py
"""

from __future__ import annotations

from dataclasses import dataclass

import gymnasium

import ludus  # noqa: F401  registers the environments
from ludus.games.platformer.environments import Reward


@dataclass
class Args:
    """What the script does."""

    episodes: int = 3
    max_steps: int = 200
    seed: int = 1


def main(args: Args) -> None:
    """Play some episodes and print how far each got."""
    env = gymnasium.make(
        "ludus/Platformer-v0",
        levels=["sprint-01", "sprint-02"],
        actions="discrete",
        frame_skip=4,
        max_steps=args.max_steps,
        reward=Reward(progress=1.0, win=10.0, loss=-5.0),
    )
    env.action_space.seed(args.seed)
    for episode in range(args.episodes):
        _, info = env.reset(seed=args.seed + episode)
        total, over = 0.0, False
        while not over:
            _, reward, terminated, truncated, info = env.step(env.action_space.sample())
            total, over = total + float(reward), terminated or truncated
        print(f"episode {episode}: return {total:.2f}, x {info['x']:.0f}")
    env.close()


if __name__ == "__main__":
    main(Args())
