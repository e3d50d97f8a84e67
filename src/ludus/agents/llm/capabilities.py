"""What an endpoint can do, learned from what it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludus.agents.llm.spec import FORMS

__all__ = ["EndpointCapabilities"]

LEAST_TOKENS = 400
"""An answer with less room is not asked for."""


@dataclass
class EndpointCapabilities:
    """What an endpoint has shown that it can do; remembered as long as the process lives."""

    first: int
    form: int
    limit: str = "max_tokens"
    refused: set[str] = field(default_factory=set)
    most_tokens: int = 1_000_000
    unreachable: bool = False

    def step_down(self, message: str, sent: Mapping[str, Any], form: str) -> bool:
        """Ask for less, after a request was called bad; return whether to send another.

        Requests are under way side by side: one that asked for more than we ask for now has
        nothing new to say.
        """
        if "max_tokens" in sent and "max_completion_tokens" in message:
            self.limit = "max_completion_tokens"
            return True
        for name in ("seed", "temperature", "top_p", "reasoning_effort"):
            if name in sent and name in message:
                self.refused.add(name)
                return True
        self.form = max(self.form, FORMS.index(form) + 1)
        if self.form < len(FORMS):
            return True
        self.form = self.first  # it was never the form
        return False

    def shorten(self, sent: Mapping[str, Any]) -> bool:
        """Leave less room for an answer, where there is not so much; return whether that helps."""
        room = int(sent.get(self.limit, 0)) // 4
        if room < LEAST_TOKENS:
            return False
        self.most_tokens = min(self.most_tokens, room)
        return True
