"""Boards for people and programs: plain values, CSV, Markdown, HTML, LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, TieBreaker
from ludus.boards.board import Board, Row
from ludus.boards.claims import describe_claims
from ludus.boards.costs import COSTS_CAPTION, CostColumn, find_cost_columns
from ludus.boards.entry import BoardEntry
from ludus.boards.estimates import describe_intervals, format_estimate, interval_values
from ludus.boards.groups import describe_letters
from ludus.boards.proofs import describe_proofs, format_proof
from ludus.boards.side_by_side import PRACTICE
from ludus.escaping import escape_csv_row, escape_html, escape_latex, escape_markdown
from ludus.games.rules import is_source_digest

__all__ = [
    "board_to_dict",
    "caption",
    "cells",
    "count_of_first",
    "describe_faults",
    "format_count",
    "format_faults",
    "format_figure",
    "format_short",
    "headings",
    "latex_lines",
    "legend",
    "markdown_lines",
    "split_columns",
    "to_csv",
    "to_html",
    "to_latex",
    "to_markdown",
]

MILLION = 1_000_000
DIGEST_SHOWN = 12

FAULTS = "faults"
DECISIONS = "decisions"
"""How often an agent was asked in all; ``steps`` is what benchmarks call those of one episode."""

_FAULTS_LAST = "Agents with faults rank behind all others and are in no group."


def board_to_dict(board: Board) -> dict[str, Any]:
    """Return a board as plain values, with every figure and where it comes from."""
    benchmark = board.benchmark
    return {
        "benchmark": benchmark.id,
        "version": benchmark.version,
        "title": benchmark.title,
        "formula": benchmark.formula,
        "headline": benchmark.headline,
        "seed": board.key.seed,
        "kind": board.season.state if board.season else PRACTICE,
        "season": board.season.to_dict() if board.season else None,
        "options": dict(board.key.options),
        "rows": [_row_to_dict(board, row) for row in board.rows],
        "claims": [claim.to_dict() for claim in board.claims],
        "elsewhere": {str(key): n for key, n in board.elsewhere.items()},
        "broken": board.broken._asdict() if board.broken else None,
        "head": board.head.to_dict() if board.head else None,
    }


def _row_to_dict(board: Board, row: Row) -> dict[str, Any]:
    benchmark, entry = board.benchmark, row.entry.to_dict()
    entry.pop("sealed", None)
    ties = zip(benchmark.tie_breakers, entry.pop("ties"), strict=True)
    columns = zip(benchmark.columns, entry.pop("columns"), strict=True)
    return {
        "rank": row.rank,
        "group": row.group,
        "agent": entry.pop("agent"),
        "headline": entry.pop("headline"),
        **interval_values(row.entry.summary.headline),
        **_beside_to_dict(board, row),
        "ties": {breaker.name: value for breaker, value in ties},
        "columns": {column.name: value for column, value in columns},
        **entry,
        "usage": asdict(row.entry.summary.usage),
        "accepted": row.accepted,
        "by": row.by,
        "verified": row.verified,
        "proof": str(row.proof),
        "rerun_episodes": row.rerun,
    }


def _beside_to_dict(board: Board, row: Row) -> dict[str, Any]:
    """Return the agent's result in practice or in the last season, if such a board is there."""
    if board.beside is None:
        return {}
    entry = board.beside.entries.get(row.entry.agent)
    figures = None if entry is None else entry.to_dict()
    names = ("headline", "run", "fingerprint")
    return {"beside": figures and {"from": board.beside.name, **{k: figures[k] for k in names}}}


def to_csv(board: Board) -> str:
    """Return a board as CSV, one line an agent."""
    rows = []
    for row in board_to_dict(board)["rows"]:
        estimate, ties, columns = row.pop("headline"), row.pop("ties"), row.pop("columns")
        del row["scores"], row["levels"]
        beside = {}
        if board.beside:
            result = row.pop("beside")
            beside = {board.beside.name: result["headline"]["value"] if result else None}
        first = {name: row.pop(name) for name in ("rank", "group", "agent")}
        score = {board.benchmark.headline: estimate["value"]}
        ends = {name: estimate[name] for name in ("low", "high", "level", "method")}
        row["fault_kinds"] = format_faults(row["fault_kinds"])
        row[DECISIONS] = row.pop("steps")
        row |= row.pop("usage")
        whole = {**first, **score, **ends, **beside, **ties, **columns, **row}
        rows.append(escape_csv_row(whole))
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def count_of_first(board: Board) -> int:
    """Return how many columns even a narrow terminal keeps: up to the proof."""
    return headings(board).index("proof") + 1


