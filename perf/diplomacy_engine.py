"""Measures the engine of Diplomacy, beside the package ``diplomacy`` if that is installed."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

from rich.table import Table as Grid

from ludus.games.diplomacy import _native
from ludus.games.diplomacy.board import Board
from ludus.games.diplomacy.records import POWERS
from ludus.games.diplomacy.vector_env import DiplomacyVectorEnv

REPEATS, TIMES = 7, 300
GAMES, PHASES = 64, 200
LAST_YEAR = 1925

Orders = dict[str, list[str]]


def least(work: Callable[[], object], times: int = TIMES) -> float:
    """Return the processor seconds of doing something once, the least of several runs."""
    seconds = []
    for _ in range(REPEATS):
        started = time.process_time()
        for _ in range(times):
            work()
        seconds.append((time.process_time() - started) / times)
    return min(seconds)


def draw_orders(board: Board, chance: random.Random) -> Orders:
    """Return a random legal order for each unit, and for each adjustment."""
    legal, orderable = board.list_by_owner()
    orders = {power: [_draw(legal[p], chance) for p in orderable[power]] for power in POWERS}
    if board.phase[-1] != "A":
        return orders
    builds = board.builds()
    return {power: own[: abs(builds[power]["count"])] for power, own in orders.items()}


def _draw(orders: list[str], chance: random.Random) -> str:
    """Return one of the orders; quicker than ``choice``."""
    return orders[int(chance.random() * len(orders))]


def middle_position() -> tuple[Board, Orders]:
    """Return a position of a random game after eight years, and orders for it."""
    board, chance = Board(), random.Random(1)
    while board.phase != "S1909M":
        board.step(draw_orders(board, chance))
    return board, draw_orders(board, chance)


def play_texts(seed: int) -> None:
    """Play a game of random orders, given as texts."""
    board, chance = Board(), random.Random(seed)
    while not board.over and board.year <= LAST_YEAR:
        board.step(draw_orders(board, chance))


def step_batch() -> float:
    """Return the seconds that a phase of a batch costs, drawing orders included."""
    env = DiplomacyVectorEnv(GAMES)

    def play() -> None:
        env.step(env.sample())

    return least(play, PHASES) / GAMES


def package_game() -> Any | None:
    """Return a game of the package, if it is installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return import_module("diplomacy").Game()
        except ImportError:
            return None


def measure_package(board: Board, orders: Orders) -> dict[str, float]:
    """Return what the same costs in the package; nothing if it is not installed."""
    game = package_game()
    if game is None:
        return {}
    state = game.get_state() | board.to_record() | {"retreats": {}}
    started, spent = 0.0, []
    for _ in range(REPEATS):
        game.set_state(state)
        started = time.process_time()
        for power, own in orders.items():
            game.set_orders(power, own)
        game.process()
        spent.append(time.process_time() - started)
    game.set_state(state)
    return {"movement": min(spent), "legal": least(game.get_all_possible_orders, 3)}


def measure_engine() -> Grid:
    """Return a table of the engine's costs."""
    board, orders = middle_position()
    native = board._native
    spare, texts = native.clone(), _native.Texts()
    codes = [[_native.read_order(text) for text in orders[power]] for power in POWERS]
    copying = least(lambda: spare.copy_from(native))

    def step() -> None:
        spare.copy_from(native)
        spare.step(codes)

    state = native.clone_state()
    theirs = measure_package(board, orders)
    units = sum(map(len, board.units().values()))
    grid = Grid("work", "Ludus", "package", title=f"The engine, at a position of {units} units")
    rows = [
        ("movement phase", least(step) - copying, theirs.get("movement")),
        ("all legal orders, as numbers", least(native.list_orders), None),
        (
            "all legal orders, as texts",
            least(lambda: native.list_texts(texts)),
            theirs.get("legal"),
        ),
        ("copy of a board", copying, None),
        ("restore a state", least(lambda: spare.restore_state(state)), None),
        ("game of random orders", least(lambda: _native.Board().play(1, LAST_YEAR), 3), None),
        ("the same, as texts in Python", least(lambda: play_texts(1), 1), None),
        ("phase of a batch", step_batch(), None),
    ]
    for name, ours, other in rows:
        grid.add_row(
            name, f"{1e6 * ours:,.1f} µs", "" if other is None else f"{1e6 * other:,.0f} µs"
        )
    return grid
