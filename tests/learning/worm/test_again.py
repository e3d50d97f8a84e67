from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ludus.benchmarks.nematode.submission import read_submission
from ludus.errors import AgentError, OptionError
from ludus.learning.worm import train
from ludus.learning.worm.again import train_again

EPISODES = 3


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("trainings") / "dqn"
    wishes: Any = {"trainings": 2, "episodes": EPISODES, "evaluation": 0, "workers": 0}
    train("foraging-small", "mlp-reinforce", settings={"rate": 0.002}, folder=folder, **wishes)
    submission, problems = read_submission(folder)
    assert problems == []
    assert submission is not None
    assert submission.benchmark == "nematode/foraging-small"
    assert submission.declared.learning
    return [json.loads(file.read_text()) for file in sorted(Path(folder).glob("*.json"))]


def test_a_training_comes_again_from_what_was_written_down(sessions: list[dict[str, Any]]) -> None:
    told = sessions[1]
    again = train_again(
        told["task"], told["brain"], training=1, seed=0, episodes=EPISODES, config=told["config"]
    )
    assert again["actions"] == told["actions"]
    assert again["actions"] != sessions[0]["actions"]
    assert again["config"] == told["config"]


def test_settings_of_another_brain_are_refused(sessions: list[dict[str, Any]]) -> None:
    config = sessions[0]["config"]
    common: Any = {"training": 0, "seed": 0, "episodes": 1}
    with pytest.raises(OptionError):
        train_again("foraging-small", "lstm-ppo", config=config, **common)
    with pytest.raises(OptionError, match="no part 'brain'"):
        train_again("foraging-small", "mlp-reinforce", config={}, **common)
    with pytest.raises(AgentError, match="code of others is not run"):
        train_again("foraging-small", "evil.py:Brain", config=config, **common)
