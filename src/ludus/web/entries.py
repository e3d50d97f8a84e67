"""The page of an entry: its verdict, its score part by part, its levels, where it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response

from ludus.api.result import write_rows
from ludus.benchmarks.families import family_with
from ludus.benchmarks.family import import_attribute
from ludus.boards import Board, Row
from ludus.boards.columns import format_short
from ludus.boards.comparing import compare_entries
from ludus.boards.costs import find_cost_columns
from ludus.boards.estimates import format_estimate
from ludus.errors import LudusError
from ludus.reports.tables import TableView
from ludus.reports.worm_behaviour import Behaviours, behaviour_rows, behaviour_view
from ludus.runs import Run, ScoredEpisode, Summary
from ludus.runs.sealed import is_public
from ludus.web.addresses import board_path, entry_path, entry_word, replay_path, run_path
from ludus.web.arena import Arena, ThisArena
from ludus.web.board_rows import PROOFS, describe_place
from ludus.web.charts import Scale, draw_spread
from ludus.web.problems import NotFound
from ludus.web.verdicts import describe_contest, describe_strangers

__all__ = ["ROUTER"]

ROUTER = APIRouter()
SHADES = 5
MOST_CELLS = 400
MOST_RIVALS = 200
MOST_COMPARED = 50
TOGETHER = "all episodes together"

Word = Annotated[str, Path(max_length=200)]


class LevelCell(NamedTuple):
    """One level of an entry's strip.

    Attributes:
        name: The level.
        score: What it scored, in words.
        shade: 0 for the worst to 4 for the best.
        link: Where its replay is; empty if it cannot be shown.
        fault: How it ended by a fault, or empty.
    """

    name: str
    score: str
    shade: int
    link: str
    fault: str


class Part(NamedTuple):
    """One part of the score, as a mean over all episodes.

    Attributes:
        name: What it is called.
        mean: Its mean.
        place: Where its bar begins, from 0 to 100.
        width: How long the bar is.
        lost: Whether it takes points away.
    """

    name: str
    mean: float
    place: float
    width: float
    lost: bool


@ROUTER.get("/boards/{family}/{name}/{key}/entries/{word}/", include_in_schema=False)
def show_entry(
    request: Request,
    arena: ThisArena,
    family: Word,
    name: Word,
    key: Word,
    word: Word,
    beside: Annotated[str, Query(alias="with", max_length=200)] = "",
) -> Response:
    """Show an entry, compared with its neighbours or with another entry."""
    board = arena.shelf.find(f"{family}/{name}", key)
    row = arena.shelf.find_row(board, word)
    rivals = [arena.shelf.find_row(board, beside)] if beside else _find_neighbours(board, row)
    run, played = _read_episodes(arena, row)
    summary = row.entry.summary
    values: dict[str, Any] = {
        "board": board,
        "benchmark": board.benchmark,
        "row": row,
        "summary": summary,
        "path": board_path(board.benchmark.id, board.key),
        "place": describe_place(board, row),
        "value": format_estimate(summary.headline, board.benchmark.digits),
        "meaning": PROOFS[row.proof],
        "verdicts": _compare(board, row, rivals),
        "rivals": _list_rivals(board, row),
        "beside": beside,
        "parts": _sum_parts(board, summary, played),
        "cells": _make_cells(board, row, played, public=run is not None),
        "spread": draw_spread([float(score) for score in summary.scores.values()]),
        "costs": _list_costs(board, summary),
        "behaviour": _view_behaviour(arena, board, row) if run else None,
        "behaviour_data": f"api/v1/{entry_path(board.benchmark.id, row.entry)}behaviour.csv",
        "run_link": run_path(row.entry.run) if run else "",
        "provenance": run.plan.provenance if run else {},
    }
    return arena.pages.render(request, "entry.html", values)


@ROUTER.get(
    "/api/v1/boards/{family}/{name}/{key}/entries/{word}/behaviour.csv",
    response_class=PlainTextResponse,
    tags=["boards"],
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
def read_behaviour(
    arena: ThisArena, family: Word, name: Word, key: Word, word: Word
) -> PlainTextResponse:
    """Return how an entry's agent plays as CSV: figures, intervals, chance and literature."""
    board = arena.shelf.find(f"{family}/{name}", key)
    row = arena.shelf.find_row(board, word)
    run, _ = _read_episodes(arena, row)
    measured = _measure_behaviour(arena, board, row) if run else None
    if measured is None:
        raise NotFound(f"nobody measures how entries of {board.benchmark.id} play")
    text = write_rows(behaviour_rows(measured))
    return PlainTextResponse(text, media_type="text/csv; charset=utf-8")


