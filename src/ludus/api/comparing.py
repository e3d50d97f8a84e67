"""``ludus.compare``: which of two results is better, and is it more than chance?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludus.api.result import Result
from ludus.api.run_result import RunResult
from ludus.api.settings import open_store
from ludus.boards.columns import format_faults
from ludus.boards.comparing import Contest, compare_runs
from ludus.boards.estimates import describe_intervals, format_estimate
from ludus.reports.pictures import draw_bars
from ludus.reports.tables import Bar, TableView
from ludus.runs import Store

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ComparisonResult", "compare"]


RUN = re.compile("([0-9a-f]{8})-[0-9a-f]{8}:")
FAULTS_FIRST = " An agent without faults is better than one with faults."


@dataclass(eq=False, repr=False)
class ComparisonResult(Result):
    """Pairs of agents, compared on the scenarios that both played.

    Attributes:
        contests: The pairs.
    """

    contests: list[Contest]

    @property
    def view(self) -> TableView:
        """Every pair with its difference."""
        signs = describe_intervals(one.comparison.difference for one in self.contests)
        faults = any(one.first_faults or one.second_faults for one in self.contests)
        return TableView(
            title="",
            headings=[
                "first",
                "second",
                "difference",
                "p",
                "d",
                "n",
                "better",
                *(["first's faults", "second's faults"] if faults else []),
            ],
            rows=[_row(contest, faults=faults) for contest in self.contests],
            left=(0, 1, 6, 7, 8),
            fold=(0, 1, 6, 7, 8),
            caption=(
                "difference: what the first is ranked by less the second's, on the same scenarios; "
                "p: how likely it is by chance; d: Cohen's d of the episodes' differences. "
                f"{signs}".strip()
                + (FAULTS_FIRST if faults and self.contests[0].faults_first else "")
            ),
            bars=[_bar(contest) for contest in self.contests],
            bar_column=2,
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the pairs as plain values, one object each."""
        return [_values(contest) for contest in self.contests]

    def _draw(self, style: str) -> Figure:
        return draw_bars(
            "Difference",
            [f"{contest.first} – {contest.second}" for contest in self.contests],
            [_bar(contest) for contest in self.contests],
            [contest.verdict for contest in self.contests],
            "mean difference of the scores",
            caption="line: 95 % interval; to the right: which is better",
            style=style,
        )


def compare(
    first: str | RunResult, second: str | RunResult, *, store: str | Store | None = None
) -> ComparisonResult:
    """Compare agents of stored runs on the scenarios that both played.

    Args:
        first: ``run:agent``, a run, or a result. Of runs with several agents, those of one name
            are compared.
        second: The same.
        store: Where the runs are; the user's own store if None.

    Raises:
        RunError: There is no such run or agent, or the runs did not play the same.

    Example:
        ``ludus.compare("1a2b3c4d:astar", "1a2b3c4d:rule-based")``
    """
    with open_store(store) as database:
        return ComparisonResult(compare_runs(_name(first), _name(second), database))


def _name(result: str | RunResult) -> str:
    return result.id if isinstance(result, RunResult) else result


def _shorten_runs(contest: Contest) -> list[str]:
    """Return both names; runs in them have their first letters alone if these tell them apart."""
    names = [contest.first, contest.second]
    runs = [RUN.match(name) for name in names]
    starts = [run and run[1] for run in runs]
    if None in starts or starts[0] == starts[1]:
        return names
    return [f"{run[1]}:{name[run.end() :]}" for run, name in zip(runs, names, strict=True) if run]


def _row(contest: Contest, *, faults: bool) -> list[str]:
    comparison = contest.comparison
    return [
        *_shorten_runs(contest),
        format_estimate(comparison.difference),
        f"{comparison.p:.2g}",
        f"{comparison.d:z.2f}",
        str(contest.scenarios),
        contest.verdict,
        *map(format_faults, (contest.first_faults, contest.second_faults) if faults else ()),
    ]


def _bar(contest: Contest) -> Bar:
    difference = contest.comparison.difference
    return Bar(difference.value, difference.low, difference.high)


def _values(contest: Contest) -> dict[str, Any]:
    comparison = contest.comparison
    return {
        "first": contest.first,
        "second": contest.second,
        "better": contest.verdict,
        "scenarios": contest.scenarios,
        "difference": comparison.difference._asdict(),
        "p": comparison.p,
        "d": comparison.d,
        "balance": comparison.balance,
        "first_faults": dict(contest.first_faults),
        "second_faults": dict(contest.second_faults),
    }
