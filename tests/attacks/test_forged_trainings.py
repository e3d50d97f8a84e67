"""Folders of trainings that are not what they say: each is refused, with its reason."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
from tests.benchmarks.nematode.making import change
from tests.benchmarks.nematode.making import train as walk_to_food

from ludus.agents.worm.brain import TrainedBrain, write_brain
from ludus.array_files import read_arrays
from ludus.benchmarks.nematode.submitting import read_trainings
from ludus.games.worm.training import Declaration, read_session
from ludus.games.worm.training.records import pack_actions, unpack_actions
from ludus.games.worm.training.retrained import Retrained
from ludus.learning.worm import train
from ludus.learning.worm.retraining import CatalogueTrainer

TASK, LEARNER, FROZEN = "foraging-small", "mlp-reinforce", "circuit-frozen"
TRAININGS, EPISODES = 3, 2
ANGLES = [0.5] * 12
FEW = ("trainings are too few", "trainings on a board have")


class OnceTrainer(CatalogueTrainer):
    """The trainer of Ludus, which does the same training once in all tests."""

    done: ClassVar[dict[str, Retrained]] = {}

    def train(self, task: str, brain: str, *, trainings: Sequence[int], **more: Any) -> Any:
        """Train what was not trained before."""
        keys = {n: json.dumps([task, brain, n, more], sort_keys=True) for n in trainings}
        missing = [number for number, key in keys.items() if key not in self.done]
        again = super().train(task, brain, trainings=missing, **more) if missing else []
        self.done.update(zip((keys[number] for number in missing), again, strict=True))
        return [self.done[key] for key in keys.values()]


class Honest(NamedTuple):
    """Folders of true trainings, and those that a walker made that reads where the food is."""

    learner: Path
    frozen: Path
    oracle: Path


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Honest:
    place = tmp_path_factory.mktemp("honest")
    sizes: Any = {"trainings": TRAININGS, "episodes": EPISODES}
    for brain in (LEARNER, FROZEN):
        train(TASK, brain, **sizes, evaluation=0, workers=0, folder=place / brain)
        shutil.rmtree(place / brain / "progress", ignore_errors=True)
    walk_to_food(TASK, LEARNER, **sizes, config={"noise": 0.0}, folder=place / "oracle")
    return Honest(place / LEARNER, place / FROZEN, place / "oracle")


def judge(folder: Path) -> list[str]:
    """Return why a folder is refused, but for its few and short trainings."""
    submission, problems = read_trainings(folder, OnceTrainer())
    if submission is None or problems:
        return problems
    problems = [one for one in submission.check() if not any(words in one for words in FEW)]
    problems = problems or submission.check_replays(None)
    reruns = [] if problems else submission.rerun(range(submission.count))
    return problems + [one.problem for one in reruns if one.problem]


def change_all(folder: Path, **fields: Any) -> None:
    for file in folder.glob("0*.json"):
        change(file, **fields)


def change_config(folder: Path, part: str, **fields: Any) -> None:
    for file in folder.glob("0*.json"):
        config = json.loads(file.read_text(encoding="utf-8"))["config"]
        change(file, config={**config, part: {**config.get(part, {}), **fields}})


def write_weights(file: Path, **weights: Any) -> None:
    """Let the weights beside a session say that they come of its steps; some may be others."""
    player = TrainedBrain.from_checkpoint(read_arrays(file.with_suffix(".npz")))
    session = read_session(file)
    steps = sum(session.steps) + session.declaration.pretraining_steps
    arrays = {**player.weights, **weights}
    write_brain(file.with_suffix(".npz"), player.brain, arrays, player.features, steps)


def play_as_oracle(folder: Path, oracle: Path, *numbers: int) -> None:
    """Put the walker's figures and actions into sessions, and leave all claims as they are."""
    for number in numbers:
        file = folder / f"{number:04d}.json"
        walked = json.loads((oracle / file.name).read_text(encoding="utf-8"))
        claims = ("session", "brain", "config", *Declaration.__dataclass_fields__)
        change(file, **{name: value for name, value in walked.items() if name not in claims})


# ---- forgeries


def oracle_as_frozen(folder: Path, honest: Honest) -> None:
    oracle_without_weights(folder, honest)
    change_all(folder, learning=False, parameters=1)


def oracle_without_weights(folder: Path, honest: Honest) -> None:
    play_as_oracle(folder, honest.oracle, 0, 1, 2)
    for file in folder.glob("*.npz"):
        file.unlink()


def oracle_with_weights_of_a_learner(folder: Path, honest: Honest) -> None:
    play_as_oracle(folder, honest.oracle, 0, 1, 2)


