"""What the page of a seat at a table of Diplomacy sends and gets, as OpenAPI describes it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ludus.web.models import GamePhase

__all__ = ["SeatMessages", "SeatOrders", "SeatStep", "SeatVisit", "WrittenMessage"]

Ticket = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
Power = Literal["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SeatVisit(_Request):
    """Somebody sits down, and agrees that the game is stored and shown."""

    consent: Literal[True]
    power: Power = "FRANCE"
    against: Literal["hold", "random", "easy", "dumb"] = "easy"
    year: Annotated[int, Field(ge=1901, le=1920)] = 1907
    press: Literal["none", "full"] = "none"
    player: Annotated[str, Field(max_length=60)] = ""


class SeatOrders(_Request):
    """The orders of a phase; a unit without one does what the rules say."""

    ticket: Ticket
    orders: Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=40)]


class WrittenMessage(_Request):
    """A message that somebody writes."""

    recipient: Power | Literal["GLOBAL"]
    text: Annotated[str, Field(min_length=1, max_length=500)]


class SeatMessages(_Request):
    """What is said in a round; nothing, if the list is empty."""

    ticket: Ticket
    messages: Annotated[list[WrittenMessage], Field(max_length=7)]


class SeatStep(BaseModel):
    """What a seat sees now."""

    kind: Literal["orders", "press", "over"]
    ticket: str = ""
    power: str
    against: str
    last_year: int
    round: int = Field(default=0, description="the round of messages, from 1")
    legal: dict[str, list[str]] = Field(default={}, description="legal orders by province")
    builds: int = Field(default=0, description="units to build, or below 0 to remove")
    before: GamePhase | None = Field(default=None, description="the phase that was decided last")
    now: GamePhase
    replay: str = Field(default="", description="where the finished game is, from the first page")
    board: str = Field(default="", description="where its board is, from the first page")
