"""Moves by the names of their buttons, which every rule set numbers in its own way."""

from __future__ import annotations

from functools import cache

from ludus.games.platformer.codes import buttons_of

__all__ = ["Moves"]


class Moves(tuple[str, ...]):
    """The moves that a player chooses from, each as the buttons that it holds.

    Example:
        >>> moves = Moves(["", "right", "right jump"])
        >>> moves.buttons("framework"), moves.buttons("2010")
        ((0, 2, 18), (0, 2, 10))
    """

    __slots__ = ()

    def buttons(self, rules: str) -> tuple[int, ...]:
        """Return the buttons of every move as one number each, under the rules of a world."""
        return _buttons(self, rules)


@cache
def _buttons(moves: tuple[str, ...], rules: str) -> tuple[int, ...]:
    button = buttons_of(rules)
    return tuple(sum(int(button[name.upper()]) for name in move.split()) for move in moves)