def oracle_with_fitting_weights(folder: Path, honest: Honest) -> None:
    play_as_oracle(folder, honest.oracle, 0, 1, 2)
    for file in folder.glob("0*.json"):
        write_weights(file)


def oracle_among_honest_trainings(folder: Path, honest: Honest) -> None:
    play_as_oracle(folder, honest.oracle, 1)
    write_weights(folder / "0001.json")


def oracle_in_one_episode(folder: Path, honest: Honest) -> None:
    file = folder / "0000.json"
    own, walked = read_session(file), read_session(honest.oracle / file.name)
    actions, steps = (unpack_actions(str(one.actions)) for one in (own, walked)), walked.steps[1]
    first, last = next(actions)[: own.steps[0]], next(actions)[-steps:]
    reasons = [own.reasons[0], walked.reasons[1]]
    codes = sorted(set(reasons))
    change(
        file,
        steps=[len(first), steps],
        foods=[own.foods[0], walked.foods[1]],
        success=f"{int(own.successes[0])}{int(walked.successes[1])}",
        distance_efficiency=[own.efficiencies[0], walked.efficiencies[1]],
        chemotaxis=[own.chemotaxis[0], walked.chemotaxis[1]],
        reason_codes=codes,
        reason="".join(str(codes.index(reason)) for reason in reasons),
        environment_steps=len(first) + steps,
        actions=pack_actions(first + last),
    )
    write_weights(file)


def fewer_parameters(folder: Path, _: Honest) -> None:
    change_all(folder, parameters=1)


def a_learner_with_lessons_before(folder: Path, _: Honest) -> None:
    change_all(folder, pretrained="in secret", pretraining_steps=9)


def a_learner_with_other_settings(folder: Path, _: Honest) -> None:
    change_config(folder, "learner", rate=0.5)


def food_in_the_brain(folder: Path, _: Honest) -> None:
    change_config(folder, "brain", foods=[[1, 2], [3, 4]])


def food_beside_the_brain(folder: Path, _: Honest) -> None:
    change_config(folder, "world", foods=[[1, 2]])


def a_brain_too_large_to_check(folder: Path, _: Honest) -> None:
    change_config(folder, "brain", hidden=[10**9, 10**9])


def the_name_of_another_brain(folder: Path, _: Honest) -> None:
    change_all(folder, brain="lstm-ppo")


def a_known_name_for_own_code(folder: Path, _: Honest) -> None:
    change_all(folder, brain="Walker")
    (folder / "submission.json").write_text(json.dumps({"name": "mlp-ppo"}), encoding="utf-8")


def one_session_twice(folder: Path, _: Honest) -> None:
    shutil.copy(folder / "0000.json", folder / "0001.json")
    change(folder / "0001.json", training=1)


def sessions_in_another_order(folder: Path, _: Honest) -> None:
    change(folder / "0000.json", training=1)
    change(folder / "0001.json", training=0)


def a_lucky_seed(folder: Path, _: Honest) -> None:
    change(folder / "0001.json", first_seed=4)


def seeds_of_another_submission(folder: Path, _: Honest) -> None:
    change_all(folder, seed=7)


def a_bad_training_left_out(folder: Path, _: Honest) -> None:
    (folder / "0001.json").unlink()


def other_senses_in_the_task(folder: Path, _: Honest) -> None:
    change_all(folder, task=f"{TASK}+klinotaxis")


def another_world_in_the_task(folder: Path, _: Honest) -> None:
    change_all(folder, task="foraging-medium")


def a_task_of_ones_own(folder: Path, _: Honest) -> None:
    change_all(folder, task=f"{TASK} with all food in one place")


def weights_of_another_brain(folder: Path, honest: Honest) -> None:
    shutil.copy(honest.frozen / "0000.npz", folder / "0000.npz")


def weights_of_another_training(folder: Path, _: Honest) -> None:
    shutil.copy(folder / "0000.npz", folder / "0001.npz")
    write_weights(folder / "0001.json")


def weights_of_ones_own(folder: Path, _: Honest) -> None:
    player = TrainedBrain.from_checkpoint(read_arrays(folder / "0002.npz"))
    shifted = {name: array + 0.1 for name, array in player.weights.items()}
    write_weights(folder / "0002.json", **shifted)


def weights_of_another_shape(folder: Path, _: Honest) -> None:
    write_weights(folder / "0001.json", more=[1.0, 2.0])


def weights_by_a_link(folder: Path, honest: Honest) -> None:
    (folder / "0001.npz").unlink()
    (folder / "0001.npz").symlink_to(honest.learner / "0001.npz")


def a_better_score(folder: Path, _: Honest) -> None:
    note = {"metrics": {"composite": 0.99}, "name": LEARNER}
    (folder / "submission.json").write_text(json.dumps(note), encoding="utf-8")


