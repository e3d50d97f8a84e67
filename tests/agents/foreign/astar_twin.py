"""The example AStar.java, in Python."""

from __future__ import annotations

import heapq
from typing import NamedTuple

from ludus.games.platformer import ForwardModel
from ludus.games.platformer.view import View

__all__ = ["AStar"]

CHOICES = (0b01010, 0b11010, 0b10010, 0b10001, 0b00001)
HELD = 3
EXPANSIONS = 120
AHEAD, TOP_SPEED, HURT = 176.0, 10.9, 100.0
WIN, LOSE = 1, 2


class Node(NamedTuple):
    """A state that the search has reached; nodes of one cost are ordered by their number."""

    cost: float
    number: int
    ticks: int
    first: int
    model: ForwardModel


class AStar:
    """Searches for the quickest way to the right, every three ticks."""

    name = "A*"

    def reset(self, scenario: object) -> None:
        """Forget what is held."""
        self.left = self.held = 0

    def act(self, view: View) -> int:
        """Hold the first choice of the best way."""
        if self.left == 0:
            self.held, self.left = self._search(view.forward_model()), HELD
        self.left -= 1
        return self.held

    def _search(self, model: ForwardModel) -> int:
        self.open = [best := Node(0.0, 0, 0, CHOICES[1], model)]
        self.places: set[tuple[int, int]] = set()
        self.made = 1
        self.goal, self.mode = model.mario.x + AHEAD, model.mario.mode
        for _ in range(EXPANSIONS):
            if not self.open:
                break
            best = heapq.heappop(self.open)
            if best.model.status == WIN or best.model.mario.x >= self.goal:
                break
            self._expand(best)
        return best.first

    def _expand(self, node: Node) -> None:
        for choice in CHOICES:
            ahead = node.model.clone()
            for _ in range(HELD):
                ahead.advance(choice)
            mario = ahead.mario
            place = int(mario.x / 2), int(mario.y / 2)
            lost = ahead.status == LOSE or mario.y > 16 * ahead.level.height
            if lost or place in self.places:
                continue
            self.places.add(place)
            ticks = node.ticks + HELD
            first = choice if node.ticks == 0 else node.first
            cost = ticks + self._estimate(ahead)
            heapq.heappush(self.open, Node(cost, self.made, ticks, first, ahead))
            self.made += 1

    def _estimate(self, model: ForwardModel) -> float:
        distance = max(0.0, self.goal - model.mario.x)
        return distance / TOP_SPEED + HURT * max(0, self.mode - model.mario.mode)
