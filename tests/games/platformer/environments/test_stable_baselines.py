"""Stable-Baselines3 trains on the environment as it is; runs where it is installed.

`make test-sb3` installs it, with torch, and runs this file.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from ludus.games.platformer import Level

sb3 = pytest.importorskip("stable_baselines3", reason="make test-sb3 installs it")

FLAT = Level.parse("\n".join(["-" * 24] * 4 + ["M" + "-" * 22 + "F", "X" * 24]))


@pytest.mark.filterwarnings("default")
def test_ppo_learns_to_run_to_the_right() -> None:
    from stable_baselines3.common.env_checker import check_env
    from stable_baselines3.common.env_util import make_vec_env

    options: dict[str, Any] = {"levels": FLAT, "actions": [1, 0, 2], "frame_skip": 4}
    options["max_steps"] = 25
    check_env(gymnasium.make("ludus/Platformer-v0", **options).unwrapped)
    envs = make_vec_env("ludus/Platformer-v0", n_envs=4, seed=1, env_kwargs=options)
    model = sb3.PPO("MultiInputPolicy", envs, n_steps=64, batch_size=64, seed=1, device="cpu")
    model.learn(6_000)
    env = gymnasium.make("ludus/Platformer-v0", **options)
    observation, info = env.reset(seed=0)
    over = False
    while not over:
        action, _ = model.predict(observation, deterministic=True)
        observation, _, terminated, truncated, info = env.step(int(np.asarray(action)))
        over = terminated or truncated
    assert info["status"] == 1
