"""What the API sends and takes, as OpenAPI describes it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "Fact",
    "PlayAnswer",
    "PlayRequest",
    "ReplayDocument",
    "RoundDocument",
    "RunProgress",
    "TrackDocument",
]

Fact = int | float | str | None
"""The value of a fact."""

LONGEST_ACTIONS = 30_000
"""Base64 of the longest play that is taken."""


class TrackDocument(BaseModel):
    """Who played a level, and which buttons were held in every tick."""

    agent: str
    actions: str = Field(description="base64 of one byte a tick")
    ticks: int
    digest: str = Field(description="state digest after the last tick, 16 hexadecimal digits")
    result: dict[str, Fact]
    link: str = Field(default="", description="the page of whoever played, or empty")


class RoundDocument(BaseModel):
    """A level, how it starts, and who played it."""

    name: str
    source: str = Field(default="", description="how the level is asked for again, or empty")
    rules: str
    rules_version: int
    level: dict[str, Any] = Field(description="the level as a scenario of a run holds it")
    mode: int
    time_limit: int
    tracks: list[TrackDocument]


class ReplayDocument(BaseModel):
    """All that a page needs to play an episode again."""

    format: int = 1
    game: str
    title: str
    rounds: list[RoundDocument]


class PlayRequest(BaseModel):
    """A play that somebody sends."""

    model_config = ConfigDict(extra="forbid", strict=True)

    source: Annotated[str, Field(max_length=1_000)]
    actions: Annotated[str, Field(max_length=LONGEST_ACTIONS)]
    digest: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
    player: Annotated[str, Field(max_length=60)] = ""
    mode: Annotated[int, Field(ge=0, le=2)] | None = None
    time_limit: Annotated[int, Field(ge=0, le=1_000)] | None = None


class PlayAnswer(BaseModel):
    """What the engine of the server made of a play."""

    digest: str
    result: dict[str, Fact]
    player: str
    kept: bool = Field(description="whether it stands on the board of its level")
    outcome: str = Field(description="new, better, not better; empty for a level without a board")
    rank: int | None = Field(default=None, description="its place on the board")
    entries: int = Field(default=0, description="how many are on the board")
    link: str = Field(default="", description="the board, relative to the arena's first page")


class RunProgress(BaseModel):
    """How far a run is."""

    run: str
    played: int
    planned: int
    complete: bool
    standings: list[dict[str, Any]]
