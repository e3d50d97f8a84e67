"""The bot ``easy``: take a centre next to a unit, else move towards one."""

from __future__ import annotations

from collections import deque
from random import Random

from ludus.games.diplomacy.bots.bot import Bot
from ludus.games.diplomacy.bots.simple import choose_adjustments
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.view import View

__all__ = ["Easy"]


class Easy(Bot):
    """Stays on centres it is about to win, takes empty ones, else walks to the nearest.

    Units never get in each other's way and never support.
    """

    name = "easy"

    def orders(self, view: View, rng: Random) -> list[str]:
        """Return the orders of this phase."""
        if view.kind == "A":
            return choose_adjustments(view, rng.choice, rng)
        if view.kind == "R":
            return _retreats(view, rng)
        return _moves(view, rng)


def _moves(view: View, rng: Random) -> list[str]:
    board = geography()
    mine = set(view.centres[view.power])
    wanted = set(board.centres) - mine
    occupied = {unit[2:5] for units in view.units.values() for unit in units}
    units = list(view.units[view.power])
    rng.shuffle(units)
    claimed = {unit[2:5] for unit in units if unit[2:5] in wanted}
    orders = [f"{unit} H" for unit in units if unit[2:5] in claimed]
    for unit in units:
        if unit[2:5] in claimed:
            continue
        goals = [to for to in board.moves[unit[0], unit[2:]] if to[:3] not in claimed]
        rng.shuffle(goals)
        ranks = {to: _rank(unit[0], to, wanted - claimed, occupied) for to in goals}
        best = min(goals, key=ranks.__getitem__, default=None)
        orders.append(f"{unit} - {best}" if best else f"{unit} H")
        claimed.add(best[:3] if best else unit[2:5])
    return orders


def _rank(kind: str, to: str, wanted: set[str], occupied: set[str]) -> tuple[int, int]:
    """Return how much a unit wants to go to a place; less is better."""
    free = to[:3] not in occupied
    if to[:3] in wanted:
        return (0 if free else 1), 0
    return (2 if free else 3), _distance(kind, to, frozenset(wanted))


def _distance(kind: str, start: str, goals: frozenset[str]) -> int:
    """Return how many moves away the nearest goal is; many if there is none."""
    board, seen, queue = geography(), {start}, deque([(start, 0)])
    while queue:
        location, moves = queue.popleft()
        if location[:3] in goals:
            return moves
        for to in board.moves[kind, location]:
            if to not in seen:
                seen.add(to)
                queue.append((to, moves + 1))
    return len(board.provinces)


def _retreats(view: View, rng: Random) -> list[str]:
    """Return a retreat to a centre, if there is one, else anywhere."""
    centres, claimed, orders = set(geography().centres), set(), []
    for options in view.legal.values():
        retreats = [
            order for order in options if " R " in order and _retreat_province(order) not in claimed
        ]
        rng.shuffle(retreats)
        best = min(
            retreats, key=lambda order: _retreat_province(order) not in centres, default=options[0]
        )
        claimed.add(_retreat_province(best))
        orders.append(best)
    return orders


def _retreat_province(order: str) -> str:
    return order.partition(" R ")[2][:3]
