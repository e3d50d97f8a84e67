"""Train PPO on PufferLib's emulation of the arena, with its vectorisation and its default policy.

python examples/training/pufferlib_emulation.py
"""

from __future__ import annotations

import sys
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import pufferlib.emulation
import pufferlib.models
import pufferlib.vector
import torch
from torch import nn
from torch.distributions import Categorical

import ludus  # noqa: F401  registers the environments


@dataclass
class Args:
    """What the script does."""

    steps: int = 200_000
    games: int = 16
    slots: int = 128  # decisions of each game between two updates
    epochs: int = 4
    minibatches: int = 4
    level: str = "1-1"
    rate: float = 1e-3
    gamma: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    seed: int = 1


def make_env(level: str = "1-1", **options: Any) -> pufferlib.emulation.GymnasiumPufferEnv:
    """Return one environment as PufferLib takes it; it brings buffers of its own."""
    env = gymnasium.make("ludus/MarioArena-v0", level=level)
    return pufferlib.emulation.GymnasiumPufferEnv(env=env, **options)


def advantages(rewards, values, overs, last_value, args):
    """Return generalised advantages; nothing follows a decision that ended its episode."""
    result, running = torch.zeros_like(rewards), torch.zeros_like(last_value)
    following = torch.cat([values[1:], last_value[None]])
    for slot in reversed(range(len(rewards))):
        goes_on = 1 - overs[slot]
        error = rewards[slot] + args.gamma * following[slot] * goes_on - values[slot]
        running = error + args.gamma * args.trace * goes_on * running
        result[slot] = running
    return result


def main(args: Args) -> None:
    """Train and print the curve (decisions, mean return, success) and the speed."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    envs = pufferlib.vector.make(
        make_env, num_envs=args.games, backend=pufferlib.vector.Serial,
        env_kwargs={"level": args.level},
    )  # fmt: skip
    policy = pufferlib.models.Default(envs)
    optimizer = torch.optim.Adam(policy.parameters(), lr=args.rate, eps=1e-5)
    shape = (args.slots, args.games)
    seen = torch.zeros(*shape, *envs.single_observation_space.shape)
    actions = torch.zeros(shape, dtype=torch.long)
    chances, values, rewards, overs = (torch.zeros(shape) for _ in range(4))
    observation = torch.tensor(envs.reset(args.seed)[0])
    returns, done = np.zeros(args.games), deque(maxlen=400)
    updates, before = max(1, args.steps // (args.slots * args.games)), time.perf_counter()
    for update in range(1, updates + 1):
        for slot in range(args.slots):
            with torch.no_grad():
                logits, value = policy(observation)
            choice = Categorical(logits=logits)
            action = choice.sample()
            seen[slot], actions[slot], values[slot] = observation, action, value[:, 0]
            chances[slot] = choice.log_prob(action)
            answer = envs.step(action.numpy())
            observation, reward, over = torch.tensor(answer[0]), answer[1], answer[2] | answer[3]
            rewards[slot], overs[slot] = torch.tensor(reward), torch.tensor(over)
            returns += reward
            done += zip(returns[over], reward[over] > 0.5, strict=True)  # the exit pays 1
            returns[over] = 0
        with torch.no_grad():
            gains = advantages(rewards, values, overs, policy(observation)[1][:, 0], args)
        flat = [
            x.reshape(-1, *x.shape[2:]) for x in (seen, actions, chances, gains, gains + values)
        ]
        for _ in range(args.epochs):
            for part in torch.randperm(flat[0].shape[0]).chunk(args.minibatches):
                s, a, old, gain, target = (x[part] for x in flat)
                logits, value = policy(s)
                choice = Categorical(logits=logits)
                ratio = (choice.log_prob(a) - old).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                loss = -torch.min(ratio * gain, clipped * gain).mean()
                loss += 0.25 * (value[:, 0] - target).pow(2).mean()
                loss -= args.entropy * choice.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                optimizer.step()
        if done:
            mean, success = np.mean(done, axis=0)
            print(f"{update * args.slots * args.games} {mean:.3f} {success:.3f}")
    seconds = time.perf_counter() - before
    print(f"{updates * args.slots * args.games / seconds:.0f} steps a second")
    envs.close()


if __name__ == "__main__":
    main(Args(steps=int(sys.argv[1])) if len(sys.argv) > 1 else Args())