def _measure_behaviour(arena: Arena, board: Board, row: Row) -> Behaviours | None:
    """Return how an entry's agent plays, if its family measures that."""
    family = family_with(board.benchmark.id)
    if family is None or not family.measure_entry:
        return None
    measure = import_attribute(family.measure_entry)
    with arena.makers:
        measured: Behaviours | None = measure(row.entry.run, row.entry.agent, arena.store)
    return measured


def _view_behaviour(arena: Arena, board: Board, row: Row) -> TableView | None:
    measured = _measure_behaviour(arena, board, row)
    return behaviour_view(measured) if measured else None


def _list_costs(board: Board, summary: Summary) -> list[tuple[str, str]]:
    columns = find_cost_columns([summary], in_seconds=board.benchmark.times_in_seconds)
    return [(column.name, column.cell(summary)) for column in columns]


def _find_neighbours(board: Board, row: Row) -> list[Row]:
    """Return the leader, the one before and the one behind."""
    place = next(n for n, other in enumerate(board.rows) if other is row)
    places = dict.fromkeys([0, place - 1, place + 1])
    return [board.rows[n] for n in places if n != place and 0 <= n < len(board.rows)]


def _compare(board: Board, row: Row, rivals: Sequence[Row]) -> list[str]:
    return [_compare_two(board, row, rival) for rival in rivals if rival is not row]


def _compare_two(board: Board, row: Row, rival: Row) -> str:
    contest = compare_entries(board.benchmark, row.entry, rival.entry)
    if contest is None:
        return describe_strangers(row.entry.agent, rival.entry.agent)
    return describe_contest(contest, board.benchmark.digits)


def _list_rivals(board: Board, row: Row) -> list[tuple[str, str]]:
    """Return address and name of those that an entry can be compared with."""
    others = [other for other in board.rows[: MOST_RIVALS + 1] if other is not row]
    return [(entry_word(other.entry), other.entry.agent) for other in others]


def _read_episodes(arena: Arena, row: Row) -> tuple[Run | None, dict[int, ScoredEpisode]]:
    """Return the run of an entry and its episodes by scenario, unless they are not to be shown."""
    entry = row.entry
    try:
        run = arena.store.run(entry.run)
        names = [source.name for source in run.plan.agents]
        if not is_public(run, arena.store) or entry.agent not in names:
            return None, {}
        agent, plan = names.index(entry.agent), run.plan
        numbers = [
            plan.episodes.number_of(agent, scenario)
            for scenario in range(min(len(plan.scenarios), MOST_CELLS))
        ]
        scored = arena.store.episodes(run.id, numbers)
    except LudusError:
        return None, {}  # a ledger may come without its runs
    return run, {one.episode.scenario: one for one in scored}


def _sum_parts(board: Board, summary: Summary, played: dict[int, ScoredEpisode]) -> list[Part]:
    """Return the parts of the score, one bar beginning where the one before ends.

    What a benchmark adds for all episodes together is the last of them.
    """
    sums: dict[str, list[float]] = {}
    for scored in played.values():
        for name, value in scored.score.parts.items():
            sums.setdefault(name, []).append(float(value))
    means = {name: sum(values) / len(played) for name, values in sums.items()}
    summed = any(column.summed for column in board.benchmark.columns)
    if means and summed and len(played) == summary.episodes:
        means[TOGETHER] = summary.headline.value - sum(means.values())
    ends = [0.0]
    for mean in means.values():
        ends.append(ends[-1] + mean)
    scale = Scale(min(ends), max(ends))
    parts = []
    for (name, mean), begin in zip(means.items(), ends, strict=False):
        left, right = sorted((scale.to_percent(begin), scale.to_percent(begin + mean)))
        parts.append(
            Part(name.replace("_", " "), mean, left, round(max(right - left, 0.5), 1), mean < 0)
        )
    return parts


def _make_cells(
    board: Board, row: Row, played: dict[int, ScoredEpisode], *, public: bool
) -> list[LevelCell]:
    entry = row.entry
    bounds = board.benchmark.score_bounds(dict(board.key.options))
    scale = Scale(*bounds) if bounds else _scale_of(board)
    cells = []
    for scenario, total in list(entry.summary.scores.items())[:MOST_CELLS]:
        scored = played.get(scenario)
        shade = min(int(SHADES * scale.to_percent(float(total)) / 100), SHADES - 1)
        link = replay_path(entry.run, scored.episode.number) if scored and public else ""
        fault = str(scored.episode.ending) if scored and scored.episode.ending.faulty else ""
        score = format_short(float(total))
        cells.append(LevelCell(entry.levels[scenario], score, shade, link, fault))
    return cells


def _scale_of(board: Board) -> Scale:
    """Return the scale of all scores of the best entries."""
    best = [row.entry.summary.scores for row in board.rows[:MOST_COMPARED]]
    totals = [float(total) for scores in best for total in scores.values()]
    return Scale(min(totals), max(totals))
