"""From a course to a policy: learn, evaluate, write checkpoints, resume."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludus import __version__
from ludus.agents.platformer.policy import Policy
from ludus.games.platformer import engine_hash
from ludus.games.platformer.arena.levels import arena_level, level_difficulty
from ludus.learning.extra import require_jax
from ludus.learning.folder import no_checkpoint, replace_file
from ludus.learning.platformer.evaluation import Evaluation, EvaluationResult
from ludus.learning.platformer.policy_folder import PolicyFolder
from ludus.learning.platformer.ppo import PpoLearner
from ludus.learning.platformer.practice import BUTTONS, FinishedGames
from ludus.learning.platformer.settings import FAMILY, Course, benchmark_to_play
from ludus.learning.platformer.warm_start import check_start, read_network
from ludus.learning.pool import train_in_pool

__all__ = ["OnProgress", "Outcome", "Progress", "continue_training", "run_trainings", "start"]

WINDOW = 400
"""Games of a seed over which figures are averaged."""


class Learner(Protocol):
    """What an algorithm offers."""

    steps: int

    @property
    def policies(self) -> list[dict[str, NDArray[np.float32]]]:
        """The networks, one for each seed."""
        ...

    def improve(self) -> tuple[FinishedGames, dict[str, NDArray[Any]]]:
        """Play and learn; return the games that ended, and figures by seed."""
        ...

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is needed to go on from here."""
        ...

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from a state."""
        ...


def make_learner(course: Course) -> Learner:
    """Return what learns by a course's algorithm.

    Raises:
        MissingExtra: It needs JAX, which is not installed.
    """
    if course.algorithm == "ppo":
        return PpoLearner(course)
    require_jax()
    from ludus.learning.platformer.evolution import EvolutionLearner

    return EvolutionLearner(course)


@dataclass(frozen=True, slots=True)
class Progress:
    """How a training stands.

    Attributes:
        steps: Decisions that each seed has learned from.
        total: Decisions that each will.
        rate: Decisions a second, of all seeds.
        returns: The mean return of a game lately, by seed.
        success: The share of games completed lately, by seed.
        furthest: The mean of the furthest x lately, by seed.
        evaluation: The last evaluation's success, by seed; None before the first.
    """

    steps: int
    total: int
    rate: float
    returns: tuple[float, ...]
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
        on_training_levels: Those best policies on levels that they were trained on, where levels
            are generated; the other evaluations are on levels that were held out.
    """

    benchmark: str
    folder: Path
    steps: int
    seconds: float
    cpu_seconds: float
    last: tuple[EvaluationResult, ...]
    best: tuple[EvaluationResult, ...]
    greedy: tuple[EvaluationResult, ...]
    policies: tuple[Path, ...]
    on_training_levels: tuple[EvaluationResult, ...] = ()


@dataclass
class _RecentGames:
    """The last games of a seed."""

    games: list[tuple[float, bool, float]] = field(default_factory=list)

    def add(self, done: FinishedGames, group: int) -> None:
        mask = done.group == group
        rows = zip(done.returns[mask], done.won[mask], done.reached[mask], strict=True)
        self.games += [(float(total), bool(won), float(x)) for total, won, x in rows]
        del self.games[:-WINDOW]

    @property
    def means(self) -> tuple[float, float, float]:
        if not self.games:
            return 0.0, 0.0, 0.0
        total, won, reached = np.mean(np.array(self.games, np.float64), 0)
        return float(total), float(won), float(reached)


