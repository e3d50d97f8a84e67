"""Submissions: folders of plain files, one session of JSON for each training.

Weights may lie beside the sessions as ``.npz``; a ``submission.json`` says what there is to say
about all of them. The sessions are the truth: everything else is computed from them and compared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ludus.benchmarks.nematode.retraining import brain_fingerprint
from ludus.benchmarks.nematode.score_files import assess_session
from ludus.benchmarks.nematode.scoring import Composite, score_trainings
from ludus.benchmarks.nematode.sessions import SUBMISSION
from ludus.benchmarks.nematode.trainings import parse_task, task_spec
from ludus.errors import OptionError
from ludus.escaping import check_name
from ludus.games.worm import find_task
from ludus.games.worm.training import Declaration, Session, TrainingScenario, read_session
from ludus.games.worm.training.code import CODE_FILE, MOST_CODE
from ludus.json_files import NotJson, read_json, reason_of

__all__ = [
    "ReadFolder",
    "TrainingSubmission",
    "check_brain_name",
    "read_submission",
    "write_note",
]

MOST_FILES = 5_000
MOST_BYTES = 4 * 2**30
ENDINGS = (".json", ".npz")
PROGRESS = "progress"  # what a trainer remembers; no part of a submission
FORMAT = 1
NOTE_FIELDS = (
    *("ludus", "format", "name", "brain", "benchmark", "options", "seed", "trainings"),
    *("by", "notes", "metrics"),
)
DEEPEST = 8  # settings within settings


@dataclass(frozen=True, slots=True)
class TrainingSubmission:
    """What a folder holds.

    Attributes:
        folder: Where it is.
        name: What boards call the brain.
        brain: The kind of brain.
        task: The task's name.
        options: The benchmark's options that are not at their default.
        seed: What all its trainings are made from.
        rules: The rule set that it was trained by.
        config: The brain's settings.
        declaration: What is said of learning, of training before, and of size.
        sessions: Its trainings, in the order of their numbers.
        note: What ``submission.json`` says.
    """

    folder: Path
    name: str
    brain: str
    task: str
    options: Mapping[str, str]
    seed: int
    rules: str
    config: Mapping[str, Any]
    declaration: Declaration
    sessions: tuple[Session, ...]
    note: Mapping[str, Any]

    @property
    def benchmark(self) -> str:
        """The benchmark it is of."""
        return f"nematode/{self.task}"

    @property
    def fingerprint(self) -> str:
        """A digest of the brain: its kind and its settings."""
        return brain_fingerprint(self.brain, self.config)

    @property
    def digest(self) -> str:
        """A digest of what happened in all trainings, whatever they are called."""
        text = "".join(sorted(session.digest for session in self.sessions))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def score(self) -> Composite:
        """The composite score, from the sessions."""
        return score_trainings(map(assess_session, self.sessions))

    @property
    def code(self) -> str:
        """The brain's own code as ``file.py:Class``; nothing if there is none in the folder.

        It is the file that the settings hold the digest of.
        """
        claim = self.config.get("code")
        file = self.folder / CODE_FILE
        if not isinstance(claim, dict) or not file.is_file():
            return ""
        name = str(claim.get("class"))
        return f"{file}:{name}" if name.isidentifier() else ""

    def weights_file(self, training: int) -> Path:
        """Return where the weights that came of a training belong."""
        return self.folder / f"{training:04d}.npz"

    def scenario(self, training: int) -> TrainingScenario:
        """Return what a training went through, by its number."""
        session = self.sessions[training]
        task = find_task(task_spec(self.task, **self.options))
        seed = int(session.first_seed or 0)
        return TrainingScenario(f"training {training + 1}", task, seed, len(session.successes))


class ReadFolder(NamedTuple):
    """What came of reading a folder: a submission, if there is one, and every problem as a line."""

    submission: TrainingSubmission | None
    problems: list[str]


def read_submission(folder: str | Path) -> ReadFolder:
    """Return the submission that a folder holds, and what is wrong with its files.

    Nothing in it is run or unpickled, and no file is read that is larger than it may be.

    Raises:
        OptionError: There is no such folder.
    """
    path = Path(folder)
    if not path.is_dir():
        raise OptionError(f"there is no folder {str(folder)!r} with a submission")
    problems = list(_file_problems(path))
    note = _read_note(path, problems)
    sessions = _read_sessions(path, problems)
    if not sessions:
        return ReadFolder(None, [*problems, f"{path}: there is no session of a training in it"])
    problems += _likeness_problems(sessions)
    problems += _number_problems(sessions)
    problems += _stray_problems(path, sessions)
    try:
        return ReadFolder(_build(path, note, sessions), problems)
    except OptionError as error:
        return ReadFolder(None, [*problems, f"{sessions[0].name}: {error}"])


def write_note(
    folder: str | Path,
    submission: TrainingSubmission,
    *,
    name: str | None = None,
    by: str = "",
    notes: str = "",
) -> None:
    """Write a folder's ``submission.json``: who, what, and the score that the sessions give.

    Args:
        folder: Where it goes.
        submission: What the folder holds.
        name: What boards are to call the brain; its own name if None.
        by: Who submits it.
        notes: A remark.

    Raises:
        OptionError: It cannot be written.
    """
    score = submission.score
    values = {
        "ludus": "nematode submission",
        "format": FORMAT,
        "name": name or submission.name,
        "brain": submission.brain,
        "benchmark": submission.benchmark,
        "options": dict(submission.options),
        "seed": submission.seed,
        "trainings": score.trainings,
        "by": by,
        "notes": notes,
        "metrics": {"composite": score.total, **score.values},
    }
    try:
        (Path(folder) / SUBMISSION).write_text(
            json.dumps(values, indent=2) + "\n", encoding="utf-8"
        )
    except OSError as error:
        raise OptionError(f"cannot write in {str(folder)!r}: {reason_of(error)}") from error


# ---- files


def _file_problems(folder: Path) -> Iterator[str]:
    files = sorted(file for file in folder.iterdir() if file.name != PROGRESS)
    if len(files) > MOST_FILES:
        yield f"{folder}: holds {len(files):,} files; {MOST_FILES:,} are the most"
    for file in files:
        if file.is_symlink() or not file.is_file():
            yield f"{file}: is no plain file"
        elif file.name == CODE_FILE:
            if file.stat().st_size > MOST_CODE:
                yield f"{file}: is too large for a brain: {MOST_CODE // 2**10} KiB are the most"
        elif file.suffix not in ENDINGS:
            yield f"{file}: is neither JSON nor weights (.npz) nor {CODE_FILE}"
    size = sum(file.lstat().st_size for file in files)
    if size > MOST_BYTES:
        yield f"{folder}: holds {size / 2**30:.1f} GB; {MOST_BYTES // 2**30} are the most"


def _read_note(folder: Path, problems: list[str]) -> Mapping[str, Any]:
    """Return what a folder's note says; nothing if there is none."""
    file = folder / SUBMISSION
    if not file.is_file():
        return {}
    try:
        values = read_json(file)
    except NotJson as error:
        problems.append(f"{file}: {error}")
        return {}
    if not isinstance(values, dict):
        problems.append(f"{file}: is not an object of fields by name")
        return {}
    unknown = [name for name in values if name not in NOTE_FIELDS]
    problems += [f"{file}: {name[:40]!a} is no field of a note: take it out" for name in unknown]
    return values