def headings(board: Board) -> list[str]:
    """Return the headings of the columns that people are shown."""
    benchmark = board.benchmark
    ties = [breaker.name for breaker in benchmark.tie_breakers]
    early, late = split_columns(benchmark, [column.name for column in benchmark.columns])
    cost = [DECISIONS, "seconds", *(column.name for column in _cost_columns(board))]
    origin = ["played", "episodes", "run", "rules", "fingerprint"]
    beside = [board.beside.name] if board.beside else []
    faults = [FAULTS] if board.faulty else []
    first = ["#", "agent", benchmark.headline, *beside, *faults, "group", "proof"]
    return [*first, *early, *ties, *cost, *late, *origin]


def cells(board: Board, row: Row) -> list[str]:
    """Return a row as the words under the headings."""
    summary = row.entry.summary
    benchmark = board.benchmark
    early, late = split_columns(
        benchmark, list(map(format_figure, benchmark.columns, summary.columns))
    )
    return [
        str(row.rank),
        summary.agent,
        format_estimate(summary.headline, benchmark.digits),
        *_beside_cell(board, row.entry),
        *([format_faults(summary.fault_kinds)] if board.faulty else []),
        row.group,
        format_proof(benchmark, row),
        *early,
        *map(format_figure, benchmark.tie_breakers, summary.ties),
        format_count(summary.steps),
        format_short(summary.seconds),
        *(column.cell(summary) for column in _cost_columns(board)),
        *late,
        row.entry.created[:10],
        str(summary.episodes),
        row.entry.run,
        _shorten(row.entry.rules),
        summary.fingerprint[:DIGEST_SHOWN],
    ]


def _cost_columns(board: Board) -> Sequence[CostColumn]:
    return find_cost_columns(row.entry.summary for row in board.rows)


def _beside_cell(board: Board, entry: BoardEntry) -> list[str]:
    """Return what the agent came to on the other board, if there is one beside this."""
    if board.beside is None:
        return []
    other = board.beside.entries.get(entry.agent)
    if other is None:
        return ["–"]
    estimate = other.summary.headline
    text = format_estimate(estimate, board.benchmark.digits)
    same = other.summary.fingerprint == entry.summary.fingerprint
    return [text if same else f"{text} (other code)"]


def _shorten(rules: str) -> str:
    return rules[:DIGEST_SHOWN] if is_source_digest(rules) else rules


