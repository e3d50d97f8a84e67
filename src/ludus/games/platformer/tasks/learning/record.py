"""The record of a learning match: its curve in one line, then the buttons of the play that counts.

The buttons prove the score. The curve is what the referee measured: only playing again proves it.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from ludus.errors import OptionError
from ludus.games.platformer.tasks.learning.curve import LearningCurve
from ludus.json_files import NotJson, parse_json

__all__ = ["LearningRecord", "read_record", "write_record"]

LONGEST_LINE = 16_384


class LearningRecord(NamedTuple):
    """What a record holds.

    Attributes:
        curve: What the training plays scored.
        skipped: Whether there were none because the agent does not learn.
        buttons: Those of every tick of the play that counts.
    """

    curve: LearningCurve
    skipped: bool
    buttons: bytes

    @property
    def trained(self) -> bool:
        """Whether no training play is left, so that the buttons count."""
        return self.skipped or self.curve.complete


def write_record(record: LearningRecord) -> bytes:
    """Return a record as bytes."""
    values = {"skipped": True} if record.skipped else record.curve.to_dict()
    line = json.dumps(values, separators=(",", ":"), sort_keys=True)
    return line.encode("ascii") + b"\n" + record.buttons


def read_record(content: bytes, planned: int) -> LearningRecord:
    """Return the record that :func:`write_record` wrote; that of nothing if there are no bytes.

    Args:
        content: The bytes, which may be anything.
        planned: How many training plays there are to be.

    Raises:
        OptionError: It is no record of so many training plays.
    """
    if not content:
        return LearningRecord(LearningCurve(planned), False, b"")
    end = content.find(b"\n", 0, LONGEST_LINE)
    try:
        values = parse_json(content[:end].decode("ascii")) if end > 0 else None
    except (NotJson, UnicodeDecodeError):
        values = None
    if not isinstance(values, dict):
        raise OptionError("the record does not begin with a learning curve")
    skipped = values == {"skipped": True}
    curve = LearningCurve(planned) if skipped else LearningCurve.from_dict(values, planned)
    record = LearningRecord(curve, skipped, content[end + 1 :])
    if write_record(record) != content:
        raise OptionError("the record holds more than a learning curve and buttons")
    if record.buttons and not record.trained:
        raise OptionError(f"the record has buttons after {curve.plays} of {planned} training plays")
    return record
