"""The record of one play."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ludus.games.game import Facts
from ludus.games.model_calls import CallRow, read_calls
from ludus.json_files import parse_json
from ludus.limits import Usage

__all__ = ["Episode", "EpisodeEnding"]


class EpisodeEnding(StrEnum):
    """How an episode ended."""

    FINISHED = "finished"  #: the game came to its end
    CRASHED = "crashed"  #: the agent raised, or its process died
    DISQUALIFIED = "disqualified"  #: the agent gave what is no action, or took too long
    GUEST_FAILED = "guest failed"  #: the environment of somebody else's raised, died or lied

    @property
    def faulty(self) -> bool:
        """Whether it did not come to its end, by the agent's fault or by that of a guest."""
        return self is not EpisodeEnding.FINISHED

    @property
    def shown(self) -> str:
        """The word for people, who would take a death that is ``finished`` for a success."""
        return self.value if self.faulty else "over"


@dataclass(frozen=True, slots=True)
class Episode:
    """One play of one scenario by one agent.

    Attributes:
        number: Its place in the plan.
        agent: The agent, counted in the plan.
        scenario: The scenario, counted in the plan.
        ending: How it ended.
        reason: Why, unless it just finished.
        record: The actions, from which it can be played again.
        facts: What happened, up to the end or the crash.
        steps: How often the agent was asked.
        seconds: How long it took on the machine that played it.
        usage: What the agent used, as far as it was measured.
        model_calls: The calls of language models, unless the game's record holds them.
    """

    number: int
    agent: int
    scenario: int
    ending: EpisodeEnding
    reason: str
    record: bytes
    facts: Facts
    steps: int
    seconds: float
    usage: Usage = field(default_factory=Usage)
    model_calls: tuple[CallRow, ...] = ()

    def to_json(self) -> str:
        """Return the episode as one line of JSON."""
        return json.dumps(self.to_values(), sort_keys=True, allow_nan=False)

    def to_values(self) -> dict[str, Any]:
        """Return the episode as plain values, the record in base64; usage and calls if any."""
        values = {name: getattr(self, name) for name in self.__slots__}
        values["record"] = base64.b64encode(self.record).decode("ascii")
        values["usage"] = self.usage.to_dict()
        values["model_calls"] = [dict(row) for row in self.model_calls]
        for name in ("usage", "model_calls"):  # digests of runs that have none must not change
            if not values[name]:
                del values[name]
        return values

    @classmethod
    def from_json(cls, text: str | bytes) -> Episode:
        """Return the episode that :meth:`to_json` wrote; trusts nothing but its plain values."""
        return cls.from_values(parse_json(text))

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Episode:
        """Return the episode of plain values, the record in base64."""
        return cls(
            number=int(values["number"]),
            agent=int(values["agent"]),
            scenario=int(values["scenario"]),
            ending=EpisodeEnding(values["ending"]),
            reason=str(values["reason"]),
            record=base64.b64decode(values["record"], validate=True),
            facts=dict(values["facts"]),
            steps=int(values["steps"]),
            seconds=float(values["seconds"]),
            usage=Usage.from_dict(values.get("usage", {})),
            model_calls=read_calls(values.get("model_calls", [])),
        )
