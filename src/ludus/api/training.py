"""``ludus.train``: from a benchmark to agents that play it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.api.result import Result
from ludus.benchmarks.families import families, family_of, family_of_folder
from ludus.benchmarks.family import Family, import_attribute
from ludus.errors import OptionError
from ludus.reports.notebook import Film
from ludus.reports.tables import TableView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["TrainingResult", "find_training_family", "train"]


@dataclass(eq=False, repr=False)
class TrainingResult(Result):
    """The outcome of a training: its agents and their figures.

    Attributes:
        folder: The folder with all files of the training.
        benchmark: What the trained agents play.
        agents: Their files, which can be raced like any agent.
        rows: The figures as plain values.
        table: The figures as a table.
        draw: Draws the learning curve in a style.
        outcome: What the trainer returned.
        next_commands: What can be done with it: a few words and a command each.
    """

    folder: Path
    benchmark: str
    agents: list[str]
    rows: list[dict[str, Any]]
    table: TableView
    draw: Callable[[str], Figure] = field(repr=False)
    outcome: Any = None
    next_commands: list[tuple[str, str]] = field(default_factory=list)

    @property
    def view(self) -> TableView:
        """The figures."""
        return self.table

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the figures as plain values."""
        return self.rows

    def _draw(self, style: str) -> Figure:
        return self.draw(style)

    def _films(self) -> Sequence[Film]:
        curve = self.folder / "curve-light.png"
        if not curve.is_file():
            return ()
        return (Film("image/png", curve.read_bytes(), "the learning curve"),)


def train(
    benchmark: str | None = None, *, resume: str | Path | None = None, **options: Any
) -> TrainingResult:
    """Train agents for a benchmark; they can be raced like any other agent.

    Args:
        benchmark: The benchmark's id, such as ``mario-arena/1-1`` or ``nematode/foraging-small``.
        resume: A folder, instead of a benchmark: the training in it is brought to its end.
        **options: The options of the family, as ``ludus train BENCHMARK --help`` lists them:
            ``steps=100_000``, ``seed=1``, ``out="runs/mine"``, ``brain="mlp-ppo"``.

    Raises:
        OptionError: It cannot be trained for, or an option is unknown or out of range.
        MissingExtra: JAX is not installed.

    Example:
        ``ludus.train("mario-arena/1-1", steps=100_000).agents``
    """
    family = find_training_family(benchmark, resume)
    trainer = import_attribute(family.trainer)
    result: TrainingResult = trainer(benchmark, resume=resume, **options)
    return result


def find_training_family(benchmark: str | None, folder: str | Path | None) -> Family:
    """Return the family that trains for a benchmark, or whose training a folder holds.

    Raises:
        OptionError: Neither or both are named, or there is none.
    """
    training = {name: family for name, family in families().items() if family.train}
    if benchmark is not None and folder is not None:
        raise OptionError(
            f"the training in {str(folder)!r} knows what it is for: leave {benchmark!r} out"
        )
    if benchmark is None and folder is None:
        example = next(iter(training.values())).training_example
        raise OptionError(f"name a benchmark, such as {example}, or a folder with --resume")
    family = family_of(benchmark or "") if folder is None else family_of_folder(folder)
    if family is None and folder is not None:
        raise OptionError(f"{str(folder)!r} holds no training to resume")
    if family is None or family.name not in training:
        raise OptionError(f"{benchmark!r} cannot be trained for: there is {', '.join(training)}")
    return family
