from __future__ import annotations

from typing import Any

import pytest

from ludus.benchmarks.nematode.submission import read_submission
from ludus.errors import AgentError, OptionError
from ludus.games.worm.training import Session
from ludus.learning.worm import train
from ludus.learning.worm.retraining import retrain

EPISODES = 3


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> list[Session]:
    folder = tmp_path_factory.mktemp("trainings") / "dqn"
    wishes: Any = {"trainings": 2, "episodes": EPISODES, "evaluation": 0, "workers": 0}
    done = train(
        "foraging-small", "mlp-reinforce", settings={"rate": 0.002}, folder=folder, **wishes
    )
    submission, problems = read_submission(folder)
    assert problems == []
    assert submission is not None
    assert submission.benchmark == "nematode/foraging-small"
    assert submission.declaration.learning
    return done.read()


def test_a_training_comes_again_from_what_was_written_down(sessions: list[Session]) -> None:
    session = sessions[1]
    config = session.config or {}
    again = retrain(
        str(session.task), session.brain, training=1, seed=0, episodes=EPISODES, config=config
    )
    assert again.actions == session.actions
    assert again.actions != sessions[0].actions
    assert again.config == config


def test_settings_of_another_brain_are_refused(sessions: list[Session]) -> None:
    config = sessions[0].config or {}
    common: Any = {"training": 0, "seed": 0, "episodes": 1}
    with pytest.raises(OptionError):
        retrain("foraging-small", "lstm-ppo", config=config, **common)
    with pytest.raises(OptionError, match="no part 'brain'"):
        retrain("foraging-small", "mlp-reinforce", config={}, **common)
    with pytest.raises(AgentError, match="code of others is not run"):
        retrain("foraging-small", "evil.py:Brain", config=config, **common)
