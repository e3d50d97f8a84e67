"""``compare_wiring``: does the wiring of the worm's connectome matter?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any

from ludus.api.families.side_by_side import SideBySide
from ludus.api.result import Result
from ludus.benchmarks.nematode.score_files import assess_own_length
from ludus.benchmarks.nematode.scoring import Training
from ludus.errors import OptionError
from ludus.reports.estimate_plot import draw_estimates
from ludus.reports.tables import TableView
from ludus.stats import Estimate, mean_interval, sign_flip_test

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ludus.games.worm.training import Session

__all__ = ["CONTROLS", "REAL", "PairedFigure", "WiringResult", "compare_pairs", "compare_wiring"]

REAL = "connectome-ppo"
CONTROLS: Mapping[str, str] = {
    "connectome-rewired-ppo": "the wiring",
    "connectome-signs-ppo": "which connections inhibit",
}
"""The controls of the connectome, and what each has left to chance."""

FIGURES: Mapping[str, Callable[[Training], float]] = {
    "score of a training": lambda training: fsum(training.parts.values()),
    "success": lambda training: training.success_rate,
    "efficiency": lambda training: training.distance_efficiency,
    "learning speed": lambda training: training.learning_speed,
}
"""What is compared, the figure of the verdict first."""

FEWEST = 3


@dataclass(frozen=True)
class PairedFigure:
    """A figure of the connectome beside that of a control, training by training.

    Attributes:
        control: The control's name.
        figure: What is compared.
        real: The connectome's value in each training.
        null: The control's, in the same worlds.
        difference: The mean of the connectome's values less the control's, with its interval.
        p: How likely a difference as large is if neither is better (sign-flip test).
    """

    control: str
    figure: str
    real: tuple[float, ...]
    null: tuple[float, ...]
    difference: Estimate
    p: float

    @property
    def differences(self) -> list[float]:
        """What the connectome has more than its control in each training."""
        return [ours - theirs for ours, theirs in zip(self.real, self.null, strict=True)]

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return not self.difference.low <= 0 <= self.difference.high

    def describe(self) -> str:
        """Return the verdict as a sentence."""
        low, value, high = (
            f"{end:+.3f}"
            for end in (self.difference.low, self.difference.value, self.difference.high)
        )
        what = CONTROLS.get(self.control, self.control)
        found = f"{value} [{low}, {high}] over {len(self.real)} pairs"
        if not self.is_clear:
            return (
                f"Does {what} matter? Not distinguishable: the connectome's {self.figure} "
                f"differs from {self.control} by {found}."
            )
        better = "more" if self.difference.value > 0 else "less"
        return f"Does {what} matter? It does: the connectome has {better}, {found}."


def compare_pairs(control: str, figure: str, pairs: Sequence[tuple[float, float]]) -> PairedFigure:
    """Compare the connectome with a control.

    Args:
        control: The control's name.
        figure: What is compared.
        pairs: The connectome's value and the control's, training by training.

    Raises:
        OptionError: There are fewer than three pairs.
    """
    _check_number_of_pairs(len(pairs))
    real, null = zip(*pairs, strict=True)
    differences = [ours - theirs for ours, theirs in pairs]
    estimate = mean_interval(differences, 0.95, "t")
    if estimate.low != estimate.low:  # all pairs differ by the same
        estimate = estimate._replace(low=estimate.value, high=estimate.value)
    return PairedFigure(control, figure, real, null, estimate, sign_flip_test(differences))


@dataclass(eq=False, repr=False)
class WiringResult(Result):
    """The connectome beside its controls.

    Attributes:
        title: What was trained.
        figures: What was compared, control by control.
    """

    title: str
    figures: list[PairedFigure]

    @property
    def verdicts(self) -> list[str]:
        """A sentence for each control."""
        return [one.describe() for one in self.figures if one.figure == next(iter(FIGURES))]

    @property
    def view(self) -> TableView:
        """The table."""
        return TableView(
            title=self.title,
            headings=["control", "figure", "real", "null", "difference", "95 % interval", "p"],
            rows=[
                _row(one, above)
                for one, above in zip(self.figures, [None, *self.figures[:-1]], strict=True)
            ],
            left=(0, 1),
            fold=(1,),
            caption="Mean paired difference over trainings in the same worlds, Student's interval; "
            "p of the sign-flip test. The score of a training is without stability: at most 0.9.",
            notes=self.verdicts,
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return every pair as plain values."""
        return [
            {
                "control": one.control,
                "figure": one.figure,
                "training": number,
                "real": ours,
                "null": theirs,
                "difference": ours - theirs,
                "mean_difference": one.difference.value,
                "low": one.difference.low,
                "high": one.difference.high,
                "p": one.p,
            }
            for one in self.figures
            for number, (ours, theirs) in enumerate(zip(one.real, one.null, strict=True))
        ]

    def _draw(self, style: str) -> Figure:
        names = {f"{_short(one.control)}: {one.figure}": one for one in self.figures}
        return draw_estimates(
            {name: one.difference for name, one in names.items()},
            title=f"Does the wiring matter? {self.title}",
            axis="connectome less control",
            notes=[
                "dots: pairs of trainings in the same worlds",
                "diamond and bar: mean difference and its 95 % interval",
                "dashes: no difference",
            ],
            points={name: one.differences for name, one in names.items()},
            line=0.0,
            style=style,
        )


def _short(control: str) -> str:
    return control.removeprefix("connectome-").removesuffix("-ppo")


def _row(one: PairedFigure, above: PairedFigure | None) -> list[str]:
    mean_of = [f"{fsum(values) / len(values):.3f}" for values in (one.real, one.null)]
    name = "" if above and above.control == one.control else _short(one.control)
    low, high = one.difference.low, one.difference.high
    interval = f"[{low:+.3f}, {high:+.3f}]" if low < high else "all pairs equal"
    return [name, one.figure, *mean_of, f"{one.difference.value:+.3f}", interval, f"{one.p:.2f}"]


def compare_wiring(controls: Sequence[str] = (), plan: SideBySide | None = None) -> WiringResult:
    """Train the connectome and its controls in the same worlds and compare them in pairs.

    Every training of a control has a network of its own.

    Args:
        controls: Names of :data:`CONTROLS`; all of them if empty.
        plan: On which task and how long; ten trainings of the headline task if None.

    Raises:
        OptionError: An option is wrong, or the folder holds other trainings.
        MissingExtra: JAX is not installed.
    """
    unknown = next((name for name in controls if name not in CONTROLS), None)
    if unknown is not None:
        raise OptionError(f"no control {unknown!r}; there are {', '.join(CONTROLS)}")
    chosen = list(controls) or list(CONTROLS)
    plan = plan or SideBySide(trainings=10, out="runs/wiring")
    _check_number_of_pairs(plan.trainings)
    sessions = plan.train([REAL, *chosen])
    figures = [
        compare_pairs(control, name, _pairs(sessions[REAL], sessions[control], value))
        for control in chosen
        for name, value in FIGURES.items()
    ]
    return WiringResult(plan.title, figures)


def _check_number_of_pairs(pairs: int) -> None:
    if pairs < FEWEST:
        raise OptionError(f"{pairs} trainings are too few to compare: give {FEWEST} or more")


def _pairs(
    real: Sequence[Session], null: Sequence[Session], value: Callable[[Training], float]
) -> list[tuple[float, float]]:
    return [
        (value(assess_own_length(ours)), value(assess_own_length(theirs)))
        for ours, theirs in zip(real, null, strict=True)
    ]
