"""What an endpoint means by an error: something passing, a refusal, or the end of the run."""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = [
    "LONGEST_PAUSE",
    "error_message",
    "is_bad_request",
    "is_hopeless",
    "is_refusal",
    "is_too_long",
    "retry_after",
]

LONGEST_PAUSE = 60.0
TOO_LONG = re.compile(
    r"context.{0,20}(length|size|window)|maximum context|too many tokens"
    r"|max_(completion_)?tokens.{0,60}(too large|at most|exceed|less than)",
    re.I,
)
UNPAID = (401, 402)
HOPELESS = (*UNPAID, 403, 404)
PASSING = (408, 409, 425, 429)
MODERATED = re.compile(
    r"moderation|flagged|content.?(policy|filter|management)|ResponsibleAI|safety (system|polic)",
    re.I,
)
NO_MONEY = re.compile(r"insufficient_quota|insufficient (funds|credits|balance)|billing", re.I)


def is_hopeless(code: int, message: str) -> bool:
    """Return whether no further request can be answered either."""
    return code in HOPELESS or (code == 429 and bool(NO_MONEY.search(message)))


def is_refusal(code: int, message: str) -> bool:
    """Return whether it is about what was asked in this one request."""
    return 400 <= code < 500 and code not in UNPAID and bool(MODERATED.search(message))


def is_too_long(message: str) -> bool:
    """Return whether the question had too many tokens."""
    return bool(TOO_LONG.search(message))


def is_bad_request(error: Any) -> bool:
    """Return whether an endpoint did not like how it was asked."""
    return 400 <= error.status_code < 500 and error.status_code not in HOPELESS + PASSING


def error_message(error: Any) -> str:
    """Return what the endpoint said, as one line."""
    body = error.body if isinstance(error.body, str) else json.dumps(error.body, default=str)
    return " ".join(f"{body} {error.message}".split())


def retry_after(error: Any) -> float:
    """Return the seconds that the endpoint asks us to wait; 0 if it does not say."""
    try:
        seconds = float(error.response.headers.get("retry-after", "0"))
    except ValueError:
        return 0.0
    return min(max(seconds, 0.0), LONGEST_PAUSE)
