"""Folders of trainings as submissions that boards take."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.benchmarks.nematode.checking import check_replays, check_submission
from ludus.benchmarks.nematode.retraining import Retrainer, is_foreign_brain, retrain_session
from ludus.benchmarks.nematode.submission import TrainingSubmission, read_submission
from ludus.benchmarks.nematode.trainings import task_spec
from ludus.benchmarks.submitting import ReadSubmission, Rerun, SubmittedRecord
from ludus.errors import LudusError, MissingExtra
from ludus.games.game import Facts
from ludus.games.worm.training import Session
from ludus.games.worm.training.records import record_of

__all__ = ["Retrainer", "SubmittedTrainings", "read_trainings"]


def read_trainings(folder: str | Path, retrainer: Retrainer | None = None) -> ReadSubmission:
    """Return the submission that a folder of trainings holds, and what is wrong with its files.

    Args:
        folder: The folder.
        retrainer: What trains again; that of Ludus if None.

    Raises:
        OptionError: There is no such folder.
    """
    trainings, problems = read_submission(folder)
    if trainings is None:
        return ReadSubmission(None, problems)
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
        """A digest of the brain's kind and settings."""
        return self.trainings.fingerprint

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

        A frozen brain has nothing to be trained again from.
        """
        trained_by = {"trained by": self.trainings.sessions[0].version or "unknown"}
        if not self.trainings.declaration.learning:
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
                record=record_of(self.trainings.declaration, session.actions or ""),
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

    def check(self) -> list[str]:
        """Return what is wrong with files, settings, seeds, metrics and weights."""
        return check_submission(self.trainings)

    def check_replays(self, on_record: Callable[[int], None] | None) -> list[str]:
        """Play every training's actions again and return where its session is not true."""
        return check_replays(self.trainings, on_record)

    def rerun(self, number: int) -> Rerun:
        """Train a training again from its seed and settings, and compare the actions."""
        session = self.trainings.sessions[number]
        skipped = f"training {number} was not trained again"
        if not self.trainings.declaration.learning:
            return Rerun(note=f"{skipped}: a frozen brain cannot be")
        if is_foreign_brain(self.trainings.brain):
            return Rerun(note=f"{skipped}: the brain is code of somebody's")
        try:
            again = self._train(number, len(session.successes))
        except MissingExtra as error:
            return Rerun(note=f"{skipped}: {error}")
        except LudusError as error:
            return Rerun(f"{session.name}: cannot be trained again: {error}")
        if again.actions != session.actions:
            return Rerun(f"{session.name}: another training comes of its seed and settings")
        return Rerun()

    def _train(self, number: int, episodes: int) -> Session:
        return retrain_session(
            task_spec(self.trainings.task, **self.options),
            self.spec,
            training=number,
            seed=self.seed,
            episodes=episodes,
            config=self.trainings.config,
            retrainer=self.retrainer,
        )

    def notes(self) -> Iterator[str]:
        """Yield what is said of learning and of training before."""
        declaration = self.trainings.declaration
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
