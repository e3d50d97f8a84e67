"""A board of Diplomacy: a position, its legal orders, and what comes of orders that are given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludus.errors import ActionError, OptionError
from ludus.games.diplomacy import _native
from ludus.games.diplomacy.records import POWERS, parse_phase

__all__ = ["BOTS", "LOCATIONS", "OVER", "PROVINCES", "RULES", "Board"]

OVER = "COMPLETED"
"""The name of the phase when a game is over."""

RULES = "diplomacy@{diplomacy}".format(**_native.rule_sets())
"""The engine's rule set; its version changes whenever the same orders come to another end."""

LOCATIONS = tuple(_native.location_names())
PROVINCES = tuple(name for name in LOCATIONS if "/" not in name)

_LOCATION = {name: number for number, name in enumerate(LOCATIONS)}
_PROVINCE = {name: number for number, name in enumerate(PROVINCES)}
_UNITS = tuple(_native.write_unit(unit) for unit in range(256))
_SEASONS, _KINDS = "SFW", "MRA"
_MOVEMENT, _RETREATS, _WINTER, _ENDED = range(4)
_UNIT, _DISLODGED, _PLACE, _DESTROYED, _CENTRE, _INFLUENCE = range(6)
_CODES = ("", "bounce", "no convoy", "void", "cut", "dislodged", "disrupted", "disband")
_TEXTS = _native.Texts()

CIVIL_DISORDER = {"2023": 0, "package": 1}
VICTORY = {"2023": 0, "package": 2}

BOTS = ("dumb", "dumb-aggressive", "search", "regret")
"""The bots that the engine plays."""

Orders = Mapping[str, Iterable[str]]
Lists = dict[str, list[str]]


