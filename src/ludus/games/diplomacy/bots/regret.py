"""The bot ``regret``: regret matching over candidate plans, with one phase of search.

After the one-ply search of J. Gray et al., "Human-Level Performance in No-Press Diplomacy via
Equilibrium Search" (2021), with plans of ``dumb`` where that work has a network.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from ludus.games.diplomacy.bots.bot import Bot
from ludus.games.diplomacy.bots.dumb import AGGRESSIVE, BALANCED, dumb_orders
from ludus.games.diplomacy.bots.search import find_position_value, play_to_winter
from ludus.games.diplomacy.records import POWERS
from ludus.games.diplomacy.table import Table
from ludus.games.diplomacy.view import View

__all__ = ["Regret"]

OWN_PLANS, OTHER_PLANS = 14, 4
ROUNDS = 8

Plan = tuple[str, ...]


class Regret(Bot):
    """Plays the plan that regret matching plays most, against others that adapt likewise.

    In every round each power's plan is drawn from what its regrets favour. The own plans are played
    to the winter and the others' for the phase alone; what each would have been worth adds to the
    regrets.
    """

    name = "regret"

    def orders(self, view: View, rng: Random) -> list[str]:
        """Return the plan that was played most."""
        if view.kind != "M":
            return dumb_orders(view, view.power, rng)
        return _Matching(view, rng).best()


@dataclass(slots=True)
class _Mixture:
    """The plans of one power, the regret of not having played each, and how often each was."""

    plans: list[Plan]
    regrets: list[float] = field(default_factory=list)
    played: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.regrets = [0.0] * len(self.plans)
        self.played = [0.0] * len(self.plans)

    def shares(self) -> list[float]:
        """Return how likely each plan is now: by its regret, or equally if there is none."""
        positive = [max(regret, 0.0) for regret in self.regrets]
        total = sum(positive)
        n = len(self.plans)
        return [regret / total for regret in positive] if total else [1 / n] * n

    def add(self, values: list[float]) -> None:
        """Take what each plan would have been worth."""
        shares = self.shares()
        mean = sum(share * value for share, value in zip(shares, values, strict=True))
        for k, value in enumerate(values):
            self.regrets[k] += value - mean
            self.played[k] += shares[k]


class _Matching:
    """The regret matching of one phase."""

    def __init__(self, view: View, rng: Random) -> None:
        self._view, self._power, self._rng = view, view.power, rng
        self._table: Table = view.fork()
        self._mixtures = {power: _Mixture(self._draw_plans(power)) for power in POWERS}

    def best(self) -> list[str]:
        """Return the plan that was played most over all rounds."""
        mixture = self._mixtures[self._power]
        if len(mixture.plans) == 1:
            return list(mixture.plans[0])
        for _ in range(ROUNDS):
            self._play_round()
        return list(max(zip(mixture.played, mixture.plans, strict=True))[1])

    def _draw_plans(self, power: str) -> list[Plan]:
        number = OWN_PLANS if power == self._power else OTHER_PLANS
        tempers = (BALANCED, AGGRESSIVE)
        drawn = (
            tuple(dumb_orders(self._view, power, self._rng, tempers[k % 2])) for k in range(number)
        )
        return list(dict.fromkeys(drawn))

    def _play_round(self) -> None:
        joint = {
            power: self._rng.choices(mixture.plans, mixture.shares())[0]
            for power, mixture in self._mixtures.items()
        }
        for power, mixture in self._mixtures.items():
            if len(mixture.plans) > 1:
                mixture.add([self._find_value(power, joint, plan) for plan in mixture.plans])

    def _find_value(self, power: str, joint: dict[str, Plan], plan: Plan) -> float:
        """Return what a plan is worth to a power if the others play theirs."""
        table = self._view.fork(self._table)
        for other, orders in joint.items():
            table.set_orders(other, plan if other == power else orders)
        if power == self._power:
            play_to_winter(table, self._rng)
            return find_position_value(table, power)
        table.advance()
        return _find_hold_on_centres(table, power)


def _find_hold_on_centres(table: Table, power: str) -> float:
    """Return how many centres a power would own if the year ended now, and what units it has."""
    standing = {unit[2:5]: owner for owner, units in table.units.items() for unit in units}
    owned = {centre for own in table.centres.values() for centre in own}
    kept = sum(standing.get(centre, power) == power for centre in table.centres[power])
    others = owned - set(table.centres[power])
    taken = sum(standing.get(centre) == power for centre in others)
    return 4.0 * (kept + taken) + len(table.units[power])
