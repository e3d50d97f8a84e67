"""The pages of boards: all of them, and each with its ranked table."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from ludus.benchmarks import Benchmark, benchmarks, families
from ludus.benchmarks.families import family_with
from ludus.boards import Board, formats
from ludus.boards.columns import legend
from ludus.boards.estimates import format_estimate
from ludus.errors import LudusError
from ludus.json_files import finite
from ludus.runs.explain import Explanation, explain
from ludus.runs.sealed import open_revealed
from ludus.web.addresses import board_path, entry_path
from ludus.web.arena import Arena, ThisArena
from ludus.web.board_rows import filter_rows, name_figures, show_rows
from ludus.web.changes import list_board_changes
from ludus.web.problems import NotFound

__all__ = ["ROUTER", "BoardCard", "list_cards"]

ROUTER = APIRouter()
ROWS = 100
LONGEST_FILTER = 100

Word = Annotated[str, Path(max_length=200)]
Text = Annotated[str, Query(max_length=LONGEST_FILTER)]


class BoardCard(NamedTuple):
    """A benchmark as lists show it.

    Attributes:
        benchmark: The benchmark.
        link: Where its board is.
        entries: How many entries all its boards have.
        leader: The name of the best on the largest board; empty if nobody is on one.
        leader_link: Where the entry of the best is.
        value: What the best has reached, in words.
        options: The options of the board that its family shows first; empty for other cards.
    """

    benchmark: Benchmark
    link: str
    entries: int = 0
    leader: str = ""
    leader_link: str = ""
    value: str = ""
    options: str = ""


def list_cards(arena: Arena) -> dict[str, list[BoardCard]]:
    """Return all benchmarks by their families; those with entries know their leaders."""
    played = {board.benchmark.id: board for board in arena.shelf.played()}
    cards: dict[str, list[BoardCard]] = {name: _headline_cards(arena, name) for name in families()}
    for benchmark in benchmarks().values():
        card = _make_card(benchmark, played.get(benchmark.id))
        family = family_with(benchmark.id)
        name = family.name if family else benchmark.id.partition("/")[0]
        cards.setdefault(name, []).append(card)
    return {name: listed for name, listed in cards.items() if listed}


def _headline_cards(arena: Arena, name: str) -> list[BoardCard]:
    """Return the board that a family shows first, if that is not a benchmark's usual one."""
    family = families()[name]
    if not family.headline_options:
        return []
    options = tuple(sorted(family.headline_options.items()))
    keys = [key for key in arena.shelf.keys(family.headline) if key.options == options]
    board = arena.shelf.board(family.headline, keys[0]) if keys else None
    card = _make_card(benchmarks()[family.headline], board)
    words = ", ".join(f"{name}={value}" for name, value in options)
    return [card._replace(entries=len(board.rows) if board else 0, options=words)]


def _make_card(benchmark: Benchmark, board: Board | None) -> BoardCard:
    if board is None:
        return BoardCard(benchmark, board_path(benchmark.id))
    best = board.rows[0].entry
    return BoardCard(
        benchmark,
        board_path(benchmark.id, board.key),
        len(board.rows) + sum(board.elsewhere.values()),
        best.agent,
        entry_path(benchmark.id, best),
        format_estimate(best.summary.headline, benchmark.digits),
    )


@ROUTER.get("/boards/", include_in_schema=False)
def show_boards(request: Request, arena: ThisArena) -> Response:
    """Show all benchmarks."""
    values = {"families": families(), "cards": list_cards(arena)}
    return arena.pages.render(request, "boards.html", values)


@ROUTER.get("/boards/{family}/{name}/", include_in_schema=False)
def show_largest_board(request: Request, arena: ThisArena, family: Word, name: Word) -> Response:
    """Show the board of a benchmark that most entries are on."""
    return _render_board(request, arena, arena.shelf.board(f"{family}/{name}"))


