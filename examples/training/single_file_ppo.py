"""PPO in one file, in the manner of CleanRL: torch, a native vector environment, nothing else.

python examples/training/single_file_ppo.py
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical

import ludus  # noqa: F401  registers the environments


@dataclass
class Args:
    """What the script does."""

    steps: int = 500_000
    games: int = 128
    slots: int = 32  # decisions of each game between two updates
    epochs: int = 4
    minibatches: int = 4
    level: str = "1-1"
    rate: float = 1e-3
    gamma: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    seed: int = 1


def layers(inputs: int, outputs: int, last: float) -> nn.Sequential:
    """Return a network of two hidden layers; its last one is initialised with this gain."""
    linear = [nn.Linear(inputs, 64), nn.Linear(64, 64), nn.Linear(64, outputs)]
    for layer, gain in zip(linear, (2**0.5, 2**0.5, last), strict=True):
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(linear[0], nn.Tanh(), linear[1], nn.Tanh(), linear[2])


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
    envs = gymnasium.make_vec(
        "ludus/MarioArena-v0", args.games, level=args.level, threads=0,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )  # fmt: skip
    size = int(np.prod(envs.single_observation_space.shape))
    actor = layers(size, int(envs.single_action_space.n), 0.01)
    critic = layers(size, 1, 1.0)
    weights = [*actor.parameters(), *critic.parameters()]
    optimizer = torch.optim.Adam(weights, lr=args.rate, eps=1e-5)
    shape = (args.slots, args.games)
    seen, actions = torch.zeros(*shape, size), torch.zeros(shape, dtype=torch.long)
    chances, values, rewards, overs = (torch.zeros(shape) for _ in range(4))
    observation = torch.as_tensor(envs.reset(seed=args.seed)[0])
    returns, done = np.zeros(args.games), []
    updates, before = max(1, args.steps // (args.slots * args.games)), time.perf_counter()
    for update in range(1, updates + 1):
        optimizer.param_groups[0]["lr"] = args.rate * (1 - 0.95 * update / updates)
        for slot in range(args.slots):
            with torch.no_grad():
                choice = Categorical(logits=actor(observation))
                action = choice.sample()
                values[slot] = critic(observation)[:, 0]
            seen[slot], actions[slot], chances[slot] = observation, action, choice.log_prob(action)
            observation, reward, terminated, truncated, infos = envs.step(action.numpy())
            observation, over = torch.as_tensor(observation), terminated | truncated
            rewards[slot], overs[slot] = torch.as_tensor(reward), torch.as_tensor(over)
            returns += reward
            done += zip(returns[over], infos["is_success"][over], strict=True)
            returns[over] = 0
        with torch.no_grad():
            gains = advantages(rewards, values, overs, critic(observation)[:, 0], args)
        flat = [
            x.reshape(-1, *x.shape[2:]) for x in (seen, actions, chances, gains, gains + values)
        ]
        for _ in range(args.epochs):
            for part in torch.randperm(flat[0].shape[0]).chunk(args.minibatches):
                s, a, old, gain, target = (x[part] for x in flat)
                choice = Categorical(logits=actor(s))
                ratio = (choice.log_prob(a) - old).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                loss = -torch.min(ratio * gain, clipped * gain).mean()
                loss += 0.25 * (critic(s)[:, 0] - target).pow(2).mean()
                loss -= args.entropy * choice.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(weights, 0.5)
                optimizer.step()
        done = done[-400:]
        if done:
            mean, success = np.mean(done, axis=0)
            print(f"{update * args.slots * args.games} {mean:.3f} {success:.3f}")
    seconds = time.perf_counter() - before
    print(f"{updates * args.slots * args.games / seconds:.0f} steps a second")


if __name__ == "__main__":
    main(Args(steps=int(sys.argv[1])) if len(sys.argv) > 1 else Args())