class Board:
    """A position on the standard map, without history or messages.

    Records are plain values: ``name`` of the phase, ``units``, ``centers``, ``influence``,
    ``retreats`` while there are any, ``builds`` in winter, ``note`` and ``outcome`` at the end.

    Example:
        >>> board = Board()
        >>> board.legal_orders()["PAR"][:2]
        ['A PAR - BRE', 'A PAR - BUR']
        >>> board.step({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]})
        {'A PAR': ['bounce'], 'A MUN': ['bounce']}
        >>> board.phase
        'F1901M'
    """

    __slots__ = ("_native",)

    def __init__(self, year: int = 1901) -> None:
        """Begin at the usual start, in the spring of a year."""
        self._native = _native.Board(year)

    @classmethod
    def wrap(cls, native: _native.Board) -> Board:
        """Return the board of the engine's own object."""
        board = cls.__new__(cls)
        board._native = native
        return board

    # ---- records

    @classmethod
    def from_record(
        cls,
        record: Mapping[str, Any],
        *,
        civil_disorder: str = "package",
        victory: str = "package",
    ) -> Board:
        """Return the board of a record.

        Recorded games were played by the package ``diplomacy``, whose choices in two places are the
        default here. Games that begin anew follow the rules of 2023.

        Args:
            record: ``name`` of the phase, ``units`` and ``centers`` by power; ``retreats`` and
                ``influence`` if there are any.
            civil_disorder: From where the distance counts if too few units are disbanded: the
                centres that a power owns (``2023``) or its homes (``package``).
            victory: Whether 18 centres win at once (``2023``) or only in a year of growth
                (``package``).

        Raises:
            OptionError: It is no position on the standard map; nothing is dropped silently.
        """
        options = _choose(CIVIL_DISORDER, "civil_disorder", civil_disorder)
        board = cls()
        board._set_up(record, options + _choose(VICTORY, "victory", victory))
        return board

    def to_record(self) -> dict[str, Any]:
        """Return the position as plain values, which :meth:`from_record` takes."""
        record: dict[str, Any] = {
            "name": self.phase,
            "units": self.marked_units(),
            "centers": _by_power(self._native.centres(), PROVINCES),
            "influence": _by_power(self._native.influence(), PROVINCES),
        }
        retreats = {power: units for power, units in self.retreats().items() if units}
        if retreats:
            record["retreats"] = retreats
        if self._native.kind == _WINTER:
            record["builds"] = self.builds()
        if self.over:
            record |= {"note": self.note, "outcome": self.outcome}
        return record

    # ---- what is on the board

    @property
    def phase(self) -> str:
        """The phase's name, such as ``S1901M``; ``COMPLETED`` after a win or a draw."""
        if self.over:
            return OVER
        native = self._native
        return f"{_SEASONS[native.season]}{native.year:04}{_KINDS[native.kind]}"

    @property
    def year(self) -> int:
        """The year, also once the game is over."""
        return self._native.year

    @property
    def over(self) -> bool:
        """Whether somebody has won, or the century has ended in a draw."""
        return self._native.kind == _ENDED

    @property
    def victors(self) -> list[str]:
        """Who has won; several for a draw, none while the game goes on."""
        return [power for number, power in enumerate(POWERS) if self._native.victors >> number & 1]

    @property
    def outcome(self) -> list[str]:
        """The last phase and those who have won, once the game is over."""
        return [f"W{self.year:04}A", *self.victors] if self.over else []

    @property
    def note(self) -> str:
        """Who has won, in words; empty while the game goes on."""
        names = ", ".join(power[:3] for power in self.victors)
        return f"Victory by: {names}" if self.over else ""

    def units(self) -> Lists:
        """Return the units of each power, without those that are dislodged."""
        return _by_power(self._native.units(), _UNITS)

    def marked_units(self) -> Lists:
        """Return the units of each power, dislodged ones last with a ``*``."""
        units = self.units()
        for owner, unit, _ in self._native.dislodged():
            units[POWERS[owner]].append(f"*{_UNITS[unit]}")
        return units

    def centres(self) -> Lists:
        """Return the supply centres of each power."""
        return _by_power(self._native.centres(), PROVINCES)

    def influence(self) -> Lists:
        """Return the provinces that each power was the last to be in."""
        return _by_power(self._native.influence(), PROVINCES)

    def retreats(self) -> dict[str, Lists]:
        """Return the dislodged units of each power, and where they may retreat to."""
        retreats: dict[str, Lists] = {power: {} for power in POWERS}
        for owner, unit, places in self._native.dislodged():
            retreats[POWERS[owner]][_UNITS[unit]] = [LOCATIONS[place] for place in places]
        return retreats

    def builds(self) -> dict[str, dict[str, Any]]:
        """Return for each power how many units it may build, or has to remove, and where."""
        return {
            power: {
                "count": count,
                "homes": [PROVINCES[home] for home in self._native.open_homes(number)],
            }
            for number, (power, count) in enumerate(zip(POWERS, self._native.builds(), strict=True))
        }

    # ---- orders

    def legal_orders(self) -> Lists:
        """Return the legal orders of every unit or site by its province, sorted."""
        return self._native.list_texts(_TEXTS)[0]

    def orderable(self) -> dict[str, list[str]]:
        """Return the provinces for which each power may give orders now."""
        return self.list_by_owner()[1]

    def list_by_owner(self) -> tuple[Lists, Lists]:
        """Return the legal orders by province, and the provinces of each power."""
        legal, provinces = self._native.list_texts(_TEXTS)
        return legal, dict(zip(POWERS, provinces, strict=True))

    def step(self, orders: Orders) -> dict[str, list[str]]:
        """Adjudicate orders, go on to the next phase, and return what came between.

        Args:
            orders: The texts of each power's orders, each one of its legal orders. Units without an
                order hold or are disbanded, as the rules say.

        Returns:
            Codes by unit: in a movement of those units whose order failed, in other phases of all
            that were ordered or removed.

        Raises:
            ActionError: An order is not legal; nothing has changed.
            EpisodeOver: The game is over.
        """
        unknown = [power for power in orders if power not in POWERS]
        if unknown:
            raise ActionError(f"no power {unknown[0]!r}; there are {', '.join(POWERS)}")
        moving = self._native.kind == _MOVEMENT
        lists = [_read_orders(power, orders.get(power, ())) for power in POWERS]
        stepped = self._native.step(lists)
        if moving:
            stepped = [(unit, codes) for unit, codes in stepped if codes]
            return {_UNITS[unit]: [_CODES[code] for code in codes] for unit, codes in stepped}
        results: dict[str, list[str]] = {}
        for unit, codes in stepped:
            results.setdefault(_UNITS[unit], []).extend(_CODES[code] for code in codes)
        return results

    def choose_orders(self, bot: str, power: str, seed: int, winters: int = 1) -> list[str]:
        """Return the orders that a bot would give for a power; the board stays as it is.

        Args:
            bot: One of :data:`BOTS`.
            power: Whose orders.
            seed: What its chance comes from, 64 bits.
            winters: How far ``search`` and ``regret`` look ahead, 1 to 100; 1 is this year's end.

        Raises:
            OptionError: There is no such bot or power, or it cannot look as far.

        Example:
            >>> len(Board().choose_orders("search", "FRANCE", seed=1))
            3
        """
        if bot not in BOTS:
            raise OptionError(f"no bot {bot!r} of the engine; there are {', '.join(BOTS)}")
        number = BOTS.index(bot)
        return self._native.choose_texts(_TEXTS, number, _power_number(power), seed, winters)

    # ---- copies

    def copy(self) -> Board:
        """Return an exact, independent copy."""
        return Board.wrap(self._native.clone())

    def copy_from(self, other: Board) -> None:
        """Become an exact copy of another board."""
        self._native.copy_from(other._native)

    def snapshot(self) -> bytes:
        """Return the whole state, which :meth:`restore` takes."""
        return self._native.clone_state()

    def restore(self, state: bytes) -> None:
        """Go on from the state of a board.

        Raises:
            OptionError: The bytes are none, or come from other rules; nothing has changed.
        """
        self._native.restore_state(state)

    def digest(self) -> int:
        """Return a 64-bit digest of all that decides how the game goes on."""
        return self._native.hash()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.snapshot(),)

    # ---- within

    def _set_up(self, record: Mapping[str, Any], options: int) -> None:
        self._clear(record, options)
        units: Mapping[str, Sequence[str]] = _by_name(record, "units")
        for power, unit in _flat(units):
            if not unit.startswith("*"):
                self._add(_UNIT, power, _native.read_unit(unit), unit)
        if self._native.kind == _RETREATS:
            self._add_retreats(units, _by_name(record, "retreats"))
        for power, centre in _flat(_by_name(record, "centers")):
            self._add(_CENTRE, power, _PROVINCE.get(centre, -1), centre)
        influence = _by_name(record, "influence") or {
            power: [unit.lstrip("*")[2:5] for unit in owned or ()] for power, owned in units.items()
        }
        self._add_influence(influence)

    def _clear(self, record: Mapping[str, Any], options: int) -> None:
        name = str(record.get("name", ""))
        last, *victors = record.get("outcome") or ["W1901A"]
        phase = parse_phase(str(last) if name == OVER else name)
        if phase is None or (phase.kind == "A") != (phase.season == "winter"):
            raise OptionError(f"no phase {name!r}; try S1901M, F1901R, W1901A or {OVER}")
        bits = sum(1 << _power_number(power) for power in victors)
        season = ("spring", "fall", "winter").index(phase.season)
        kind = _ENDED if name == OVER else _KINDS.index(phase.kind)
        self._native.clear(phase.year, season, kind, options, bits if name == OVER else 0)

    def _add_retreats(
        self, units: Mapping[str, Sequence[str]], retreats: Mapping[str, Mapping[str, Any]]
    ) -> None:
        marked = [(power, unit[1:]) for power, unit in _flat(units) if unit.startswith("*")]
        listed = [(power, unit) for power in POWERS for unit in retreats.get(power) or ()]
        for power, unit in dict.fromkeys(sorted(listed + marked, key=lambda each: each[0])):
            self._add(_DISLODGED, power, _native.read_unit(unit), unit)
            for place in (retreats.get(power) or {}).get(unit, ()):
                self._add(_PLACE, power, _LOCATION.get(place, -1), f"{unit} R {place}")

    def _add_influence(self, influence: Mapping[str, Sequence[str]]) -> None:
        """Add provinces; old games name some of them twice, or by a coast."""
        seen: set[str] = set()
        for power, place in _flat(influence):
            if place[:3] not in seen:
                seen.add(place[:3])
                self._add(_INFLUENCE, power, _PROVINCE.get(place[:3], -1), place)

    def _add(self, part: int, power: str, value: int, text: str) -> None:
        try:
            self._native.add(part, _power_number(power), value)
        except OptionError:
            message = f"{power} cannot have {text!r}: there is no such place, or it is taken"
            raise OptionError(message) from None


