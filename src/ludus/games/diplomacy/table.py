"""A game under way on the ``diplomacy`` package, which is imported here and nowhere else.

That package is under the AGPL; Ludus neither contains nor requires it (extra ``diplomacy``).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Any
from warnings import catch_warnings, simplefilter

from ludus.distribution import install_command
from ludus.errors import EpisodeOver, MissingExtra, OptionError
from ludus.games.diplomacy.map.geography import Geography
from ludus.games.diplomacy.orders import OrderBook, place_of
from ludus.games.diplomacy.records import (
    POWERS,
    Message,
    Rejection,
    SubmittedOrders,
    Turn,
    parse_phase,
)
from ludus.games.diplomacy.saved_games import (
    check_saved_game,
    message_from_json,
    message_to_json,
    saved_game,
    turn_from_json,
    turn_from_saved,
    turn_to_json,
)

__all__ = ["Table", "engine_name", "geography"]

OVER = "COMPLETED"


@cache
def _library() -> ModuleType:
    """Return the engine's module of games."""
    with catch_warnings():
        simplefilter("ignore", ResourceWarning)  # it leaves the file of its convoy paths open
        try:
            return import_module("diplomacy.engine.game")
        except ImportError as error:
            message = f"diplomacy is not installed; games need it: {install_command('diplomacy')}"
            raise MissingExtra(message) from error


def engine_name() -> str:
    """Return the engine's name and version."""
    _library()
    return f"diplomacy-{version('diplomacy')}"


@cache
def geography() -> Geography:
    """Return the standard map."""
    board = _library().Game().map
    locations = tuple(sorted(place.upper() for place in board.locs if place.upper() != "SWI"))
    provinces = tuple(place for place in locations if "/" not in place)
    standing = [
        (kind, place)
        for kind in "AF"
        for place in locations
        if board.is_valid_unit(f"{kind} {place}")
    ]
    moves = {
        (kind, place): tuple(
            other
            for other in locations
            if (kind, other) in standing and board.abuts(kind, place, "-", other)
        )
        for kind, place in standing
    }
    return Geography(
        provinces=provinces,
        locations=locations,
        kinds={place: board.area_type(place) for place in provinces},
        centres=tuple(sorted(board.scs)),
        homes={power: tuple(board.homes[power]) for power in POWERS},
        moves=moves,
        reach={unit: tuple(sorted({place[:3] for place in to})) for unit, to in moves.items()},
        sites={
            (kind, province): tuple(
                place for one, place in standing if one == kind and place[:3] == province
            )
            for kind in "AF"
            for province in provinces
        },
    )


