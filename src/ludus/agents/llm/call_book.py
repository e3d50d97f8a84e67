"""The calls of a player, as the records of its episodes keep them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.agents.llm.endpoint import Question, Reply
from ludus.agents.llm.transcript import log_call

__all__ = ["GOOD", "CallBook", "find_status"]

GOOD = "parsed"
"""The status of a call whose answer was used as a whole."""


def find_status(*, complete: bool) -> str:
    """Return the status of an answer that is used, as a whole or in part."""
    return GOOD if complete else "partial"


class CallBook:
    """Keeps every call of a player; nothing is asked of a model that is not in it.

    Attributes:
        rows: The calls so far, oldest first.
    """

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def record(
        self,
        moment: Mapping[str, Any],
        question: Question,
        reply: Reply,
        status: str,
        rejected: int = 0,
        kept: Mapping[str, Any] | None = None,
    ) -> None:
        """Keep a call, and add it to the log of questions and answers if there is one.

        Args:
            moment: When it was, for the log.
            question: What was asked.
            reply: What came of it.
            status: What the answer is worth.
            rejected: How many parts of it could not be used.
            kept: What else the row is to tell.
        """
        row = {**reply.row(question.kind, status), **(kept or {})}
        self.rows.append({**row, "rejected": rejected} if rejected else row)
        log_call(dict(moment), question, reply, status)
