"""Finds a way through a level by a search with the engine itself, or proves that none exists."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Literal

from ludus.errors import OptionError
from ludus.games.platformer import Status, World, replay
from ludus.games.platformer._native import solve as native_solve
from ludus.games.platformer.levels.level import Level

__all__ = ["BUDGET", "Outcome", "SolverResult", "solve"]

Outcome = Literal["solved", "impossible", "unknown"]

#: The nodes that a search visits at most, by default.
BUDGET = 1_000_000

_OUTCOMES: tuple[Outcome, ...] = ("solved", "impossible", "unknown")


@dataclass(frozen=True, slots=True)
class SolverResult:
    """The outcome of a search for a way through a level.

    Attributes:
        outcome: ``solved``, with the actions as proof; ``impossible`` by construction, whatever is
            played; or ``unknown``: no way was found within the budget.
        actions: The buttons of every tick to the exit, if solved.
        nodes: States that the search visited; the same on every machine.
        seconds: How long it took on this one.
    """

    outcome: Outcome
    actions: bytes
    nodes: int
    seconds: float


def solve(
    level: Level, *, mode: int = 0, time_limit: int | None = None, budget: int = BUDGET
) -> SolverResult:
    r"""Search a way through a level, and say whether it can be finished.

    The actions found are replayed on a new world before they are returned.

    Args:
        level: The level, played by its own rules and physics.
        mode: How Mario starts: 0 small, 1 large, 2 fire.
        time_limit: Clock seconds; None for the level's own, 0 for none.
        budget: Nodes to visit before giving up.

    Raises:
        OptionError: The budget is not above 0.

    Example:
        >>> solve(Level.parse("M----F\nXXX-XX")).outcome
        'solved'
    """
    if budget < 1:
        raise OptionError(f"a budget of {budget} nodes is too small: give 1 or more")
    started = perf_counter()
    number, actions, nodes = native_solve(World(level, mode, time_limit), budget)
    outcome = _OUTCOMES[number]
    if outcome == "solved" and replay(level, actions, mode, time_limit).status != Status.WIN:
        raise AssertionError("the solver's proof does not win: report this level")
    return SolverResult(outcome, actions, nodes, perf_counter() - started)
