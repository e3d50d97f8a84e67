"""``probe_brains``: what do brains remember, and for how long?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludus.api.result import Result
from ludus.benchmarks.nematode.scoring import count_trainings
from ludus.errors import OptionError
from ludus.learning.extra import require_jax
from ludus.reports.estimate_plot import draw_estimates
from ludus.reports.tables import TableView
from ludus.stats import Estimate, rate_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["MEMORY_CONTROL", "MemoryResult", "ProbedBrain", "parse_probe", "probe_brains"]

MEMORY_CONTROL = "mlp-ppo"
"""A brain without memory, which can only guess."""

USUAL = ("bit:8", "bit:20", "associative:4")
GUESSED = 0.5


@dataclass(frozen=True)
class ProbedBrain:
    """What a brain remembered in a probe.

    Attributes:
        brain: Its name.
        probe: The probe.
        delay: The steps between what was shown and the question.
        right: How many answers of each training were right.
        trials: How many each was asked for.
    """

    brain: str
    probe: str
    delay: int
    right: tuple[int, ...]
    trials: int

    @property
    def rate(self) -> Estimate:
        """The share of right answers over all trainings, with Wilson's interval."""
        return rate_interval(sum(self.right), self.trials * len(self.right), method="wilson")

    @property
    def verdict(self) -> str:
        """Whether that is more than guessing."""
        return "remembers" if self.rate.low > GUESSED else "chance"


@dataclass(eq=False, repr=False)
class MemoryResult(Result):
    """What brains remember.

    Attributes:
        title: How they were trained.
        probed: The brains, probe by probe.
    """

    title: str
    probed: list[ProbedBrain]

    @property
    def view(self) -> TableView:
        """The table."""
        return TableView(
            title=self.title,
            headings=["probe", "brain", "right", "95 % interval", "n", "trainings", ""],
            rows=[_row(one) for one in self.probed],
            left=(0, 1, 6),
            caption=f"A guess is right in {GUESSED:.0%} of trials; {MEMORY_CONTROL} has no memory. "
            "Wilson's interval over all answers; trainings: the worst and the best of them.",
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the figures as plain values."""
        return [
            {
                "probe": one.probe,
                "delay": one.delay,
                "brain": one.brain,
                "right": one.rate.value,
                "low": one.rate.low,
                "high": one.rate.high,
                "chance": GUESSED,
                "n": one.rate.n,
                "by_training": [count / one.trials for count in one.right],
                "verdict": one.verdict,
            }
            for one in self.probed
        ]

    def _draw(self, style: str) -> Figure:
        names = {f"{one.brain} {one.probe} {one.delay}": one for one in self.probed}
        return draw_estimates(
            {name: one.rate for name, one in names.items()},
            title=self.title,
            axis="share of right answers",
            notes=["bar: 95 % interval", "dots: trainings", "dashes: chance"],
            points={
                name: [count / one.trials for count in one.right] for name, one in names.items()
            },
            line=GUESSED,
            style=style,
        )


def _row(one: ProbedBrain) -> list[str]:
    worst, best = min(one.right) / one.trials, max(one.right) / one.trials
    return [
        f"{one.probe}:{one.delay}",
        one.brain,
        f"{one.rate.value:.3f}",
        f"[{one.rate.low:.3f}, {one.rate.high:.3f}]",
        str(one.rate.n),
        f"{worst:.2f}–{best:.2f}",
        one.verdict,
    ]


def parse_probe(text: str) -> tuple[str, int]:
    """Return the probe and the delay that a text such as ``bit:8`` names.

    Raises:
        OptionError: It names none.

    Example:
        >>> parse_probe("associative:4")
        ('associative', 4)
    """
    name, colon, delay = text.partition(":")
    if not colon or not delay.isdecimal():
        raise OptionError(f"{text!r} is no probe with its delay: try {', '.join(USUAL)}")
    return name, int(delay)


def probe_brains(
    brains: Sequence[str] = (),
    *,
    probes: Sequence[str] = USUAL,
    trainings: int = 3,
    updates: int = 300,
    trials: int = 200,
    seed: int = 0,
    on_probe: Callable[[str], None] | None = None,
) -> MemoryResult:
    """Train brains on memory probes and count what they get right in fresh trials.

    Args:
        brains: Who; all of the catalogue that remember something, and one that does not, if empty.
        probes: Probes with their delays, such as ``bit:8`` and ``associative:4``.
        trainings: How often each is trained.
        updates: The gradients of a training, of 32 trials each.
        trials: The fresh trials of each training.
        seed: What everything random is drawn from; all brains have the same trials.
        on_probe: Called with the brain and the probe that are done.

    Raises:
        OptionError: There is no such probe, or a number is out of range.
        AgentError: There is no such brain.
        MissingExtra: JAX is not installed.
    """
    require_jax()
    from ludus.learning.worm.catalogue import CATALOGUE, find_brain
    from ludus.learning.worm.memory_probes import check_probe, probe_memory

    for count, what in ((trainings, "trainings"), (updates, "updates"), (trials, "trials")):
        if count < 1:
            raise OptionError(f"{count} {what} are too few: give 1 or more")
    asked = [parse_probe(text) for text in probes]
    for probe, delay in asked:
        check_probe(probe, delay)
    recurrent = [name for name, entry in CATALOGUE.items() if entry.brain.start(1)]
    chosen = {name: find_brain(name)[0] for name in (brains or [*recurrent, MEMORY_CONTROL])}
    probed = []
    for probe, delay in asked:
        for name, brain in chosen.items():
            score = probe_memory(
                brain, probe, delay, trainings=trainings, updates=updates, trials=trials, seed=seed
            )
            probed.append(ProbedBrain(name, probe, delay, score.right, score.trials))
            if on_probe:
                on_probe(f"{name} {probe}:{delay}")
    title = f"Memory: {count_trainings(trainings)} of {updates} updates each, seed {seed}"
    return MemoryResult(title, probed)