@ROUTER.get("/boards/{family}/{name}/{key}/", include_in_schema=False)
def show_board(
    request: Request, arena: ThisArena, family: Word, name: Word, key: Word, q: Text = ""
) -> Response:
    """Show a board, or those of its rows that hold a text."""
    board = arena.shelf.find(f"{family}/{name}", key)
    return _render_board(request, arena, board, wanted=q.strip())


@ROUTER.get("/boards/{family}/{name}/{key}/page/{page}/", include_in_schema=False)
def show_page(
    request: Request,
    arena: ThisArena,
    family: Word,
    name: Word,
    key: Word,
    page: Annotated[int, Path(ge=2, le=1_000_000)],
) -> Response:
    """Show a further page of a board."""
    board = arena.shelf.find(f"{family}/{name}", key)
    if ROWS * (page - 1) >= len(board.rows):
        raise NotFound(f"the board has no page {page}")
    return _render_board(request, arena, board, page=page)


def _render_board(
    request: Request, arena: Arena, board: Board, *, wanted: str = "", page: int = 1
) -> Response:
    values = _describe_board(arena, board, wanted, page)
    return arena.pages.render(request, "board.html", values)


def _describe_board(arena: Arena, board: Board, wanted: str, page: int) -> dict[str, Any]:
    """Return what the page of a board shows."""
    benchmark = board.benchmark
    rows = filter_rows(board, wanted) if wanted else board.rows
    first = ROWS * (page - 1)
    keys = arena.shelf.keys(benchmark.id)
    return {
        "board": board,
        "benchmark": benchmark,
        "path": board_path(benchmark.id, board.key),
        "data": f"api/v1/{board_path(benchmark.id, board.key)}",
        "rows": show_rows(board, rows[first : first + ROWS]),
        "found": len(rows),
        "wanted": wanted,
        "page": page,
        "pages": max(1, -(-len(rows) // ROWS)),
        "headings": name_figures(benchmark),
        "switches": [(key, board_path(benchmark.id, key), key == board.key) for key in keys],
        "caption": [*formats.caption(board), *legend(board).values()],
        "example": _explain_first(board, arena),
        "changes": list_board_changes(benchmark.id, board.key, arena.store),
    }


def _explain_first(board: Board, arena: Arena) -> Explanation | None:
    """Return how the first row's first episode is scored, if its run is in the store."""
    if not board.rows:
        return None
    entry = board.rows[0].entry
    try:
        plan = open_revealed(arena.store.run(entry.run), arena.store).plan
        agent = [source.name for source in plan.agents].index(entry.agent)
        return explain(entry.run, plan.episodes.number_of(agent, 0), arena.store)
    except (LudusError, ValueError):
        return None  # a ledger may come without its runs


# ---- data


@ROUTER.get("/api/v1/boards.json", tags=["boards"])
def list_boards(arena: ThisArena) -> list[dict[str, Any]]:
    """List the boards that have entries, with their leaders."""
    return [
        {
            "benchmark": board.benchmark.id,
            "version": board.benchmark.version,
            "question": board.benchmark.title,
            "boards": [
                f"api/v1/{board_path(board.benchmark.id, key)}board.json"
                for key in arena.shelf.keys(board.benchmark.id)
            ],
            "leader": board.rows[0].entry.agent,
            "entries": len(board.rows),
        }
        for board in arena.shelf.played()
    ]


@ROUTER.get("/api/v1/boards/{family}/{name}/{key}/board.json", tags=["boards"])
def read_board(arena: ThisArena, family: Word, name: Word, key: Word) -> JSONResponse:
    """Return a board: its rows with all figures, its terms and the head of its ledger."""
    board = arena.shelf.find(f"{family}/{name}", key)
    return JSONResponse(finite(formats.board_to_dict(board)))


@ROUTER.get(
    "/api/v1/boards/{family}/{name}/{key}/board.csv",
    tags=["boards"],
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
def read_board_csv(arena: ThisArena, family: Word, name: Word, key: Word) -> PlainTextResponse:
    """Return a board as CSV, one line an agent."""
    board = arena.shelf.find(f"{family}/{name}", key)
    return PlainTextResponse(formats.to_csv(board), media_type="text/csv; charset=utf-8")
