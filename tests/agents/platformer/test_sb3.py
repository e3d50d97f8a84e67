"""Foreign models play; what needs Stable-Baselines3 and torch runs where they are installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from ludus.agents import load
from ludus.agents.platformer.sb3 import Foreign
from ludus.context import RunContext
from ludus.errors import AgentError
from ludus.games.platformer._native import SIGHT_FIELDS
from ludus.games.platformer.arena.game import ArenaMatch
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.environments.options import ACTIONS, EnvOptions

SCENARIO = ArenaScenario("", ("1-1",), 4, policy="argmax")
TRUSTING = RunContext(trust=True)


class Model:
    """Has a space and predicts one action, as models of Stable-Baselines3 do."""

    def __init__(self, space: Any, action: Any) -> None:
        self.observation_space, self._action = space, action
        self.seen: list[Any] = []

    def predict(self, seen: Any, *, deterministic: bool) -> tuple[Any, None]:
        self.seen.append((seen, deterministic))
        return self._action, None


def played(agent: Any, steps: int = 5) -> bytes:
    match = ArenaMatch(SCENARIO)
    agent.reset(SCENARIO)
    for _ in range(steps):
        match.step(agent.act(match.observation))
    return match.record()


@pytest.mark.parametrize("observation", ["merged", "state", ("scene", "enemies", "state")])
def test_a_model_sees_what_the_environment_shows(observation: Any) -> None:
    space = EnvOptions(observation=observation).observation_space()
    model = Model(space, np.array(5))
    assert set(played(Foreign(model, "model"))) == {ACTIONS[5]}
    seen, deterministic = model.seen[0]
    assert deterministic
    assert space.contains(seen)


def test_five_buttons_are_understood() -> None:
    space = EnvOptions(observation="merged").observation_space()
    assert set(played(Foreign(Model(space, np.array([0, 1, 0, 1, 1])), "model"))) == {26}


def test_pictures_are_not_shown() -> None:
    rgb = spaces.Dict({"rgb": spaces.Box(0, 255, (256, 256, 3), np.uint8)})
    with pytest.raises(AgentError, match="'rgb', which agents are not shown"):
        played(Foreign(Model(rgb, np.array(0)), "model"))


def test_files_that_run_code_need_trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_TRUST", "1")  # is the CLI's to read
    with pytest.raises(AgentError, match="there is no file"):
        load(f"sb3:{tmp_path / 'model.zip'}")
    (tmp_path / "model.zip").write_bytes(b"")
    for spec in ("sb3:", "torch:", "sb3:DQN:"):
        with pytest.raises(AgentError, match="say --trust"):
            load(f"{spec}{tmp_path / 'model.zip'}")


@pytest.mark.filterwarnings("default")
def test_an_archive_of_stable_baselines_plays(
    tmp_path: Path,
) -> None:
    sb3 = pytest.importorskip("stable_baselines3", reason="make test-sb3 installs it")
    env = gymnasium.make("ludus/Platformer-v0", actions="discrete")
    sb3.PPO("MultiInputPolicy", env, n_steps=8, batch_size=8, device="cpu").save(tmp_path / "m.zip")
    agent: Any = load(f"sb3:{tmp_path / 'm.zip'}", context=TRUSTING)
    assert agent.name == "m"
    assert len(agent.fingerprint) == 16
    assert set(played(agent)) <= set(ACTIONS)
    with pytest.raises(AgentError, match="no algorithm 'ABC'"):
        load(f"sb3:ABC:{tmp_path / 'm.zip'}", context=TRUSTING)


@pytest.mark.filterwarnings("default")
def test_a_module_of_torch_plays(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="make test-sb3 installs it")
    layer = torch.nn.Linear(SIGHT_FIELDS, len(ACTIONS))
    layer.bias.data[3] = 1000
    torch.save(layer, tmp_path / "linear.pt")
    assert set(played(load(f"torch:{tmp_path / 'linear.pt'}", context=TRUSTING))) == {ACTIONS[3]}
    torch.save([1, 2], tmp_path / "list.pt")
    with pytest.raises(AgentError, match="not a module"):
        load(f"torch:{tmp_path / 'list.pt'}", context=TRUSTING)
