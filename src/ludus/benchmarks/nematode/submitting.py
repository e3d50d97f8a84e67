"""Folders of trainings as submissions that boards take."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from ludus.benchmarks.nematode.checking import MOST_ALIKE, check_replays, check_submission
from ludus.benchmarks.nematode.origin import (
    find_false_claims,
    find_weights_problems,
    have_equal_weights,
)
from ludus.benchmarks.nematode.own_code import find_code_problems, retrain_code
from ludus.benchmarks.nematode.retraining import Retrainer, default_retrainer
from ludus.benchmarks.nematode.score_files import assess_session
from ludus.benchmarks.nematode.submission import (
    TrainingSubmission,
    check_brain_name,
    read_submission,
)
from ludus.benchmarks.nematode.trainings import task_spec
from ludus.benchmarks.submitting import OWN_CODE, ReadSubmission, Rerun, SubmittedRecord
from ludus.errors import LudusError, one_line
from ludus.games.game import Facts
from ludus.games.worm.training import Declaration
from ludus.games.worm.training.records import record_of
from ludus.games.worm.training.retrained import Retrained

__all__ = ["Retrainer", "SubmittedTrainings", "read_trainings"]


def read_trainings(
    folder: str | Path, retrainer: Retrainer | None = None, *, name: str | None = None
) -> ReadSubmission:
    """Return the submission that a folder of trainings holds, and what is wrong with its files.

    Args:
        folder: The folder.
        retrainer: What trains again; that of Ludus if None.
        name: What boards are to call the brain; as the folder says if None.

    Raises:
        OptionError: There is no such folder, or the name cannot be one.
    """
    trainings, problems = read_submission(folder)
    if trainings is None:
        return ReadSubmission(None, problems)
    if name is not None:
        trainings = replace(trainings, name=check_brain_name(name))
    return ReadSubmission(SubmittedTrainings(trainings, retrainer), problems)


@dataclass(frozen=True)
class SubmittedTrainings:
    """A folder's trainings, each an episode of a ``nematode/…`` benchmark.

    Attributes:
        trainings: What the folder holds.
        retrainer: What trains again; that of Ludus if None.
    """

    trainings: TrainingSubmission
    retrainer: Retrainer | None = None

    @cached_property
    def catalogued(self) -> Declaration | None:
        """What the catalogue says of the brain; None of one that is somebody's own code.

        Raises:
            MissingExtra: JAX is not installed.
            OptionError: The settings are none of this brain.
        """
        return self._trainer.describe(self._task, self.spec, self.trainings.config)

    @property
    def _trainer(self) -> Retrainer:
        return self.retrainer or default_retrainer()

    @property
    def _task(self) -> str:
        return task_spec(self.trainings.task, **self.options)

    @property
    def benchmark(self) -> str:
        """The benchmark's id."""
        return self.trainings.benchmark

    @property
    def spec(self) -> str:
        """The kind of brain."""
        return self.trainings.brain

    @property
    def name(self) -> str:
        """What boards call the brain."""
        return self.trainings.name

    @property
    def fingerprint(self) -> str:
        """A digest of the brain's kind and settings; that of somebody's own code says so."""
        own = "" if self.catalogued else OWN_CODE
        return own + self.trainings.fingerprint

    @property
    def seed(self) -> int:
        """What all trainings were made from."""
        return self.trainings.seed

    @property
    def options(self) -> Mapping[str, str]:
        """The benchmark's options that were set."""
        return self.trainings.options

    @property
    def rules(self) -> str:
        """The rules of the world that it was trained in."""
        return self.trainings.rules

    @property
    def provenance(self) -> Mapping[str, str]:
        """The Ludus that trained, as far as the sessions name it, and what it takes to do it again.

        Code of somebody's own has nothing to be trained again from.
        """
        trained_by = {"trained by": self.trainings.sessions[0].version or "unknown"}
        if self.catalogued is None:
            return trained_by
        return trained_by | {"settings": json.dumps(self.trainings.config, sort_keys=True)}

    @property
    def count(self) -> int:
        """How many trainings there are."""
        return len(self.trainings.sessions)

    def records(self) -> Sequence[SubmittedRecord]:
        """Return the trainings with all their actions."""
        return [
            SubmittedRecord(
                record=record_of(
                    self.catalogued or self.trainings.declaration, session.actions or ""
                ),
                steps=sum(session.steps),
                seconds=session.cpu_seconds,
            )
            for session in self.trainings.sessions
        ]

    def keys(self) -> Mapping[Hashable, str]:
        """Return seed, successes and steps of each training, with the name of its file."""
        return {
            (int(one.first_seed or 0), _signs(one.successes), sum(one.steps)): one.name
            for one in self.trainings.sessions
        }

    def scores(self) -> Sequence[float]:
        """Return what each training is worth by itself."""
        return [sum(assess_session(one).parts.values()) for one in self.trainings.sessions]

    def check(self) -> list[str]:
        """Return what is wrong with files, settings, seeds, metrics, claims and weights."""
        return [*check_submission(self.trainings), *self._find_origin_problems()]

    def _find_origin_problems(self) -> Iterator[str]:
        """Yield where the brain is not the one of the catalogue that it is called."""
        try:
            truth, namesake = self.catalogued, self._trainer.find_namesake(self.name)
        except LudusError as error:
            yield f"its brain cannot be checked: {error}"
            return
        if namesake not in (None, self.spec):
            looks = "is" if namesake == self.name else f"looks like {namesake!r},"
            name, spec = ascii(self.name), ascii(self.spec)
            yield f"it is called {name}, which {looks} a brain or baseline of Ludus, and is {spec}"
        if not truth:
            yield from find_code_problems(self.trainings)
        else:
            yield from find_false_claims(self.trainings, truth)
            yield from islice(find_weights_problems(self.trainings, truth), MOST_ALIKE)

    def check_replays(self, on_record: Callable[[int], None] | None) -> list[str]:
        """Play every training's actions again and return where its session is not true."""
        return check_replays(self.trainings, on_record)

    def rerun(self, numbers: Sequence[int]) -> list[Rerun]:
        """Train some trainings again from seed and settings; compare actions and weights."""
        if self.catalogued is None:
            chosen = list(numbers)
            return retrain_code(self.trainings, self._task, chosen, self._trainer) if chosen else []
        try:
            again = self._train(numbers) if numbers else []
        except Exception as error:  # settings of others may break a learner anywhere
            return [Rerun(f"it cannot be trained again: {one_line(error)}")]
        return list(map(self._compare, numbers, again))

    def _train(self, numbers: Sequence[int]) -> list[Retrained]:
        return self._trainer.train(
            self._task,
            self.spec,
            trainings=numbers,
            seed=self.seed,
            episodes=len(self.trainings.sessions[0].successes),
            config=self.trainings.config,
        )

    def _compare(self, number: int, again: Retrained) -> Rerun:
        session = self.trainings.sessions[number]
        if again.session.actions != session.actions:
            return Rerun(f"{session.name}: another training comes of its seed and settings")
        file = self.trainings.weights_file(number)
        if not have_equal_weights(file, again.weights):
            return Rerun(f"{file}: other weights come of its seed and settings")
        return Rerun(seconds=again.session.cpu_seconds)

    def notes(self) -> Iterator[str]:
        """Yield what is said of learning and of training before."""
        try:
            truth = self.catalogued
        except LudusError:
            return  # which check() says
        declaration = truth or self.trainings.declaration
        if truth is None:
            yield "the brain is code of its own: what it knew before its trainings is claimed"
        if not declaration.learning:
            yield "the brain is frozen: it does not learn in its trainings"
        if declaration.pretrained:
            yield f"the brain was trained before: {declaration.pretrained}"
            steps = f"{declaration.pretraining_steps:,} steps"
            yield f"that took {steps}, which its trainings do not show"
        if not self.trainings.score.valid:
            yield "there are too few trainings for a board"

    def key_of(self, scenario: Mapping[str, Any], facts: Facts) -> Hashable:
        """Return seed, successes and steps of a training on a board."""
        return int(scenario["seed"]), str(facts["successes"]), int(facts["steps"] or 0)


def _signs(successes: Sequence[bool]) -> str:
    return "".join("1" if success else "0" for success in successes)
