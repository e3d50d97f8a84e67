"""The bots ``hold``, ``random`` and ``consistent-random``."""

from __future__ import annotations

from collections.abc import Callable
from random import Random as Generator

from ludus.games.diplomacy.bots.bot import Bot
from ludus.games.diplomacy.view import View

__all__ = ["ConsistentRandom", "Hold", "Random"]

SUPPORT_SHARE = 0.4


class Hold(Bot):
    """Holds with every unit, disbands what is dislodged, and builds what it may, armies first."""

    name = "hold"

    def orders(self, view: View, rng: Generator) -> list[str]:
        """Return the same kind of order for every unit."""
        if view.kind == "M":
            return [f"{unit} H" for unit in view.units[view.power]]
        if view.kind == "R":
            return [f"{unit} D" for unit in view.retreats[view.power]]
        return choose_adjustments(view, lambda orders: orders[0])


class Random(Bot):
    """Gives every unit one of its legal orders, each as likely as any other."""

    name = "random"

    def orders(self, view: View, rng: Generator) -> list[str]:
        """Return orders drawn at random."""
        if view.kind == "A":
            return choose_adjustments(view, rng.choice, rng)
        return [rng.choice(orders) for orders in view.legal.values()]


class ConsistentRandom(Bot):
    """Moves at random, but no two units to one place, and supports only what is really done."""

    name = "consistent-random"

    def orders(self, view: View, rng: Generator) -> list[str]:
        """Return random orders that do not stand in each other's way."""
        if view.kind == "A":
            return choose_adjustments(view, rng.choice, rng)
        legal = view.legal
        provinces = rng.sample(sorted(legal), len(legal))
        orders = _without_collisions(legal, provinces, rng)
        return _with_supports(legal, orders, rng) if view.kind == "M" else list(orders.values())


def _without_collisions(
    legal: dict[str, tuple[str, ...]], provinces: list[str], rng: Generator
) -> dict[str, str]:
    """Return a hold, move or retreat for each province, with no goal twice."""
    plan: dict[str, str] = {}
    claimed: set[str] = set()
    for province in provinces:
        candidates = [
            order
            for order in legal[province]
            if order.split()[2] in ("H", "-", "R", "D") and not order.endswith("VIA")
        ]
        unclaimed = [order for order in candidates if _end_province(order) not in claimed]
        staying = [order for order in candidates if order.split()[2] in ("H", "D")]
        plan[province] = rng.choice(unclaimed or staying)
        claimed.add(_end_province(plan[province]))
    return plan


def _with_supports(
    legal: dict[str, tuple[str, ...]], plan: dict[str, str], rng: Generator
) -> list[str]:
    """Turn some of the orders into supports of others that stay as they are."""
    settled: set[str] = set()
    orders = dict(plan)
    for province in plan:
        others = {other: order for other, order in orders.items() if other != province}
        is_target = any(_end_province(order) == province for order in others.values())
        if province in settled or is_target or rng.random() >= SUPPORT_SHARE:
            continue
        supportable = {_support_key(order): other for other, order in others.items()}
        useful = [order for order in legal[province] if order.partition(" S ")[2] in supportable]
        if useful:
            orders[province] = rng.choice(useful)
            settled |= {province, supportable[orders[province].partition(" S ")[2]]}
    return list(orders.values())


def _end_province(order: str) -> str:
    """Return the province where the unit will stand, or an empty text if it is disbanded."""
    words = order.split()
    if words[2] == "D":
        return ""
    return words[3][:3] if words[2] in ("-", "R") else words[1][:3]


def _support_key(order: str) -> str:
    """Return an order as supports name it; what cannot be supported as itself."""
    return order[:-2] if order.endswith(" H") else order


def choose_adjustments(
    view: View, choose: Callable[[tuple[str, ...]], str], rng: Generator | None = None
) -> list[str]:
    """Return as many builds or removals as winter asks for.

    Args:
        view: The board, in an adjustment phase.
        choose: Picks one of the orders of a province.
        rng: Draws the provinces; without it, they are taken in their order.
    """
    legal = view.legal
    provinces = sorted(legal)
    if rng:
        rng.shuffle(provinces)
    wanted = provinces[: abs(view.builds[view.power])]
    return [choose(tuple(o for o in legal[province] if o != "WAIVE")) for province in wanted]
