"""What is trained on what: decided before the first step, and written down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, is_dataclass
from functools import cached_property
from typing import Any

from ludus.agents.worm.brains import Brain
from ludus.errors import OptionError
from ludus.games.worm import Task, find_task
from ludus.games.worm.training import training_seed
from ludus.learning.worm.learners.learner import Learner
from ludus.learning.worm.loading import PlainBrain, load_brain

__all__ = ["Plan"]

MOST_TRAININGS = 10_000


@dataclass(frozen=True)
class Plan:
    """All trainings of a folder; the same plan gives the same result, however it is split.

    Attributes:
        task: The task's spec.
        brain: The brain's name or spec.
        trainings: How many brains are trained, each from its own beginning.
        episodes: How many episodes each has.
        seed: What all their seeds are made from.
        settings: Settings of brain and learner that are to be others.
        evaluation: Episodes, unseen and without exploration, after a training.
        engine: The rules of the world, such as ``worm@1``.
        version: The version of Ludus.
    """

    task: str
    brain: str
    trainings: int
    episodes: int
    seed: int
    settings: Mapping[str, Any]
    evaluation: int
    engine: str
    version: str

    def __post_init__(self) -> None:
        if not 1 <= self.trainings <= MOST_TRAININGS:
            raise OptionError(
                f"{self.trainings} trainings: give from 1 to {MOST_TRAININGS:,} of them"
            )
        if self.episodes < 1:
            raise OptionError(f"{self.episodes} episodes are too few: give 1 or more")
        if self.evaluation < 0:
            raise OptionError(f"{self.evaluation} episodes of evaluation: give 0 or more")
        if not 0 <= self.seed < 2**32:
            raise OptionError(f"seed {self.seed} is not from 0 to {2**32 - 1}")

    @cached_property
    def world(self) -> Task:
        """The task that the spec names."""
        return find_task(self.task)

    @cached_property
    def loaded(self) -> tuple[Brain, Learner] | type[PlainBrain]:
        """The brain and its learner, or the class of one that learns by itself."""
        return load_brain(self.brain, float(self.world.size), self.settings)

    @property
    def name(self) -> str:
        """What tables call the brain."""
        thing = self.loaded if isinstance(self.loaded, type) else self.loaded[0]
        return str(getattr(thing, "name", "") or self.brain.rpartition(":")[2])

    def first_seed(self, training: int) -> int:
        """Return the seed of a training's first world."""
        return training_seed(self.world.name, self.seed, training)

    def config(self) -> dict[str, Any]:
        """Return every hyper-parameter as plain values."""
        if isinstance(self.loaded, type):
            return {"brain": {"kind": self.name}, "learner": {"kind": "its own"}}
        brain, learner = self.loaded
        parts = {"brain": _plain(brain), "learner": _plain(learner)}
        config: dict[str, Any] = json.loads(json.dumps(parts))
        return config

    def to_json(self) -> str:
        """Return the plan as JSON."""
        return json.dumps(asdict(self), indent=2, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Return the plan that :meth:`to_json` wrote.

        Raises:
            OptionError: The text is none.
        """
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise OptionError(f"not the plan of a training: {error}") from None


def _plain(thing: Any) -> dict[str, Any]:
    values = asdict(thing) if is_dataclass(thing) and not isinstance(thing, type) else {}
    return {"kind": type(thing).__name__.lower(), **values}
