"""The board as one seat sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ludus.games.diplomacy.board import Board
from ludus.games.diplomacy.records import Message, Turn, parse_phase
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table

__all__ = ["View"]


class View:
    """What a player is shown: always the table as it is now, and no message for other eyes.

    Attributes:
        scenario: What is played, as seen from this seat.
        power: The seat.
        step: ``press`` while messages are asked for, ``orders`` while orders are.
        round: The round of messages, from 1; 0 while orders are asked for.

    Example:
        >>> view = View(Table.start(), Scenario(power="ITALY"))
        >>> view.phase, view.units["ITALY"]
        ('S1901M', ('F NAP', 'A ROM', 'A VEN'))
    """

    def __init__(self, table: Table, scenario: Scenario) -> None:
        self._table = table
        self.scenario = scenario
        self.power = scenario.power
        self.step = "orders"
        self.round = 0

    @property
    def rounds(self) -> int:
        """How many rounds of messages there are before a movement."""
        return self.scenario.rounds

    @property
    def phase(self) -> str:
        """The phase's name, such as ``S1901M``."""
        return self._table.phase

    @property
    def year(self) -> int:
        """The year."""
        return self._table.year

    @property
    def season(self) -> str:
        """``spring``, ``fall`` or ``winter``; an empty text once the game is over."""
        phase = parse_phase(self.phase)
        return phase.season if phase else ""

    @property
    def kind(self) -> str:
        """``M`` for movement, ``R`` for retreats, ``A`` for adjustments."""
        return self._table.kind

    @property
    def units(self) -> dict[str, tuple[str, ...]]:
        """The units of each power, without those that are dislodged."""
        return self._table.units

    @property
    def centres(self) -> dict[str, tuple[str, ...]]:
        """The supply centres of each power."""
        return self._table.centres

    @property
    def homes(self) -> dict[str, tuple[str, ...]]:
        """The home centres of each power."""
        return self._table.homes

    @property
    def retreats(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """The dislodged units of each power, and where they may retreat to."""
        return self._table.retreats

    @property
    def builds(self) -> dict[str, int]:
        """How many units each power may build (or, below 0, has to remove) in this phase."""
        return self._table.builds

    @property
    def orderable(self) -> tuple[str, ...]:
        """The provinces for which this seat may give orders now."""
        return self._table.orderable(self.power)

    @property
    def legal(self) -> dict[str, tuple[str, ...]]:
        """This seat's legal orders by province."""
        return self._table.legal(self.power)

    @property
    def legal_orders(self) -> Mapping[str, tuple[str, ...]]:
        """Everybody's legal orders by province."""
        return self._table.legal_orders

    @property
    def messages(self) -> tuple[Message, ...]:
        """What was said in this phase and this seat may read."""
        return self._readable(self._table.messages)

    @property
    def history(self) -> tuple[Turn, ...]:
        """Every phase so far, with the messages that this seat may read."""
        return self.turns_from(0)

    def turns_from(self, number: int) -> tuple[Turn, ...]:
        """Return the history from a phase on, counted from 0."""
        return tuple(
            replace(turn, messages=self._readable(turn.messages), rejected={}, notes={})
            for turn in self._table.history[number:]
        )

    def board(self) -> dict[str, Any]:
        """Return the position as plain values, as :meth:`Table.set_board` takes them."""
        return self._table.board()

    def copy_board(self) -> Board:
        """Return a board with this position, which is quicker than a table to look ahead on."""
        return self._table.copy_board()

    def fork(self, into: Table | None = None) -> Table:
        """Return a table with this position, to look ahead on."""
        return self._table.fork(into)

    def _readable(self, messages: list[Message] | tuple[Message, ...]) -> tuple[Message, ...]:
        return tuple(message for message in messages if message.readable_by(self.power))
