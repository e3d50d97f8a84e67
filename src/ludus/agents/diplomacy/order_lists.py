"""Legal orders in few words: grouped by unit, with what they share written once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ludus.agents.diplomacy.surroundings import reach_of
from ludus.games.diplomacy.orders import unit_province

__all__ = ["list_legal_orders", "spell_out_orders"]

CONVOYS = "Convoys (a fleet convoys an army, also of others, to where that army can go VIA):"


def list_legal_orders(legal: Mapping[str, Sequence[str]]) -> str:
    """Return the legal orders, one line for each unit, convoys apart.

    Behind ``-`` are the goals of moves, behind ``S`` the units that can be supported where they
    stand, behind ``S - GOAL:`` those that can be supported on their way to a goal. Supports of
    units of others, and of moves that need a convoy, are legal, but too many to be listed.

    Example:
        >>> orders = ["A PAR - BUR", "A PAR - GAS", "A PAR H", "A PAR S A MAR - GAS"]
        >>> print(list_legal_orders({"PAR": orders, "MAR": ["A MAR H", "A MAR - GAS"]}))
        A PAR: H | - BUR GAS | S - GAS: MAR
        A MAR: H | - GAS
    """
    by_unit: dict[str, list[list[str]]] = {}
    for order in (order for orders in legal.values() for order in orders):
        unit = order if order == "WAIVE" else " ".join(order.split()[:2])
        by_unit.setdefault(unit, []).append(order.split()[2:])
    own = {unit_province(unit) for unit in by_unit}
    lines = [_format_line(unit, _group(rests, own)) for unit, rests in by_unit.items()]
    convoys = [_format_line(unit, _group_convoys(rests)) for unit, rests in by_unit.items()]
    convoyed = [line for line in convoys if ":" in line]
    return "\n".join([*lines, *([CONVOYS] if convoyed else []), *convoyed])


def spell_out_orders(legal: Mapping[str, Sequence[str]]) -> str:
    """Return holds, moves and supports of one's own units in full, a line each, unit by unit.

    Example:
        >>> print(spell_out_orders({"PAR": ["A PAR - BUR", "A PAR H", "A PAR S A MUN"]}))
        Orders for A PAR:
        A PAR - BUR
        A PAR H
    """
    blocks = []
    for orders in legal.values():
        shown = [order for order in orders if _is_simple(order.split(), legal)]
        blocks.append(f"Orders for {' '.join(orders[0].split()[:2])}:\n" + "\n".join(shown))
    return "\n\n".join(blocks)


def _is_simple(words: Sequence[str], own: Mapping[str, object]) -> bool:
    """Return whether an order has nothing to do with convoys or units of others."""
    helped = words[4][:3] if len(words) > 4 and words[2] == "S" else ""
    return words[2] != "C" and words[-1] != "VIA" and (not helped or helped in own)


def _format_line(unit: str, groups: Iterable[str]) -> str:
    listed = " | ".join(filter(None, groups))
    return f"{unit}: {listed}" if listed else unit


def _group(rests: Iterable[list[str]], own: Collection[str]) -> list[str]:
    """Return the orders of a unit, without convoys and without help for others, in groups."""
    single, goals, stays = [], [], []
    supported: dict[str, list[str]] = {}
    for rest in rests:
        if rest[:1] == ["-"] and rest[-1] != "VIA":
            goals.append(rest[1])
        elif rest[:1] == ["S"]:
            if rest[2][:3] not in own:
                continue
            if len(rest) == 3:
                stays.append(rest[2])
            elif rest[-1][:3] in reach_of(f"{rest[1]} {rest[2]}"):
                supported.setdefault(rest[-1], []).append(rest[2])
        elif rest[:1] != ["C"] and rest[-1:] != ["VIA"]:
            single.append(" ".join(rest))
    moves = f"- {' '.join(goals)}" if goals else ""
    return [*single, moves, f"S {' '.join(stays)}" if stays else "", *_format_supports(supported)]


def _format_supports(supported: Mapping[str, list[str]]) -> list[str]:
    """Return the supported moves by goal; a coast is named only where it has to be."""
    return [
        f"S - {goal}: {' '.join(units)}"
        for goal, units in supported.items()
        if not set(units) <= set(supported.get(goal[:3], ())) or len(goal) == 3
    ]


def _group_convoys(rests: Iterable[list[str]]) -> list[str]:
    """Return where a unit can be convoyed to, or which armies it can convoy."""
    listed = list(rests)
    goals = [rest[1] for rest in listed if rest[-1:] == ["VIA"]]
    armies = dict.fromkeys(rest[2] for rest in listed if rest[:1] == ["C"])
    return [f"- {' '.join(goals)} VIA" if goals else "", f"C {' '.join(armies)}" if armies else ""]
