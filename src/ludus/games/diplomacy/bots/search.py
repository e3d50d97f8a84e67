"""The bot ``search``: tries several plans against several guesses of the others' orders."""

from __future__ import annotations

from random import Random

from ludus.games.diplomacy.bots.bot import Bot
from ludus.games.diplomacy.bots.dumb import AGGRESSIVE, BALANCED, dumb_orders
from ludus.games.diplomacy.records import POWERS
from ludus.games.diplomacy.table import Table
from ludus.games.diplomacy.view import View

__all__ = ["Search", "find_position_value", "play_to_winter"]

PLANS = 12
GUESSES = 4
CENTRE, UNIT, LEADERS = 4.0, 1.0, 0.02
WON = 100.0


class Search(Bot):
    """Plays the plan whose outcome at the end of the year is best on average.

    Plans and guesses come from the bot ``dumb``, the aggressive variant among them; after the
    first move everybody goes on as ``dumb`` would, and so it plays retreats and winters itself.
    """

    name = "search"

    def orders(self, view: View, rng: Random) -> list[str]:
        """Return the best plan found."""
        if view.kind != "M":
            return dumb_orders(view, view.power, rng)
        return _Search(view, rng).best()


class _Search:
    """The search of one phase."""

    def __init__(self, view: View, rng: Random) -> None:
        self._view, self._power, self._rng = view, view.power, rng
        self._table: Table | None = None

    def best(self) -> list[str]:
        """Return the plan that is best on average over the guesses."""
        guesses = [self._guess_orders() for _ in range(GUESSES)]
        plans = dict.fromkeys(self._draw_plan() for _ in range(PLANS))
        if len(plans) == 1:
            return list(next(iter(plans)))
        ranked = [(sum(self._plan_value(plan, guess) for guess in guesses), plan) for plan in plans]
        return list(max(ranked)[1])

    def _guess_orders(self) -> dict[str, list[str]]:
        """Return what the others might order."""
        others = [power for power in POWERS if power != self._power]
        return {power: dumb_orders(self._view, power, self._rng) for power in others}

    def _draw_plan(self) -> tuple[str, ...]:
        temper = self._rng.choice((BALANCED, AGGRESSIVE))
        return tuple(dumb_orders(self._view, self._power, self._rng, temper))

    def _plan_value(self, plan: tuple[str, ...], others: dict[str, list[str]]) -> float:
        """Return what the position is worth at the end of the year if this is played."""
        table = self._table = self._view.fork(self._table)
        for power, orders in others.items():
            table.set_orders(power, orders)
        table.set_orders(self._power, plan)
        play_to_winter(table, self._rng)
        return find_position_value(table, self._power)


def play_to_winter(table: Table, rng: Random) -> None:
    """Adjudicate the orders that are given, then let everybody go on as ``dumb`` to the winter."""
    table.advance()
    while not table.over and table.phase[0] != "W" and (table.kind, table.phase[0]) != ("M", "S"):
        for power in POWERS:
            table.set_orders(power, dumb_orders(table, power, rng))
        table.advance()


def find_position_value(table: Table, power: str) -> float:
    """Return what a position is worth to a power: centres, units, and nobody else too large."""
    if table.winner:
        return WON if table.winner == power else -WON
    centres = {other: len(owned) for other, owned in table.centres.items()}
    leaders = sum(n * n for other, n in centres.items() if other != power)
    return CENTRE * centres[power] + UNIT * len(table.units[power]) - LEADERS * leaders
