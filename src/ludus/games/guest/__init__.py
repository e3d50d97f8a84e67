"""Guests: other people's environments, played with the arena's sticky actions.

An environment can have Gymnasium's interface or gym's older one. Its actions are numbered, and its
``info`` has the usual keys: ``x_pos``, ``world``, ``stage``, ``coins``, ``time``, ``flag_get``,
``life``. A key that is missing keeps its last value.

An environment's code runs in a process of its own, confined where a run is. This package runs there
to wrap it, and in the referee to count what it reports.
"""

from __future__ import annotations

from ludus.games.guest.game import GuestGame
from ludus.games.guest.loading import check_spec
from ludus.games.guest.match import GuestMatch
from ludus.games.guest.scenario import GuestScenario, guest_scenario

__all__ = ["GuestGame", "GuestMatch", "GuestScenario", "check_spec", "guest_scenario"]
