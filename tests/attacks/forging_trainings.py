"""Forgeries of trained brains, each with the reason why it is refused."""

from __future__ import annotations

import base64
import json
import os
import shutil
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from tests.benchmarks.nematode.making import change

from ludus.agents.worm.brain import TrainedBrain, write_brain
from ludus.array_files import read_arrays
from ludus.benchmarks.nematode.submitting import read_trainings
from ludus.games.worm.training import Declaration, read_session
from ludus.games.worm.training.records import pack_actions, unpack_actions
from ludus.games.worm.training.retrained import Retrained
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
        total_reward=[own.rewards[0], walked.rewards[1]],
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


def a_time_stamp(folder: Path, _: Honest) -> None:
    change_all(folder, created="2020-01-01T00:00:00Z")


def less_than_no_time(folder: Path, _: Honest) -> None:
    change_all(folder, cpu_seconds=-5.0)


def a_figure_named_twice(folder: Path, _: Honest) -> None:
    file = folder / "0001.json"
    text = file.read_text(encoding="utf-8").rstrip()
    file.write_text(f'{text[:-1]}, "success": "11"}}', encoding="utf-8")


def an_unknown_part_of_the_settings(folder: Path, _: Honest) -> None:
    change_config(folder, "memory", foods=[[1, 2]])


def actions_of_another_seed(folder: Path, _: Honest) -> None:
    """Give training 1 the actions and figures of training 0, under its own number and seed."""
    first = json.loads((folder / "0000.json").read_text(encoding="utf-8"))
    own = ("session", "training", "first_seed")
    change(folder / "0001.json", **{name: first[name] for name in first if name not in own})
    write_weights(folder / "0001.json")


def weights_that_are_no_numbers(folder: Path, _: Honest) -> None:
    player = TrainedBrain.from_checkpoint(read_arrays(folder / "0002.npz"))
    spoilt = {name: array * float("nan") for name, array in player.weights.items()}
    write_weights(folder / "0002.json", **spoilt)


def weights_of_two_billion_numbers(folder: Path, _: Honest) -> None:
    with ZipFile(folder / "0001.npz", "w", ZIP_DEFLATED) as archive:
        header = {"descr": "<f4", "fortran_order": False, "shape": (2_000_000_000,)}
        with archive.open("weight.npy", "w", force_zip64=True) as array:
            np.lib.format.write_array_header_1_0(array, header)
            for _million in range(300):
                array.write(bytes(1_000_000))


def weights_that_run(folder: Path, _: Honest) -> None:
    np.savez(folder / "0001.npz", weight=np.array([print], dtype=object))


def actions_without_end(folder: Path, _: Honest) -> None:
    packed = base64.b64encode(zlib.compress(bytes(21_000_000))).decode()
    change(folder / "0001.json", actions=packed)


def a_pipe_instead_of_weights(folder: Path, _: Honest) -> None:
    (folder / "0001.npz").unlink()
    os.mkfifo(folder / "0001.npz")


def a_brain_whose_name_looks_alike(folder: Path, _: Honest) -> None:
    change_all(folder, brain="mlp-r\N{CYRILLIC SMALL LETTER IE}inforce")


def code_that_nothing_names(folder: Path, _: Honest) -> None:
    (folder / "brain.py").write_text("class Brain: ...\n", encoding="utf-8")


def weights_of_no_training(folder: Path, _: Honest) -> None:
    shutil.copy(folder / "0000.npz", folder / "0099.npz")


def a_note_that_calls_itself_verified(folder: Path, _: Honest) -> None:
    (folder / "submission.json").write_text('{"verified": true}', encoding="utf-8")


def a_name_with_another_dash(folder: Path, _: Honest) -> None:
    note = {"name": "MLP\N{NON-BREAKING HYPHEN}ppo"}
    (folder / "submission.json").write_text(json.dumps(note), encoding="utf-8")


def the_name_of_a_baseline(folder: Path, _: Honest) -> None:
    (folder / "submission.json").write_text(json.dumps({"name": "Gradient"}), encoding="utf-8")


def rewards_that_nobody_got(folder: Path, _: Honest) -> None:
    change_all(folder, total_reward=[99.0] * EPISODES)


def health_that_nobody_had(folder: Path, _: Honest) -> None:
    change_all(folder, survival_score=[0.5] * EPISODES)


def a_horizon_below_nothing(folder: Path, _: Honest) -> None:
    change_config(folder, "learner", horizon=-5)


def more_connections_than_memory(folder: Path, _: Honest) -> None:
    change_config(folder, "brain", hidden=[4096] * 16)


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
    (a_known_name_for_own_code, "it is called 'mlp-ppo', which is a brain or baseline of Ludus"),
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
    (a_time_stamp, "holds 'created', which no session has"),
    (less_than_no_time, "'cpu_seconds' is -5.0: nothing takes less than no time"),
    (a_figure_named_twice, "an object has 'success' twice"),
    (an_unknown_part_of_the_settings, "the settings are not those of a mlp-reinforce"),
    (actions_of_another_seed, "is the same as mlp-reinforce-0-0000, episode by episode"),
    (weights_that_are_no_numbers, "holds what is no number"),
    (weights_of_two_billion_numbers, "unpacks to more than 256 MB"),
    (weights_that_run, "holds objects, not numbers"),
    (actions_without_end, "there are more than 20,000,000 actions"),
    (a_pipe_instead_of_weights, "is no plain file"),
    (a_brain_whose_name_looks_alike, "'mlp-r\\u0435inforce', which looks like 'mlp-reinforce'"),
    (a_name_with_another_dash, "'MLP\\u2011ppo', which looks like 'mlp-ppo'"),
    (a_note_that_calls_itself_verified, "'verified' is no field of a note: take it out"),
    (the_name_of_a_baseline, "'Gradient', which looks like 'gradient', a brain or baseline"),
    (rewards_that_nobody_got, "the reward of episode 1 is said to be 99.0, played again"),
    (health_that_nobody_had, "the share of health left of episode 1 is said to be 0.5"),
    (a_horizon_below_nothing, "setting horizon is -5: give 0 or more"),
    (more_connections_than_memory, "asks for 251,658,240 connections: 33,554,432 are the most"),
    (code_that_nothing_names, "is code that no session was trained with: take it out"),
    (weights_of_no_training, "0099.npz: belongs to no training of the folder: take it out"),
]
