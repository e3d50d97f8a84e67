"""From a course to a policy: learn, evaluate, keep, go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Protocol

import jax
import numpy as np
from numpy.typing import NDArray

from ludus import __version__
from ludus.agents.platformer.policy import Policy
from ludus.games.platformer import engine_hash
from ludus.learning.evolution import EvolutionLearner
from ludus.learning.platformer.evaluation import Evaluation, Verdict
from ludus.learning.platformer.folder import Folder, replaced
from ludus.learning.platformer.practice import BUTTONS, Finished
from ludus.learning.platformer.settings import FAMILY, Course
from ludus.learning.ppo import PpoLearner

__all__ = ["Outcome", "Progress", "go_on", "start"]

WINDOW = 400
"""Games of a seed over which figures are averaged."""


class Learner(Protocol):
    """What an algorithm offers."""

    steps: int

    @property
    def policies(self) -> list[dict[str, NDArray[np.float32]]]:
        """The networks, one for each seed."""
        ...

    def improve(self) -> tuple[Finished, dict[str, NDArray[Any]]]:
        """Play and learn; return the games that ended, and figures by seed."""
        ...

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is needed to go on from here."""
        ...

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from a state."""
        ...


LEARNERS: Mapping[str, Callable[[Course], Learner]] = {
    "ppo": PpoLearner,
    "evolution": EvolutionLearner,
}


@dataclass(frozen=True, slots=True)
class Progress:
    """How a training stands.

    Attributes:
        steps: Decisions that each seed has learned from.
        total: Decisions that each will.
        rate: Decisions a second, of all seeds.
        paid: The mean reward of a game lately, by seed.
        success: The share of games completed lately, by seed.
        furthest: The mean of the furthest x lately, by seed.
        evaluation: The last evaluation's success, by seed; None before the first.
    """

    steps: int
    total: int
    rate: float
    paid: tuple[float, ...]
    success: tuple[float, ...]
    furthest: tuple[float, ...]
    evaluation: tuple[float, ...] | None


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a training.

    Attributes:
        benchmark: What the policies are to be played on.
        folder: Where it is kept.
        steps: Decisions that each seed learned from.
        seconds: Wall-clock time, of all parts of it.
        cpu_seconds: Processor time, of all parts of it.
        last: The last evaluation of each seed.
        best: The best evaluation of each seed.
        greedy: Those best policies once more, always taking what they prefer most.
        policies: The files of the best policies.
    """

    benchmark: str
    folder: Path
    steps: int
    seconds: float
    cpu_seconds: float
    last: tuple[Verdict, ...]
    best: tuple[Verdict, ...]
    greedy: tuple[Verdict, ...]
    policies: tuple[Path, ...]


@dataclass
class _Lately:
    """The last games of a seed."""

    games: list[tuple[float, bool, float]] = field(default_factory=list)

    def hear(self, done: Finished, group: int) -> None:
        own = done.group == group
        rows = zip(done.paid[own], done.won[own], done.reached[own], strict=True)
        self.games += [(float(paid), bool(won), float(x)) for paid, won, x in rows]
        del self.games[:-WINDOW]

    @property
    def means(self) -> tuple[float, float, float]:
        if not self.games:
            return 0.0, 0.0, 0.0
        paid, won, reached = np.mean(np.array(self.games, np.float64), 0)
        return float(paid), float(won), float(reached)


