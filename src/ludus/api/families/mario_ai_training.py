"""Training players for mario-ai."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.api.families.mario_ai import find_recording
from ludus.api.settings import open_store
from ludus.api.training import TrainingResult
from ludus.errors import MissingExtra
from ludus.games.platformer.recordings import Recording
from ludus.reports.learning_curves import draw_scores
from ludus.reports.sheet import write_figure
from ludus.reports.tables import TableView
from ludus.runs import Store
from ludus.runs.sealed import open_plan

if TYPE_CHECKING:
    from ludus.learning.mario_ai.training import Evaluated, Outcome

__all__ = ["train"]


def train(
    benchmark: str | None = None,
    *,
    resume: str | Path | None = None,
    recorded: str | None = None,
    store: str | Store | None = None,
    **options: Any,
) -> TrainingResult:
    """Train a player, or bring a training to its end, and draw its learning curve.

    Args:
        benchmark: A gameplay track of 2009 or 2010, such as ``mario-ai/gameplay-2009-ice``.
        resume: The folder of a training.
        recorded: What ``imitation`` begins with: a recording's file, or a run, all episodes of it.
        store: Where the run is; the user's own store if None.
        **options: As :func:`ludus.learning.mario_ai.train` takes them.

    Raises:
        OptionError: An option is unknown or out of range, or the folder holds no training.
        RunError: There is no such run.
    """
    from ludus import learning

    if resume is not None:
        outcome = learning.resume(resume, **options)
    else:
        if recorded is not None:
            options["recordings"] = _find_recordings(recorded, store)
        outcome = learning.train(benchmark or "", **options)
    _draw_curves(outcome.folder)
    return TrainingResult(
        folder=outcome.folder,
        benchmark=outcome.benchmark,
        agents=[str(outcome.player)],
        rows=[{**asdict(outcome), "folder": str(outcome.folder), "player": str(outcome.player)}],
        table=_view(outcome),
        draw=lambda style: draw_scores(outcome.folder, style=style),
        outcome=outcome,
    )


def _find_recordings(source: str, store: str | Store | None) -> list[Recording]:
    """Return recorded play: of a file, or of all episodes of a run."""
    if Path(source).is_file() or source.endswith(".json"):
        return [find_recording(source)]
    with open_store(store) as database:
        episodes = len(open_plan(database.run(source), database).episodes)
        return [find_recording(source, number, store=database) for number in range(episodes)]


def _draw_curves(folder: Path) -> None:
    """Draw the learning curve, light and dark; without matplotlib, nothing."""
    try:
        for style in ("light", "dark"):
            write_figure(folder / f"curve-{style}.png", draw_scores(folder, style=style))
    except MissingExtra:
        return


def _view(outcome: Outcome) -> TableView:
    amount = f"{outcome.plays:,} plays, {outcome.ticks:,} ticks in {outcome.seconds:.0f} s"
    return TableView(
        title=f"Training: {outcome.method}",
        headings=["evaluation", "after round", "score", "completed"],
        rows=[_row("best", outcome.best), _row("last", outcome.last)],
        left=(0,),
        caption="Mean score of a level, and levels completed, on levels that are not trained on.",
        notes=[f"{amount}."],
    )


def _row(name: str, evaluated: Evaluated) -> list[str]:
    return [name, str(evaluated.round), f"{evaluated.score:,.1f}", f"{evaluated.success:.0%}"]
