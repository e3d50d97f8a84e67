"""Can a level be finished? A search with the engine itself, and a proof where none can help."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Literal

from ludus.errors import OptionError
from ludus.games.platformer import Status, World, replay
from ludus.games.platformer._native import solve
from ludus.games.platformer.levels.level import Level

__all__ = ["BUDGET", "Outcome", "Verdict", "check"]

Outcome = Literal["solved", "impossible", "unknown"]

#: Nodes that a check looks at unless told otherwise.
BUDGET = 1_000_000

_OUTCOMES: tuple[Outcome, ...] = ("solved", "impossible", "unknown")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of the search.

    Attributes:
        outcome: ``solved``, with the actions as proof; ``impossible`` by construction, whatever is
            played; or ``unknown``: not found within the budget.
        actions: The buttons of every tick to the exit, if solved.
        nodes: Futures that were looked at; the same on every machine.
        seconds: How long it took on this one.
    """

    outcome: Outcome
    actions: bytes
    nodes: int
    seconds: float


def check(
    level: Level, *, mode: int = 0, time_limit: int | None = None, budget: int = BUDGET
) -> Verdict:
    r"""Find out whether a level can be finished.

    A proof is played once more on a fresh world before it is returned.

    Args:
        level: The level, played by its own rules and physics.
        mode: How Mario starts: 0 small, 1 large, 2 fire.
        time_limit: Clock seconds; None for the level's own, 0 for none.
        budget: Nodes to look at before giving up.

    Raises:
        OptionError: The budget is not above 0.

    Example:
        >>> check(Level.parse("M----F\nXXX-XX")).outcome
        'solved'
    """
    if budget < 1:
        raise OptionError(f"a budget of {budget} nodes is too small: give 1 or more")
    started = perf_counter()
    number, actions, nodes = solve(World(level, mode, time_limit), budget)
    outcome = _OUTCOMES[number]
    if outcome == "solved" and replay(level, actions, mode, time_limit).status != Status.WIN:
        raise AssertionError("the solver's proof does not win: report this level")
    return Verdict(outcome, actions, nodes, perf_counter() - started)
