"""What is trained on what: decided before the first step, and written down."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ludus.agents.worm.brains import Brain, settings_to_dict
from ludus.errors import OptionError
from ludus.field_kinds import check_kinds
from ludus.games.rules import check_rules, recorded_rules
from ludus.games.worm import FIRST_RULES, RULES, Task, find_task
from ludus.games.worm.training import Declaration, training_seed
from ludus.games.worm.training.session import MOST_EPISODES
from ludus.learning.worm.code_file import describe_code
from ludus.learning.worm.loading import SelfLearner, load_brain
from ludus.seeds import check_seed

if TYPE_CHECKING:
    from ludus.learning.worm.learners.learner import Learner

__all__ = ["JAX_ALONE", "NATIVE", "OWN", "WORLDS", "Experiment"]

MOST_TRAININGS = 10_000
OLDER_FIELDS = ("engine", "version")

OWN, WORLDS = BRAIN_SEEDS = ("own", "worlds")
"""Where the chance of the catalogue's brains begins: at a seed that belongs to the brain alone, or,
in trainings of earlier versions, at the number of the training's first world."""

JAX_ALONE, NATIVE = TRAINING_VERSIONS = (1, 2)
"""How trainings go: all brains learn with JAX, or native code trains those that it can train. The
two round otherwise and draw other chance, so that a training of one is not that of the other."""


@dataclass(frozen=True)
class Experiment:
    """All trainings of a folder; an equal one gives equal results, however it is split.

    Attributes:
        task: The task's spec.
        brain: The brain's name or spec.
        trainings: How many brains are trained, each from its own beginning.
        episodes: How many episodes each has.
        seed: What all their seeds are made from.
        settings: Settings of brain and learner that are to be others.
        evaluation: Episodes, unseen and without exploration, after a training.
        rules: The rule set of the world.
        brain_seeds: Whether brains of the catalogue have seeds of their own, or older ones.
        training_version: How trainings go: 1 with JAX alone, 2 in native code where it can.
    """

    task: str
    brain: str
    trainings: int
    episodes: int
    seed: int
    settings: Mapping[str, Any]
    evaluation: int
    rules: str = RULES
    brain_seeds: str = OWN
    training_version: int = NATIVE

    def __post_init__(self) -> None:
        if not 1 <= self.trainings <= MOST_TRAININGS:
            raise OptionError(
                f"{self.trainings} trainings: give from 1 to {MOST_TRAININGS:,} of them"
            )
        if self.episodes < 1:
            raise OptionError(f"{self.episodes} episodes are too few: give 1 or more")
        if self.evaluation < 0:
            raise OptionError(f"{self.evaluation} episodes of evaluation: give 0 or more")
        if (longest := max(self.episodes, self.evaluation)) > MOST_EPISODES:
            raise OptionError(
                f"{longest:,} episodes are too many for a training: give {MOST_EPISODES:,} at most"
            )
        if self.brain_seeds not in BRAIN_SEEDS:
            raise OptionError(f"brain_seeds is {self.brain_seeds!r}: own or worlds")
        if self.training_version not in TRAINING_VERSIONS:
            raise OptionError(
                f"training_version is {self.training_version!r}: this release trains as 1 and 2 "
                "do; take the release that the training was made with"
            )
        check_seed(self.seed)

    @cached_property
    def world(self) -> Task:
        """The task that the spec names."""
        return find_task(self.task)

    @cached_property
    def trainable(self) -> tuple[Brain, Learner] | type[SelfLearner]:
        """The brain and its learner, or the class of one that learns by itself."""
        return load_brain(self.brain, float(self.world.size), self.settings)

    @property
    def name(self) -> str:
        """What tables call the brain."""
        kind = self.trainable if isinstance(self.trainable, type) else self.trainable[0]
        return str(getattr(kind, "name", "") or self.brain.rpartition(":")[2])

    @property
    def declaration(self) -> Declaration:
        """Whether the brain learns, and what it had learned before."""
        if isinstance(self.trainable, type):
            return Declaration(learning=True)
        from ludus.learning.worm.learners.learner import Greedy

        learner = self.trainable[1]
        if isinstance(learner, Greedy):
            return Declaration(False, learner.pretrained, learner.pretraining_steps)
        return Declaration(learning=True)

    def describe(self) -> str:
        """Return a line on what is trained."""
        count = f"{self.trainings} training{'s' * (self.trainings != 1)}"
        length = f"{self.episodes} episode{'s' * (self.episodes != 1)}"
        return f"{self.name} on {self.task}: {count} of {length}, seed {self.seed}"

    def check(self) -> None:
        """Make sure that the trainings can be played here.

        Raises:
            AgentError: There is no such brain.
            OptionError: A setting is wrong, or the task is no grid.
            RunError: The world has other rules here.
        """
        check_rules(self.rules, RULES)
        if self.world.substrate != "grid":
            raise OptionError(f"{self.world.id} is no grid: brains are trained on grids only")
        load_brain(self.brain, float(self.world.size), self.settings)

    @property
    def is_native(self) -> bool:
        """Whether native code trains the brain."""
        if self.training_version != NATIVE or self._is_code or isinstance(self.trainable, type):
            return False
        from ludus.learning.worm.native_trainings import learns_natively

        return learns_natively(*self.trainable)

    @property
    def _is_code(self) -> bool:
        """Whether the brain is code of somebody's own, not one of the catalogue."""
        return ":" in self.brain

    def first_seed(self, training: int) -> int:
        """Return the seed of a training's first world."""
        return training_seed(self.world.name, self.seed, training)

    def brain_seed(self, training: int) -> int:
        """Return the seed of the brain's own chance, which is none of its worlds' seeds."""
        if self.brain_seeds == WORLDS and not self._is_code:
            return self.first_seed(training)
        text = f"brain of {self.world.name} {self.seed} {training}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")

    def config(self) -> dict[str, Any]:
        """Return every hyper-parameter as plain values."""
        more: dict[str, Any] = {"code": describe_code(self.brain)} if self._is_code else {}
        if isinstance(self.trainable, type):
            return {"brain": {"kind": self.name}, "learner": {"kind": "its own"}, **more}
        if not self._is_code and self.brain_seeds == OWN:
            more = {"brain_seeds": OWN}  # older trainings had no such line
        if self.is_native:
            more["training_version"] = self.training_version  # likewise
        brain, learner = self.trainable
        parts = {"brain": settings_to_dict(brain), "learner": settings_to_dict(learner), **more}
        config: dict[str, Any] = json.loads(json.dumps(parts))
        return config

    def to_dict(self) -> dict[str, Any]:
        """Return the experiment as plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Experiment:
        """Return the experiment that :meth:`to_dict` described.

        Raises:
            OptionError: The values describe none.
        """
        known = {name: value for name, value in values.items() if name not in OLDER_FIELDS}
        if "engine" in values:  # of before rules had versions
            known["rules"] = recorded_rules(str(values["engine"]), FIRST_RULES)
        known.setdefault("brain_seeds", WORLDS)  # of before brains had seeds of their own
        known.setdefault("training_version", JAX_ALONE)
        try:
            check_kinds(cls, known)
            if not isinstance(known.get("settings"), dict):
                raise TypeError("'settings' is no object of fields by name")
            return cls(**known)
        except TypeError as error:
            raise OptionError(f"these are no settings of a training: {error}") from None
