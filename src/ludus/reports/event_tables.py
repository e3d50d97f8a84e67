"""The results of an event: the table in the form of competition papers, and the sheet by levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ludus.boards.columns import (
    format_faults,
    format_figure,
    format_time,
    name_columns,
    place_figures,
    time_heading,
)
from ludus.boards.formats import latex_lines, markdown_lines
from ludus.escaping import escape_latex, escape_markdown
from ludus.events import Event, EventEntry
from ludus.events.unpacking import hide_folder
from ludus.reports.standings import list_faults
from ludus.reports.tables import Bar, TableView
from ludus.runs import Run, ScoredEpisode, Summary, rank, summarise
from ludus.runs.explain import scenario_name

__all__ = [
    "level_rows",
    "levels_view",
    "result_rows",
    "results_view",
    "view_to_latex",
    "view_to_markdown",
]

MS = 1000
NOT_CHECKED = "–"


def results_view(event: Event, run: Run, scored: Sequence[ScoredEpisode]) -> TableView:
    """Return the results, the best first, with a line for each way in which entries failed."""
    benchmark = event.terms.find_benchmark()
    summaries = summarise(benchmark, run.plan, scored)
    summed, beside, behind = name_columns(benchmark)
    ties = [breaker.name for breaker in benchmark.tie_breakers]
    first = ["#", "competitor", "approach", *summed, benchmark.headline, "disqualified"]
    return TableView(
        title=f"{event.name}: {benchmark.rule}, {event.terms.episodes} episodes each",
        headings=[*first, *beside, *ties, *behind, time_heading(benchmark), "claim"],
        rows=[_cells(event, place, one) for place, one in _rank(event, summaries)],
        left=(1, 2),
        fold=(1, 2, len(first) - 1),
        keep=len(first),
        notes=[*map(hide_folder, list_faults(run.plan, scored)), *_describe_claims(event)],
        bars=[Bar(one.headline.value) for one in summaries],
        bar_column=3 + len(summed),
    )


def _rank(event: Event, summaries: Sequence[Summary]) -> Iterator[tuple[int, Summary]]:
    return zip(rank(event.terms.find_benchmark(), summaries), summaries, strict=True)


def _cells(event: Event, place: int, summary: Summary) -> list[str]:
    benchmark, entry = event.terms.find_benchmark(), event.find_entry(summary.agent)
    summed, beside, behind = place_figures(benchmark, summary)
    return [
        str(place),
        entry.entrant,
        entry.description.approach,
        *summed,
        f"{summary.headline.value:,.{benchmark.digits}f}",
        format_faults(summary.fault_kinds),
        *beside,
        *map(format_figure, benchmark.tie_breakers, summary.ties),
        *behind,
        format_time(benchmark, summary),
        entry.check.verdict if entry.check else NOT_CHECKED,
    ]


def _describe_claims(event: Event) -> Iterator[str]:
    digits = event.terms.find_benchmark().digits
    for entry in event.playing:
        if entry.check and entry.check.verdict != "confirmed":
            measured = f"{entry.check.measured:,.{digits}f}"
            reason = f" ({entry.check.reason})" if entry.check.reason else ""
            yield (
                f"{entry.entrant} claims {entry.claim:,.{digits}f} on the public seed; the "
                f"organiser's machine measured {measured}{reason}."
            )


def result_rows(event: Event, run: Run, scored: Sequence[ScoredEpisode]) -> list[dict[str, Any]]:
    """Return the results as plain values, one object a competitor, the best first."""
    summaries = summarise(event.terms.find_benchmark(), run.plan, scored)
    reasons = _first_reasons(run, scored)
    return [
        _values(event, place, one, reasons.get(one.agent, ""))
        for place, one in _rank(event, summaries)
    ]


def _values(event: Event, place: int, summary: Summary, reason: str) -> dict[str, Any]:
    benchmark, entry = event.terms.find_benchmark(), event.find_entry(summary.agent)
    ties = zip(benchmark.tie_breakers, summary.ties, strict=True)
    columns = zip(benchmark.columns, summary.columns, strict=True)
    return {
        "rank": place,
        "competitor": entry.entrant,
        "approach": entry.description.approach,
        "score": summary.headline.value,
        "episodes": summary.episodes,
        "disqualified": summary.faults,
        "kinds": dict(summary.fault_kinds),
        "reason": reason,
        "ties": {breaker.name: value for breaker, value in ties},
        "columns": {column.name: value for column, value in columns},
        "ms_per_step": MS * summary.seconds / summary.steps if summary.steps else None,
        "claim": entry.claim,
        "check": asdict(entry.check) if entry.check else None,
        **_describe(entry),
    }


def _describe(entry: EventEntry) -> dict[str, Any]:
    described = entry.description
    return {
        "author": described.author or entry.entrant,
        "affiliation": described.affiliation,
        "licence": described.licence,
        "digest": entry.digest,
    }


def _first_reasons(run: Run, scored: Sequence[ScoredEpisode]) -> Mapping[str, str]:
    """Return why each agent failed first, by name."""
    reasons: dict[str, str] = {}
    for episode in (one.episode for one in scored if one.episode.ending.faulty):
        name = run.plan.agents[episode.agent].name
        reasons.setdefault(name, hide_folder(f"{episode.ending}: {episode.reason}"))
    return reasons


# ---- level by level


def levels_view(run: Run, scored: Sequence[ScoredEpisode]) -> TableView:
    """Return the scores level by level, one column a competitor; faults by their ending."""
    names = [agent.name for agent in run.plan.agents]
    cells = {(one.episode.scenario, one.episode.agent): _score_cell(one) for one in scored}
    rows = [
        [scenario_name(run.plan, level), *(cells.get((level, k), "–") for k in range(len(names)))]
        for level in range(len(run.plan.scenarios))
    ]
    return TableView(
        title="Level by level",
        headings=["level", *names],
        rows=rows,
        left=(0,),
        fold=(0,),
        keep=2,
    )


def _score_cell(one: ScoredEpisode) -> str:
    return str(one.episode.ending) if one.episode.ending.faulty else f"{one.score.total:g}"


def level_rows(run: Run, scored: Sequence[ScoredEpisode]) -> list[dict[str, Any]]:
    """Return every episode as plain values: its level, who played it, how it went."""
    return [
        {
            "level": scenario_name(run.plan, one.episode.scenario),
            "competitor": run.plan.agents[one.episode.agent].name,
            "episode": one.episode.number,
            "score": one.score.total,
            "ending": str(one.episode.ending),
            "reason": hide_folder(one.episode.reason),
            "steps": one.episode.steps,
            "seconds": one.episode.seconds,
        }
        for one in scored
    ]


# ---- as files


def view_to_latex(view: TableView) -> str:
    """Return a table for LaTeX, its title and notes as comments."""
    comments = [f"% {escape_latex(note)}" for note in view.notes]
    table = latex_lines(view.headings, view.rows, view.left)
    return "\n".join([f"% {escape_latex(view.title)}", *table, *comments, ""])


def view_to_markdown(view: TableView) -> str:
    """Return a table in Markdown, its notes as a list."""
    notes = [f"- {escape_markdown(note)}" for note in view.notes]
    table = markdown_lines(view.headings, view.rows)
    return "\n".join([f"## {escape_markdown(view.title)}", "", *table, "", *notes, ""])
