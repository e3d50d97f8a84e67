"""Training policies for mario-arena."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.api.training import TrainingResult
from ludus.errors import MissingExtra
from ludus.reports.learning_curves import draw_folders, write_curve
from ludus.reports.tables import Bar, TableView

if TYPE_CHECKING:
    from ludus.learning.platformer.training import Outcome

__all__ = ["draw_curves", "train"]


def train(
    benchmark: str | None = None, *, resume: str | Path | None = None, **options: Any
) -> TrainingResult:
    """Train a policy, or bring a training to its end, and draw its learning curve.

    Args:
        benchmark: ``mario-arena/1-1`` to ``8-4``, several, ``mario-arena/all``,
            ``mario-arena/unseen``, or a generator as in ``mario-arena/ludus?difficulty=3``.
        resume: The folder of a training.
        **options: As :func:`ludus.learning.train` takes them.

    Raises:
        OptionError: An option is unknown or out of range, or the folder holds no training.
        MissingExtra: JAX is not installed.
    """
    from ludus import learning

    if resume is not None:
        outcome = learning.resume(resume, **options)
    else:
        outcome = learning.train(benchmark or "", **options)
    draw_curves(outcome.folder)
    return TrainingResult(
        folder=outcome.folder,
        benchmark=outcome.benchmark,
        agents=[str(policy) for policy in outcome.policies],
        rows=_rows(outcome),
        table=_view(outcome),
        draw=lambda style: draw_folders([outcome.folder], style=style),
        outcome=outcome,
    )


def draw_curves(folder: Path) -> list[Path]:
    """Draw the learning curve, light and dark; without matplotlib, nothing."""
    try:
        return [
            write_curve(folder / f"curve-{style}.png", [folder], style=style)
            for style in ("light", "dark")
        ]
    except MissingExtra:
        return []


def _rows(outcome: Outcome) -> list[dict[str, Any]]:
    evaluations = zip(outcome.policies, outcome.last, outcome.best, outcome.greedy, strict=True)
    return [
        {
            "policy": str(policy),
            "last": asdict(last),
            "best": asdict(best),
            "greedy": asdict(greedy),
        }
        for policy, last, best, greedy in evaluations
    ]


def _view(outcome: Outcome) -> TableView:
    seeds = len(outcome.policies)
    rate = outcome.steps * seeds / max(outcome.seconds, 1e-9)
    amount = f"{outcome.steps:,} decisions × {seeds}"
    cost = f"{_seconds(outcome.cpu_seconds)} of processor time"
    return TableView(
        title="Training",
        headings=["policy", "last", "best", "argmax", "furthest x", "levels"],
        rows=[
            [
                str(policy),
                _percent(last.success),
                _percent(best.success),
                _percent(greedy.success),
                f"{best.furthest:,.0f}",
                f"{sum(share >= 0.5 for share in best.by_level)}/{len(best.by_level)}",
            ]
            for policy, last, best, greedy in zip(
                outcome.policies, outcome.last, outcome.best, outcome.greedy, strict=True
            )
        ],
        left=(0,),
        fold=(0,),
        caption=(
            "Success in evaluations: of the last policy, of the best one, and of that when it "
            "always takes what it prefers most. Levels: those it completes at least every other "
            "time."
        ),
        notes=[
            f"{amount} in {_seconds(outcome.seconds)} ({cost}, {rate:,.0f} decisions/s).",
            *_describe_gap(outcome),
        ],
        bars=[Bar(best.success) for best in outcome.best],
        bar_column=2,
    )


def _describe_gap(outcome: Outcome) -> list[str]:
    """Return what policies complete of their training levels; nothing where all levels are."""
    pairs = zip(outcome.best, outcome.on_training_levels, strict=False)
    return [
        f"unseen levels {_percent(unseen.success)}, training levels {_percent(trained.success)}: "
        f"a gap of {100 * (trained.success - unseen.success):.0f} points."
        for unseen, trained in pairs
    ]


def _seconds(seconds: float) -> str:
    return f"{seconds:,.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