def split_columns(benchmark: Benchmark, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words of those columns that stand beside the score, and of the others."""
    pairs = list(zip(benchmark.columns, words, strict=True))
    return [word for column, word in pairs if column.beside_score], [
        word for column, word in pairs if not column.beside_score
    ]


def format_figure(of: TieBreaker | Column, value: float) -> str:
    """Return a benchmark's figure as tables show it: in its words, its digits or a few signs."""
    if of.words and value == value:
        return of.words[round(value)]
    return f"{value:,.{of.digits}f}" if isinstance(of, Column) else format_short(value)


def describe_faults(benchmark: Benchmark) -> str:
    """Return the sentences on how faults count in a table."""
    first = _FAULTS_LAST if benchmark.ranks_faults_last else ""
    return f"{first} {benchmark.describe_faults()}".strip()


def format_faults(kinds: Mapping[str, int]) -> str:
    """Return how many episodes ended by an agent's fault, by the ending.

    Example:
        >>> format_faults({"crashed": 2, "disqualified": 1}), format_faults({})
        ('2 crashed, 1 disqualified', '0')
    """
    return ", ".join(f"{count} {ending}" for ending, count in kinds.items()) or "0"


def format_count(number: int) -> str:
    """Return a number of things, millions in short.

    Example:
        >>> format_count(12_345), format_count(4_425_670)
        ('12,345', '4.43M')
    """
    return f"{number:,}" if number < MILLION else f"{number / MILLION:.2f}M"


def format_short(value: float) -> str:
    """Return a number in about four signs.

    Example:
        >>> format_short(0.8), format_short(12.34), format_short(1234.5)
        ('0.80', '12.3', '1,234')
    """
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def caption(board: Board) -> list[str]:
    """Return the sentences that belong under a board."""
    benchmark = board.benchmark
    ties = "".join(f", then {one.better} {one.name}" for one in benchmark.tie_breakers)
    signs = describe_intervals(row.entry.summary.headline for row in board.rows)
    sentences = [
        f"Score: {benchmark.formula}.",
        f"Ranked by {benchmark.aggregate_name} {benchmark.headline}{ties}.",
        *([signs] if signs else []),
        describe_letters([row.group for row in board.rows]),
    ]
    if board.faulty:
        sentences.append(describe_faults(benchmark))
    sentences += [describe_proofs(benchmark), _describe_seed(board)]
    if board.elsewhere:
        others = "; ".join(f"{n} on {key}" for key, n in board.elsewhere.items())
        sentences.append(f"There are more entries: {others}.")
    sentences += describe_claims(board.claims)
    if board.broken:
        sentences.append(
            f"The ledger is broken: line {board.broken.number} {board.broken.reason}. The board "
            "stops before it."
        )
    return sentences


def _page_caption(board: Board) -> list[str]:
    """Return the sentences under a board that is published: its ledger's head is among them."""
    head = [f"Head of the ledger: {board.head}"] if board.head and board.head.count else []
    return [*caption(board), *legend(board).values(), *head]


def legend(board: Board) -> dict[str, str]:
    """Return the sentences on columns that narrow tables leave out, by their headings."""
    return {column.name: COSTS_CAPTION for column in _cost_columns(board)[:1]}


def _describe_seed(board: Board) -> str:
    """Return whether what was played could be learned by heart, and how that is known."""
    season = board.season
    if season is None:
        return "Practice: the seed is public, so what is played here can be learned by heart."
    if season.revealed is None:
        end = f" until {season.ends}" if season.ends else ""
        return f"Sealed{end}: the seed is secret. Its commitment is {season.commitment}."
    return (
        f"Sealed when it was played, revealed on {season.revealed[:10]}: the secret "
        f"{season.secret} gives the commitment {season.commitment}."
    )


def title(board: Board) -> str:
    """Return the heading of a board."""
    kind = board.season.state if board.season else PRACTICE
    return f"{board.benchmark.id}, version {board.benchmark.version}, {board.key}, {kind}"


def to_markdown(board: Board) -> str:
    """Return a board as a Markdown table."""
    heading = escape_markdown(title(board))
    lines = [f"## {heading}", "", escape_markdown(board.benchmark.title), ""]
    lines += [*markdown_lines(headings(board), _all_cells(board)), ""]
    return "\n".join([*lines, *map(escape_markdown, _page_caption(board)), ""])


def markdown_lines(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table; nothing in a cell is markup."""
    escaped = [[escape_markdown(word) for word in words] for words in (names, *rows)]
    for words in (escaped[0], ["---"] * len(names), *escaped[1:]):
        yield f"| {' | '.join(words)} |"


def to_latex(board: Board) -> str:
    """Return a board as a LaTeX table, for ``booktabs``."""
    table = latex_lines(headings(board), _all_cells(board), left=(1,))
    captions = [f"% {escape_latex(sentence)}" for sentence in _page_caption(board)]
    return "\n".join([f"% {escape_latex(title(board))}", *table, *captions, ""])


def latex_lines(
    names: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int]
) -> list[str]:
    """Return the lines of a LaTeX table for ``booktabs``; no sign in a cell is a command.

    Args:
        names: The headings.
        rows: The words below them.
        left: The columns that are set to the left.
    """
    lines = [[escape_latex(word) for word in words] for words in (names, *rows)]
    head, *body = [f"{' & '.join(line)} \\\\" for line in lines]
    kinds = "".join("l" if number in left else "r" for number in range(len(names)))
    begin = rf"\begin{{tabular}}{{{kinds}}}"
    return [begin, r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]


def _all_cells(board: Board) -> list[list[str]]:
    return [cells(board, row) for row in board.rows]


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem }}
div {{ overflow-x: auto }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap }}
th, td {{ border-bottom: 1px solid #8884; padding: .3rem .6rem; text-align: right }}
th:nth-child(2), td:nth-child(2) {{ text-align: left }}
</style>
<h1>{title}</h1>
<p>{question}</p>
<div><table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table></div>
{caption}
</html>
"""


def to_html(board: Board) -> str:
    """Return a board as a page of its own."""
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape_html(cell)}</td>" for cell in cells(board, row)) + "</tr>"
        for row in board.rows
    )
    return PAGE.format(
        title=escape_html(title(board)),
        question=escape_html(board.benchmark.title),
        head="".join(f"<th>{escape_html(name)}</th>" for name in headings(board)),
        rows=rows,
        caption="\n".join(f"<p>{escape_html(sentence)}</p>" for sentence in _page_caption(board)),
    )
