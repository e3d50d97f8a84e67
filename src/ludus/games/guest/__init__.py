"""Guests: other people's environments, played under the arena's terms.

Any environment of the usual interface will do, Gymnasium's or the older one of gym, if its actions
are numbered and its ``info`` has the usual keys: ``x_pos``, ``world``, ``stage``, ``coins``,
``time``, ``flag_get``, ``life``. What a guest leaves out is taken to be as it was.
"""

from __future__ import annotations

from ludus.games.guest.environment import check_spec
from ludus.games.guest.game import GuestGame, GuestMatch
from ludus.games.guest.scenario import GuestScenario, guest_scenario

__all__ = ["GuestGame", "GuestMatch", "GuestScenario", "check_spec", "guest_scenario"]
