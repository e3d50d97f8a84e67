"""Tasks: what an agent is shown of a level, what it is paid, and what its play is worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias

from ludus.errors import OptionError, one_line
from ludus.field_kinds import check_kinds
from ludus.games.platformer.tasks.figures import EVALUATIONS, Figures

__all__ = ["DEFAULT_TASK", "GRIDS", "KINDS", "Noise", "ReceptiveField", "Task"]

Grid: TypeAlias = Literal["scene", "enemies", "merged"]

GRIDS: tuple[Grid, ...] = ("scene", "enemies", "merged")
KINDS = (*GRIDS, "positions", "state", "picture")
"""What an agent can be shown: grids, places of creatures, Mario's state, the screen."""

MOST_CELLS = 128
MOST_JITTER = 1000.0
MOST_ATTEMPTS = 1_000_000
DETAILS = (0, 1, 2)

Detail: TypeAlias = int | tuple[int, int]


def _pair(value: Any) -> tuple[int, int] | None:
    """Return two whole numbers, one number twice, or None."""
    both = (value, value) if type(value) is int else value
    if not isinstance(both, list | tuple) or [type(one) for one in both] != [int, int]:
        return None
    return both[0], both[1]


@dataclass(frozen=True, slots=True)
class ReceptiveField:
    """The cells around Mario that a grid shows, and how finely it tells them apart.

    Attributes:
        size: Columns and rows; Mario is at ``[columns // 2][rows // 2]``.
        detail: 0 tells everything apart, 1 groups alike things, 2 tells something from nothing. A
            merged grid has two: one for blocks, one for creatures.

    Example:
        >>> ReceptiveField((19, 19), 2).to_dict()
        {'size': [19, 19], 'detail': 2}
    """

    size: tuple[int, int] = (16, 16)
    detail: Detail = 1

    def __post_init__(self) -> None:
        pair = _pair(self.size)
        if pair is None or not all(1 <= side <= MOST_CELLS for side in pair):
            raise OptionError(
                f"a field of {self.size!r:.40} cells: give columns and rows from 1 to {MOST_CELLS}"
            )
        object.__setattr__(self, "size", pair)
        details = _pair(self.detail) if isinstance(self.detail, list | tuple) else (self.detail,)
        if details is None or not all(type(one) is int and one in DETAILS for one in details):
            raise OptionError(f"detail {self.detail!r:.40} is not 0, 1, 2 or a pair of them")
        object.__setattr__(self, "detail", details if len(details) == 2 else details[0])

    def to_dict(self) -> dict[str, Any]:
        """Return the field as plain values."""
        detail = list(self.detail) if isinstance(self.detail, tuple) else self.detail
        return {"size": list(self.size), "detail": detail}