class _Training:
    """A training under way."""

    def __init__(self, folder: PolicyFolder, course: Course) -> None:
        self.folder, self.course = folder, course
        self.learner = make_learner(course)
        self.evaluation, self.on_training_levels = _make_evaluations(course)
        self.recent = [_RecentGames() for _ in range(course.seeds)]
        self.last: list[EvaluationResult] = []
        self.best: list[EvaluationResult] = []
        self.rows = self.evaluations = self.checkpoints = 0
        self.seconds = self.cpu_seconds = 0.0

    # ---- checkpoints

    def restore(self) -> None:
        """Go on from the folder's last checkpoint, if there is one.

        Raises:
            OptionError: It is of another training, or no checkpoint.
        """
        checkpoint = self.folder.read_checkpoint(0)
        if checkpoint is None:
            self.folder.truncate_curve(0)
            return
        try:
            self._go_on_from(*checkpoint)
        except (IndexError, KeyError, TypeError, ValueError) as error:
            raise no_checkpoint(self.folder.checkpoint_file(0), error) from None

    def _go_on_from(self, arrays: dict[str, NDArray[Any]], notes: dict[str, Any]) -> None:
        self.learner.restore(arrays)
        self.rows = notes["rows"]
        self.evaluations, self.checkpoints = notes["evaluations"], notes["checkpoints"]
        self.seconds, self.cpu_seconds = notes["seconds"], notes["cpu_seconds"]
        self.last = [_result_from_dict(values) for values in notes["last"]]
        self.best = [_result_from_dict(values) for values in notes["best"]]
        for recent, games in zip(self.recent, notes["lately"], strict=True):
            recent.games = [(total, won, x) for total, won, x in games]
        self.folder.truncate_curve(self.rows)

    def write_checkpoint(self) -> None:
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
            "last": [_result_to_dict(result) for result in self.last],
            "best": [_result_to_dict(result) for result in self.best],
            "lately": [recent.games for recent in self.recent],
        }
        self.folder.write_checkpoint(0, self.learner.state(), notes)
        self.folder.write_csv()

    def _save(self, kind: str, number: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        course = self.course
        policy = Policy(arrays, BUTTONS, observe=course.observe, strides=course.settings.strides)
        with replace_file(self.folder.policy_file(kind, number, course)) as file:
            policy.save(file)

    def _add_row(self, row: Mapping[str, Any]) -> None:
        self.folder.add_row(row)
        self.rows += 1

    # ---- learning

    def learn(self) -> None:
        """Learn from some games and write what came of it."""
        done, figures = self.learner.improve()
        for number, recent in enumerate(self.recent):
            recent.add(done, number)
            total, success, furthest = recent.means
            self._add_row(
                {
                    "seed": self.course.seed + number,
                    "steps": self.learner.steps,
                    "return": total,
                    "success": success,
                    "furthest": furthest,
                    **{name: float(figure[number]) for name, figure in figures.items()},
                }
            )

    def evaluate(self) -> None:
        """Evaluate the policies, and save those that are better than any before."""
        self.evaluations += 1
        policies = self.learner.policies
        self.last = [self.evaluation.evaluate(arrays) for arrays in policies]
        first = not self.best
        self.best = self.best or list(self.last)
        for number, (result, arrays) in enumerate(zip(self.last, policies, strict=True)):
            if first or _merit(result) > _merit(self.best[number]):
                self.best[number] = result
                self._save("best", number, arrays)
            row: dict[str, Any] = {
                "seed": self.course.seed + number,
                "steps": self.learner.steps,
                "evaluation": _result_to_dict(result),
            }
            if self.on_training_levels:
                trained = self.on_training_levels.evaluate(arrays)
                row["on_training_levels"] = _result_to_dict(trained)
            self._add_row(row)

    def run(self, on_progress: OnProgress | None) -> None:
        """Learn to the end."""
        course, learner = self.course, self.learner
        began, cpu = perf_counter() - self.seconds, process_time() - self.cpu_seconds
        first_step, started = learner.steps, perf_counter()
        while learner.steps < course.steps:
            self.learn()
            over = learner.steps >= course.steps
            if over or learner.steps >= course.evaluate_every * (self.evaluations + 1):
                self.evaluate()
            self.seconds, self.cpu_seconds = perf_counter() - began, process_time() - cpu
            if over or learner.steps >= course.checkpoint_every * (self.checkpoints + 1):
                self.write_checkpoint()
            if on_progress:
                rate = (learner.steps - first_step) * course.seeds / (perf_counter() - started)
                on_progress(self._progress(rate))

    def _progress(self, rate: float) -> Progress:
        returns, success, furthest = zip(*(recent.means for recent in self.recent), strict=True)
        last = tuple(result.success for result in self.last) if self.last else None
        steps, total = self.learner.steps, self.course.steps
        return Progress(steps, total, rate, returns, success, furthest, last)

    def outcome(self) -> Outcome:
        """Return what came of it."""
        course = self.course
        files = [self.folder.policy_file("best", k, course) for k in range(course.seeds)]
        networks = [read_network(file) for file in files]
        greedy = [self.evaluation.evaluate(network, greedy=True) for network in networks]
        on_training = self.on_training_levels
        return Outcome(
            benchmark_to_play(course),
            self.folder.path,
            self.learner.steps,
            self.seconds,
            self.cpu_seconds,
            tuple(self.last),
            tuple(self.best),
            tuple(greedy),
            tuple(files),
            tuple(on_training.evaluate(network) for network in networks) if on_training else (),
        )


def _make_evaluations(course: Course) -> tuple[Evaluation, Evaluation | None]:
    """Return the evaluation; of generated levels on held-out ones, and one on training levels."""
    observe, settings = course.observe, course.settings
    if not course.generated:
        return Evaluation(course.stages, course.evaluation_episodes, observe, settings), None
    held_out, trained = course.held_out_stages, course.stages[: course.evaluation_episodes]
    again = max(course.evaluation_episodes // len(trained), 1)
    return (
        Evaluation(held_out, 1, observe, settings, _difficulties(held_out)),
        Evaluation(trained, again, observe, settings, _difficulties(trained)),
    )


def _difficulties(stages: Sequence[str]) -> list[int]:
    return [level_difficulty(arena_level(stage)) for stage in stages]


def _merit(result: EvaluationResult) -> tuple[float, float]:
    return result.success, result.furthest


def _result_to_dict(result: EvaluationResult) -> dict[str, Any]:
    return {**asdict(result), "by_level": list(result.by_level)}


def _result_from_dict(values: Mapping[str, Any]) -> EvaluationResult:
    return EvaluationResult(**{**values, "by_level": tuple(values["by_level"])})


def start(
    course: Course,
    out: str | Path,
    on_progress: OnProgress | None = None,
    *,
    on: str = "here",
) -> Outcome:
    """Begin a training in a folder of its own and bring it to its end.

    Raises:
        OptionError: The folder holds a training already.
    """
    if course.start:
        check_start(course)
    made_with = {"ludus": __version__, "numpy": np.__version__, "engine": engine_hash()}
    if course.algorithm != "ppo":
        require_jax()
        made_with["jax"] = version("jax")
    PolicyFolder.create(out, FAMILY, course.to_dict(), made_with)
    return continue_training(out, on_progress, on=on)


def continue_training(
    path: str | Path, on_progress: OnProgress | None = None, *, on: str = "here"
) -> Outcome:
    """Bring a training that was stopped to its end; its curve is that of one never stopped.

    Args:
        path: Its folder.
        on_progress: Called with how it goes.
        on: ``here``, ``ray`` or ``ray://HOST:PORT``.

    Raises:
        OptionError: The folder holds no training.
    """
    folder = PolicyFolder(path)
    course = folder.course()
    if on != "here":
        _run_in_pool(folder, on, on_progress)
    training = _Training(folder, course)
    training.restore()
    training.run(on_progress)
    return training.outcome()


def _run_in_pool(folder: PolicyFolder, on: str, on_progress: OnProgress | None) -> None:
    """Let a cluster bring the training to its end; all seeds are one program, hence one chunk."""

    def forward(reports: Mapping[int, Mapping[str, Any]]) -> None:
        if on_progress:
            on_progress(Progress(**reports[0]))

    train_in_pool(folder.path, [[0]], forward, on=on, one_core=False)


def run_trainings(
    path: str | Path, numbers: Sequence[int], report: Callable[[int, Any], None]
) -> None:
    """Bring the training of a folder to its end in this process; its only number is 0."""
    folder = PolicyFolder(path)
    training = _Training(folder, folder.course())
    training.restore()
    training.run(lambda progress: report(0, asdict(progress)))
