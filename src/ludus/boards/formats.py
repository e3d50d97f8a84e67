"""Boards for people and programs: plain values, CSV, Markdown, HTML, LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ludus.benchmarks.benchmark import Benchmark
from ludus.boards.board import Board, Row
from ludus.boards.claims import describe_claims
from ludus.boards.columns import DECISIONS, all_cells, format_faults, headings, legend
from ludus.boards.entry import BoardKey
from ludus.boards.estimates import describe_intervals, interval_values
from ludus.boards.groups import describe_letters
from ludus.boards.proofs import describe_proofs, describe_ranks
from ludus.boards.side_by_side import PRACTICE
from ludus.escaping import escape_csv_row, escape_html, escape_latex, escape_markdown

__all__ = [
    "board_to_dict",
    "caption",
    "describe_faults",
    "latex_lines",
    "markdown_lines",
    "page_caption",
    "to_csv",
    "to_html",
    "to_latex",
    "to_markdown",
]

_FAULTS_LAST = "Agents with faults rank behind all others and are in no group."


def board_to_dict(board: Board) -> dict[str, Any]:
    """Return a board as plain values, with every figure and where it comes from."""
    benchmark = board.benchmark
    return {
        "benchmark": benchmark.id,
        "version": benchmark.version,
        "title": benchmark.title,
        "formula": benchmark.formula_for(board.key.options),
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
    for name in ("sealed", "category", "timing"):
        entry.pop(name, None)
    ties = zip(benchmark.tie_breakers, entry.pop("ties"), strict=True)
    columns = zip(benchmark.columns, entry.pop("columns"), strict=True)
    return {
        "rank": row.rank,
        "group": row.group,
        "agent": entry.pop("agent"),
        "headline": entry.pop("headline"),
        **interval_values(row.entry.summary.headline),
        **_classify(board, row),
        **_beside_to_dict(board, row),
        "ties": {breaker.name: value for breaker, value in ties},
        "columns": {column.name: value for column, value in columns},
        **entry,
        "usage": asdict(row.entry.summary.usage),
        "seconds_source": row.entry.timing or "played here",
        "accepted": row.accepted,
        "by": row.by,
        "verified": row.verified,
        "proof": str(row.proof),
        "rerun_episodes": row.rerun,
    }


def _classify(board: Board, row: Row) -> dict[str, Any]:
    """Return what the score is called and of what category the agent is, where boards say so."""
    grade, named = board.benchmark.grade, board.benchmark.categorise is not None
    return {
        **({"band": grade(row.entry.summary.headline.value)} if grade else {}),
        **({"category": row.entry.category or None, "contributor": row.by} if named else {}),
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
    writer = csv.DictWriter(text, list(rows[0]) if rows else _head(board), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _head(board: Board) -> list[str]:
    """Return the first columns of a board on which nobody is."""
    return ["rank", "group", "agent", board.benchmark.headline, "low", "high", "level", "method"]


def describe_faults(benchmark: Benchmark) -> str:
    """Return the sentences on how faults count in a table."""
    first = _FAULTS_LAST if benchmark.ranks_faults_last else ""
    return f"{first} {benchmark.describe_faults()}".strip()


def caption(board: Board) -> list[str]:
    """Return the sentences that belong under a board."""
    benchmark = board.benchmark
    ties = "".join(f", then {one.goal}" for one in benchmark.tie_breakers)
    signs = describe_intervals(row.entry.summary.headline for row in board.rows)
    sentences = [
        f"Score: {benchmark.formula_for(board.key.options)}.",
        f"Ranked by {benchmark.aggregate_name} {benchmark.headline}{ties}.",
        *([signs] if signs else []),
        describe_letters([row.group for row in board.rows]),
    ]
    if board.faulty:
        sentences.append(describe_faults(benchmark))
    ranked = describe_ranks(board) if benchmark.ranks_by_proof else []
    sentences += [*ranked, describe_proofs(benchmark), _describe_seed(board)]
    if board.elsewhere:
        others = "; ".join(
            f"{n} on {_name_other(key, board)}" for key, n in board.elsewhere.items()
        )
        sentences.append(f"There are more entries: {others}.")
    sentences += describe_claims(board.claims)
    if board.broken:
        sentences.append(
            f"The ledger is broken: line {board.broken.number} {board.broken.reason}. The board "
            "stops before it."
        )
    return sentences


def _name_other(key: BoardKey, board: Board) -> str:
    """Return what another board of the benchmark is called beside this one."""
    plain = board.key.options and not key.options
    return f"{key}, the default options" if plain else str(key)


def page_caption(board: Board) -> list[str]:
    """Return the sentences under a board that is published: its ledger's head is among them."""
    head = [f"Head of the ledger: {board.head}"] if board.head and board.head.count else []
    return [*caption(board), *legend(board).values(), *head]


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
    lines += [*markdown_lines(headings(board), all_cells(board)), ""]
    return "\n".join([*lines, *map(escape_markdown, page_caption(board)), ""])


def markdown_lines(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table; nothing in a cell is markup."""
    escaped = [[escape_markdown(word) for word in words] for words in (names, *rows)]
    for words in (escaped[0], ["---"] * len(names), *escaped[1:]):
        yield f"| {' | '.join(words)} |"


def to_latex(board: Board) -> str:
    """Return a board as a LaTeX table, for ``booktabs``."""
    table = latex_lines(headings(board), all_cells(board), left=(1,))
    captions = [f"% {escape_latex(sentence)}" for sentence in page_caption(board)]
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
        "<tr>" + "".join(f"<td>{escape_html(cell)}</td>" for cell in row) + "</tr>"
        for row in all_cells(board)
    )
    return PAGE.format(
        title=escape_html(title(board)),
        question=escape_html(board.benchmark.title),
        head="".join(f"<th>{escape_html(name)}</th>" for name in headings(board)),
        rows=rows,
        caption="\n".join(f"<p>{escape_html(sentence)}</p>" for sentence in page_caption(board)),
    )
