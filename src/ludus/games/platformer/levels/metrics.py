r"""Figures of levels: what is in them, and the measures by which generators are compared.

Write W and H for the columns and rows of a level. A cell is a *standing place* if its tile carries
a body from above and the cell above it lies in the level and is not solid. The *ground* of a column
is its lowest standing place. A *gap* is a longest run of columns with nothing to stand on in the
lowest row that has anything solid: whoever falls there is lost.

leniency
    How forgiving: ``100 / W · (p − c − (g + m + f) / 2)`` with p power-ups and extra lives, c
    creatures that walk or fly, g gaps, m cannons' muzzles and f piranha flowers: a creature takes a
    point, a power-up gives one, the other hazards take half of one. Points a hundred columns.
linearity
    How well one slope describes the ground: ``1 / (1 + d)``, where d is the mean distance, in
    tiles, of the columns' ground from the straight line that fits it best (least squares). 1 for
    ground on a line, 0.5 if it is a tile away from the line on average.
density
    How much there is to stand on: the standing places in a column, mean of all columns.
decoration
    How furnished: the share of cells that hold a creature, a coin, a block, a pipe, a cannon or
    any other tile that is neither terrain nor scenery.
pattern variation
    How little repeats: of the k × k windows that are not empty, the share of different ones, mean
    of k = 2, 3, 4. Near 0 if a few patterns repeat for ever, 1 if no two windows are alike.
jumps
    About how many jumps the way takes: one for every stretch without ground, and for every step up
    in the ground one for each begun 4 tiles, which is how high Mario jumps. Creatures count for
    nothing, a stretch is not asked whether it can be crossed.
divergence
    How differently two levels are built: ``(KL(P, Q) + KL(Q, P)) / 2`` of the frequencies P and Q
    of their k × k windows, with ``KL(P, Q) = Σ P' · log(P' / Q')`` in nats over all windows of
    either; ``P' = (P + ε) / (1 + n · ε)`` for n such windows keeps it finite.

Leniency, linearity and density follow the studies of expressive range by Smith and Whitehead
(2010), Shaker et al. (2012) and Horn et al. (2014), decoration Summerville et al. (2017), the
divergence Lucas and Volz (2019); the scales are our own, so that a figure does not depend on which
levels it is compared with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.platformer.codes import Kind
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.solver import BUDGET
from ludus.games.platformer.levels.solver import solve as solve_level

__all__ = ["Description", "describe", "divergence", "find_gap_columns"]

JUMP_TILES = 4
WINDOWS = (2, 3, 4)
EPSILON = 1e-5

_SOLID = (*range(1, 9), 11, 14, 18, 19, 20, 21, 50, 51, 52, 53, 69, 70, 71, 78, 79, 80)
_FROM_ABOVE = (43, 44, 45, 46, 65)
_TERRAIN = (0, 1, 2, 39, 40, 43, 44, 45, 46, 47)
_BLOCKS = (6, 7, 8, 11, 48, 49, 50, 51)
_POWER_UPS, _LIVES, _PIPES, _MUZZLE = (8, 50), (48, 51), (18, 52), 3

Mask = NDArray[np.bool_]


def _lookup_table(codes: tuple[int, ...]) -> Mask:
    table = np.zeros(256, np.bool_)
    table[list(codes)] = True
    return table


_IS_SOLID, _CARRIES = _lookup_table(_SOLID), _lookup_table(_SOLID + _FROM_ABOVE)
_IS_TERRAIN = _lookup_table(_TERRAIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """The figures of one level; the module says how each measure is computed.

    Attributes:
        width: Columns.
        height: Rows.
        gaps: How many gaps.
        gap_columns: Columns that are part of a gap.
        widest_gap: Columns of the widest gap.
        creatures: How many of each kind, by the names of ``codes.Kind`` in small letters.
        coins: Coins that lie there or wait in blocks.
        blocks: Bricks and question blocks, hidden ones too.
        power_ups: Blocks that hold a mushroom or a fire flower.
        lives: Blocks that hold an extra life.
        pipes: Pipes of either width.
        cannons: Cannons' muzzles.
        leniency: Points a hundred columns; the lower, the harder.
        linearity: Above 0, up to 1: ground on one line.
        density: Standing places a column.
        decoration: Share of cells, 0 to 1.
        pattern_variation: Share of different windows, 0 to 1.
        jumps: An estimate of the jumps needed.
        nodes: How many nodes the solver searched, or None if it was not asked.
    """

    width: int
    height: int
    gaps: int
    gap_columns: int
    widest_gap: int
    creatures: Mapping[str, int] = field(hash=False)
    coins: int
    blocks: int
    power_ups: int
    lives: int
    pipes: int
    cannons: int
    leniency: float
    linearity: float
    density: float
    decoration: float
    pattern_variation: float
    jumps: int
    nodes: int | None = None


def describe(level: Level, *, solve: bool = False, budget: int = BUDGET) -> Description:
    r"""Return the figures of a level.

    Args:
        level: Any level, of any rules; of map bytes the text that comes closest is measured.
        solve: Whether to ask the solver for its effort too, which can take seconds.
        budget: Nodes that the solver may search before it gives up.

    Example:
        >>> found = describe(Level.parse("---------\nM------gF\nXXX--XXXX"))
        >>> found.gaps, found.widest_gap, found.jumps, found.linearity, found.creatures
        (1, 2, 1, 1.0, {'goomba': 1})
    """
    played, level = level, level.tile_level
    tiles = level.tiles
    standing = _standing_places(tiles)
    ground = _ground(standing)
    gaps = _gaps(tiles)
    count = np.bincount(tiles.ravel(), minlength=256)
    creatures = Counter(Kind(kind).name.lower() for _, _, kind in level.templates)
    power_ups, lives = _total(count, _POWER_UPS), _total(count, _LIVES)
    muzzles, flowers = int(count[_MUZZLE]), creatures[Kind.ENEMY_FLOWER.name.lower()]
    walkers = creatures.total() - flowers
    points = power_ups + lives - walkers - (len(gaps) + muzzles + flowers) / 2
    return Description(
        width=level.width,
        height=level.height,
        gaps=len(gaps),
        gap_columns=sum(gaps),
        widest_gap=max(gaps, default=0),
        creatures={kind: n for kind, n in sorted(creatures.items()) if n},
        coins=level.total_coins,
        blocks=_total(count, _BLOCKS),
        power_ups=power_ups,
        lives=lives,
        pipes=_total(count, _PIPES),
        cannons=muzzles,
        leniency=100 * points / level.width,
        linearity=_linearity(ground),
        density=float(standing.sum()) / level.width,
        decoration=_decoration(level),
        pattern_variation=sum(_variety(tiles, size) for size in WINDOWS) / len(WINDOWS),
        jumps=_jumps(ground),
        nodes=solve_level(played, budget=budget).nodes if solve else None,
    )


def divergence(level: Level, other: Level, size: int = 2) -> float:
    r"""Return how differently two levels are built of windows of a size; 0 if they are alike.

    Raises:
        OptionError: If a level has no window of that size.

    Example:
        >>> level = Level.parse("M---F\nXXXXX")
        >>> divergence(level, level)
        0.0
    """
    for each in (level, other):
        if not 1 <= size <= min(each.width, each.height):
            raise OptionError(
                f"a level of {each.width} × {each.height} has no windows of {size} × {size}: "
                f"give a size from 1 to {min(each.width, each.height)}"
            )
    p, q = _frequencies(level.tile_level, other.tile_level, size)
    return float((_kl(p, q) + _kl(q, p)) / 2)


def find_gap_columns(level: Level) -> NDArray[np.bool_]:
    r"""Return for each column of a level whether it is part of a gap.

    Example:
        >>> find_gap_columns(Level.parse("------\nM----F\nXX--XX")).tolist()
        [False, False, True, True, False, False]
    """
    return _empty_columns(level.tile_level.tiles)


def _total(count: NDArray[np.int64], codes: tuple[int, ...]) -> int:
    return int(count[list(codes)].sum())


def _standing_places(tiles: NDArray[np.uint8]) -> Mask:
    standing = _CARRIES[tiles]
    standing[:, 0] = False
    standing[:, 1:] &= ~_IS_SOLID[tiles[:, :-1]]
    return standing


def _ground(standing: Mask) -> NDArray[np.int64]:
    """Return the row of each column's lowest standing place, -1 where there is none."""
    lowest = standing.shape[1] - 1 - standing[:, ::-1].argmax(axis=1)
    return np.where(standing.any(axis=1), lowest, -1)


