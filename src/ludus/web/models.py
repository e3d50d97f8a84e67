"""What the API sends and takes, as OpenAPI describes it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "Deed",
    "DishDocument",
    "Fact",
    "GameMessage",
    "GamePhase",
    "PlanDocument",
    "PlayAnswer",
    "PlayRequest",
    "ReplayDocument",
    "RoundDocument",
    "RunProgress",
    "StoredOrder",
    "TableDocument",
    "TickPlan",
    "TrackDocument",
    "TrainingDocument",
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


class DishDocument(BaseModel):
    """A worm's dish, and who crawled in it."""

    name: str
    terms: dict[str, Any] = Field(description="the task's constants by the engine's names")
    seed: str = Field(description="the world's seed, a whole number of up to 64 bits")
    continuous: bool = Field(description="whether an action is speed and turn, not a number")
    tracks: list[TrackDocument]


class StoredOrder(BaseModel):
    """An order of Diplomacy, and what came between it and its success."""

    order: str
    results: list[str] = Field(default=[], description="such as bounce; empty if it succeeded")


class GameMessage(BaseModel):
    """A message of Diplomacy."""

    sender: str
    recipient: str
    text: str
    round: int


class Deed(BaseModel):
    """What one power did to another in a phase."""

    who: str
    whom: str
    kind: Literal["helps", "attacks"]


class GamePhase(BaseModel):
    """A phase of a game of Diplomacy: the position before it, and what was ordered and said."""

    phase: str
    units: dict[str, list[str]]
    centres: dict[str, list[str]]
    influence: dict[str, list[str]]
    orders: dict[str, list[StoredOrder]]
    rejected: dict[str, list[str]]
    messages: list[GameMessage]
    faults: list[str]
    deeds: list[Deed]
    relationships: dict[str, dict[str, str]] = Field(
        default={}, description="what a power has written down about the others"
    )
    diary: dict[str, list[str]] = Field(default={}, description="what a power noted for itself")


class TableDocument(BaseModel):
    """A game of Diplomacy, phase by phase."""

    power: str = Field(description="the seat that was tested")
    seats: dict[str, str] = Field(description="who played each power")
    press: str
    winner: str | None
    digest: str = Field(description="digest of the position that the server comes to")
    stored: str = Field(description="the digest that is stored")
    phases: list[GamePhase]


class ReplayDocument(BaseModel):
    """All that a page needs to play an episode again."""

    format: int = 1
    game: str
    title: str
    rounds: list[RoundDocument] = []
    dish: DishDocument | None = None
    table: TableDocument | None = None

    @property
    def is_shown(self) -> bool:
        """Whether a page can play it."""
        return bool(self.rounds or self.dish or self.table)


class TickPlan(BaseModel):
    """What an agent meant to do from a tick on."""

    tick: int
    actions: str = Field(description="base64 of one byte a tick")


class PlanDocument(BaseModel):
    """The plans that an agent made in an episode."""

    agent: str
    reason: str = Field(description="why there are no more of them, or empty")
    plans: list[TickPlan]


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


class TrainingDocument(BaseModel):
    """A learning curve."""

    name: str
    settings: dict[str, str]
    rows: list[dict[str, float | None]] = Field(description="numbers by name, thinned out if many")
    total: int = Field(description="how many lines the curve has")


class EpisodeLine(BaseModel):
    """An episode that can be watched."""

    number: int
    agent: str
    scenario: str
    score: str


class RunProgress(BaseModel):
    """How far a run is."""

    run: str
    played: int
    planned: int
    complete: bool
    standings: list[dict[str, Any]]
    latest: list[EpisodeLine] = Field(
        default_factory=list, description="the episodes of the highest numbers, if they are public"
    )
