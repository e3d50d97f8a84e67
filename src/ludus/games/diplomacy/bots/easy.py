"""The bot of one simple rule: take what lies next, else walk towards it."""

from __future__ import annotations

from collections import deque
from random import Random

from ludus.games.diplomacy.bots.bot import Bot
from ludus.games.diplomacy.bots.simple import adjusted
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.view import View

__all__ = ["Easy"]


class Easy(Bot):
    """Stays on centres it is about to win, takes empty ones, else walks to the nearest.

    Units never get in each other's way and never support.
    """

    name = "easy"

    def orders(self, view: View, chance: Random) -> list[str]:
        """Return the orders of this phase."""
        if view.kind == "A":
            return adjusted(view, chance.choice, chance)
        if view.kind == "R":
            return _retreats(view, chance)
        return _moves(view, chance)


def _moves(view: View, chance: Random) -> list[str]:
    board = geography()
    mine = set(view.centres[view.power])
    wanted = set(board.centres) - mine
    occupied = {unit[2:5] for units in view.units.values() for unit in units}
    units = list(view.units[view.power])
    chance.shuffle(units)
    taken = {unit[2:5] for unit in units if unit[2:5] in wanted}
    orders = [f"{unit} H" for unit in units if unit[2:5] in taken]
    for unit in units:
        if unit[2:5] in taken:
            continue
        goals = [to for to in board.moves[unit[0], unit[2:]] if to[:3] not in taken]
        chance.shuffle(goals)
        ranks = {to: _rank(unit[0], to, wanted - taken, occupied) for to in goals}
        best = min(goals, key=ranks.__getitem__, default=None)
        orders.append(f"{unit} - {best}" if best else f"{unit} H")
        taken.add(best[:3] if best else unit[2:5])
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
        place, moves = queue.popleft()
        if place[:3] in goals:
            return moves
        for to in board.moves[kind, place]:
            if to not in seen:
                seen.add(to)
                queue.append((to, moves + 1))
    return len(board.provinces)


def _retreats(view: View, chance: Random) -> list[str]:
    """Return a retreat to a centre, if there is one, else anywhere."""
    centres, taken, orders = set(geography().centres), set(), []
    for options in view.legal.values():
        free = [order for order in options if " R " in order and _goal(order) not in taken]
        chance.shuffle(free)
        best = min(free, key=lambda order: _goal(order) not in centres, default=options[0])
        taken.add(_goal(best))
        orders.append(best)
    return orders


def _goal(order: str) -> str:
    return order.partition(" R ")[2][:3]
