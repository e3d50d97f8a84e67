"""Legal orders in few words: grouped by unit, with what they share written once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ludus.games.diplomacy.orders import unit_province

__all__ = ["list_legal_orders", "spell_out_orders"]

SUPPORTS = "Supports, by place where others can come:"
CONVOYS = "Convoys (fleets convoy armies, also of others, to where these can go VIA):"


def list_legal_orders(legal: Mapping[str, Sequence[str]]) -> str:
    """Return the legal orders: moves by unit, then supports by place, then convoys.

    Holds go without saying where a unit can move. A unit can support whatever stands in or moves
    to a place to which it can move itself. So the units that can move to a place are written once:
    each can support another one on its way there, and one's own unit that stands there. Other
    supports are legal, but not listed: of units of others, of moves that need a convoy, and where
    nobody else can come.

    Example:
        >>> orders = ["A PAR - BUR", "A PAR - GAS", "A PAR H", "A PAR S A MUN - BUR"]
        >>> print(list_legal_orders({"PAR": orders, "MAR": ["A MAR H", "A MAR - BUR"]}))
        A PAR: - BUR GAS
        A MAR: - BUR
        Supports, by place where others can come:
        BUR: PAR MAR
    """
    by_unit: dict[str, list[list[str]]] = {}
    for order in (order for orders in legal.values() for order in orders):
        unit = order if order == "WAIVE" else " ".join(order.split()[:2])
        by_unit.setdefault(unit, []).append(order.split()[2:])
    lines = [_format_line(unit, _group(rests)) for unit, rests in by_unit.items()]
    for title, more in ((SUPPORTS, _list_supports(by_unit)), (CONVOYS, _list_convoys(by_unit))):
        lines += [title, *more] if more else []
    return "\n".join(lines)


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


def _group(rests: Iterable[Sequence[str]]) -> list[str]:
    """Return the moves of a unit, or its orders one by one if it has none."""
    listed = list(rests)
    goals = _list_goals(listed)
    single = [" ".join(rest) for rest in listed if rest and rest[0] not in ("-", "S", "C")]
    return [f"- {' '.join(goals)}"] if goals else single


def _list_goals(rests: Iterable[Sequence[str]]) -> list[str]:
    """Return where a unit can move to without a convoy."""
    return [rest[1] for rest in rests if rest[:1] == ["-"] and rest[-1] != "VIA"]


def _list_supports(by_unit: Mapping[str, Sequence[Sequence[str]]]) -> list[str]:
    """Return the places to which one unit can move while another one stands or goes there."""
    own = {unit_province(unit) for unit in by_unit}
    reaching: dict[str, dict[str, None]] = {}
    for unit, rests in by_unit.items():
        for goal in _list_goals(rests):
            reaching.setdefault(goal[:3], {})[unit_province(unit)] = None
    contested = {
        rest[-1][:3]
        for rests in by_unit.values()
        for rest in rests
        if rest[:1] == ["S"] and rest[2][:3] not in own
    }
    return [
        f"{place}: {' '.join(units)}"
        for place, units in sorted(reaching.items())
        if place in contested and (len(units) > 1 or place in own)
    ]


def _list_convoys(by_unit: Mapping[str, Sequence[Sequence[str]]]) -> list[str]:
    """Return where armies can be convoyed to, and which armies fleets can convoy."""
    armies, fleets = dict[str, list[str]](), dict[str, list[str]]()
    for unit, rests in by_unit.items():
        goals = {rest[1] for rest in rests if rest[-1:] == ["VIA"]}
        convoyed = dict.fromkeys(rest[2] for rest in rests if rest[:1] == ["C"])
        if goals:  # armies on the same waters have the same goals, but for where they stand
            armies.setdefault(" ".join(sorted(goals | {unit[2:]})), []).append(unit[2:])
        if convoyed:
            fleets.setdefault(" ".join(convoyed), []).append(unit[2:])
    return [
        *(f"A {' '.join(units)}: - {goals} VIA" for goals, units in armies.items()),
        *(f"F {' '.join(units)}: C {listed}" for listed, units in fleets.items()),
    ]