def _restored(state: bytes) -> Board:
    board = Board()
    board.restore(state)
    return board


def _choose(choices: Mapping[str, int], name: str, choice: str) -> int:
    if choice not in choices:
        raise OptionError(f"no {name} {choice!r}; try {' or '.join(choices)}")
    return choices[choice]


def _power_number(power: str) -> int:
    if power not in POWERS:
        raise OptionError(f"no power {power!r}; there are {', '.join(POWERS)}")
    return POWERS.index(power)


def _by_power(lists: Sequence[Sequence[int]], names: Sequence[str]) -> Lists:
    named = ([names[item] for item in items] for items in lists)
    return dict(zip(POWERS, named, strict=True))


def _by_name(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    values = record.get(key) or {}
    if not isinstance(values, Mapping):
        raise OptionError(f"{key!r} of a record lists what each power has, not {values!r:.40}")
    for power in values:
        _power_number(power)
    return values


def _flat(lists: Mapping[str, Sequence[str]]) -> Iterable[tuple[str, str]]:
    return ((power, str(item)) for power in POWERS for item in lists.get(power) or ())


class _OrderNumbers(dict[str, int]):
    """The numbers of order texts, each read once; texts that are no orders are not kept."""

    def __missing__(self, text: str) -> int:
        order = _native.read_order(text) if isinstance(text, str) else -1
        if order < 0:
            raise ValueError(text)
        self[text] = order
        return order


_NUMBERS = _OrderNumbers()


def _read_orders(power: str, texts: Iterable[str]) -> list[int]:
    texts = list(texts)
    try:
        return [_NUMBERS[text] for text in texts]
    except (ValueError, TypeError):
        wrong = next(text for text in texts if not _is_order(text))
        message = f"{power} cannot order {wrong!r:.60}: it is not written as an order"
        raise ActionError(message) from None


def _is_order(text: object) -> bool:
    return isinstance(text, str) and _native.read_order(text) >= 0
