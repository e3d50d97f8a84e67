"""Values with their intervals, as tables show them, and what the signs mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor, isnan

from ludus.stats import Estimate
from ludus.stats.intervals import BEST

__all__ = ["describe_intervals", "format_estimate", "format_margin", "interval_values"]

CLOSE = 1e-6
LARGE = 10_000

METHODS = {
    "gaffke": "Gaffke’s, for scores within bounds",
    "hall": "Hall’s, for skewed scores",
    "t": "Student’s t",
    "bca": "bootstrap, BCa",
    "studentised": "bootstrap, studentised",
    "wilson": "Wilson’s, for a share",
    "clopper-pearson": "Clopper and Pearson’s, for a share",
    "jeffreys": "Jeffreys’, for a share",
    "welch": "Welch’s t",
    "interquartile mean": "bootstrap of each track on its own",
}
"""What tables call the methods that go by a person's name."""


def format_estimate(estimate: Estimate, digits: int = 1) -> str:
    """Return a value and its interval, or why it has none.

    Example:
        >>> format_estimate(Estimate(0.8354, 0.8319, 0.8389, 0.95, "composite", 50), 3)
        '0.835 ± 0.004'
        >>> format_estimate(Estimate(0.8258, 0.8255, 0.8261, 0.95, "composite", 50), 3)
        '0.826 ± 0.0003'
        >>> format_estimate(Estimate(0.8258, 0.8256, 0.8261, 0.95, "composite", 50), 3)
        '0.826 ± 0.0003'
        >>> format_estimate(Estimate(1.0, 1.0, 1.0, 0.95, "composite", 50), 3)
        '1.000 (no spread)'
        >>> format_estimate(Estimate(0.1, 0.0025, 0.445, 0.95, "gaffke", 10), 2)
        '0.10 [0.00, 0.45]'
        >>> format_estimate(Estimate(5.0, float("nan"), float("nan"), 0.95, "hall", 10, 20))
        '5.0 (all 10 equal)'
        >>> format_estimate(Estimate(1016438.2, 12781.3, float("inf"), 0.95, BEST, 10))
        '1,016,438.2 (≥ 12,781)'
    """
    value, low, high = (f"{end:,.{digits}f}" for end in estimate[:3])
    remark = f" ({estimate.remark})" if estimate.remark else ""
    if isnan(estimate.low):
        return value + remark
    if estimate.method == BEST:
        return f"{value} (≥ {_round_down(estimate.low, digits)})"
    if estimate.high == estimate.low:
        return f"{value}{remark or ' (no spread)'}"
    if _is_symmetric(estimate) or low == high:  # or it would look like no interval at all
        margin = max(estimate.high - estimate.value, estimate.value - estimate.low)
        return f"{value} ± {format_margin(margin, digits)}{remark}"
    return f"{value} [{low}, {high}]{remark}"


def _round_down(limit: float, digits: int) -> str:
    """Return a lower limit; of a large one nobody reads digits behind the point."""
    return f"{floor(limit):,}" if abs(limit) >= LARGE else f"{limit:,.{digits}f}"


def format_margin(margin: float, digits: int) -> str:
    """Return a margin with as many digits as it takes to see that there is one."""
    text = f"{margin:,.{digits}f}"
    return text if float(text.replace(",", "")) else f"{margin:.1g}"


def _is_symmetric(estimate: Estimate) -> bool:
    above, below = estimate.high - estimate.value, estimate.value - estimate.low
    return abs(above - below) <= CLOSE * (above + below)


def interval_values(estimate: Estimate) -> dict[str, object]:
    """Return the interval of an estimate as plain values."""
    ends = [None if isnan(end) else end for end in (estimate.low, estimate.high)]
    return {
        "interval": None if ends == [None, None] else ends,
        "interval_method": estimate.method,
        "interval_remark": estimate.remark,
    }


def describe_intervals(estimates: Iterable[Estimate]) -> str:
    """Return what the signs beside values mean, as sentences; nothing if there are none."""
    even, uneven, best = list[Estimate](), list[Estimate](), list[Estimate]()
    for one in estimates:
        if not isnan(one.low) and (one.method == BEST or one.low != one.high):
            (best if one.method == BEST else even if _is_symmetric(one) else uneven).append(one)
    sentences = []
    if even:
        sentences.append(f"± is half of the {_level(even)} interval ({_methods(even)}).")
    if uneven:
        sentences.append(f"[ ] is the {_level(uneven)} interval ({_methods(uneven)}).")
    if best:
        sentences.append(
            f"≥: of repeated runs, half have a best that is at least this ({_level(best)} sure)."
        )
    return " ".join(sentences)


def _level(estimates: Sequence[Estimate]) -> str:
    return f"{100 * max(one.level for one in estimates):.0f} %"


def _methods(estimates: Sequence[Estimate]) -> str:
    return ", ".join(sorted({METHODS.get(one.method, one.method) for one in estimates}))
