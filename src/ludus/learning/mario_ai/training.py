"""From a curriculum to a player: candidates play, the search learns, champions are evaluated.

What comes of a training is in its folder: ``best.npz``, the champion that did best in an
evaluation, beside the curve and the progress of :mod:`ludus.learning.curve_folder`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ludus import __version__
from ludus.agents.checkpoint import write_checkpoint
from ludus.agents.platformer.imitation import Dagger, describe_play
from ludus.errors import AgentError, OptionError, RunError
from ludus.games.platformer import engine_hash
from ludus.games.platformer.recordings import Recording
from ludus.learning.curve_folder import CurveFolder
from ludus.learning.folder import no_checkpoint, replace_file
from ludus.learning.mario_ai.levels import EVALUATION
from ludus.learning.mario_ai.practice import Batch, Play, Played, open_pool, player_class
from ludus.learning.mario_ai.settings import FAMILY, Curriculum
from ludus.parallel import count_cores

__all__ = ["Evaluated", "OnProgress", "Outcome", "Progress", "continue_training", "start"]

BEST = "best.npz"
CHECKPOINT_SECONDS = 5.0
PROGRESS, RECORDED = 0, 1
"""The numbers of the files for how far it has come, and for recorded play."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """How a champion did on levels that nobody trains on.

    Attributes:
        round: The rounds before it.
        score: The mean score of a level.
        success: The share of levels that was completed.
    """

    round: int
    score: float
    success: float


@dataclass(frozen=True, slots=True)
class Progress:
    """How a training stands.

    Attributes:
        rounds: Rounds that are over.
        total: Rounds that there will be.
        plays: Levels played to learn from.
        score: The best score of the last round.
        best: The best evaluation so far.
    """

    rounds: int
    total: int
    plays: int
    score: float
    best: Evaluated | None


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a training.

    Attributes:
        benchmark: What the player is to be played on.
        method: How it learned.
        folder: Where it is kept.
        rounds: Rounds of it.
        plays: Levels played to learn from.
        ticks: Ticks of those.
        seconds: Wall-clock time, of all parts of it.
        last: The last evaluation.
        best: The best one.
        player: The file of the best player.
    """

    benchmark: str
    method: str
    folder: Path
    rounds: int
    plays: int
    ticks: int
    seconds: float
    last: Evaluated
    best: Evaluated
    player: Path


