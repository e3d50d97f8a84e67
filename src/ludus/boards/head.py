"""The head of the ledger: what it takes to notice that lines at its end are gone or were changed.

Every line is sealed with the line before it. Whoever can write the ledger can seal it again from
any line on, or leave the last lines out; but then it has another head. Heads are published, on
pages and in exports, and signed if the organiser has a key.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ludus.boards.ledger import GENESIS, LedgerEvent, find_broken_line, read_ledger
from ludus.boards.signing import is_signed_by, read_configured_key, sign
from ludus.errors import BoardError, StoreError
from ludus.json_files import NotJson, parse_json
from ludus.runs.store import Store

__all__ = ["LedgerHead", "check_head", "head_of", "parse_head", "read_head", "sign_head"]

WORD = "ludus-ledger"
NEVER = "-"
MOST_SIGNS = 2_000
_TEXT = re.compile(
    rf"{WORD} (?P<count>\d{{1,10}}) (?P<digest>[0-9a-f]{{64}}) (?P<at>[0-9T:+.Z-]{{1,40}})"
    r"(?: (?P<key>[0-9a-f]{64}) (?P<signature>[0-9a-f]{128}))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class LedgerHead:
    """The last line of a ledger, as it is published.

    Attributes:
        count: How many lines there are.
        digest: The digest of the last.
        at: When it was written, UTC; ``-`` for an empty ledger.
        key: The public key of who has signed it; empty if nobody has.
        signature: The signature of the other three; empty if nobody has signed it.

    Example:
        >>> str(LedgerHead(0, "0" * 64, "-"))[:20]
        'ludus-ledger 0 00000'
    """

    count: int
    digest: str
    at: str
    key: str = ""
    signature: str = ""

    @property
    def message(self) -> str:
        """What is signed."""
        return f"{WORD} {self.count} {self.digest} {self.at}"

    def __str__(self) -> str:
        return f"{self.message} {self.key} {self.signature}" if self.signature else self.message

    def to_dict(self) -> dict[str, Any]:
        """Return the head as plain values, with its text."""
        return {**asdict(self), "text": str(self)}


def head_of(events: Sequence[LedgerEvent]) -> LedgerHead:
    """Return the head of a ledger with these lines."""
    if not events:
        return LedgerHead(0, GENESIS, NEVER)
    last = events[-1]
    return LedgerHead(last.number, last.digest, last.at)


def sign_head(head: LedgerHead) -> LedgerHead:
    """Return a head with the signature of the key that is configured, or as it is.

    Raises:
        BoardError: The file of the key is none, or others can read it.
        MissingExtra: The package that signs is not installed.
    """
    signing_key = read_configured_key()
    if signing_key is None:
        return head
    key, signature = sign(signing_key, head.message)
    return replace(head, key=key, signature=signature)


def read_head(store: Store) -> LedgerHead:
    """Return the head of a store's ledger, signed if a key is configured.

    Raises:
        StoreError: The ledger is broken.
        BoardError: The file of the key is none, or others can read it.
        MissingExtra: The package that signs is not installed.
    """
    events = read_ledger(store)
    if broken := find_broken_line(events):
        raise StoreError(f"line {broken.number} of the ledger {broken.reason}: it has no head")
    return sign_head(head_of(events))


def parse_head(text: str) -> LedgerHead:
    """Return the head that a text holds, or a file: the line of ``ludus board head``, or its JSON.

    Raises:
        BoardError: It holds none.
    """
    content = (text if text.startswith(("{", WORD)) else _read_if_file(text)).strip()
    if content.startswith("{"):
        content = _text_of_json(content)
    match = _TEXT.fullmatch(content)
    if match is None:
        raise BoardError(f"{content[:80]!r} is no head of a ledger: ludus board head prints one")
    count, *words = match.groups(default="")
    return LedgerHead(int(count), *words)


def _read_if_file(text: str) -> str:
    try:
        file = Path(text)
        if len(text) < MOST_SIGNS and file.is_file():
            with file.open(encoding="utf-8") as stream:
                return stream.read(MOST_SIGNS)
    except (OSError, ValueError) as error:
        raise BoardError(f"{text[:80]!r} cannot be read as a head: {error}") from error
    return text


def _text_of_json(content: str) -> str:
    try:
        values = parse_json(content)
    except NotJson as error:
        raise BoardError(f"{content[:80]!r} is no head of a ledger: {error}") from error
    return str(values.get("text", "")) if isinstance(values, dict) else ""


def check_head(
    events: Sequence[LedgerEvent], head: LedgerHead, public_key: str | None = None
) -> None:
    """Make sure that a ledger is the one of a head, or has grown from it.

    Args:
        events: The lines.
        head: The head, as it was published.
        public_key: Whose signature it must bear; nobody's in particular if None.

    Raises:
        BoardError: The signature is missing or wrong, or by another key; or the ledger has lost
            lines, or they were changed, or sealed again.
        MissingExtra: The package that checks signatures is not installed.
    """
    _check_signature(head, public_key)
    if broken := find_broken_line(events):
        raise BoardError(f"line {broken.number} of the ledger {broken.reason}")
    if len(events) < head.count:
        missing = head.count - len(events)
        raise BoardError(
            f"the ledger has {len(events)} lines, its head is of {head.count}: the last {missing} "
            "are missing"
        )
    found = head_of(events[: head.count])
    if found.message != head.message:
        raise BoardError(
            f"line {head.count} of the ledger has the digest {found.digest[:16]} of {found.at}, "
            f"the head says {head.digest[:16]} of {head.at}: lines were changed and sealed again"
        )


def _check_signature(head: LedgerHead, public_key: str | None) -> None:
    if public_key is not None and not head.signature:
        raise BoardError(f"the head of {head.count} lines is not signed")
    if head.signature and not is_signed_by(head.key, head.signature, head.message):
        raise BoardError(f"the signature of the head of {head.count} lines is wrong")
    if public_key is not None and head.key != public_key:
        raise BoardError(f"the head is signed by the key {head.key}, not by {public_key}")
