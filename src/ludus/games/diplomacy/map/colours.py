"""The powers' colours: the same on maps, on charts and in pages."""

from __future__ import annotations

__all__ = ["POWER_COLOURS", "mix_colours"]

POWER_COLOURS = {
    "AUSTRIA": "#d1495b",
    "ENGLAND": "#3f5fb0",
    "FRANCE": "#4fb0e0",
    "GERMANY": "#6e6e6e",
    "ITALY": "#3f9b58",
    "RUSSIA": "#9a7fd1",
    "TURKEY": "#e0b020",
}


def mix_colours(first: str, second: str, share: float) -> str:
    """Return a colour between two.

    Example:
        >>> mix_colours("#000000", "#ffffff", 0.5)
        '#808080'
    """
    pairs = [(int(first[k : k + 2], 16), int(second[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
