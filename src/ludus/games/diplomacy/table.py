"""The table: one game of Diplomacy with its position, its orders and its history."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludus.errors import EpisodeOver, OptionError, format_error
from ludus.games.diplomacy.board import OVER, Board
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.orders import OrderBook, unit_province
from ludus.games.diplomacy.packing import pack, unpack
from ludus.games.diplomacy.position import check_power, set_up
from ludus.games.diplomacy.records import (
    POWERS,
    Message,
    Rejection,
    SubmittedOrders,
    Turn,
)
from ludus.games.diplomacy.saved_games import (
    check_saved_game,
    find_victors,
    message_from_json,
    message_to_json,
    turn_from_json,
    turn_from_saved,
    turn_to_json,
    turns_to_saved_game,
)

__all__ = ["Table"]

FIRST_YEAR = 1901

_Listed = tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]


class Table:
    """One game: seven powers, their units and centres, their orders and the history.

    Everything is plain: powers, units and orders are the engine's texts (``"FRANCE"``, ``"A PAR"``,
    ``"A PAR - BUR"``).

    Example:
        >>> table = Table.start()
        >>> table.submit("FRANCE", ["army Paris to Burgundy", "A MAR - LONDON"]).accepted
        ('A PAR - BUR',)
        >>> table.step().phase, table.phase
        ('S1901M', 'F1901M')
    """

    def __init__(self, board: Board | None = None) -> None:
        self._board = Board() if board is None else board
        self.history: list[Turn] = []
        self._begin_phase()

    @classmethod
    def start(cls, position: Mapping[str, Any] | None = None, first_year: int = 1901) -> Table:
        """Return a new game.

        Args:
            position: ``phase`` (movement or winter), ``units`` and ``centres`` to begin with, each
                optional; a power that ``units`` or ``centres`` leaves out has none.
            first_year: The year of the first spring, unless the position names a phase.

        Raises:
            OptionError: The position cannot be set up.
        """
        return cls(set_up(position or {}, first_year))

    # ---- what is on the board

    @property
    def phase(self) -> str:
        """The phase's name, such as ``S1901M``; ``COMPLETED`` after a win or a draw."""
        return self._phase

    @property
    def year(self) -> int:
        """The year; that of the last phase once the game is over."""
        return self._board.year

    @property
    def kind(self) -> str:
        """``M``, ``R`` or ``A``, or an empty text once the game is over."""
        return "" if self.phase == OVER else self.phase[-1]

    @property
    def units(self) -> dict[str, tuple[str, ...]]:
        """The units of each power, without those that are dislodged."""
        return _as_tuples(self._board.units())

    @property
    def centres(self) -> dict[str, tuple[str, ...]]:
        """The supply centres of each power."""
        return _as_tuples(self._board.centres())

    @property
    def homes(self) -> dict[str, tuple[str, ...]]:
        """The home centres of each power."""
        return dict(geography().homes)

    @property
    def retreats(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """The dislodged units of each power, and where they may retreat to."""
        return {power: _as_tuples(units) for power, units in self._board.retreats().items()}

    @property
    def builds(self) -> dict[str, int]:
        """How many units each power may build (or, below 0, has to remove) in this phase."""
        return {power: int(each["count"]) for power, each in self._board.builds().items()}

    @property
    def state(self) -> dict[str, Any]:
        """The position as saved games hold it, without the clock."""
        board = self._board
        return {
            "timestamp": 0,
            "note": board.note,
            "name": self.phase,
            "units": board.marked_units(),
            "retreats": board.retreats(),
            "centers": board.centres(),
            "homes": {power: list(homes) for power, homes in geography().homes.items()},
            "influence": board.influence(),
            "civil_disorder": dict.fromkeys(POWERS, 0),
            "builds": board.builds(),
        }

    @property
    def over(self) -> bool:
        """Whether somebody has won, or the engine has called a draw."""
        return self.phase == OVER

    @property
    def winner(self) -> str | None:
        """The power that has won."""
        victors = self._board.victors
        return victors[0] if len(victors) == 1 else None

    # ---- orders

    @property
    def legal_orders(self) -> Mapping[str, tuple[str, ...]]:
        """The legal orders of every unit or site by its province, sorted; worked out once."""
        return self._list_orders()[0]

    def orderable(self, power: str) -> tuple[str, ...]:
        """Return the provinces for which the power may give orders now."""
        return self._list_orders()[1][power]

    def legal(self, power: str) -> dict[str, tuple[str, ...]]:
        """Return the power's legal orders by province."""
        every, orderable = self._list_orders()
        return {province: every[province] for province in orderable[power]}

    def submit(self, power: str, orders: Iterable[object]) -> SubmittedOrders:
        """Take a power's orders instead of those it gave before; the last for a unit counts.

        Texts are read leniently, then looked up in the legal list. What is not there is rejected,
        and a unit without an order does what the rules say (it holds, or is disbanded).

        Raises:
            OptionError: There is no such power. No text raises anything.
        """
        check_power(power)
        book = self._books.get(power)
        if book is None:
            every = [order for orders in self.legal(power).values() for order in orders]
            book = self._books[power] = OrderBook(every, self.kind)
        readings = [book.find(text) for text in orders]
        rejected = tuple(text for text in readings if isinstance(text, Rejection))
        legal = [text for text in readings if isinstance(text, str)]
        accepted, beyond = self._limit_orders(power, legal)
        self._submitted[power] = accepted
        self._rejected[power] = tuple(text.text for text in (*rejected, *beyond))
        return SubmittedOrders(accepted, (*rejected, *beyond))

    def set_rejected(self, power: str, texts: Sequence[str]) -> None:
        """Keep texts of a power that were no legal orders, when a record is played again."""
        self._rejected[power] = tuple(texts)

    def add_message(self, message: Message) -> None:
        """Keep a message of this phase."""
        self.messages.append(message)

    def add_note(self, power: str, note: Mapping[str, Any]) -> None:
        """Keep what a power's player wants to have beside its answer; plain values."""
        self.notes.setdefault(power, []).append(note)

    def step(self, *, faults: Sequence[str] = ()) -> Turn:
        """Adjudicate the phase, go on to the next, and return what happened.

        Args:
            faults: Powers whose player failed to answer, for the record.

        Raises:
            EpisodeOver: The game is over.
        """
        phase, state = self.phase, self.state
        results = self._adjudicate()
        turn = Turn(
            phase=phase,
            state=state,
            orders={power: self._submitted.get(power, ()) for power in POWERS},
            defaults=self._default_orders(phase[-1], state),
            results=results,
            messages=tuple(self.messages),
            rejected={power: texts for power, texts in self._rejected.items() if texts},
            faults=tuple(faults),
            notes={power: tuple(notes) for power, notes in self.notes.items()},
        )
        self.history.append(turn)
        self._begin_phase()
        return turn

    def set_orders(self, power: str, orders: Iterable[str]) -> None:
        """Take orders that are known to be legal, without looking: for looking ahead."""
        self._submitted[power] = tuple(orders)

    def advance(self) -> None:
        """Adjudicate the phase like :meth:`step`, but keep nothing of it: for looking ahead."""
        self._adjudicate()
        self._begin_phase()

    # ---- copies

    def fork(self, into: Table | None = None) -> Table:
        """Return a table with this position, to look ahead on; it has no history and no orders.

        Args:
            into: A table that is no longer needed and may be taken instead of a new one.
        """
        if into is None:
            return Table(self._board.copy())
        into._board.copy_from(self._board)
        into.history = []
        into._begin_phase()
        return into

    def copy_board(self) -> Board:
        """Return a board with this position, to look ahead on."""
        return self._board.copy()

    def board(self) -> dict[str, Any]:
        """Return the position as plain values, which :meth:`set_board` takes."""
        return {"board": b64encode(self._board.snapshot()).decode()}

    def set_board(self, values: Mapping[str, Any]) -> None:
        """Begin a phase with this position.

        Raises:
            OptionError: The values are not what :meth:`board` returned.
        """
        self._board.restore(b64decode(values["board"]))
        self._begin_phase()

    def snapshot(self) -> bytes:
        """Return the table with all its history, from which :meth:`restore` makes it anew."""
        values = {
            **self.board(),
            "submitted": self._submitted,
            "rejected": self._rejected,
            "messages": [message_to_json(message) for message in self.messages],
            "notes": self.notes,
            "history": [turn_to_json(turn) for turn in self.history],
        }
        return pack(values)

    @classmethod
    def restore(cls, snapshot: bytes) -> Table:
        """Return the table of a snapshot.

        Raises:
            OptionError: It is none.
        """
        try:
            values = unpack(snapshot)
            table = cls()
            table.set_board(values)
            table.history = [turn_from_json(turn) for turn in values["history"]]
            table._submitted = {
                power: tuple(orders) for power, orders in values["submitted"].items()
            }
            table._rejected = {power: tuple(texts) for power, texts in values["rejected"].items()}
            table.messages = [message_from_json(message) for message in values["messages"]]
            table.notes = values["notes"]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            message = "these bytes are no snapshot of a table: give what snapshot() returned"
            raise OptionError(message) from error
        return table

    def __reduce__(self) -> tuple[Any, ...]:
        return Table.restore, (self.snapshot(),)

    def to_saved_game(self, **extra: Any) -> dict[str, Any]:
        """Return the game in the engine's format of saved games, ready for JSON.

        Args:
            **extra: More keys to put beside the engine's own.
        """
        now = Turn(
            self.phase, self.state, {}, messages=tuple(self.messages), rejected=self._rejected
        )
        return turns_to_saved_game([*self.history, now]) | extra

    @classmethod
    def from_saved_game(cls, game: Mapping[str, Any]) -> Table:
        """Return the table of a saved game, at its last record, with all before it as history.

        Raises:
            OptionError: It is no saved game on the standard map.
        """
        phases = check_saved_game(game)
        try:
            turns = [turn_from_saved(phase) for phase in phases]
            table = cls(Board.from_record(_record_of(turns), civil_disorder="2023", victory="2023"))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise OptionError(f"the saved game cannot be read: {format_error(error)}") from error
        table.history = turns[:-1]
        table.messages = list(turns[-1].messages)
        return table

    # ---- within

    def _begin_phase(self) -> None:
        """Discard orders, messages and everything that was computed for the phase before."""
        self._phase = self._board.phase
        self._submitted: dict[str, tuple[str, ...]] = {}
        self._rejected: dict[str, tuple[str, ...]] = {}
        self.messages: list[Message] = []
        self.notes: dict[str, list[Mapping[str, Any]]] = {}
        self._listed: _Listed | None = None
        self._books: dict[str, OrderBook] = {}

    def _list_orders(self) -> _Listed:
        """Return the legal orders by province and the provinces by power; worked out once."""
        if self._listed is None:
            legal, orderable = self._board.list_by_owner()
            self._listed = _as_tuples(legal), _as_tuples(orderable)
        return self._listed

    def _limit_orders(
        self, power: str, orders: list[str]
    ) -> tuple[tuple[str, ...], list[Rejection]]:
        """Return the last order of every unit, and those beyond what winter allows."""
        waived = [order for order in orders if order == "WAIVE"]
        last = {unit_province(order): order for order in orders if order != "WAIVE"}
        if self.kind != "A":
            return tuple(last.values()), []
        every, most = [*last.values(), *waived], abs(self.builds[power])
        beyond = f"is one too many: {most} can be adjusted"
        return tuple(every[:most]), [Rejection(order, beyond) for order in every[most:]]

    def _adjudicate(self) -> dict[str, tuple[str, ...]]:
        """Hand the orders to the engine, let it go on, and return what came in between."""
        if self.over:
            raise EpisodeOver("the game is over: start another")
        results = self._board.step(self._submitted)
        texts = {unit: tuple(filter(None, codes)) for unit, codes in results.items()}
        return {unit: codes for unit, codes in texts.items() if codes}

    def _default_orders(self, kind: str, state: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        """Return what the rules did with units that had no order."""
        filled = {}
        for power in POWERS:
            ordered = {unit_province(order) for order in self._submitted.get(power, ())}
            units = [unit for unit in state["units"][power] if unit.lstrip("*")[2:5] not in ordered]
            if kind == "M":
                orders = [f"{unit} H" for unit in units]
            elif kind == "R":
                orders = [f"{unit[1:]} D" for unit in units if unit.startswith("*")]
            else:
                left = self._board.units()[power]
                orders = [f"{unit} D" for unit in units if unit not in left]
            if orders:
                filled[power] = tuple(orders)
        return filled


def _as_tuples(lists: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(items) for name, items in lists.items()}


def _record_of(turns: Sequence[Turn]) -> dict[str, Any]:
    """Return the last record of a saved game as boards take it."""
    last = turns[-1]
    record = {**last.state, "name": last.phase}
    if last.phase == OVER:
        year = next((turn.year for turn in reversed(turns) if turn.year is not None), FIRST_YEAR)
        record["outcome"] = [f"W{year:04}A", *find_victors(last)]
    return record
