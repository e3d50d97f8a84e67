"""What the pages of voters send and get, as OpenAPI describes it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ludus.web.models import LONGEST_ACTIONS, RoundDocument

__all__ = [
    "ClipResult",
    "GenerationPlay",
    "GenerationResult",
    "GenerationStep",
    "GenerationVisit",
    "GenerationVote",
    "Judgement",
    "ProfileValue",
    "TuringResult",
    "TuringStep",
    "TuringVisit",
    "TuringVote",
]

Ticket = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
Preference = Literal["A", "B", "both", "neither"]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class TuringVisit(_Request):
    """Somebody agrees to judge clips."""

    consent: Literal[True]
    expertise: Literal["novice", "player", "expert"] = "player"


class Judgement(_Request):
    """What a visitor takes a player for."""

    answer: Literal["human", "machine"]
    confidence: Annotated[int, Field(ge=1, le=5)] = 3


class TuringVote(_Request):
    """A visitor's answer about a pair of clips."""

    ticket: Ticket
    first: Judgement
    second: Judgement
    more_human: Literal["A", "B"]


class TuringStep(BaseModel):
    """What a visitor sees now: two clips as the tracks A and B, or the end."""

    done: bool
    judged: int = Field(description="clips that the visitor has judged")
    clips: int = Field(description="clips that there are to judge")
    ticket: str = Field(default="", description="what the vote has to show")
    round: RoundDocument | None = None


class ClipResult(BaseModel):
    """Who was in a clip, and what the visitor and the crowd said."""

    player: str
    is_human: bool
    answer: str
    right: bool
    crowd: float = Field(description="of all answers about the player, the share 'human'")
    answers: int


class TuringResult(BaseModel):
    """How often a visitor was right."""

    right: int
    clips: list[ClipResult]
    crowd_right: float = Field(description="the share of right answers of all visitors")
    visitors: int


class GenerationVisit(_Request):
    """Somebody agrees to play and to vote."""

    consent: Literal[True]


class GenerationPlay(_Request):
    """What a visitor played on the level of the present step, life by life."""

    ticket: Ticket
    lives: Annotated[
        list[Annotated[str, Field(max_length=LONGEST_ACTIONS)]], Field(min_length=1, max_length=3)
    ]
    digest: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


class GenerationVote(_Request):
    """Which of two levels was more fun."""

    ticket: Ticket
    answer: Preference


class GenerationStep(BaseModel):
    """What a visitor does now."""

    kind: Literal["test", "level", "vote", "done"]
    step: int
    steps: int
    label: str = Field(default="", description="A or B: the level that is played now")
    lives: int = Field(default=0, description="how many lives there are")
    ticket: str = Field(default="", description="what the play or the vote has to show")
    round: RoundDocument | None = None


class ProfileValue(BaseModel):
    """One thing that the generators saw of a visitor."""

    name: str
    share: float = Field(description="from 0 to 1")
    value: str


class GenerationResult(BaseModel):
    """Who made the levels, how the visitor voted, and what the generators saw."""

    generators: list[str] = Field(description="A and B of the first order")
    votes: list[str] = Field(description="whom each vote preferred; both or neither, else")
    profile: list[ProfileValue]
