"""The colours of the dish, light and dark."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.games.media.pixel_canvas import Colour

__all__ = ["THEMES", "DishTheme"]


@dataclass(frozen=True, slots=True)
class DishTheme:
    """The colours of a picture."""

    outside: Colour
    dish: Colour
    rim: Colour
    lines: Colour
    scent: Colour
    scent_line: Colour
    food: Colour
    food_core: Colour
    predator: Colour
    warm: Colour
    cold: Colour
    air: Colour
    trail: Colour
    worm: Colour
    worm_edge: Colour
    empty: Colour
    satiety: Colour
    health: Colour


THEMES = {
    "light": DishTheme(
        outside=(246, 244, 238),
        dish=(255, 252, 244),
        rim=(196, 188, 170),
        lines=(226, 219, 203),
        scent=(122, 178, 96),
        scent_line=(74, 132, 62),
        food=(56, 128, 54),
        food_core=(196, 226, 130),
        predator=(190, 46, 66),
        warm=(240, 112, 64),
        cold=(70, 128, 226),
        air=(128, 88, 190),
        trail=(120, 84, 54),
        worm=(238, 196, 158),
        worm_edge=(96, 62, 40),
        empty=(222, 216, 202),
        satiety=(214, 148, 40),
        health=(204, 70, 88),
    ),
    "dark": DishTheme(
        outside=(14, 17, 24),
        dish=(22, 27, 37),
        rim=(70, 82, 104),
        lines=(33, 40, 54),
        scent=(34, 130, 118),
        scent_line=(92, 206, 178),
        food=(116, 226, 142),
        food_core=(232, 255, 206),
        predator=(255, 92, 110),
        warm=(236, 96, 52),
        cold=(56, 112, 236),
        air=(170, 128, 246),
        trail=(238, 206, 150),
        worm=(250, 216, 178),
        worm_edge=(60, 40, 30),
        empty=(44, 52, 68),
        satiety=(246, 184, 72),
        health=(255, 106, 124),
    ),
}
