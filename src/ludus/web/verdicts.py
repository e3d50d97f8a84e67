"""Which of two entries is better, said in a sentence."""

from __future__ import annotations

from math import isnan

from ludus.boards.comparing import UNDECIDED, Contest
from ludus.stats import Estimate

__all__ = ["describe_contest", "describe_strangers"]


def describe_contest(contest: Contest, digits: int = 1) -> str:
    """Return in a sentence or two which of two entries is better, by how much, and how sure it is.

    Args:
        contest: The two entries, compared.
        digits: How many digits after the point their scores are shown with.
    """
    first, second = sum(contest.first_faults.values()), sum(contest.second_faults.values())
    if contest.faults_first and bool(first) != bool(second):
        return _describe_faults(contest, max(first, second))
    ahead, behind, amount = _order(contest)
    if contest.verdict != UNDECIDED:
        how_sure = _describe_interval(amount, digits)
        return f"{ahead} is better than {behind} by {amount.value:,.{digits}f} ({how_sure})."
    both = f"{contest.first} and {contest.second}"
    if amount.value == 0 and not amount.margin > 0:
        return f"{both} are level: they have equal scores on {_count_scenarios(contest)}."
    reason = _describe_doubt(contest, amount, digits)
    return (
        f"{both} cannot be told apart on {_count_scenarios(contest)}: {ahead} is ahead by "
        f"{amount.value:,.{digits}f}, but {reason}."
    )


def describe_strangers(first: str, second: str) -> str:
    """Return why two entries that have played nothing both are not compared."""
    return f"{first} and {second} cannot be compared: no scenario was played by both."


def _describe_faults(contest: Contest, faults: int) -> str:
    better = contest.verdict
    worse = contest.second if better == contest.first else contest.first
    ended = f"{faults} {'episode' if faults == 1 else 'episodes'}"
    return (
        f"{better} is better than {worse}: {better} is without a fault, and {ended} of {worse} "
        "ended by one. Faults count before scores."
    )


def _order(contest: Contest) -> tuple[str, str, Estimate]:
    """Return who has more, who has less, and how much more that is."""
    difference = contest.comparison.difference
    if difference.value < 0:
        return contest.second, contest.first, difference.mirrored()
    return contest.first, contest.second, difference


def _count_scenarios(contest: Contest) -> str:
    count = contest.scenarios
    return "the one scenario that both played" if count == 1 else f"the same {count:,} scenarios"


def _describe_interval(amount: Estimate, digits: int) -> str:
    """Return in which range a difference lies, and whether that range can be relied on."""
    if isnan(amount.low):
        return "without an interval"
    ends = f"{amount.low:,.{digits}f} to {amount.high:,.{digits}f}"
    rough = f", rough until {amount.needs:,} scenarios are played" if amount.needs else ""
    return f"{100 * amount.level:.0f} % interval {ends}{rough}"


def _describe_doubt(contest: Contest, amount: Estimate, digits: int) -> str:
    """Return why a difference does not decide."""
    first, second = sum(contest.first_faults.values()), sum(contest.second_faults.values())
    if contest.comparison.separated and first != second:
        more, fewer = max(first, second), min(first, second)
        return f"more of its episodes ended by a fault, {more} against {fewer}"
    if contest.scenarios == 1:
        return "one scenario says little"
    if isnan(amount.low):
        return f"that may be chance (p = {contest.comparison.p:.2f})"
    begin = f"{abs(amount.low):,.{digits}f}{' behind' if amount.low < 0 else ''}"
    rough = f"; {amount.needs:,} scenarios would say more" if amount.needs else ""
    return f"it may be anywhere from {begin} to {amount.high:,.{digits}f} ahead{rough}"
