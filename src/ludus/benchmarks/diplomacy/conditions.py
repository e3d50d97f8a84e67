"""How games were played, apart from who was tested: games that differ in it share no row."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields

from ludus.benchmarks.diplomacy.records import SavedGame
from ludus.benchmarks.diplomacy.scoring import POWERS

__all__ = ["Conditions", "conditions_of_game", "describe_press", "describe_start", "name_rows"]

STANDARD_START = "S1901M"


@dataclass(frozen=True, slots=True)
class Conditions:
    """What two games have to share, so that their scores may be averaged.

    Attributes:
        until: The last year that may be played; 0 if it is not known.
        against: The six opponents, in the powers' order; empty if they are not known.
        press: Whether powers talk, and in how many rounds.
        rules: The rules and their version, or the map.
        start: The first phase, with a digest of its units unless it is the usual one.
    """

    until: int = 0
    against: tuple[str, ...] = ()
    press: str = ""
    rules: str = ""
    start: str = STANDARD_START

    def to_dict(self) -> dict[str, object]:
        """Return them as plain values."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def conditions_of_game(game: SavedGame, power: str, until: int) -> Conditions:
    """Return how a saved game was played against a power, as far as it is told."""
    others = [game.models.get(rival, "?") for rival in POWERS if rival != power]
    rounds = game.overview.rounds if game.overview.rounds is not None else game.settings.rounds
    talked = any(phase.messages for phase in game.phases)
    return Conditions(
        until=until,
        against=tuple(others) if set(others) != {"?"} else (),
        press=describe_press(rounds, talked=talked),
        rules=game.overview.rules or game.settings.rules or game.map_name,
        start=describe_start(game.phases[0].name, game.phases[0].units),
    )


def describe_press(rounds: int | None, *, talked: bool) -> str:
    """Return whether powers talk: by their rounds of messages, else by whether there are any."""
    if rounds is None:
        return "press" if talked else "no press"
    return f"{rounds} rounds of press" if rounds else "no press"


def describe_start(phase: str, units: Mapping[str, Sequence[str]]) -> str:
    """Return where a game begins; two positions of one phase are told apart by their units."""
    if phase == STANDARD_START:
        return phase
    standing = sorted((power, sorted(own)) for power, own in units.items() if own)
    return f"{phase} {hashlib.sha256(repr(standing).encode()).hexdigest()[:6]}"


def name_rows(known: Collection[Conditions]) -> dict[Conditions, str]:
    """Return what tells the rows of different conditions apart; nothing if all are alike.

    Example:
        >>> short, long = Conditions(until=1903), Conditions(until=1925)
        >>> name_rows({short, long})[short]
        ' (until 1903)'
    """
    names = [field.name for field in fields(Conditions)]
    unequal = [name for name in names if len({getattr(one, name) for one in known}) > 1]
    if not unequal:
        return dict.fromkeys(known, "")
    against = _name_opponents({one.against for one in known})
    return {one: f" ({', '.join(_words(one, unequal, against))})" for one in known}


def _words(
    one: Conditions, unequal: Collection[str], against: Mapping[tuple[str, ...], str]
) -> list[str]:
    words = {
        "until": f"until {one.until}",
        "against": f"against {against[one.against]}",
        "press": one.press,
        "rules": one.rules,
        "start": f"from {one.start}",
    }
    return [text for name, text in words.items() if name in unequal]


def _name_opponents(tables: Collection[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """Return each table's opponents: how many of each, or seat by seat where that is not enough."""
    counted = {table: _count_names(table) for table in tables}
    shared = Counter(counted.values())
    return {
        table: name if shared[name] == 1 else "-".join(table) for table, name in counted.items()
    }


def _count_names(table: tuple[str, ...]) -> str:
    counts = sorted(Counter(table).items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count} {name}" for name, count in counts) or "unknown"
