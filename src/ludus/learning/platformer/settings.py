"""What is trained, and how: plain values that a folder keeps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, TypeVar

from ludus.agents.platformer.policy import OBSERVATIONS
from ludus.errors import OptionError, show_value
from ludus.field_kinds import check_kinds
from ludus.games.platformer._native import SIGHT_SIDE
from ludus.games.platformer.arena.levels import (
    generated_stage,
    is_address,
    stage_seed,
    unseen_stage,
)
from ludus.games.platformer.levels.campaign import STAGES
from ludus.learning.platformer.ranges import check_ranges
from ludus.learning.setting import parse_setting
from ludus.seeds import check_seed

__all__ = [
    "ALGORITHMS",
    "FAMILY",
    "Course",
    "Evolution",
    "Ppo",
    "benchmark_to_play",
    "stages_of",
]

FAMILY = "mario-arena"
ALL = ("all", "full-game")
UNSEEN = "unseen"


@dataclass(frozen=True, kw_only=True)
class Reward:
    """What a decision pays while learning; scores know nothing of it.

    Attributes:
        progress: Per tile further than ever before in this game.
        win: Once, for reaching the exit.
        loss: Once, for dying, running out of time or being given up.
        decision: For every decision.
        patience: Decisions without progress after which a game is given up.
        retry: The probability that a lost game is tried again from shortly before its end.
    """

    progress: float = 0.04
    win: float = 1.0
    loss: float = -0.4
    decision: float = -0.002
    patience: int = 60
    retry: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Ppo(Reward):
    """The settings of proximal policy optimisation.

    Attributes:
        games: Games played at once, by each seed.
        slots: Decisions of each game between two updates.
        epochs: How often an update goes over what was played.
        minibatches: Into how many parts it cuts it.
        gamma: What a reward is worth a decision earlier.
        trace: The λ of generalised advantage estimation.
        rate: The step size of Adam at the start; it falls in a line to a twentieth.
        clip: How far the new policy may move the odds of an action.
        entropy: The weight of the policy's entropy at the start; it falls in a line to a tenth.
        value: The weight of the value's squared error.
        longest: The most that gradients may measure together.
        hidden: The sizes of the dense layers.
        channels: The channels of the convolutions, none for fields.
        strides: Their strides.
    """

    games: int = 256
    slots: int = 32
    epochs: int = 4
    minibatches: int = 4
    gamma: float = 0.99
    trace: float = 0.95
    rate: float = 1e-3
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    longest: float = 0.5
    hidden: tuple[int, ...] = (64, 64)
    channels: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()

    @classmethod
    def for_pixels(cls) -> Ppo:
        """Return the settings that learn from pixels."""
        return cls(rate=7e-4, epochs=3, hidden=(128,), channels=(24, 32), strides=(8, 2))


@dataclass(frozen=True, kw_only=True)
class Evolution(Reward):
    """The settings of the evolution strategy.

    Attributes:
        members: Networks tried in a generation, in mirrored pairs.
        games: Games that each of them plays; all play the same.
        spread: How far members lie from their parent.
        rate: The step size of Adam.
        decay: The share of the parent's weights that goes in every generation.
        hidden: The sizes of the dense layers.
        channels: The channels of the convolutions, none for fields.
        strides: Their strides.
    """

    members: int = 96
    games: int = 8
    spread: float = 0.05
    rate: float = 0.02
    decay: float = 0.002
    hidden: tuple[int, ...] = (32,)
    channels: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()

    @classmethod
    def for_pixels(cls) -> Evolution:
        """Return the settings that learn from pixels."""
        return cls(channels=(8, 8), strides=(8, 2))


Algorithm = TypeVar("Algorithm", "Ppo", "Evolution")

MOST_STEPS = 10**11
COUNTS = {
    "steps": MOST_STEPS, "seeds": 10_000, "levels": 100_000, "evaluate_every": MOST_STEPS,
    "evaluation_episodes": 10_000, "checkpoint_every": MOST_STEPS,
}  # fmt: skip
"""The most that can be asked for: what is larger would not end, or no memory would do."""

LONGEST_NAME = 40
NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}")

ALGORITHMS: dict[str, type[Ppo] | type[Evolution]] = {"ppo": Ppo, "evolution": Evolution}


SIZES = {
    "games": 10_000_000, "slots": 100_000, "epochs": 1_000, "minibatches": 100_000,
    "members": 100_000, "hidden": 4_096, "channels": 1_024, "strides": 64,
}  # fmt: skip
"""Settings that count something, and the most that each can be."""

MOST_LAYERS = 31
"""The most layers below the head."""

MOST_HELD = 2**22
"""The most decisions, or games of members, that a training may hold at once."""


@dataclass(frozen=True, kw_only=True)
class Course:
    """All that decides how a training goes; equal courses on equal machines make equal curves.

    Attributes:
        benchmark: What the policy is to be good at.
        algorithm: ``ppo`` or ``evolution``.
        steps: Decisions that each seed learns from.
        seed: The first seed.
        seeds: How many seeds learn side by side.
        levels: Levels to train on, where they are generated.
        name: What the policies are called, in files and tables; nothing in particular if empty.
        observe: ``fields``, ``wide`` or ``pixels``.
        start: The file of a policy to go on from; none if empty.
        evaluate_every: Decisions between two evaluations.
        evaluation_episodes: Episodes of an evaluation on each level; of generated levels, how many
            held-out ones are played once.
        checkpoint_every: Decisions between two checkpoints.
        settings: Those of the algorithm.
    """

    benchmark: str
    algorithm: str = "ppo"
    steps: int = 1_000_000
    seed: int = 0
    seeds: int = 1
    levels: int = 1000
    name: str = ""
    observe: str = "fields"
    start: str = ""
    evaluate_every: int = 100_000
    evaluation_episodes: int = 100
    checkpoint_every: int = 100_000
    settings: Ppo | Evolution

    def __post_init__(self) -> None:
        stages_of(self.benchmark, 1)
        for name, most in COUNTS.items():
            count = getattr(self, name)
            if type(count) is not int:
                raise OptionError(
                    f"{name} {show_value(count)} is no whole number: give {name}=1000"
                )
            if count < 1:
                raise OptionError(f"{name} {count} is too small: give 1 or more")
            if count > most:
                raise OptionError(f"{name} {count:,} are too many: give {most:,} at most")
        if self.name and not NAME.fullmatch(self.name):
            raise OptionError(
                f"name {self.name[:40]!r} is none for a file: give letters, digits, '.', '_' or "
                f"'-', {LONGEST_NAME} at most"
            )
        if self.start and self.algorithm != "ppo":
            raise OptionError(f"{self.algorithm} goes on from no policy: use ppo, or no start")
        check_seed(self.seed)
        check_ranges(self.settings)
        self._check_size()
        self._check_layers()

    def _check_size(self) -> None:
        """Refuse settings for which no memory would do, before anything is written."""
        of_seed = self.settings
        for name in SIZES:
            sizes = getattr(of_seed, name, 1)
            for size in sizes if isinstance(sizes, tuple) else (sizes,):
                if not 1 <= size <= SIZES[name]:
                    raise OptionError(f"{name} {size:,} is out of range: 1 to {SIZES[name]:,}")
        rounds = of_seed.slots if isinstance(of_seed, Ppo) else of_seed.members
        held = of_seed.games * rounds * self.seeds
        if held > MOST_HELD:
            seeds = f"{self.seeds:,} {'seed' if self.seeds == 1 else 'seeds'}"
            raise OptionError(
                f"games {of_seed.games:,} are too many: with {rounds:,} of each for {seeds} "
                f"they make {held:,} at once, and {MOST_HELD:,} are the most"
            )
        parts = of_seed.minibatches if isinstance(of_seed, Ppo) else 1
        if of_seed.games * rounds % parts:
            raise OptionError(
                f"minibatches {parts:,} are no equal parts of the {of_seed.games * rounds:,} "
                "decisions of a rollout: give a divisor of games × slots"
            )

    def _check_layers(self) -> None:
        """Refuse layers that no network can have."""
        channels, strides = self.settings.channels, self.settings.strides
        if len(channels) != len(strides) or bool(strides) != (self.observe == "pixels"):
            raise OptionError(
                f"channels {_join(channels)} and strides {_join(strides)} are not for "
                f"{self.observe}: give as many of both for pixels, and none for other observations"
            )
        if len(channels) + len(self.settings.hidden) > MOST_LAYERS:
            raise OptionError(f"there are too many layers: give {MOST_LAYERS} at most")
        side = SIGHT_SIDE // strides[0] if strides else 1
        for stride in strides[1:]:
            side = side // stride - 1
        if side < 1:
            words = _join(strides)
            raise OptionError(f"strides {words} leave nothing of a picture: give smaller ones")

    def settings_as(self, kind: type[Algorithm]) -> Algorithm:
        """Return the settings, which must be those of an algorithm.

        Raises:
            OptionError: They are those of another one.
        """
        if not isinstance(self.settings, kind):
            raise OptionError(
                f"settings of {type(self.settings).__name__} are none of {kind.__name__}: "
                f"give those of {self.algorithm}"
            )
        return self.settings

    @property
    def stages(self) -> tuple[str, ...]:
        """The levels."""
        return stages_of(self.benchmark, self.levels)

    @property
    def generated(self) -> bool:
        """Whether the levels are generated; evaluations then play others than the training."""
        return is_generated(self.benchmark)

    @property
    def held_out_stages(self) -> tuple[str, ...]:
        """Levels like those of the training, none of which is among them."""
        return stages_of(self.benchmark, self.evaluation_episodes, "held out")

    def to_dict(self) -> dict[str, Any]:
        """Return the course as plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Course:
        """Return the course that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one.
        """
        try:
            check_kinds(cls, values)
            kind, settings = _settings_class(values["algorithm"]), _as_tuples(values["settings"])
            check_kinds(kind, settings)
            return cls(**{**values, "settings": kind(**settings)})
        except (KeyError, TypeError, AttributeError) as error:
            raise OptionError(f"these are no settings of a training: {error}") from None


