"""The bots that hardly look: hold, random, and random orders that fit together."""

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

    def orders(self, view: View, chance: Generator) -> list[str]:
        """Return the same kind of order for every unit."""
        if view.kind == "M":
            return [f"{unit} H" for unit in view.units[view.power]]
        if view.kind == "R":
            return [f"{unit} D" for unit in view.retreats[view.power]]
        return adjusted(view, lambda orders: orders[0])


class Random(Bot):
    """Gives every unit one of its legal orders, each as likely as any other."""

    name = "random"

    def orders(self, view: View, chance: Generator) -> list[str]:
        """Return orders that chance has drawn."""
        if view.kind == "A":
            return adjusted(view, chance.choice, chance)
        return [chance.choice(orders) for orders in view.legal.values()]


class ConsistentRandom(Bot):
    """Moves at random, but no two units to one place, and supports only what is really done."""

    name = "consistent-random"

    def orders(self, view: View, chance: Generator) -> list[str]:
        """Return random orders that do not stand in each other's way."""
        if view.kind == "A":
            return adjusted(view, chance.choice, chance)
        legal = view.legal
        places = chance.sample(sorted(legal), len(legal))
        done = _without_collisions(legal, places, chance)
        return _with_supports(legal, done, chance) if view.kind == "M" else list(done.values())


def _without_collisions(
    legal: dict[str, tuple[str, ...]], places: list[str], chance: Generator
) -> dict[str, str]:
    """Return a hold, move or retreat for each place, with no goal twice."""
    done: dict[str, str] = {}
    taken: set[str] = set()
    for place in places:
        plain = [
            order
            for order in legal[place]
            if order.split()[2] in ("H", "-", "R", "D") and not order.endswith("VIA")
        ]
        free = [order for order in plain if _goal(order) not in taken]
        staying = [order for order in plain if order.split()[2] in ("H", "D")]
        done[place] = chance.choice(free or staying)
        taken.add(_goal(done[place]))
    return done


def _with_supports(
    legal: dict[str, tuple[str, ...]], done: dict[str, str], chance: Generator
) -> list[str]:
    """Turn some of the orders into supports of others that stay as they are."""
    fixed: set[str] = set()
    orders = dict(done)
    for place in done:
        awaited = any(_goal(order) == place for other, order in orders.items() if other != place)
        if place in fixed or awaited or chance.random() >= SUPPORT_SHARE:
            continue
        helped = {_supported(order): other for other, order in orders.items() if other != place}
        useful = [order for order in legal[place] if order.partition(" S ")[2] in helped]
        if useful:
            orders[place] = chance.choice(useful)
            fixed |= {place, helped[orders[place].partition(" S ")[2]]}
    return list(orders.values())


def _goal(order: str) -> str:
    """Return the province where the unit will stand, or an empty text if it is disbanded."""
    words = order.split()
    if words[2] == "D":
        return ""
    return words[3][:3] if words[2] in ("-", "R") else words[1][:3]


def _supported(order: str) -> str:
    """Return an order as supports name it; what cannot be supported as itself."""
    return order[:-2] if order.endswith(" H") else order


def adjusted(
    view: View, choose: Callable[[tuple[str, ...]], str], chance: Generator | None = None
) -> list[str]:
    """Return as many builds or removals as winter asks for.

    Args:
        view: The board, in an adjustment phase.
        choose: Picks one of the orders of a place.
        chance: Draws the places; without it, they are taken in their order.
    """
    legal = view.legal
    places = sorted(legal)
    if chance:
        chance.shuffle(places)
    wanted = places[: abs(view.builds[view.power])]
    return [choose(tuple(o for o in legal[place] if o != "WAIVE")) for place in wanted]
