"""Reads the text of an order leniently, and finds the legal order that it means."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from ludus.errors import show_value
from ludus.games.diplomacy.map.place_names import ALIASES, NAMES, SEAS
from ludus.games.diplomacy.records import POWERS, Rejection

__all__ = ["LONGEST", "OrderBook", "order_letter", "unit_province"]

LONGEST = 120
"""Characters; a text that is longer is no order."""

PLACES = {name.upper(): abbreviation for abbreviation, name in NAMES.items()} | ALIASES

WORDS = {
    word: sign
    for sign, words in {
        "A": ("ARMY", "ARMIES"),
        "F": ("FLEET", "FLEETS"),
        "H": (
            *("HOLD", "HOLDS", "HOLDING", "HLD", "TO HOLD", "HOLD POSITION", "HOLDS POSITION"),
            *("STAY", "STAYS", "STAY PUT", "STAYS PUT", "STAND", "STANDS", "STANDS STILL"),
            *("DEFEND", "DEFENDS", "REMAIN", "REMAINS"),
        ),
        "-": (
            *("M", "MOVE", "MOVES", "MOVING", "MOVE TO", "MOVES TO", "MOVING TO", "MTO", "TO"),
            *("INTO", "MOVE INTO", "MOVES INTO", "MOVING INTO", "ATTACK", "ATTACKS", "ATTACKING"),
            *("ADVANCE TO", "ADVANCES TO", "GO TO", "GOES TO", "MOVE FROM", "ATTACK ON"),
            *("SAIL TO", "SAILS TO", "MARCH TO", "MARCHES TO", "MOVE OF", "ATTACK OF"),
            *("ADVANCE", "ADVANCES", "ADVANCE INTO", "ADVANCES INTO", "SEND", "SENDS"),
        ),
        "S": (
            *("SUPPORT", "SUPPORTS", "SUPPORTING", "SUP", "SUPP", "SUPPORT HOLD"),
            *("SUPPORT HOLDS", "SUPPORTS HOLD OF", "SUPPORT HOLD OF"),
        ),
        "C": ("CONVOY", "CONVOYS", "CONVOYING", "CVY"),
        "VIA": ("VIA CONVOY", "BY CONVOY"),
        "VIA -": ("CONVOY TO", "CONVOYS TO", "CONVOYED TO", "IS CONVOYED TO"),
        "R": ("RETREAT", "RETREATS", "RETREAT TO", "RETREATS TO", "RETREAT FROM", "RTO"),
        "B": ("BUILD", "BUILDS", "BLD", "RAISE", "RECRUIT"),
        "D": ("DISBAND", "DISBANDS", "REMOVE", "REMOVES", "DESTROY", "DESTROYS"),
        "/NC": ("NORTH COAST", "NC", "N.C."),
        "/SC": ("SOUTH COAST", "SC", "S.C."),
        "/EC": ("EAST COAST", "EC", "E.C."),
        "WAIVE": (
            *("WAIVES", "WAIVE BUILD", "WAIVE A BUILD", "WAIVE THE BUILD"),
            *("NO BUILD", "NO BUILDS", "PASS", "SKIP"),
        ),
        "": (
            *("IN", "AT", "THE", "AN", "FROM", "ORDER", "I ORDER", "UNIT", "NEW", "MY", "OUR"),
            *("WILL", "SHOULD", "PLEASE", "VIA LAND", "BY LAND", "OVERLAND", "I", "WE"),
            *POWERS,
            *("AUSTRIAN", "ENGLISH", "BRITISH", "FRENCH", "GERMAN", "ITALIAN", "RUSSIAN"),
            "TURKISH",
        ),
    }.items()
    for word in words
}
"""What people write and the sign that it means; an empty sign is left out."""


def _any_word(texts: Iterable[str]) -> str:
    """Return a pattern for whole words, the longest first."""
    ordered = sorted(texts, key=lambda text: (-len(text), text))
    return r"(?<![A-Z])(?:" + "|".join(re.escape(text) for text in ordered) + r")(?![A-Z])"


DASHES = re.compile("[\u2010-\u2015\u2212\u2192\u21d2\u27f6\u279c]|-+>|=+>|--+")
SEEN = re.compile(_any_word({**PLACES, **WORDS}))
TOKEN = re.compile(r"\s*(?:-|(?:WAIVE|VIA|[A-Z]{3}(?:/(?:NC|SC|EC))?|[AFHSCRBD])(?![A-Z]))")
POWER_MARK = re.compile(rf"[(\[]?\b(?:{'|'.join(POWERS)})\b\s*[)\]:]")
ENDS = re.compile(r"^[^A-Z]+|[^A-Z)]+$")
VERBS = ("B", "D", "R", "H", "-")
COMMENT = re.compile(
    r"\s*(?:#|//|/\*|[(\[;,:]|\.\s|\s--?\s|\s[\u2013\u2014]\s|\s(?:BECAUSE|SINCE|WITH"
    r"|SO THAT|(?:IN ORDER )?TO (?:BLOCK|BOUNCE|CUT|COVER|DEFEND|GUARD|PREVENT|PROTECT|SECURE|STOP"
    r"|TAKE|THREATEN))\s)",
    re.I,
)
"""What a comment behind an order begins with."""
HELPED = re.compile(r"\bSUPPORT(?:ED)? (?:FROM|BY)\b", re.I)
"""What a comment says that names the helper of an order."""
INVERTED = re.compile(r"\s*((?:SUPPORT|CONVOY)S?)\s+(.+?)\s+(?:WITH|USING)\s+(.+)", re.I)
"""An order that names its own unit last."""
DOUBLED_PLACE = re.compile(r"\b([A-Z]{3}) (?=(?:[AF] )?\1\b)")
SUPPORTED_MOVE = re.compile(r"(?<= S) -(?= (?:[AF] )?[A-Z]{3}(?:/[A-Z]{2})? -)")
"""The first sign of ``A MAR S - A PAR - BUR``, which is ``supports the move of``."""
DOUBLED_SIGN = re.compile(r"((?:^| )[-R])(?: -)+(?= )")
TOGETHER = re.compile(r"(?<=[A-Z/]{3}) (?=(?:[AF] )?[A-Z]{3}\b)")
MARKS = re.compile(r"[:()\[\]]")
COAST = re.compile(r"(?:\s*-|\s)*\(?\s*/\s*(NC|SC|EC)\s*\)?")


@dataclass(frozen=True, slots=True)
class _OrderPlace:
    """A place in an order, with the unit that was named before it, if one was."""

    unit: str
    province: str
    coast: str


@dataclass(frozen=True, slots=True)
class _Reading:
    """A parsed order; ``key`` is the order without unit types and coasts."""

    key: tuple[str, ...]
    places: tuple[_OrderPlace, ...]
    via: bool


def unit_province(order: str) -> str:
    """Return the province of the unit that an order in the table's own writing is for.

    Example:
        >>> unit_province("F SPA/SC - LYO")
        'SPA'
    """
    return order[2:5]


def order_letter(order: str) -> str:
    """Return the letter of what is ordered: ``H - S C R B D``, or ``W`` for a waived build.

    Example:
        >>> order_letter("A PAR S A MAR - BUR")
        'S'
    """
    words = order.split()
    return words[2] if len(words) > 2 else "W"


def _normalize(text: str) -> str:
    """Return the text in capitals with short names, as far as it can be understood."""
    text = unicodedata.normalize("NFKC", text).upper()
    text = re.sub(r"[\s_/]+|['\u2019]S\b", " ", DASHES.sub("-", text))
    text = ENDS.sub("", POWER_MARK.sub(" ", text))
    both = PLACES | WORDS
    text = SEEN.sub(lambda match: f" {both[match[0]]} ", text)
    return re.sub(r"\s+", " ", COAST.sub(r"/\1 ", text)).strip()


def _tokens(text: str) -> list[str] | None:
    tokens, position = [], 0
    while position < len(text):
        token = TOKEN.match(text, position)
        if not token:
            return None
        tokens.append(token[0].strip())
        position = token.end()
        while position < len(text) and text[position] in " .":
            position += 1
    return tokens


def _parse(text: str) -> _Reading | None:
    """Return the parts of an order, or None if the text is no order."""
    tokens = _tokens(text)
    if not tokens:
        return None
    if "WAIVE" in tokens and sum(map(_is_place, tokens)) < 2:  # PAR WAIVE
        return _Reading(("WAIVE",), (), via=False)
    tokens, via = _take_convoy(tokens)
    tokens = _put_verb_behind_unit(_tidy(tokens))
    key, places, unit = [], [], ""
    for token in tokens:
        if token in ("A", "F"):
            unit = token
        elif _is_place(token):
            province, _, coast = token.partition("/")
            places.append(_OrderPlace(unit, province, coast))
            key.append(province)
            unit = ""
        else:
            key.append(token)
    if unit and len(places) == 1:  # PAR B A
        places = [_OrderPlace(unit, places[0].province, places[0].coast)]
    return _Reading(tuple(key), tuple(places), via and "C" not in key)  # F NTH C A LON - BEL VIA


def _is_place(token: str) -> bool:
    return len(token) >= 3 and token not in ("VIA", "WAIVE")


def _take_convoy(tokens: list[str]) -> tuple[list[str], bool]:
    """Return an order without what it says of its convoy, and whether it says so.

    Those are the ends of ``A POR - BRE VIA`` and ``A POR - BRE VIA F MAO``, and the sea of
    ``A POR - MAO - BRE``.
    """
    if "VIA" in tokens:
        at = tokens.index("VIA")
        rest = tokens[at + 1 :]
        return tokens[:at] + (rest if "-" in rest else []), True
    at_sea = tokens[:1] == ["A"] and tokens[2:3] == ["-"]
    if at_sea and tokens[4:5] == ["-"] and tokens[3] in SEAS and len(tokens) > 5:
        return _take_convoy(tokens[:3] + tokens[5:])[0], True
    return tokens, False


def _tidy(tokens: list[str]) -> list[str]:
    """Return an order with each place and sign once, and a move where two places stand together.

    Those are ``PAR A PAR - BUR``, ``A BUR R - PAR`` and ``A PAR BUR``.
    """
    text = DOUBLED_SIGN.sub(r"\1", DOUBLED_PLACE.sub("", " ".join(tokens)))
    text = SUPPORTED_MOVE.sub("", text)
    return (TOGETHER.sub(" - ", text) if text[:2] in ("A ", "F ") else text).split()


def _put_verb_behind_unit(tokens: list[str]) -> list[str]:
    """Return ``B A PAR`` as ``A PAR B``, and signs left out that say nothing more.

    Those are the first of ``- A PAR - BUR`` and the last of ``A MAR S A PAR H``.
    """
    if not tokens:
        return tokens
    first, *rest = tokens
    if first in VERBS:
        goes = first in ("-", "R") and ("-" in rest or "R" in rest)
        tokens = rest if goes else [*rest, first]
    supports = "S" in tokens[:-1] and tokens[-1] == "H"
    return tokens[:-1] if supports else tokens


def _is_comment(text: str, order: str) -> bool:
    """Return whether what follows an order says no more: neither more of it, nor another."""
    if _repeats_aim(text, order):
        return True
    return not any(map(_is_part_of_order, re.split(r"[;,()\[\]]", text)))


def _repeats_aim(text: str, order: str) -> bool:
    """Return whether it says in brackets where a move goes, as in ``(attack Burgundy)``."""
    inner = re.fullmatch(r"\s*[(\[]([^()\[\]]*)[)\]][\s.]*", text)
    tokens = (_tokens(_normalize(inner[1])) or []) if inner else []
    aim = order.removesuffix(" VIA").rpartition(" - ")[2]
    return set(tokens) == {"-", aim}


def _is_part_of_order(text: str) -> bool:
    if HELPED.search(text):
        return False
    tokens = _tokens(_normalize(text)) or []
    places = [token for token in tokens if _is_place(token)]
    if any(place[:3] not in NAMES for place in places):
        return False
    after_dash = text.lstrip().startswith(("-", "\u2013", "\u2014"))
    return bool(places) and (after_dash or not {*VERBS, "S", "C"}.isdisjoint(tokens))


def _is_compatible(written: _OrderPlace, legal: _OrderPlace) -> bool:
    """Return whether unit type and coast, if they were written, are those of the legal order."""
    if written.unit and legal.unit and written.unit != legal.unit:
        return False
    needless = not legal.coast  # a coast on an army, or where there is just one
    return needless or not written.coast or written.coast == legal.coast


class OrderBook:
    """The legal orders of one power in one phase, which texts are matched with."""

    def __init__(self, legal: Iterable[str], phase_kind: str) -> None:
        self._legal = frozenset(legal)
        self._kind = phase_kind
        self._by_key: dict[tuple[str, ...], list[tuple[str, _Reading]]] = {}

    def find(self, text: object) -> str | Rejection:
        """Return the legal order that the text means, or why there is none. Never raises."""
        if not isinstance(text, str):
            return Rejection(show_value(text), "is not a text")
        if text in self._legal:
            return text
        order = self._read(text)
        if isinstance(order, str):
            return order
        for comment in reversed([*COMMENT.finditer(text, endpos=LONGEST)]):
            head = self._read(text[: comment.start()])
            if isinstance(head, str) and _is_comment(text[comment.start() :], head):
                return head
        return self._read_otherwise(text) or order

    def _read_otherwise(self, text: str) -> str | None:
        """Return the order of a text with marks between its parts, or with its own unit last."""
        others = {MARKS.sub(" ", text), INVERTED.sub(r"\3 \1 \2", text)} - {text}
        found = {order for order in map(self._read, others) if isinstance(order, str)}
        return found.pop() if len(found) == 1 else None

    def _read(self, text: str) -> str | Rejection:
        """Return the legal order that the whole text means, or why there is none."""
        if len(text) > LONGEST:
            return Rejection(text[:LONGEST] + "…", f"is longer than {LONGEST} characters")
        normalized = _normalize(text)
        if normalized in self._legal:
            return normalized
        reading = _parse(normalized)
        return self._look_up(text, reading) if reading else Rejection(text, "is not an order")

    def _look_up(self, text: str, reading: _Reading) -> str | Rejection:
        if not self._by_key:
            self._index()
        matching = [
            (order, legal)
            for order, legal in self._by_key.get(self._key(reading.key), ())
            if len(legal.places) == len(reading.places)
            and all(map(_is_compatible, reading.places, legal.places))
            and (legal.via or not reading.via)
        ]
        best = [order for order, legal in matching if legal.via == reading.via] or [
            order for order, _ in matching
        ]
        uncoasted = [order for order in best if "/" not in order[5:]] or best
        if len(uncoasted) == 1:
            return uncoasted[0]
        if uncoasted:
            return Rejection(text, f"may mean {' or '.join(sorted(uncoasted))}")
        return Rejection(text, "is not a legal order now")

    def _key(self, key: tuple[str, ...]) -> tuple[str, ...]:
        """Return the key with moves as retreats, in a retreat phase."""
        if self._kind == "R":
            return tuple("R" if part == "-" else part for part in key)
        return key

    def _index(self) -> None:
        for order in sorted(self._legal):
            reading = _parse(order)
            if reading:
                self._by_key.setdefault(reading.key, []).append((order, reading))