class _Training:
    """A training under way."""

    def __init__(self, folder: Folder, course: Course) -> None:
        self.folder, self.course = folder, course
        self.learner = LEARNERS[course.algorithm](course)
        self.evaluation = Evaluation(
            course.stages,
            course.evaluation_episodes,
            course.observe,
            course.settings.strides,
        )
        self.lately = [_Lately() for _ in range(course.seeds)]
        self.last: list[Verdict] = []
        self.best: list[Verdict] = []
        self.rows = self.evaluations = self.checkpoints = 0
        self.seconds = self.cpu_seconds = 0.0

    # ---- keeping

    def restore(self) -> None:
        """Go on from the folder's last checkpoint, if there is one."""
        kept = self.folder.kept()
        if kept is None:
            self.folder.cut(0)
            return
        arrays, notes = kept
        self.learner.restore(arrays)
        self.rows = notes["rows"]
        self.evaluations, self.checkpoints = notes["evaluations"], notes["checkpoints"]
        self.seconds, self.cpu_seconds = notes["seconds"], notes["cpu_seconds"]
        self.last = [_verdict(one) for one in notes["last"]]
        self.best = [_verdict(one) for one in notes["best"]]
        for one, games in zip(self.lately, notes["lately"], strict=True):
            one.games = [(paid, won, x) for paid, won, x in games]
        self.folder.cut(self.rows)

    def keep(self) -> None:
        """Write a checkpoint and the policies as they are."""
        self.checkpoints += 1
        for number, arrays in enumerate(self.learner.policies):
            self._save("policy", number, arrays)
        notes = {
            "rows": self.rows,
            "evaluations": self.evaluations,
            "checkpoints": self.checkpoints,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "last": [_plain(one) for one in self.last],
            "best": [_plain(one) for one in self.best],
            "lately": [one.games for one in self.lately],
        }
        self.folder.keep(self.learner.state(), notes)

    def _save(self, kind: str, number: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        course = self.course
        policy = Policy(arrays, BUTTONS, observe=course.observe, strides=course.settings.strides)
        with replaced(self.folder.policy(kind, number, course.seeds)) as place:
            policy.save(place)

    def _add(self, row: Mapping[str, Any]) -> None:
        self.folder.add(row)
        self.rows += 1

    # ---- learning

    def learn(self) -> None:
        """Learn from some games and write what came of it."""
        done, figures = self.learner.improve()
        for number, lately in enumerate(self.lately):
            lately.hear(done, number)
            paid, success, furthest = lately.means
            self._add(
                {
                    "seed": self.course.seed + number,
                    "steps": self.learner.steps,
                    "return": paid,
                    "success": success,
                    "furthest": furthest,
                    **{name: float(one[number]) for name, one in figures.items()},
                }
            )

    def evaluate(self) -> None:
        """Judge the policies, and keep those that are better than any before."""
        self.evaluations += 1
        policies = self.learner.policies
        self.last = [self.evaluation.judge(arrays) for arrays in policies]
        first = not self.best
        self.best = self.best or list(self.last)
        for number, (verdict, arrays) in enumerate(zip(self.last, policies, strict=True)):
            if first or _merit(verdict) > _merit(self.best[number]):
                self.best[number] = verdict
                self._save("best", number, arrays)
            self._add(
                {
                    "seed": self.course.seed + number,
                    "steps": self.learner.steps,
                    "evaluation": _plain(verdict),
                }
            )

    def run(self, on_progress: OnProgress | None) -> None:
        """Learn to the end."""
        course, learner = self.course, self.learner
        begun, cpu = perf_counter() - self.seconds, process_time() - self.cpu_seconds
        here, started = learner.steps, perf_counter()
        while learner.steps < course.steps:
            self.learn()
            over = learner.steps >= course.steps
            if over or learner.steps >= course.evaluate_every * (self.evaluations + 1):
                self.evaluate()
            self.seconds, self.cpu_seconds = perf_counter() - begun, process_time() - cpu
            if over or learner.steps >= course.checkpoint_every * (self.checkpoints + 1):
                self.keep()
            if on_progress:
                rate = (learner.steps - here) * course.seeds / (perf_counter() - started)
                on_progress(self._progress(rate))

    def _progress(self, rate: float) -> Progress:
        paid, success, furthest = zip(*(one.means for one in self.lately), strict=True)
        last = tuple(one.success for one in self.last) if self.last else None
        return Progress(self.learner.steps, self.course.steps, rate, paid, success, furthest, last)

    def outcome(self) -> Outcome:
        """Return what came of it."""
        course = self.course
        files = [self.folder.policy("best", k, course.seeds) for k in range(course.seeds)]
        greedy = [self.evaluation.judge(_network(file), greedy=True) for file in files]
        alone = len(course.stages) == 1
        return Outcome(
            f"{FAMILY}/{course.stages[0] if alone else 'full-game'}",
            self.folder.path,
            self.learner.steps,
            self.seconds,
            self.cpu_seconds,
            tuple(self.last),
            tuple(self.best),
            tuple(greedy),
            tuple(files),
        )


def _merit(verdict: Verdict) -> tuple[float, float]:
    return verdict.success, verdict.furthest


def _plain(verdict: Verdict) -> dict[str, Any]:
    return {
        "success": verdict.success,
        "furthest": verdict.furthest,
        "decisions": verdict.decisions,
        "by_level": list(verdict.by_level),
    }


def _verdict(values: Mapping[str, Any]) -> Verdict:
    return Verdict(**{**values, "by_level": tuple(values["by_level"])})


def _network(file: Path) -> dict[str, Any]:
    with np.load(file, allow_pickle=False) as arrays:
        return {
            name: arrays[name]
            for name in arrays.files
            if name not in ("agent", "actions", "observe", "strides")
        }


def start(course: Course, out: str | Path, on_progress: OnProgress | None = None) -> Outcome:
    """Begin a training in a folder of its own and bring it to its end.

    Raises:
        OptionError: The folder holds a training already.
    """
    made_with = {"ludus": __version__, "jax": jax.__version__, "engine": engine_hash()}
    folder = Folder.begin(out, course, made_with)
    return _finished(_Training(folder, course), on_progress)


def go_on(path: str | Path, on_progress: OnProgress | None = None) -> Outcome:
    """Bring a training that was stopped to its end; its curve is that of one never stopped.

    Raises:
        OptionError: The folder holds no training.
    """
    folder = Folder(path)
    training = _Training(folder, folder.course())
    training.restore()
    return _finished(training, on_progress)


def _finished(training: _Training, on_progress: OnProgress | None) -> Outcome:
    training.run(on_progress)
    return training.outcome()