def _join(sizes: Sequence[int]) -> str:
    """Return sizes as ``--set`` takes them."""
    return ",".join(map(str, sizes)) or "none"


def _as_tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }


def _settings_class(name: str) -> type[Ppo] | type[Evolution]:
    if name not in ALGORITHMS:
        raise OptionError(f"no algorithm {name!r}: there are {', '.join(ALGORITHMS)}")
    return ALGORITHMS[name]


def settings_for(
    algorithm: str, observe: str, changes: Mapping[str, Any] | None = None
) -> Ppo | Evolution:
    """Return an algorithm's settings with some of them changed.

    Raises:
        OptionError: There is no such algorithm, observation or setting.
    """
    kind = _settings_class(algorithm)
    if observe not in OBSERVATIONS:
        raise OptionError(f"{observe!r} cannot be seen: there are {', '.join(OBSERVATIONS)}")
    usual = kind.for_pixels() if observe == "pixels" else kind()
    known = {field.name: getattr(usual, field.name) for field in fields(usual)}
    unknown = next((name for name in changes or {} if name not in known), None)
    if unknown is not None:
        raise OptionError(f"no setting {unknown!r}: there are {', '.join(known)}")
    parsed = {
        name: parse_setting(name, value, known[name]) for name, value in (changes or {}).items()
    }
    return replace(usual, **parsed)


