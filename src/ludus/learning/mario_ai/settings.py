"""What is trained, and how: plain values that a folder keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from ludus.errors import OptionError
from ludus.field_kinds import check_kinds
from ludus.learning.mario_ai.levels import check_track
from ludus.learning.mario_ai.practice import player_class
from ludus.learning.setting import parse_setting
from ludus.seeds import check_seed

__all__ = ["FAMILY", "Curriculum"]

FAMILY = "mario-ai"
MOST = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Curriculum:
    """All that decides how a training goes; equal ones come to equal players.

    Attributes:
        benchmark: What the player is to be good at.
        method: The registered name of the player.
        rounds: How often candidates are asked for.
        levels: Levels that each candidate plays in a round; all of a round play the same.
        seed: What all chance of the training is made from.
        evaluate_every: Rounds between two evaluations.
        evaluation_levels: Levels of an evaluation.
        settings: Those of the method.
    """

    benchmark: str
    method: str
    rounds: int
    levels: int
    seed: int = 0
    evaluate_every: int = 5
    evaluation_levels: int = 20
    settings: Any

    def __post_init__(self) -> None:
        check_track(self.benchmark)
        for name in ("rounds", "levels", "evaluate_every", "evaluation_levels"):
            if not 1 <= getattr(self, name) <= MOST:
                raise OptionError(f"{name} {getattr(self, name):,} is not from 1 to {MOST:,}")
        check_seed(self.seed)

    @classmethod
    def for_method(
        cls, benchmark: str, method: str, changes: Mapping[str, Any] | None = None, **options: Any
    ) -> Curriculum:
        """Return a method's usual curriculum; options that are None stay as usual.

        Args:
            benchmark: What the player is to be good at.
            method: The registered name of the player.
            changes: Settings of the method that are to be others.
            **options: Fields of the curriculum that are to be others.

        Raises:
            OptionError: There is no such method or setting, or a value is out of range.
        """
        kind = player_class(method)
        usual = kind.training_settings()
        known = {field.name: getattr(usual, field.name) for field in fields(usual)}
        unknown = next((name for name in changes or {} if name not in known), None)
        if unknown is not None:
            raise OptionError(f"no setting {unknown!r}: there are {', '.join(known)}")
        parsed = {
            name: parse_setting(name, value, known[name]) for name, value in (changes or {}).items()
        }
        chosen = {"rounds": kind.rounds, "levels": kind.levels}
        chosen |= {name: value for name, value in options.items() if value is not None}
        return cls(benchmark=benchmark, method=method, settings=replace(usual, **parsed), **chosen)

    @property
    def track(self) -> str:
        """The name of the track."""
        return check_track(self.benchmark)

    def to_dict(self) -> dict[str, Any]:
        """Return the curriculum as plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Curriculum:
        """Return the curriculum that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one.
        """
        try:
            check_kinds(cls, values)
            usual = player_class(values["method"]).training_settings()
            check_kinds(type(usual), values["settings"])
            return cls(**{**values, "settings": type(usual)(**values["settings"])})
        except (KeyError, TypeError, AttributeError) as error:
            raise OptionError(f"these are no settings of a training: {error}") from None