class Table:
    """A game under way: seven powers, their units and centres, and what they have ordered.

    Everything is plain: powers, units and orders are the engine's texts (``"FRANCE"``, ``"A PAR"``,
    ``"A PAR - BUR"``).

    Example:
        >>> table = Table.start()
        >>> table.submit("FRANCE", ["army Paris to Burgundy", "A MAR - LONDON"]).accepted
        ('A PAR - BUR',)
        >>> table.step().phase, table.phase
        ('S1901M', 'F1901M')
    """

    def __init__(self, game: Any) -> None:
        self._game = game
        self._legal: dict[str, tuple[str, ...]] | None = None
        self.history: list[Turn] = []
        self._forget()

    @classmethod
    def start(cls, position: Mapping[str, Any] | None = None, first_year: int = 1901) -> Table:
        """Return a new game.

        Args:
            position: ``phase`` (movement or winter), ``units`` and ``centres`` to begin with, each
                optional; a power that ``units`` or ``centres`` leaves out has none.
            first_year: The year of the first spring, unless the position names a phase.

        Raises:
            MissingExtra: The engine is not installed.
            OptionError: The position cannot be set up.
        """
        table = cls(_library().Game(game_id="ludus"))
        table._set_up(dict(position or {}), first_year)
        return table

    # ---- what is on the board

    @property
    def phase(self) -> str:
        """The phase's name, such as ``S1901M``; ``COMPLETED`` after a win or a draw."""
        return self._phase

    @property
    def year(self) -> int:
        """The year; that of the last phase once the game is over."""
        phase = parse_phase(self.phase)
        if phase:
            return phase.year
        return next(turn.year for turn in reversed(self.history) if turn.year is not None)

    @property
    def kind(self) -> str:
        """``M``, ``R`` or ``A``, or an empty text once the game is over."""
        return "" if self.phase == OVER else self.phase[-1]

    @property
    def units(self) -> dict[str, tuple[str, ...]]:
        """The units of each power, without those that are dislodged."""
        return {power: tuple(self._game.powers[power].units) for power in POWERS}

    @property
    def centres(self) -> dict[str, tuple[str, ...]]:
        """The supply centres of each power."""
        return {power: tuple(self._game.powers[power].centers) for power in POWERS}

    @property
    def homes(self) -> dict[str, tuple[str, ...]]:
        """The home centres of each power."""
        return {power: tuple(self._game.powers[power].homes) for power in POWERS}

    @property
    def retreats(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """The dislodged units of each power, and where they may retreat to."""
        return {
            power: {unit: tuple(to) for unit, to in self._game.powers[power].retreats.items()}
            for power in POWERS
        }

    @property
    def builds(self) -> dict[str, int]:
        """How many units each power may build (or, below 0, has to remove) in this phase."""
        return {power: self._to_adjust(power) for power in POWERS}

    @property
    def state(self) -> dict[str, Any]:
        """The position as the engine's saved games hold it, without the clock."""
        state: dict[str, Any] = self._game.get_state()
        state["timestamp"] = 0
        state["zobrist_hash"] = str(state["zobrist_hash"])
        return state

    @property
    def over(self) -> bool:
        """Whether somebody has won, or the engine has called a draw."""
        return self.phase == OVER

    @property
    def winner(self) -> str | None:
        """The power that has won."""
        victors = self._game.outcome[1:] if self.over else []
        return str(victors[0]) if len(victors) == 1 else None

    # ---- orders

    @property
    def legal_orders(self) -> Mapping[str, tuple[str, ...]]:
        """The legal orders of every unit or site by its province, sorted; worked out once."""
        if self._legal is None:
            every = self._game.get_all_possible_orders()
            self._legal = {
                place: tuple(sorted(orders))
                for place, orders in every.items()
                if orders and "/" not in place
            }
        return self._legal

    def orderable(self, power: str) -> tuple[str, ...]:
        """Return the provinces for which the power may give orders now."""
        return tuple(self._game.get_orderable_locations(power)) if not self.over else ()

    def legal(self, power: str) -> dict[str, tuple[str, ...]]:
        """Return the power's legal orders by province."""
        every = self.legal_orders
        return {place: every[place] for place in self.orderable(power) if place in every}

    def submit(self, power: str, orders: Iterable[object]) -> SubmittedOrders:
        """Take a power's orders instead of those it gave before; the last for a unit counts.

        Texts are read leniently, then looked up in the legal list. What is not there is rejected,
        and a unit without an order does what the rules say (it holds, or is disbanded).

        Raises:
            OptionError: There is no such power. No text raises anything.
        """
        self._check(power)
        book = self._books.get(power)
        if book is None:
            every = [order for orders in self.legal(power).values() for order in orders]
            book = self._books[power] = OrderBook(every, self.kind)
        found = [book.find(text) for text in orders]
        rejected = tuple(one for one in found if isinstance(one, Rejection))
        accepted, beyond = self._kept(power, [one for one in found if isinstance(one, str)])
        self._submitted[power] = accepted
        self._rejected[power] = tuple(one.text for one in (*rejected, *beyond))
        return SubmittedOrders(accepted, (*rejected, *beyond))

    def note_rejected(self, power: str, texts: Sequence[str]) -> None:
        """Keep texts of a power that were no legal orders, when a record is played again."""
        self._rejected[power] = tuple(texts)

    def say(self, message: Message) -> None:
        """Keep a message of this phase."""
        self.messages.append(message)

    def note(self, power: str, note: Mapping[str, Any]) -> None:
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
            defaults=self._filled_in(phase[-1], state),
            results=results,
            messages=tuple(self.messages),
            rejected={power: texts for power, texts in self._rejected.items() if texts},
            faults=tuple(faults),
            notes={power: tuple(notes) for power, notes in self.notes.items()},
        )
        self.history.append(turn)
        self._forget()
        return turn

    def command(self, power: str, orders: Iterable[str]) -> None:
        """Take orders that are known to be legal, without looking: for looking ahead."""
        self._submitted[power] = tuple(orders)

    def advance(self) -> None:
        """Adjudicate the phase like :meth:`step`, but keep nothing of it: for looking ahead."""
        self._adjudicate()
        self._forget()

    # ---- copies

    def fork(self, into: Table | None = None) -> Table:
        """Return a table with this position, to look ahead on; it has no history and no orders.

        Args:
            into: A table that is no longer needed and may be taken instead of a new one.
        """
        other = into if into is not None else Table(_library().Game(game_id="ludus"))
        mine, its = self._game, other._game
        _place(its, mine.get_state())
        its.dislodged, its.popped = dict(mine.dislodged), list(mine.popped)
        its.outcome = list(mine.outcome)
        other.history = []
        other._forget()
        return other

    def snapshot(self) -> bytes:
        """Return the table with all its history, from which :meth:`restore` makes it anew."""
        values = {
            "state": self.state,
            "outcome": self._game.outcome,
            "dislodged": self._game.dislodged,
            "popped": self._game.popped,
            "submitted": self._submitted,
            "rejected": self._rejected,
            "messages": [message_to_json(one) for one in self.messages],
            "notes": self.notes,
            "history": [turn_to_json(turn) for turn in self.history],
        }
        return zlib.compress(json.dumps(values, separators=(",", ":")).encode())

    @classmethod
    def restore(cls, snapshot: bytes) -> Table:
        """Return the table of a snapshot.

        Raises:
            OptionError: It is none.
        """
        try:
            values = json.loads(zlib.decompress(snapshot))
            table = cls(_library().Game(game_id="ludus"))
            _place(table._game, values["state"])
            table._game.outcome = values["outcome"]
            table._game.dislodged, table._game.popped = values["dislodged"], values["popped"]
            table.history = [turn_from_json(turn) for turn in values["history"]]
            table._forget()
            table._submitted = {power: tuple(one) for power, one in values["submitted"].items()}
            table._rejected = {power: tuple(one) for power, one in values["rejected"].items()}
            table.messages = [message_from_json(one) for one in values["messages"]]
            table.notes = values["notes"]
        except (ValueError, zlib.error, KeyError, TypeError, AttributeError) as error:
            message = "these bytes are no snapshot of a table: give what snapshot() returned"
            raise OptionError(message) from error
        return table

    def saved_game(self, **extra: Any) -> dict[str, Any]:
        """Return the game in the engine's format of saved games, ready for JSON.

        Args:
            **extra: More keys to put beside the engine's own.
        """
        now = Turn(
            self.phase, self.state, {}, messages=tuple(self.messages), rejected=self._rejected
        )
        return saved_game([*self.history, now]) | extra

    @classmethod
    def from_saved_game(cls, game: Mapping[str, Any]) -> Table:
        """Return the table of a saved game, at its last record, with all before it as history.

        Raises:
            OptionError: It is no saved game on the standard map.
        """
        phases = check_saved_game(game)
        table = cls(_library().Game(game_id="ludus"))
        try:
            turns = [turn_from_saved(phase) for phase in phases]
            _place(table._game, turns[-1].state)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise OptionError(f"the saved game cannot be read: {error!r}") from error
        table.history = turns[:-1]
        if turns[-1].phase == OVER:
            table._game.outcome = [turns[-2].phase if turns[1:] else OVER, *_victors(turns[-1])]
        table._forget()
        table.messages = list(turns[-1].messages)
        return table

    # ---- within

    def _forget(self) -> None:
        """Begin a phase: no orders, no messages, nothing worked out."""
        self._phase = str(self._game.get_current_phase())
        self._submitted: dict[str, tuple[str, ...]] = {}
        self._rejected: dict[str, tuple[str, ...]] = {}
        self.messages: list[Message] = []
        self.notes: dict[str, list[Mapping[str, Any]]] = {}
        self.shared: dict[str, Any] = {}
        self._legal = None
        self._books: dict[str, OrderBook] = {}

    def _check(self, power: str) -> None:
        if power not in POWERS:
            raise OptionError(f"no power {power!r}; there are {', '.join(POWERS)}")

    def _to_adjust(self, power: str) -> int:
        if self.kind != "A":
            return 0
        its = self._game.powers[power]
        more = len(its.centers) - len(its.units)
        return min(more, len(self.orderable(power))) if more > 0 else more

    def _kept(self, power: str, orders: list[str]) -> tuple[tuple[str, ...], list[Rejection]]:
        """Return the last order of every unit, and those beyond what winter allows."""
        waived = [order for order in orders if order == "WAIVE"]
        last = {place_of(order): order for order in orders if order != "WAIVE"}
        if self.kind != "A":
            return tuple(last.values()), []
        kept, most = [*last.values(), *waived], abs(self._to_adjust(power))
        beyond = f"is one too many: {most} can be adjusted"
        return tuple(kept[:most]), [Rejection(order, beyond) for order in kept[most:]]

    def _adjudicate(self) -> dict[str, tuple[str, ...]]:
        """Hand the orders to the engine, let it go on, and return what came in between."""
        if self.over:
            raise EpisodeOver("the game is over: start another")
        game = self._game
        for power, orders in self._submitted.items():
            its = game.powers[power]
            if self.kind == "M":
                its.orders = dict(_unit_and_rest(order) for order in orders)
            else:
                its.adjust = [order for order in orders if order != "WAIVE"]
        done = game.process()
        for history in (game.state_history, game.order_history, game.message_history):
            history.clear()
        game.result_history.clear()
        told = {unit: tuple(filter(None, map(str, found))) for unit, found in done.results.items()}
        return {unit: results for unit, results in told.items() if results}

    def _filled_in(self, kind: str, state: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        """Return what the rules did with units that had no order."""
        filled = {}
        for power in POWERS:
            ordered = {place_of(order) for order in self._submitted.get(power, ())}
            units = [unit for unit in state["units"][power] if unit.lstrip("*")[2:5] not in ordered]
            if kind == "M":
                orders = [f"{unit} H" for unit in units]
            elif kind == "R":
                orders = [f"{unit[1:]} D" for unit in units if unit.startswith("*")]
            else:
                left = self._game.powers[power].units
                orders = [f"{unit} D" for unit in units if unit not in left]
            if orders:
                filled[power] = tuple(orders)
        return filled

    def _set_up(self, position: dict[str, Any], first_year: int) -> None:
        game = self._game
        name = str(position.pop("phase", f"S{first_year}M"))
        phase = parse_phase(name)
        if phase is None or phase.kind == "R" or (phase.kind == "A") != (phase.season == "winter"):
            raise OptionError(f"a game cannot begin in {name!r}: try S1901M, F1901M or W1901A")
        game.set_current_phase(name)
        units, centres = position.pop("units", None), position.pop("centres", None)
        if position:
            raise OptionError(f"no {next(iter(position))!r} in a position: phase, units, centres")
        for power in [*(units or ()), *(centres or ())]:
            self._check(power)
        for power in POWERS:
            if units is not None:
                game.set_units(power, list(units.get(power, ())), reset=True)
            if centres is not None:
                game.set_centers(power, list(centres.get(power, ())), reset=True)
        self._check_set_up(units or {}, centres or {})
        game.build_caches()
        self._forget()

    def _check_set_up(self, units: Mapping[str, Any], centres: Mapping[str, Any]) -> None:
        """Refuse units and centres that the engine has silently dropped."""
        for power in POWERS:
            its = self._game.powers[power]
            for unit in units.get(power, ()):
                if unit not in its.units:
                    raise OptionError(f"{power} cannot have {unit!r}: no such place, or taken")
            for centre in centres.get(power, ()):
                if centre not in its.centers:
                    raise OptionError(f"{power} cannot own {centre!r}: no centre, or taken")


def _unit_and_rest(order: str) -> tuple[str, str]:
    """Return ``("A PAR", "- BUR")`` of ``"A PAR - BUR"``."""
    kind, place, rest = order.split(" ", 2)
    return f"{kind} {place}", rest


def _victors(turn: Turn) -> list[str]:
    """Return who has won, in the last record of a saved game that is over."""
    many = [power for power, centres in turn.centres.items() if len(centres) >= 18]
    return many if len(many) == 1 else [power for power, units in turn.units.items() if units]


def _place(game: Any, state: Mapping[str, Any]) -> None:
    """Put a position onto the engine's board: much quicker than its own way, which checks all."""
    game.set_current_phase(state["name"])
    game.note = state.get("note", "")
    game.error, game.outcome = [], []
    for power in POWERS:
        its = game.powers[power]
        units = state["units"].get(power, ())
        its.units = [unit for unit in units if unit[0] != "*"]
        its.retreats = {unit: list(to) for unit, to in state["retreats"].get(power, {}).items()}
        its.centers = list(state["centers"].get(power, ()))
        its.homes = list(state["homes"].get(power, game.map.homes[power]))
        its.influence = list(state["influence"].get(power, ()))
        its.civil_disorder = state["civil_disorder"].get(power, 0)
        its.orders, its.adjust = {}, []
    game.dislodged = {unit: "" for power in POWERS for unit in game.powers[power].retreats}
    game.popped = []
    game.rebuild_hash()
    game.build_caches()
