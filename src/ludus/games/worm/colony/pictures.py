"""Pictures and films of several worms on one dish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike

import numpy as np

from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.games.media.palette import Picture
from ludus.games.media.pixel_canvas import PixelCanvas
from ludus.games.media.png import write_png
from ludus.games.worm.colony.task import ColonyTask
from ludus.games.worm.colony.world import Colony
from ludus.games.worm.pictures.frames import FPS, SIDE, write_frames
from ludus.games.worm.pictures.painter import Floats, Painter

__all__ = ["ColonyPainter", "colony_frames", "write_colony_picture", "write_colony_replay"]

FOUND, ALARM = (66, 135, 214), (214, 69, 65)


class ColonyPainter(Painter):
    """Paints colonies of one task: the scents that worms left, then all of them.

    Blue rings are places where a worm ate, red ones where a predator hurt one; they fade with the
    scent. The bars and the row below are the first worm's, which alone shows its whole path.
    """

    def paint_colony(self, colony: Colony, paths: Sequence[Floats]) -> Picture:
        """Return a picture of the colony and of the worms' paths."""
        worms = colony.worms()
        dish = PixelCanvas(self._ground_with_scent(worms[0]).copy())
        self._draw_sources(dish, colony)
        self._draw_trail(dish, paths[0])
        self._draw_foods(dish, worms[0])
        self._draw_predators(dish, worms[0])
        for k in reversed(range(len(worms))):
            if not (worms[k].ended and colony.task.leaving == "remove"):
                self._draw_worm(dish, worms[k], paths[k])
        ((column, row),) = self._pixels(np.array([worms[0].worm]))
        dish.glow(column, row, 1.6 * self._cell(14, 30), self._theme.trail, 0.35)
        return self._add_frame(dish, worms[0])

    def _draw_sources(self, dish: PixelCanvas, colony: Colony) -> None:
        for scent, colour, pheromone in (
            ("found", FOUND, colony.task.found),
            ("alarm", ALARM, colony.task.alarm),
        ):
            for x, y, left in colony.sources(scent):
                share = left / (pheromone.strength or 1.0)
                ((column, row),) = self._pixels(np.array([[x, y]]))
                dish.glow(column, row, 1.4 * self._cell(9, 30), colour, 0.75 * share)


def colony_frames(
    task: ColonyTask | str,
    seed: int,
    steps: Iterable[Sequence[int]],
    *,
    theme: str = "light",
    side: int = SIDE,
) -> Iterator[Picture]:
    """Yield the frames of an episode: its start, then one for every step until it is over.

    Example:
        >>> len(list(colony_frames("crowd-foraging-small", 1, [[0] * 5], side=160)))
        2
    """
    painter: ColonyPainter | None = None
    for colony, paths in _play(task, seed, steps):
        painter = painter or ColonyPainter(colony.task.dish, theme, side)
        yield painter.paint_colony(colony, paths)


def _play(
    task: ColonyTask | str, seed: int, steps: Iterable[Sequence[int]]
) -> Iterator[tuple[Colony, list[Floats]]]:
    """Yield the colony and its worms' paths at the start and after every step."""
    colony = Colony(task, seed)
    places = [np.array([worm.worm for worm in colony.worms()])]
    yield colony, list(np.stack(places, axis=1))
    for actions in steps:
        if colony.ended:
            return
        colony.step(list(actions))
        places.append(np.array([worm.worm for worm in colony.worms()]))
        yield colony, list(np.stack(places, axis=1))


def write_colony_picture(
    path: str | PathLike[str],
    task: ColonyTask | str,
    seed: int,
    steps: Iterable[Sequence[int]] = (),
    *,
    theme: str = "light",
    side: int = SIDE,
) -> None:
    """Write a picture of the dish after these steps to a PNG file; one that exists is replaced."""
    write_png(path, _draw_end(task, seed, steps, theme, side))


def write_colony_replay(
    path: str | PathLike[str],
    task: ColonyTask | str,
    seed: int,
    steps: Sequence[Sequence[int]],
    *,
    fps: float = FPS,
    theme: str = "light",
    side: int = 320,
    options: FilmOptions = AS_DRAWN,
) -> None:
    """Write the film of an episode, as GIF or MP4 by the path's suffix, or its end as PNG.

    Raises:
        MissingExtra: The extra ``ludus-arena[video]`` is not installed.
        OptionError: The suffix is neither, or an option is out of range.
    """
    frames = colony_frames(task, seed, steps, theme=theme, side=side)
    write_frames(path, frames, fps, lambda: _draw_end(task, seed, steps, theme, SIDE), options)


def _draw_end(
    task: ColonyTask | str, seed: int, steps: Iterable[Sequence[int]], theme: str, side: int
) -> Picture:
    *_, (colony, paths) = _play(task, seed, steps)
    return ColonyPainter(colony.task.dish, theme, side).paint_colony(colony, paths)