def _empty_columns(tiles: NDArray[np.uint8]) -> Mask:
    """Return which columns have nothing to stand on in the lowest row that has anything."""
    carrying = _CARRIES[tiles]
    rows = np.flatnonzero(carrying.any(axis=0))
    lowest = carrying[:, rows[-1]] if len(rows) else np.zeros(len(tiles), np.bool_)
    empty: Mask = ~lowest
    return empty


def _gaps(tiles: NDArray[np.uint8]) -> list[int]:
    """Return the widths of the gaps, from left to right."""
    empty = np.concatenate([[False], _empty_columns(tiles), [False]])
    edges = np.flatnonzero(empty[1:] != empty[:-1])
    widths: list[int] = (edges[1::2] - edges[::2]).tolist()
    return widths


def _linearity(ground: NDArray[np.int64]) -> float:
    x = np.flatnonzero(ground >= 0).astype(np.float64)
    if len(x) < 3:
        return 1.0
    y = ground[ground >= 0].astype(np.float64)
    x -= x.mean()
    y -= y.mean()
    slope = (x @ y) / (x @ x)
    return float(1 / (1 + np.abs(y - slope * x).mean()))


def _decoration(level: Level) -> float:
    decorated = ~_IS_TERRAIN[level.tiles]
    for column, row, _ in level.templates:
        decorated[column, row] = True
    return float(decorated.mean())


