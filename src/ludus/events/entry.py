"""An entry of an event: what was entered, by whom, and what it claims to be worth."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any, Literal
from unicodedata import normalize

from ludus.errors import OptionError
from ludus.events.terms import format_time, read_time
from ludus.events.texts import check_text, check_word
from ludus.field_kinds import check_kinds

__all__ = [
    "MOST_METHOD",
    "ClaimCheck",
    "Description",
    "EventEntry",
    "Verdict",
    "check_claim",
    "check_entrant",
    "entrant_key",
]

Verdict = Literal["confirmed", "not confirmed", "faulty"]
VERDICTS = ("confirmed", "not confirmed", "faulty")

MOST_APPROACH = 40
MOST_METHOD = 10_000
MOST_ENTRANT = 60
MOST_CLAIM = 1e15
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Description:
    """What an entrant says about an entry.

    Attributes:
        approach: The technique in a word or two, such as ``A*``; result tables have it.
        author: Who wrote the agent; the entrant if empty.
        affiliation: Where they work or learn.
        licence: Under which licence its source is published with the results.
        method: How it works, in some sentences.
    """

    approach: str = ""
    author: str = ""
    affiliation: str = ""
    licence: str = ""
    method: str = ""

    def check(self) -> Description:
        """Return the description in its one form.

        Raises:
            OptionError: A text is too long, or holds what cannot be seen.
        """
        words = {"approach": MOST_APPROACH, "author": 200, "affiliation": 200, "licence": 200}
        values = {
            name: check_word(getattr(self, name), name, most) if getattr(self, name) else ""
            for name, most in words.items()
        }
        return Description(**values, method=check_text(self.method, "method", MOST_METHOD))


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """What the organiser's machine measured on the public seed.

    Attributes:
        verdict: ``confirmed`` if it is what was claimed, ``not confirmed`` if it is another,
            ``faulty`` if episodes ended by the agent's fault.
        measured: The score.
        reason: What went wrong, in a line; empty if nothing did.
        run: The run that it was measured in.
    """

    verdict: Verdict
    measured: float
    reason: str = ""
    run: str = ""


@dataclass(frozen=True, slots=True)
class EventEntry:
    """An agent that was entered.

    Attributes:
        entrant: Who entered it; result tables call it so.
        at: When, UTC, by the organiser's clock.
        spec: What names the agent within its files, or an agent of Ludus.
        digest: The digest of its files.
        files: How many they are.
        size: How many bytes they have.
        claim: The score on the public seed that the entrant has measured.
        token: The digest of the entry token, which only the entrant has.
        number: Which submission of this entrant it is, counted from 1.
        description: What the entrant says about it.
        check: What the organiser's machine measured; None before it did.
        withdrawn: When it was withdrawn, or None.
    """

    entrant: str
    at: datetime
    spec: str
    digest: str
    files: int
    size: int
    claim: float
    token: str
    number: int = 1
    description: Description = field(default_factory=Description)
    check: ClaimCheck | None = None
    withdrawn: datetime | None = None

    @property
    def key(self) -> str:
        """What tells entrants apart: their names without capitals and other variants."""
        return entrant_key(self.entrant)

    @property
    def from_ludus(self) -> bool:
        """Whether it is an agent that comes with Ludus, without files of its own."""
        return not self.files

    def to_body(self) -> dict[str, Any]:
        """Return it as the ledger holds it."""
        values = {name: getattr(self, name) for name in _IN_LEDGER}
        return {**values, "description": asdict(self.description)}

    def to_dict(self) -> dict[str, Any]:
        """Return what may be published of it, as plain values: no token."""
        values = self.to_body()
        del values["token"]
        values |= {"at": format_time(self.at), "number": self.number}
        values["withdrawn"] = format_time(self.withdrawn) if self.withdrawn else None
        return {**values, "check": asdict(self.check) if self.check else None}

    @classmethod
    def from_body(cls, body: Mapping[str, Any], at: str, number: int) -> EventEntry:
        """Return the entry of a ledger's line, which may be anybody's.

        Raises:
            ValueError, TypeError, KeyError: It is none.
        """
        values = {name: body[name] for name in _IN_LEDGER}
        check_kinds(cls, values)
        check_kinds(Description, body["description"])
        for name in ("digest", "token"):
            if not _DIGEST.fullmatch(values[name]):
                raise ValueError(f"{name} {values[name][:64]!a} is none")
        check_word(values["spec"], "spec")
        values["entrant"] = check_entrant(values["entrant"])
        values["claim"] = check_claim(values["claim"])
        described = Description(**body["description"]).check()
        return cls(**values, at=read_time(at), number=number, description=described)


_IN_LEDGER = tuple(
    one.name
    for one in fields(EventEntry)
    if one.name not in ("at", "number", "description", "check", "withdrawn")
)


def entrant_key(name: str) -> str:
    """Return what two spellings of one name have in common.

    Example:
        >>> entrant_key("Robin  B.") == entrant_key("ROBIN B.")
        True
    """
    return " ".join(normalize("NFKC", name).casefold().split())


def check_entrant(name: Any) -> str:
    """Return a name that an entrant can have.

    Raises:
        OptionError: It is none.
    """
    return check_word(name, "name of an entrant", MOST_ENTRANT)


def check_claim(score: Any) -> float:
    """Return a score that can be claimed.

    Raises:
        OptionError: It is no finite number.
    """
    number = isinstance(score, int | float) and not isinstance(score, bool)
    if not number or abs(score) > MOST_CLAIM or not math.isfinite(score):
        raise OptionError(
            f"{score!r:.40} is no score: give what 'ludus check AGENT --event …' prints"
        )
    return float(score)