class _Training:
    """A training under way."""

    def __init__(self, folder: CurveFolder, curriculum: Curriculum) -> None:
        self.folder, self.plan = folder, curriculum
        self.kind = player_class(curriculum.method)
        self.search = self.kind.search(None, curriculum.seed, curriculum.settings)
        self.rounds = self.plays = self.ticks = self.rows = 0
        self.seconds = 0.0
        self.last: Evaluated | None = None
        self.best: Evaluated | None = None

    # ---- checkpoints

    def restore(self) -> None:
        """Go on from the folder's last checkpoint, if there is one.

        Raises:
            OptionError: The checkpoint is not one of this training.
        """
        checkpoint = self.folder.read_checkpoint(PROGRESS)
        if checkpoint is None:
            self._show_recorded()
        else:
            arrays, notes = checkpoint
            try:
                self.search.restore(arrays)
                self.rounds, self.plays = int(notes["rounds"]), int(notes["plays"])
                self.ticks, self.rows = int(notes["ticks"]), int(notes["rows"])
                self.seconds = float(notes["seconds"])
                self.last, self.best = (
                    None if notes[name] is None else Evaluated(**notes[name])
                    for name in ("last", "best")
                )
            except (
                AgentError,
                KeyError,
                TypeError,
                ValueError,
                AttributeError,
                IndexError,
            ) as error:
                raise no_checkpoint(self.folder.checkpoint_file(PROGRESS), error) from None
        self.folder.truncate_curve(self.rows)

    def _show_recorded(self) -> None:
        """Show the search what was recorded before the training, if there is anything."""
        recorded = self.folder.read_checkpoint(RECORDED)
        if recorded is not None and isinstance(self.search, Dagger):
            try:
                self.search.show(recorded.arrays["seen"], recorded.arrays["shown"])
            except (KeyError, TypeError, ValueError, IndexError) as error:
                raise no_checkpoint(self.folder.checkpoint_file(RECORDED), error) from None

    def write_checkpoint(self) -> None:
        """Write a checkpoint."""
        notes = {
            "rounds": self.rounds,
            "plays": self.plays,
            "ticks": self.ticks,
            "rows": self.rows,
            "seconds": self.seconds,
            "last": self.last and asdict(self.last),
            "best": self.best and asdict(self.best),
        }
        self.folder.write_checkpoint(PROGRESS, self.search.state(), notes)

    # ---- learning

    def run(self, play: Play, on_progress: OnProgress | None) -> None:
        """Go on to the last round."""
        started = written = perf_counter()
        before = self.seconds
        if self.last is None:
            self._evaluate(play)  # whoever learns nothing shows what it began with
        while self.rounds < self.plan.rounds:
            score = self._learn(play)
            over = self.rounds == self.plan.rounds
            if over or self.rounds % self.plan.evaluate_every == 0:
                self._evaluate(play)
            now = perf_counter()
            self.seconds = before + now - started
            if over or now - written > CHECKPOINT_SECONDS:
                self.write_checkpoint()
                written = now
            if on_progress:
                on_progress(Progress(self.rounds, self.plan.rounds, self.plays, score, self.best))

    def _learn(self, play: Play) -> float:
        """Play a round, learn from it and return its best score."""
        fresh = getattr(self.plan.settings, "fresh_levels", False)
        first = self.rounds * self.plan.levels if fresh else 0
        numbers = tuple(range(first, first + self.plan.levels))
        batches = [Batch(candidate, numbers) for candidate in self.search.ask()]
        played = list(play(batches))
        self.search.tell([result.trial for result in played])
        self.rounds += 1
        self.plays += len(played) * self.plan.levels
        self.ticks += sum(result.ticks for result in played)
        scores = [result.trial.score for result in played]
        self._add_row({"score": float(np.mean(scores)), "best": max(scores)})
        return max(scores)

    def _evaluate(self, play: Play) -> None:
        """Let the champion play the levels of the evaluation, and keep it if it is the best."""
        champion = self.search.champion()
        count = self.plan.evaluation_levels
        played = list(play([Batch(champion, (EVALUATION + n,)) for n in range(count)]))
        self.last = _judge(self.rounds, played)
        self._add_row({"evaluation": asdict(self.last)})
        if self.best is None or self.last.score > self.best.score:
            self.best = self.last
            with replace_file(self.folder.path / BEST) as file:
                write_checkpoint(file, self.plan.method, self.kind.write_arrays(champion))

    def _add_row(self, row: dict[str, Any]) -> None:
        self.folder.add_row({"round": self.rounds, "plays": self.plays, **row})
        self.rows += 1

    def outcome(self) -> Outcome:
        """Return what has come of it."""
        if self.last is None or self.best is None:
            raise RunError("the training has not come to its last round: take it up again")
        plan, path = self.plan, self.folder.path
        figures = (self.rounds, self.plays, self.ticks, self.seconds, self.last, self.best)
        return Outcome(plan.benchmark, plan.method, path, *figures, path / BEST)


def _judge(rounds: int, played: Sequence[Played]) -> Evaluated:
    scores = [result.trial.score for result in played]
    return Evaluated(rounds, float(np.mean(scores)), sum(p.won for p in played) / len(played))


def start(
    curriculum: Curriculum,
    out: str | Path,
    on_progress: OnProgress | None = None,
    *,
    recordings: Sequence[Recording] = (),
    workers: int | None = None,
) -> Outcome:
    """Begin a training in a folder of its own and bring it to its end.

    Raises:
        OptionError: The folder holds a training already, or a setting is out of range.
    """
    search = player_class(curriculum.method).search(None, curriculum.seed, curriculum.settings)
    if recordings and not isinstance(search, Dagger):
        raise OptionError(f"{curriculum.method} learns from no recorded play: imitation does")
    count_cores(workers)
    made_with = {"ludus": __version__, "numpy": np.__version__, "engine": engine_hash()}
    folder = CurveFolder.create(out, FAMILY, curriculum.to_dict(), made_with)
    if recordings:
        plays = [describe_play(recording.begin(), recording.lives[-1]) for recording in recordings]
        seen, shown = (np.concatenate(parts) for parts in zip(*plays, strict=True))
        folder.write_checkpoint(RECORDED, {"seen": seen, "shown": shown}, {"plays": len(plays)})
    return continue_training(out, on_progress, workers=workers)


def continue_training(
    path: str | Path, on_progress: OnProgress | None = None, *, workers: int | None = None
) -> Outcome:
    """Bring a training that was stopped to its end; its player is that of one never stopped.

    Raises:
        OptionError: The folder holds no training.
    """
    folder = CurveFolder(path)
    curriculum = Curriculum.from_dict(folder.settings_of(FAMILY))
    training = _Training(folder, curriculum)
    training.restore()
    with open_pool(curriculum.method, curriculum.track, count_cores(workers)) as play:
        training.run(play, on_progress)
    return training.outcome()
