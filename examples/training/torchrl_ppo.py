"""Train PPO of TorchRL under the arena's protocol.

python examples/training/torchrl_ppo.py
"""

from __future__ import annotations

import sys
import time
from collections import deque
from dataclasses import dataclass

import gymnasium
import torch
from gymnasium.vector import AutoresetMode
from tensordict.nn import TensorDictModule
from torch import nn
from torch.distributions import OneHotCategorical
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper, RewardSum, TransformedEnv
from torchrl.modules import ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import ludus  # noqa: F401  registers the environments


@dataclass
class Args:
    """What the script does."""

    steps: int = 100_000
    games: int = 64
    slots: int = 32
    epochs: int = 4
    level: str = "1-1"
    seed: int = 1


def main(args: Args) -> None:
    """Train and print the curve (decisions, mean return, success) and the speed."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    games = gymnasium.make_vec(
        "ludus/MarioArena-v0", args.games, level=args.level, autoreset_mode=AutoresetMode.DISABLED
    )
    env = TransformedEnv(GymWrapper(games), RewardSum())
    env.set_seed(args.seed)
    size, count = env.observation_spec["observation"].shape[-1], env.action_spec.shape[-1]
    body = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
    actor = ProbabilisticActor(
        TensorDictModule(nn.Sequential(body, nn.Linear(64, count)), ["observation"], ["logits"]),
        in_keys=["logits"], distribution_class=OneHotCategorical, return_log_prob=True,
    )  # fmt: skip
    critic = ValueOperator(
        nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 1)), in_keys=["observation"]
    )
    gae = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
    loss_of = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimizer = torch.optim.Adam(loss_of.parameters(), lr=1e-3)
    batch, played, before = args.games * args.slots, 0, time.perf_counter()
    games_over = deque(maxlen=400)
    updates = max(1, args.steps // batch)
    collector = Collector(
        env, actor, frames_per_batch=batch, total_frames=updates * batch,
        auto_register_policy_transforms=False,
    )  # fmt: skip
    for rollout in collector:
        played += batch
        gae(rollout)
        flat = rollout.reshape(-1)
        for _ in range(args.epochs):
            for part in torch.randperm(batch).chunk(4):
                losses = loss_of(flat[part])
                loss = sum(losses[f"loss_{name}"] for name in ("objective", "critic", "entropy"))
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(loss_of.parameters(), 0.5)
                optimizer.step()
        ended = rollout["next", "done"]
        returns = rollout["next", "episode_reward"][ended].tolist()
        wins = (rollout["next", "reward"][ended] > 0.5).tolist()  # reaching the exit pays 1
        games_over += zip(returns, wins, strict=True)
        if games_over:
            mean, success = torch.tensor(games_over).mean(0)
            print(f"{played} {mean:.3f} {success:.3f}")
    print(f"{played / (time.perf_counter() - before):.0f} steps a second")
    collector.shutdown()


if __name__ == "__main__":
    main(Args(steps=int(sys.argv[1])) if len(sys.argv) > 1 else Args())
