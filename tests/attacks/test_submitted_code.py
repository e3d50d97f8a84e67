"""Brains that are code of the submitter's own: trained again in the sandbox, or told apart."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.benchmarks.nematode.making import change

from ludus.agents.sandbox import has_sandbox
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.nematode import own_code
from ludus.benchmarks.nematode.submitting import read_trainings
from ludus.boards.proofs import format_proof, rank_class
from ludus.errors import ActionError, AgentFault
from ludus.games.worm.training import read_session, unpack_actions
from ludus.games.worm.training.code import CODE_FILE, digest_code
from ludus.learning.worm import train
from ludus.learning.worm.confined_training import _Referee
from ludus.learning.worm.experiment import Experiment
from ludus.runs.proof import Proof

TASK, EPISODES = "foraging-small", 2
FEW = ("too few for a board", "trainings on a board have")

HONEST = """
import random


class Brain:
    name = "mine"

    def __init__(self, features, actions, seed):
        self.random = random.Random(seed)

    def act(self, features):
        angle = features[1]
        if self.random.random() < 0.1:
            return self.random.randrange(4)
        return 0 if abs(angle) < 0.26 else 1 if angle > 0 else 2

    def learn(self, features, action, reward, ended):
        self.random.random()
"""

PEEKING = HONEST.replace("import random", "import random\nimport sys").replace(
    "        angle = features[1]\n",
    "        world = sys._getframe(1).f_locals['world']\n"
    "        if hasattr(world, 'clone_state'):\n"
    "            return world.clone_state()[-1] % 4\n"
    "        angle = features[1]\n",
)
UNSURE = HONEST.replace("random.Random(seed)", "random.SystemRandom()")
NOSY = HONEST.replace("import random", "import random\nfrom pathlib import Path").replace(
    "random.Random(seed)",
    "random.Random(len(list(Path(__file__).parent.glob('0*.json'))[0].read_text()))",
)
BY_HEART = """
KNOWN = {known!r}


class Brain:
    name = "mine"

    def __init__(self, features, actions, seed):
        self.left = list(KNOWN.get(seed, ()))

    def act(self, features):
        return self.left.pop(0) if self.left else 3

    def learn(self, features, action, reward, ended):
        pass
