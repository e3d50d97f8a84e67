"""The page of a board's history: who led when, the seasons, every line of the ledger about it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from ludus.benchmarks import Benchmark
from ludus.boards.current import CurrentEntry
from ludus.boards.estimates import format_estimate
from ludus.boards.history import Moment, read_history
from ludus.web.addresses import board_path
from ludus.web.arena import Arena, ThisArena
from ludus.web.changes import list_board_changes
from ludus.web.charts import Scale

__all__ = ["ROUTER"]

ROUTER = APIRouter()
MOST_BOARDS = 30

Word = Annotated[str, Path(max_length=200)]


class Standing(NamedTuple):
    """Somebody's place at a moment: name, and value in words."""

    agent: str
    value: str


class ShownMoment(NamedTuple):
    """A moment as the page shows it.

    Attributes:
        at: When.
        entries: How many were on the board.
        best: The first three.
        is_new: Whether somebody else had led before.
    """

    at: str
    entries: int
    best: list[Standing]
    is_new: bool


class OtherBoard(NamedTuple):
    """Another board of the benchmark, such as an earlier season's."""

    key: str
    state: str
    link: str
    entries: int
    leader: str
    value: str
    here: bool


@ROUTER.get("/boards/{family}/{name}/{key}/history/", include_in_schema=False)
def show_history(
    request: Request, arena: ThisArena, family: Word, name: Word, key: Word
) -> Response:
    """Show what a board looked like over time."""
    board = arena.shelf.find(f"{family}/{name}", key)
    moments = read_history(board.benchmark, board.key, arena.store)
    values = {
        "board": board,
        "benchmark": board.benchmark,
        "path": board_path(board.benchmark.id, board.key),
        "moments": list(reversed(_show_moments(board.benchmark, moments))),
        "line": draw_lead(moments),
        "boards": _list_boards(arena, board.benchmark, key),
        "changes": list_board_changes(board.benchmark.id, board.key, arena.store),
    }
    return arena.pages.render(request, "history.html", values)


def _show_moments(benchmark: Benchmark, moments: Sequence[Moment]) -> list[ShownMoment]:
    leaders = ["", *(one.best[0].entry.agent if one.best else "" for one in moments)]
    return [
        ShownMoment(
            moment.at,
            moment.entries,
            [_describe_standing(benchmark, one) for one in moment.best],
            is_new=before != leader,
        )
        for moment, (before, leader) in zip(moments, pairwise(leaders), strict=True)
    ]


def _describe_standing(benchmark: Benchmark, current: CurrentEntry) -> Standing:
    headline = current.entry.summary.headline
    return Standing(current.entry.agent, format_estimate(headline, benchmark.digits))


def draw_lead(moments: Sequence[Moment]) -> list[tuple[float, float]]:
    """Return the best value over time as corners of a line, from 0 to 100; nothing of one moment.

    Moments are as far from each other as any, since days without a change say nothing.
    """
    values = [one.best[0].entry.summary.headline.value for one in moments if one.best]
    if len(values) < 2 or not all(map(isfinite, values)):
        return []
    scale, step = Scale(min(values), max(values)), 100 / (len(values) - 1)
    heights = [round(100 - scale.to_percent(value), 1) for value in values]
    corners = [(0.0, heights[0])]
    for number, height in enumerate(heights[1:], start=1):
        at = round(step * number, 1)
        corners += [(at, corners[-1][1]), (at, height)]
    return corners


def _list_boards(arena: Arena, benchmark: Benchmark, word: str) -> list[OtherBoard]:
    """Return the boards of a benchmark: its seasons, and its public seeds."""
    listed = []
    for key in arena.shelf.keys(benchmark.id)[:MOST_BOARDS]:
        board = arena.shelf.board(benchmark.id, key)
        first = board.rows[0].entry
        path = board_path(benchmark.id, key)
        listed.append(
            OtherBoard(
                str(key),
                board.season.state if board.season else "public seed",
                f"{path}history/",
                len(board.rows),
                first.agent,
                format_estimate(first.summary.headline, benchmark.digits),
                here=path.rstrip("/").endswith(f"/{word}"),
            )
        )
    return listed
