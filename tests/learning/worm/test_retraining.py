from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ludus.benchmarks.nematode.submission import read_submission
from ludus.errors import AgentError, OptionError
from ludus.games.worm.training import Session
from ludus.learning.worm import train
from ludus.learning.worm.experiment import Experiment
from ludus.learning.worm.retraining import CatalogueTrainer, make_experiment

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
    ((again, weights),) = CatalogueTrainer().train(
        str(session.task), session.brain, trainings=[1], seed=0, episodes=EPISODES, config=config
    )
    assert again.actions == session.actions
    assert again.actions != sessions[0].actions
    assert again.config == config
    assert any(name.startswith("weight.") for name in weights)


def test_brains_of_the_catalogue_have_seeds_of_their_own(sessions: list[Session]) -> None:
    now = Experiment("foraging-small@head", "mlp-reinforce", 50, 1, 0, {}, 0)
    worlds = {(now.first_seed(number) + k) % 2**32 for number in range(50) for k in range(500)}
    own = {now.brain_seed(number) for number in range(50)}
    assert len(own) == 50
    assert not worlds & own
    assert (sessions[0].config or {})["brain_seeds"] == "own"


def test_trainings_of_before_come_again_as_they_were(sessions: list[Session]) -> None:
    """They began at the seed of their first world, and neither settings nor sessions said so."""
    plain = Experiment("foraging-small@head", "mlp-reinforce", 2, 1, 0, {}, 0).to_dict()
    del plain["brain_seeds"]
    before = Experiment.from_dict(plain)
    assert before.brain_seed(1) == before.first_seed(1)
    assert "brain_seeds" not in before.config()
    config = {
        name: part for name, part in (sessions[1].config or {}).items() if name != "brain_seeds"
    }
    ((again, _),) = CatalogueTrainer().train(
        "foraging-small", "mlp-reinforce", trainings=[1], seed=0, episodes=1, config=config
    )
    assert again.config == config
    assert not (sessions[1].actions or "").startswith((again.actions or "")[:20])
    for forged in ("worlds", "mine", 7):
        with pytest.raises(OptionError, match="not those of a mlp-reinforce"):
            CatalogueTrainer().describe(
                "foraging-small", "mlp-reinforce", {**config, "brain_seeds": forged}
            )


def test_a_setting_that_older_releases_had_not_is_as_it_was() -> None:
    usual = Experiment("foraging-small@head", "minlstm-ppo", 1, 1, 0, {}, 0).config()
    older = {**usual, "brain": {**usual["brain"]}}
    assert older["brain"].pop("let_in") == -1.0
    built: Any = make_experiment("foraging-small", "minlstm-ppo", older).trainable
    assert built[0].let_in == 0.0
    assert make_experiment("foraging-small", "minlstm-ppo", usual).config() == usual


def test_settings_of_another_brain_are_refused(sessions: list[Session]) -> None:
    config = sessions[0].config or {}
    trainer, common = CatalogueTrainer(), {"trainings": [0], "seed": 0, "episodes": 1}
    wishes: Any = common
    with pytest.raises(OptionError):
        trainer.train("foraging-small", "lstm-ppo", config=config, **wishes)
    with pytest.raises(OptionError, match="no part 'brain'"):
        trainer.train("foraging-small", "mlp-reinforce", config={}, **wishes)
    with pytest.raises(AgentError, match="code of others is not run"):
        trainer.train("foraging-small", "evil.py:Brain", config=config, **wishes)


def test_the_catalogue_says_what_a_brain_is(sessions: list[Session]) -> None:
    trainer, session = CatalogueTrainer(), sessions[0]
    config = session.config or {}
    assert trainer.describe("foraging-small", session.brain, config) == session.declaration
    assert trainer.describe("foraging-small", "nose", {}) is None


def test_code_of_others_gets_a_seed_that_tells_nothing_of_its_worlds(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "class Own:\n"
        "    def __init__(self, features, actions, seed):\n"
        f"        with open({str(tmp_path / 'seeds')!r}, 'a') as told: told.write(f'{{seed}}\\n')\n"
        "    def act(self, features): return 0\n"
        "    def learn(self, features, action, reward, ended): pass\n",
        encoding="utf-8",
    )
    experiment = Experiment("foraging-small@head", f"{file}:Own", 2, 1, 0, {}, 0)
    worlds = {experiment.first_seed(number) for number in range(2)}
    own = {experiment.brain_seed(number) for number in range(2)}
    assert len(own) == 2
    assert not worlds & own
    wishes: Any = {"trainings": 2, "episodes": 1, "evaluation": 0, "workers": 0}
    done = train("foraging-small", f"{file}:Own", folder=tmp_path / "own", **wishes)
    assert {session.first_seed for session in done.read()} == worlds
    told = (tmp_path / "seeds").read_text(encoding="utf-8").split()
    assert set(map(int, told)) == own