"""


class Judgement(NamedTuple):
    """What comes of a submission: why it is refused, and why it was not trained again."""

    problems: list[str]
    notes: list[str]


def train_code(place: Path, code: str) -> Path:
    """Train a brain of this code, as somebody does at home, and return the folder."""
    place.mkdir(exist_ok=True)
    (place / "code.py").write_text(code, encoding="utf-8")
    folder, sizes = place / "out", {"trainings": 1, "episodes": EPISODES}
    wishes: Any = {**sizes, "evaluation": 0, "workers": 0, "folder": folder}
    train(TASK, f"{place / 'code.py'}:Brain", **wishes)
    shutil.rmtree(folder / "progress")
    return folder


def judge(folder: Path) -> Judgement:
    submission, problems = read_trainings(folder)
    assert submission is not None
    problems += [one for one in submission.check() if not any(words in one for words in FEW)]
    problems += submission.check_replays(None)
    reruns = [] if problems else submission.rerun([0])
    problems += [one.problem for one in reruns if one.problem]
    return Judgement(problems, [one.note for one in reruns if one.note])


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train_code(tmp_path_factory.mktemp("honest"), HONEST)


def needs_sandbox() -> None:
    if not has_sandbox():
        pytest.skip("this system has no sandbox")


def test_honest_code_is_trained_again(honest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_sandbox()
    monkeypatch.setattr(own_code, "MOST_LOSS", 0.5)  # one short training has no spread to go by
    assert judge(honest) == ([], [])


def test_code_that_reads_the_world_gives_another_training_in_the_sandbox(tmp_path: Path) -> None:
    needs_sandbox()
    (problem,), notes = judge(train_code(tmp_path, PEEKING))
    assert "another training comes of its seed and code" in problem
    assert notes == []


def test_code_that_knows_the_public_worlds_fails_in_fresh_ones(
    honest: Path, tmp_path: Path
) -> None:
    needs_sandbox()
    actions = unpack_actions(str(read_session(honest / "0000.json").actions))
    seed = Experiment(TASK, "code.py:Brain", 1, EPISODES, 0, {}, 0).brain_seed(0)
    folder = train_code(tmp_path, BY_HEART.format(known={seed: list(actions)}))
    assert read_session(folder / "0000.json").successes == (True, True)
    (problem,), _ = judge(folder)
    assert problem.startswith("in fresh worlds its trainings score 0.")
    assert problem.endswith("it knows the public ones by heart")


@pytest.mark.parametrize(
    ("code", "reason"),
    [(UNSURE, "comes out differently every time"), (NOSY, "IndexError: list index out of range")],
    ids=["unsure", "nosy"],
)
def test_what_cannot_be_trained_again_says_why(tmp_path: Path, code: str, reason: str) -> None:
    needs_sandbox()
    folder = train_code(tmp_path, code if code == UNSURE else HONEST)
    if code == NOSY:  # it looks for the sessions that it is compared with
        swap_code(folder, code)
    problems, (note,) = judge(folder)
    assert problems == []
    assert reason in note


def swap_code(folder: Path, code: str) -> None:
    """Put other code into a folder whose settings name it."""
    (folder / CODE_FILE).write_text(code, encoding="utf-8")
    for file in folder.glob("0*.json"):
        config = dict(read_session(file).config or {})
        change(
            file,
            config={
                **config,
                "code": {**config["code"], "sha256": digest_code(folder / CODE_FILE)},
            },
        )


def remove_code(folder: Path) -> None:
    (folder / "brain.py").unlink()


def name_no_class(folder: Path) -> None:
    config = dict(read_session(folder / "0000.json").config or {})
    change(folder / "0000.json", config={**config, "code": {"class": "os; x", "sha256": ""}})


@pytest.mark.parametrize("change_folder", [remove_code, name_no_class])
def test_a_folder_without_code_is_not_trained_again(
    honest: Path, tmp_path: Path, change_folder: Callable[[Path], None]
) -> None:
    folder = Path(shutil.copytree(honest, tmp_path / "copy"))
    change_folder(folder)
    assert judge(folder) == ([], ["no training was done again: the folder has no brain.py"])


def test_changed_or_huge_code_is_refused(honest: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(honest, tmp_path / "copy"))
    with (folder / "brain.py").open("a", encoding="utf-8") as file:
        file.write("# better\n")
    (problem,), _ = judge(folder)
    assert "is not the code that the sessions were trained with" in problem
    (folder / "brain.py").write_text("#" * 2**18, encoding="utf-8")
    assert any("128 KiB are the most" in one for one in judge(folder).problems)


# ---- the referee


class Scripted:
    """Stands for a process that answers with what somebody wrote down."""

    def __init__(self, *wishes: Any) -> None:
        self._wishes = list(wishes)

    def reset(self, scenario: Any) -> None:
        self.scenario = scenario

    def act(self, observation: Any) -> Any:
        self.shown = observation
        return self._wishes.pop(0)


def restart(*lanes: int) -> dict[str, Any]:
    return {"restart": np.isin(np.arange(2), lanes)}


def step(*actions: int) -> dict[str, Any]:
    return {"step": np.array(actions, np.int32)}


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        ([{"done": True}], "ends before its last episode"),
        ([restart(0), restart(0)], "begins an episode anew in world 0"),
        ([restart(1)], "begins an episode anew in world 1"),
        ([restart(0), step(7, 0)], "not all from 0 to 3"),
        ([restart(0), {"step": np.zeros(3, np.int32)}], "wishes array"),
        ([restart(0), {"step": "forward"}], "wishes 'forward'"),
        ([restart(0), ["step"]], "wishes \\['step'\\]"),
        ([restart(0), *[step(3, 3)] * 200, restart(0)], "goes on after the last episode"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_brain_can_wish_for_its_own_steps_alone(wishes: list[Any], reason: str) -> None:
    experiment = Experiment(f"{TASK}@head", "code.py:Brain", 1, 1, 0, {}, 0)
    process: Any = Scripted(*wishes)
    with pytest.raises((AgentFault, ActionError), match=reason):
        _Referee(experiment, [0], 2).play(process, {})


def test_a_brain_is_shown_no_seed_of_a_world() -> None:
    experiment = Experiment(f"{TASK}@head", "code.py:Brain", 1, 1, 0, {}, 0)
    process: Any = Scripted(restart(0), *[step(3, 3)] * 200, {"done": True})
    referee = _Referee(experiment, [0], 2)
    referee.play(process, {})
    assert process.scenario.keys() == {"task", "episodes", "config", "seeds"}
    assert experiment.first_seed(0) not in process.scenario["seeds"]
    assert process.shown.keys() == {"features", "rewards", "ended"}
    (session,) = referee.sessions(3.0)
    assert (session.steps, session.cpu_seconds) == ((200,), 3.0)


# ---- boards


def test_boards_tell_own_code_apart() -> None:
    benchmark = find_benchmark("nematode/foraging-small")

    def row(proof: Proof, fingerprint: str) -> Any:
        summary = SimpleNamespace(episodes=50, fingerprint=fingerprint)
        return SimpleNamespace(proof=proof, rerun=5, entry=SimpleNamespace(summary=summary))

    known, own = "ab12", "code-ab12"
    rows = [
        row(Proof.RERUN, known), row(Proof.RERUN, own), row(Proof.REPLAYED, known),
        row(Proof.REPLAYED, own), row(Proof.CLAIMED, own),
    ]  # fmt: skip
    assert [format_proof(benchmark, one) for one in rows] == [
        "retrained 5/50", "retrained 5/50, own code", "replayed", "replayed, own code",
        "claimed, own code",
    ]  # fmt: skip
    classes = [rank_class(one.proof, one.entry) for one in rows]
    assert classes[0] == classes[1] > classes[2] > classes[3] > classes[4]
