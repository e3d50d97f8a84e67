"""``ludus.level``: levels of the platformer, found, made and looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.api.result import Result
from ludus.errors import OptionError
from ludus.games.media.png import png_bytes
from ludus.games.platformer.formats import encode_level, write_level
from ludus.games.platformer.generators import load, names
from ludus.games.platformer.level_names import find_level
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.metrics import Description, describe
from ludus.games.platformer.levels.solver import BUDGET, SolverResult
from ludus.games.platformer.levels.solver import solve as solve_level
from ludus.games.platformer.pictures import level_picture
from ludus.reports.notebook import Film
from ludus.reports.pictures import draw_picture
from ludus.reports.tables import TableView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["LevelResult", "level"]


@dataclass(eq=False, repr=False)
class LevelResult(Result):
    """A level and its figures.

    Attributes:
        name: What it is called.
        level: The level.
    """

    name: str
    level: Level

    @cached_property
    def description(self) -> Description:
        """The counts and measures of the level."""
        return describe(self.level)

    def solve(self, budget: int = BUDGET) -> SolverResult:
        """Search for a way through the level and return the solver's result.

        Args:
            budget: Nodes to search before giving up.
        """
        return solve_level(self.level, budget=budget)

    def save(self, path: str | Path) -> Path:
        """Write the level in the format that the path's suffix names.

        Raises:
            OptionError: There is no such format, or the file cannot be written.
        """
        write_level(Path(path), self.level)
        return Path(path)

    @property
    def view(self) -> TableView:
        """The figures."""
        values = asdict(self.description)
        creatures = values.pop("creatures")
        rows = [[name.replace("_", " "), str(count)] for name, count in creatures.items()]
        rows += [
            [name.replace("_", " "), f"{value:.3f}" if isinstance(value, float) else str(value)]
            for name, value in values.items()
            if value is not None
        ]
        return TableView(self.name, ["figure", "value"], rows, left=(0,))

    @property
    def text(self) -> str:
        """The level as a text file holds it."""
        return encode_level(self.level, "text")

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the figures as plain values, one object."""
        return [{"level": self.name, **asdict(self.description)}]

    def _films(self) -> Sequence[Film]:
        return (Film("image/png", png_bytes(level_picture(self.level)), self.name, wide=True),)

    def _draw(self, style: str) -> Figure:
        return draw_picture(level_picture(self.level), self.name, style)


def level(source: str | Level, **options: Any) -> LevelResult:
    """Find a level, or make one with a generator.

    Args:
        source: A file, a bundled level (``sprint-01``), a level of the campaign (``1-1``), a
            generator (``notch-framework``, ``file.py:function``), an address
            (``ludus?difficulty=3&seed=7``), or a level.
        **options: The generator's options, such as ``seed=7, difficulty=3``.

    Raises:
        LevelError: The file is no level.
        OptionError: There is no such level, or an option is not one of the generator's, or is out
            of range.

    Example:
        >>> import ludus
        >>> ludus.level("tunable-2010", seed=7, difficulty=3).level.height
        15
    """
    if isinstance(source, Level):
        return LevelResult("level", source)
    if source in names() or ".py:" in source:
        generated = load(source)(**options)
        words = " ".join(f"{name}={value}" for name, value in options.items())
        return LevelResult(f"{source} {words}".strip(), generated)
    if options:
        raise OptionError(
            f"{source!r} is no generator, so it has no option {next(iter(options))!r}"
        )
    return LevelResult(source, find_level(source))