def actions_left_out(folder: Path, _: Honest) -> None:
    change(folder / "0001.json", actions=None)


def success_turned_on(folder: Path, _: Honest) -> None:
    change(folder / "0001.json", success="11", reason="00", reason_codes=["completed_all_food"])


def another_rule_set(folder: Path, _: Honest) -> None:
    change(folder / "0001.json", engine="worm@9")


RETRAINED = "another training comes of its seed and settings"
FORGERIES: list[tuple[Callable[[Path, Honest], None], str]] = [
    (oracle_as_frozen, "learning is said to be False; mlp-reinforce has True"),
    (oracle_without_weights, "its weights are missing: 0000.npz belongs to it"),
    (oracle_with_weights_of_a_learner, "it has learned from"),
    (oracle_with_fitting_weights, RETRAINED),
    (oracle_among_honest_trainings, RETRAINED),
    (oracle_in_one_episode, RETRAINED),
    (fewer_parameters, "parameters is said to be 1"),
    (a_learner_with_lessons_before, "pretrained is said to be 'in secret'"),
    (a_learner_with_other_settings, RETRAINED),
    (food_in_the_brain, "no setting 'foods'"),
    (food_beside_the_brain, "the settings are not those of a mlp-reinforce"),
    (a_brain_too_large_to_check, "'hidden' is 1000000000: 10,000 is the most here"),
    (the_name_of_another_brain, "its brain cannot be checked"),
    (a_known_name_for_own_code, "it is called 'mlp-ppo', which is a brain of Ludus"),
    (one_session_twice, "share the seeds from"),
    (sessions_in_another_order, "begins with seed"),
    (a_lucky_seed, "begins with seed 4"),
    (seeds_of_another_submission, "training 0 of seed 7 begins with"),
    (a_bad_training_left_out, "where number 1 should come"),
    (other_senses_in_the_task, "the task has other features"),
    (another_world_in_the_task, "begins with seed"),
    (a_task_of_ones_own, "no board has the task"),
    (weights_of_another_brain, "holds no weights of mlp-reinforce: it is built as"),
    (weights_of_another_training, "holds the weights of 0000.npz"),
    (weights_of_ones_own, "other weights come of its seed and settings"),
    (weights_of_another_shape, "its arrays have other names or shapes"),
    (weights_by_a_link, "is no plain file"),
    (a_better_score, "composite is said to be 0.99"),
    (actions_left_out, "holds no actions"),
    (success_turned_on, "played again"),
    (another_rule_set, "rules is 'worm@9'"),
]


@pytest.mark.parametrize(
    ("forge", "reason"), FORGERIES, ids=[forge.__name__ for forge, _ in FORGERIES]
)
def test_a_forged_learner_is_refused(
    honest: Honest, tmp_path: Path, forge: Callable[[Path, Honest], None], reason: str
) -> None:
    folder = Path(shutil.copytree(honest.learner, tmp_path / "forged"))
    forge(folder, honest)
    problems = judge(folder)
    assert any(reason in line for line in problems), problems
    assert all("\n" not in line for line in problems)


@pytest.mark.parametrize(
    ("part", "fields", "reason"),
    [
        ("", {"learning": True}, "learning is said to be True; circuit-frozen has False"),
        ("", {"pretrained": ""}, "pretrained is said to be ''; circuit-frozen has 'CMA-ES"),
        ("", {"pretraining_steps": 0}, "pretraining_steps is said to be 0"),
        ("learner", {"pretrained": ""}, "'pretrained' is what a brain knows before"),
        ("learner", {"pretraining_steps": 0}, "'pretraining_steps' is what a brain knows before"),
        ("brain", {"angles": ANGLES}, "'angles' is what a brain knows before"),
        ("", {"brain": "circuit-ppo"}, "is what a brain knows before"),
    ],
)
def test_lessons_before_are_not_hidden(
    honest: Honest, tmp_path: Path, part: str, fields: dict[str, Any], reason: str
) -> None:
    folder = Path(shutil.copytree(honest.frozen, tmp_path / "forged"))
    if part:
        change_config(folder, part, **fields)
    else:
        change_all(folder, **fields)
    problems = judge(folder)
    assert any(reason in line for line in problems), problems


def test_a_frozen_brain_does_not_walk_as_an_oracle(honest: Honest, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(honest.frozen, tmp_path / "forged"))
    play_as_oracle(folder, honest.oracle, 0)
    write_weights(folder / "0000.json")
    (problem,) = judge(folder)
    assert RETRAINED in problem


def test_honest_trainings_are_not_refused(honest: Honest) -> None:
    assert judge(honest.learner) == []
    assert judge(honest.frozen) == []