def _read_sessions(folder: Path, problems: list[str]) -> list[Session]:
    """Return the sessions of a folder, in the order of their numbers."""
    sessions = []
    for file in sorted(folder.glob("*.json"))[:MOST_FILES]:
        if file.name == SUBMISSION or file.is_symlink():
            continue
        try:
            session = read_session(file, strict=True)
            _check_complete(session)
            sessions.append(session)
        except OptionError as error:
            text = str(error)
            problems.append(text if text.startswith(str(file)) else f"{file}: {text}")
    return sorted(sessions, key=lambda session: session.training or 0)


def _check_complete(session: Session) -> None:
    """Refuse a session that does not say what a submission has to."""
    for name in ("training", "seed", "task", "rules", "config"):
        if getattr(session, name) is None:
            raise OptionError(f"{name!r} is missing; a training of a submission has to say it")
    if session.first_seed is None:
        raise OptionError("'first_seed' is missing, or the seeds are not consecutive")
    if not session.steps or not session.foods or not session.reasons:
        raise OptionError("steps, foods or reasons of the episodes are missing")


# ---- all sessions together


ALIKE = ("brain", "task", "seed", "rules", *Declaration.__dataclass_fields__)


def _likeness_problems(sessions: Sequence[Session]) -> Iterator[str]:
    """Yield where a training is not of the same brain, task and settings as the first."""
    first = sessions[0]
    for other in sessions[1:]:
        for name in ALIKE:
            ours, theirs = _attribute(first, name), _attribute(other, name)
            if ours != theirs:
                yield f"{other.name}: {name} is {theirs!r}, that of {first.name} {ours!r}"
        ours, theirs = _flat(first.config or {}), _flat(other.config or {})
        for name in sorted(ours.keys() | theirs.keys()):
            if ours.get(name) != theirs.get(name):
                yield (
                    f"{other.name}: {name!r} of its config is {theirs.get(name)!r}, that of "
                    f"{first.name} {ours.get(name)!r}"
                )


def _attribute(session: Session, name: str) -> Any:
    return getattr(session if hasattr(session, name) else session.declaration, name)


def _flat(config: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return settings by their whole names, such as ``learner.rate``."""
    flat: dict[str, Any] = {}
    for name, value in config.items():
        flat |= (
            _flat(value, f"{before}{name}.") if isinstance(value, dict) else {before + name: value}
        )
    return flat


def _number_problems(sessions: Sequence[Session]) -> Iterator[str]:
    for expected, session in enumerate(sessions):
        if session.training != expected:
            number = f"{session.name}: is training {session.training}"
            yield f"{number}, where number {expected} should come"
            return


def _stray_problems(folder: Path, sessions: Sequence[Session]) -> Iterator[str]:
    """Yield the files that nothing in a folder speaks of."""
    due = {f"{session.training:04d}.npz" for session in sessions}
    for file in sorted(folder.glob("*.npz")):
        if file.name not in due and not file.with_suffix(".json").exists():
            yield f"{file}: belongs to no training of the folder: take it out"
    code = folder / CODE_FILE
    if code.exists() and not any("code" in (session.config or {}) for session in sessions):
        yield f"{code}: is code that no session was trained with: take it out"


def check_brain_name(name: Any) -> str:
    """Return what boards are to call a brain, if it can be a name.

    Raises:
        OptionError: It cannot.
    """
    try:
        return check_name(name, "name of the brain")
    except ValueError as error:
        raise OptionError(str(error)) from None


def _build(
    folder: Path, note: Mapping[str, Any], sessions: Sequence[Session]
) -> TrainingSubmission:
    first = sessions[0]
    name = check_brain_name(note.get("name") or first.brain)
    task, options = parse_task(str(first.task))
    return TrainingSubmission(
        folder=folder,
        name=name,
        brain=first.brain,
        task=task,
        options=options,
        seed=int(first.seed or 0),
        rules=str(first.rules),
        config=first.config or {},
        declaration=first.declaration,
        sessions=tuple(sessions),
        note=note,
    )