@dataclass(frozen=True, slots=True)
class Noise:
    """What is wrong with an agent's senses; it is drawn anew in every tick, from a seed.

    A cell of a tick is wrong in all grids alike, so that looking twice does not help.

    Attributes:
        drop: The share of cells that show nothing.
        flip: The share of cells that show nothing where something is, and something where
            nothing is.
        jitter: How many pixels places of creatures and of Mario can be off, each way.
    """

    drop: float = 0.0
    flip: float = 0.0
    jitter: float = 0.0

    def __post_init__(self) -> None:
        if min(self.drop, self.flip) < 0 or not self.drop + self.flip <= 1:
            raise OptionError(
                f"drop {self.drop!r:.20} and flip {self.flip!r:.20} are shares: "
                "give 0 to 1, and at most 1 together"
            )
        if not 0 <= self.jitter <= MOST_JITTER or not math.isfinite(self.jitter):
            raise OptionError(f"jitter {self.jitter!r:.20} is not 0 to {MOST_JITTER:g} pixels")

    def __bool__(self) -> bool:
        return self != Noise()

    def to_dict(self) -> dict[str, float]:
        """Return the noise as plain values."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Task:
    """What an agent is asked to do, fixed before it plays.

    A task with a forward model shows the whole game: a copy of it can be looked at from all sides.
    So a task that hides something offers none, and gives its agents plain values.

    Attributes:
        kinds: What the agent is shown, of :data:`KINDS`; a picture only if it is asked for here
            or the forward model is offered.
        scene: The field of blocks.
        enemies: The field of creatures.
        merged: The field of both.
        noise: What is wrong with the senses.
        reward: Whether the agent is told what it is paid in every tick.
        evaluation: What a play is worth: ``distance``, ``basic``, ``weighted-2010``, or a function
            of the play's figures by name.
        attempts: How often :func:`~ludus.games.platformer.tasks.environment.evaluate` plays each
            level; the mean counts. An episode of a run is one attempt.
        forward_model: Whether the agent may play ahead on a copy of the game.

    Example:
        >>> task = Task(kinds=("merged", "state"), noise=Noise(drop=0.1), forward_model=False)
        >>> Task.from_dict(task.to_dict()) == task
        True
        >>> Task(noise=Noise(drop=0.1))
        Traceback (most recent call last):
        ludus.errors.OptionError: a forward model undoes noise: give forward_model=False
    """

    kinds: tuple[str, ...] = KINDS[:-1]
    scene: ReceptiveField = ReceptiveField(detail=1)
    enemies: ReceptiveField = ReceptiveField(detail=0)
    merged: ReceptiveField = ReceptiveField(detail=(1, 0))
    noise: Noise = Noise()
    reward: bool = False
    evaluation: str | Callable[[Figures], float] = "distance"
    attempts: int = 1
    forward_model: bool = True

    def __post_init__(self) -> None:
        self._check_kinds()
        self._check_fields()
        if not callable(self.evaluation) and self.evaluation not in EVALUATIONS:
            raise OptionError(
                f"no evaluation {self.evaluation!r:.40}; there are {', '.join(EVALUATIONS)}, "
                "or give a function"
            )
        if not 1 <= self.attempts <= MOST_ATTEMPTS:
            raise OptionError(f"{self.attempts} attempts: give 1 to {MOST_ATTEMPTS:,}")
        if self.noise and "picture" in self.kinds:
            raise OptionError("a picture undoes noise: leave 'picture' out of the kinds")
        if self.forward_model:
            self._check_nothing_hidden()

    def _check_kinds(self) -> None:
        unknown = [kind for kind in self.kinds if kind not in KINDS]
        if unknown:
            raise OptionError(f"no kind {unknown[0]!r:.40}; there are {', '.join(KINDS)}")
        object.__setattr__(self, "kinds", tuple(kind for kind in KINDS if kind in self.kinds))

    def _check_fields(self) -> None:
        for kind in GRIDS:
            two = isinstance(getattr(self, kind).detail, tuple)
            if two != (kind == "merged"):
                wanted = "two details, of blocks and creatures" if not two else "one detail"
                raise OptionError(f"the field {kind!r} has {wanted}")

    def _check_nothing_hidden(self) -> None:
        if self.noise:
            raise OptionError("a forward model undoes noise: give forward_model=False")
        hidden = [kind for kind in KINDS[:-1] if kind not in self.kinds]
        if hidden:
            raise OptionError(
                f"a forward model shows {', '.join(hidden)}: give forward_model=False"
            )

    def evaluate(self, figures: Figures) -> float:
        """Return what a play with these figures is worth."""
        rule = self.evaluation
        return EVALUATIONS[rule](figures) if isinstance(rule, str) else rule(figures)

    def to_dict(self) -> dict[str, Any]:
        """Return the task as plain values; fields at their defaults are left out.

        Raises:
            OptionError: A function evaluates it, which no file can hold.
        """
        if not isinstance(self.evaluation, str):
            raise OptionError(
                "a function of yours evaluates the task, which no file can hold: "
                f"name one of {', '.join(EVALUATIONS)}"
            )
        changed = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }
        return {name: _to_plain(value) for name, value in changed.items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Task:
        """Return the task that :meth:`to_dict` described.

        Raises:
            OptionError: The values describe none.
        """
        try:
            check_kinds(cls, values)
            read = {name: _FIELDS.get(name, _as_it_is)(value) for name, value in values.items()}
            if not isinstance(read.get("evaluation", ""), str):
                raise TypeError(f"'evaluation' is {read['evaluation']!r:.60}")
            return cls(**read)
        except (TypeError, ValueError) as error:
            raise OptionError(f"not a task: {one_line(error)}") from None


def _to_plain(value: Any) -> Any:
    if isinstance(value, ReceptiveField | Noise):
        return value.to_dict()
    return list(value) if isinstance(value, tuple) else value


def _read_field(values: Any) -> ReceptiveField:
    if not isinstance(values, Mapping):
        raise TypeError(f"{values!r:.60} is no field")
    return ReceptiveField(**values)


def _read_noise(values: Any) -> Noise:
    check_kinds(Noise, values)
    return Noise(**values)


def _as_it_is(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


_FIELDS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(GRIDS, _read_field),
    "noise": _read_noise,
}

DEFAULT_TASK = Task()
"""The whole game, with a forward model, played for distance."""