def _windows(tiles: NDArray[np.uint8], size: int) -> NDArray[np.void]:
    """Return every window of a size as one value that can be compared."""
    flat = sliding_window_view(tiles, (size, size)).reshape(-1, size * size)
    return np.ascontiguousarray(flat).view(np.dtype((np.void, size * size))).ravel()


def _variety(tiles: NDArray[np.uint8], size: int) -> float:
    if min(tiles.shape) < size:
        return 0.0
    windows = _windows(tiles, size)
    different, counts = np.unique(windows, return_counts=True)
    empty = different == np.zeros(1, windows.dtype)
    filled = len(windows) - int(counts[empty].sum())
    return float((~empty).sum() / filled) if filled else 0.0


def _frequencies(
    level: Level, other: Level, size: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how often each window of either level is in the one and in the other, smoothed."""
    first, second = _windows(level.tiles, size), _windows(other.tiles, size)
    different, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    n = len(different)
    p = np.bincount(places[: len(first)], minlength=n) / len(first)
    q = np.bincount(places[len(first) :], minlength=n) / len(second)
    return (p + EPSILON) / (1 + n * EPSILON), (q + EPSILON) / (1 + n * EPSILON)


def _kl(p: NDArray[np.float64], q: NDArray[np.float64]) -> float:
    return float((p * np.log(p / q)).sum())


def _jumps(ground: NDArray[np.int64]) -> int:
    columns = np.flatnonzero(ground >= 0)
    rise = np.maximum(-np.diff(ground[columns]), 0)
    steps = -(-rise // JUMP_TILES)
    return int(np.where(np.diff(columns) > 1, np.maximum(steps, 1), steps).sum())
