"""prototype"""

from __future__ import annotations
import os, json
from collections.abc import Sequence
from ludus.agents.platformer.planning.search import SearchOptions
from ludus.games.platformer._native import StickyPlanner
from ludus.games.platformer.view import View

__all__ = ["StickyPlans"]
P = dict(nodes=3000, budget=50000, rest=5, faults=6, late=3, follow=3, fault=0.06, sticky=0.25, horizon=26.0, greed=1.1, wound=200.0, wait=30.0, death=3000.0)
P.update(json.loads(os.environ.get("SP","{}")))
DEBUG = bool(os.environ.get("SPD"))

class StickyPlans:
    def __init__(self, options: SearchOptions, frame_skip: int) -> None:
        self._frame_skip = frame_skip
        self._pressed = 0
        self._planner = None
        self._level = None
        self._tick = -1
        self.plan: Sequence[int] = ()

    def act(self, view: View) -> int:
        model = view.forward_model()
        if self._planner is None or view.level is not self._level or view.tick < self._tick:
            self._planner, self._level, self._pressed = StickyPlanner(model), view.level, 0
            self._best, self._waited = 1e9, 0
        self._tick = view.tick
        to_go = self._planner.ticks_to_go(model)
        self._waited += 1
        if to_go < self._best - 3:
            self._best, self._waited = to_go, 0
        p = dict(P)
        p["stall"] = min(60.0, 4.0 * max(0, self._waited - 3))
        if self._waited > 25:
            p["death"] /= 2 ** ((self._waited - 25) / 8)
            p["nodes"] = 4000
        if self._waited > 40:
            p["faults"] = 1
        if self._waited > 60:
            p["nodes"], p["budget"] = 8000, 40000
        if self._waited > 120: self._waited = 0
        verdict, decisions, cost, nodes = self._planner.plan(model, self._pressed, skip=self._frame_skip, **p)
        if DEBUG:
            m = view.mario
            print(f"{view.tick:5d} x{m.x:.0f} y{m.y:.0f} vx{m.vx:.1f} g{m.on_ground} togo {to_go:.0f} v{verdict} cost {cost:.0f} n{nodes} w{self._waited} {list(decisions)[:12]}")
        self.plan = tuple(decisions[1:])
        self._pressed = decisions[0]
        return self._pressed
