"""Writes games of Diplomacy as readable text, so that a change of the engine shows as a diff.

`python -m tests.golden.diplomacy_transcripts` writes the transcripts anew; look at the diff then.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ludus.games.diplomacy import Board
from ludus.games.diplomacy.records import POWERS

HERE = Path(__file__).parent

PHASES = 14
GAMES = {"diplomacy_dumb": "dumb", "diplomacy_search": "search", "diplomacy_lots": ""}
"""Who gives everybody's orders: a bot of the engine, or lots if nobody."""


def write_game(bot: str) -> str:
    """Return the first phases of a game: every order with what came of it, and the position."""
    board, lines = Board(), []
    for number in range(PHASES):
        lines += ["", board.phase]
        orders = dict(_choose_orders(board, bot, number))
        results = board.step(orders)
        lines += [_write_orders(power, orders[power], results) for power in POWERS if orders[power]]
        lines += _write_position(board)
    return "\n".join(lines[1:]) + "\n"


def _choose_orders(board: Board, bot: str, number: int) -> Iterator[tuple[str, list[str]]]:
    legal, places = board.list_by_owner()
    for seat, power in enumerate(POWERS):
        if bot:
            yield power, board.choose_orders(bot, power, seed=7 * number + seat)
            continue
        drawn = [legal[place][13 * number % len(legal[place])] for place in places[power]]
        most = abs(board.builds()[power]["count"]) if board.phase[-1] == "A" else len(drawn)
        yield power, drawn[:most]


def _write_orders(power: str, orders: list[str], results: dict[str, list[str]]) -> str:
    written = []
    for order in orders:
        codes = ", ".join(filter(None, results.get(" ".join(order.split()[:2]), ())))
        written.append(f"{order} ({codes})" if codes else order)
    return f"  {power}: {'; '.join(written)}"


def _write_position(board: Board) -> Iterator[str]:
    units, centres = board.marked_units(), board.centres()
    for power in POWERS:
        yield f"    {power}: {' '.join(units[power])} | {' '.join(centres[power])}"


if __name__ == "__main__":
    for name, bot in GAMES.items():
        (HERE / f"{name}.txt").write_text(write_game(bot), encoding="utf-8")