def benchmark_to_play(course: Course) -> str:
    """Return the benchmark that the policies of a course are to be played on."""
    if course.generated:
        return f"{FAMILY}/{UNSEEN}"
    return f"{FAMILY}/{course.stages[0] if len(course.stages) == 1 else 'full-game'}"


def is_generated(benchmark: str) -> bool:
    """Tell whether the levels of a benchmark are generated."""
    track = benchmark.partition("/")[2]
    return track.partition("@")[0] == UNSEEN or is_address(track)


def stages_of(benchmark: str, levels: int, purpose: str = "training") -> tuple[str, ...]:
    """Return the levels that are learned for a benchmark, such as ``mario-arena/1-1``.

    Args:
        benchmark: The benchmark; or a generator with its options in place of a track, as in
            ``mario-arena/ludus?difficulty=3``.
        levels: How many, where they are generated.
        purpose: What generated levels are for: ``training`` or ``held out``.

    Raises:
        OptionError: It is none that can be learned.
    """
    family, _, track = benchmark.partition("@")[0].partition("/")
    if family == FAMILY and is_generated(benchmark):
        seeds = [stage_seed(purpose, number) for number in range(levels)]
        if track == UNSEEN:
            return tuple(unseen_stage(seed, number) for number, seed in enumerate(seeds))
        return tuple(generated_stage(track, seed) for seed in seeds)
    if family == FAMILY and track in ALL:
        return STAGES
    names = tuple(track.split(",")) if family == FAMILY else ()
    if not names or any(name not in STAGES for name in names):
        raise OptionError(
            f"{benchmark!r} cannot be learned here: try mario-arena/1-1 … mario-arena/8-4, "
            "mario-arena/1-1,1-2, mario-arena/all, mario-arena/unseen or "
            "'mario-arena/ludus?difficulty=3'"
        )
    return names
