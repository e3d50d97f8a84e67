"""A PettingZoo parallel environment of seven powers, with the extra ``diplomacy``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, MultiDiscrete
from numpy.typing import NDArray

from ludus.distribution import install_command
from ludus.errors import MissingExtra, OptionError
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.map.pictures import current_turn, turn_picture
from ludus.games.diplomacy.records import POWERS, parse_phase
from ludus.games.diplomacy.table import Table
from ludus.games.one_thread import Turn, one_thread
from ludus.games.saved_state import Restorable

try:
    from pettingzoo import ParallelEnv
except ImportError as error:
    message = f"PettingZoo is not installed; it is needed here: {install_command('diplomacy')}"
    raise MissingExtra(message) from error

__all__ = ["COLUMNS", "MOST_ORDERS", "DiplomacyEnv"]

MOST_ORDERS = 256
"""Legal orders of one unit that a number can name, in their sorted order."""

_EACH = [power.lower() for power in POWERS]
COLUMNS = (
    *("army", "fleet", *(f"unit of {power}" for power in _EACH)),
    *("dislodged army", "dislodged fleet", *(f"dislodged unit of {power}" for power in _EACH)),
    *(
        "centre",
        *(f"centre of {power}" for power in _EACH),
        *(f"home of {power}" for power in _EACH),
    ),
    *("spring", "fall", "winter", "movement", "retreats", "adjustments"),
    *(f"seen by {power}" for power in _EACH),
    "builds",
)
"""What the columns of an observed board mean; its rows are the map's locations."""

_COLUMN = {name: k for k, name in enumerate(COLUMNS)}
_KINDS = {"M": "movement", "R": "retreats", "A": "adjustments"}

Board = NDArray[np.int8]


class DiplomacyEnv(Restorable, ParallelEnv):  # type: ignore[misc]
    """A game of Diplomacy in which all seven powers act at once, phase by phase.

    **Action**: for every province, in their order, 0 for no order or k for the k-th of the legal
    orders of the unit (or building site) there; only the acting power's own provinces count. A list
    of order texts is taken as well. A number that names no order counts as 0.

    **Observation**: the board, locations × :data:`COLUMNS`. ``infos[power]["action_mask"]`` holds a
    row for every province, 1 for what may be chosen, as ``action_space(power).sample(mask=…)``
    takes it.

    **Reward**: supply centres gained or lost in the phase; 18 more for a win.

    A power is terminated when it has neither units nor centres, or somebody has won; those that are
    left are truncated after the last year.

    Args:
        max_year: The last year that is played.
        position: Where to begin, as ``Table.start`` takes it.
        render_mode: ``rgb_array`` or None.

    Example:
        >>> env = DiplomacyEnv(max_year=1901)
        >>> observations, infos = env.reset()
        >>> observations, rewards, *_ = env.step({"FRANCE": ["A PAR - BUR"]})
        >>> infos["FRANCE"]["phase"], env.table.phase
        ('S1901M', 'F1901M')
    """

    metadata = {"name": "ludus/diplomacy_v0", "render_modes": ["rgb_array"]}  # noqa: RUF012

    def __init__(
        self,
        max_year: int = 1925,
        position: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise OptionError(f"no render mode {render_mode!r}; try 'rgb_array'")
        self.render_mode = render_mode
        self.possible_agents = list(POWERS)
        self.agents: list[str] = []
        self._max_year, self._position = max_year, position
        self._table = Table.start(position)
        self._map = geography()
        self._turn = Turn()
        self._started = False
        self._np_random, self._np_random_seed = None, None  # there is no chance
        self._action_spaces = {power: self._actions() for power in POWERS}
        self._observation_spaces = {power: self._observations() for power in POWERS}

    def action_space(self, agent: str) -> MultiDiscrete:
        """Return the space of a power's actions."""
        return self._action_spaces[agent]

    def observation_space(self, agent: str) -> Box:
        """Return the space of what a power observes."""
        return self._observation_spaces[agent]

    @property
    def table(self) -> Table:
        """The game itself."""
        return self._table

    @one_thread
    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Board], dict[str, dict[str, Any]]]:
        """Begin a new game; there is no chance in it, so the seed changes nothing."""
        self._table = Table.start(self._position)
        self.agents = [power for power in POWERS if self._alive(power)]
        self._started = True
        return self._observations_of(self.agents), self._infos(self.agents)

    @one_thread
    def step(
        self, actions: Mapping[str, Sequence[int] | Sequence[str] | NDArray[np.int64]]
    ) -> tuple[
        dict[str, Board],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Give everybody's orders, adjudicate the phase, and return what each power sees then."""
        acting = list(self.agents)
        before = {power: len(self._table.centres[power]) for power in acting}
        illegal = {}
        for power in acting:
            submitted = self._table.submit(power, self._order_texts(power, actions.get(power, ())))
            illegal[power] = len(submitted.rejected)
        self._table.step()
        centres, winner = self._table.centres, self._table.winner
        rewards = {
            power: float(len(centres[power]) - before[power] + 18 * (power == winner))
            for power in acting
        }
        over, out_of_time = self._table.over, self._out_of_time()
        terminated = {power: over or not self._alive(power) for power in acting}
        truncated = {power: out_of_time and not terminated[power] for power in acting}
        self.agents = [p for p in acting if not terminated[p] and not truncated[p]]
        infos = self._infos(acting)
        for power, number in illegal.items():
            infos[power]["illegal"] = number
        return self._observations_of(acting), rewards, terminated, truncated, infos

    def render(self) -> NDArray[np.uint8] | None:
        """Return the map as a picture, if the environment was made to."""
        if self.render_mode is None:
            return None
        return np.asarray(turn_picture(current_turn(self._table)))

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    # ---- within

    def _clone_worlds(self) -> bytes:
        return self._table.snapshot()

    def _restore_worlds(self, worlds: bytes) -> None:
        self._table = Table.restore(worlds)
        over = self._table.over or self._out_of_time()
        self.agents = [power for power in POWERS if not over and self._alive(power)]

    def _out_of_time(self) -> bool:
        return not self._table.over and self._table.year > self._max_year

    def _actions(self) -> MultiDiscrete:
        return MultiDiscrete(np.full(len(self._map.provinces), MOST_ORDERS + 1))

    def _observations(self) -> Box:
        return Box(-34, 34, (len(self._map.locations), len(COLUMNS)), np.int8)

    def _alive(self, power: str) -> bool:
        table = self._table
        return bool(table.units[power] or table.centres[power] or table.retreats[power])

    def _order_texts(self, power: str, action: Sequence[Any] | NDArray[np.int64]) -> list[str]:
        if len(action) and isinstance(action[0], str):
            return [str(text) for text in action]
        legal = self._table.legal(power)
        numbers = zip(self._map.provinces, action, strict=False)
        return [
            legal[province][int(number) - 1]
            for province, number in numbers
            if province in legal and 0 < number <= min(len(legal[province]), MOST_ORDERS)
        ]

    def _infos(self, powers: Sequence[str]) -> dict[str, dict[str, Any]]:
        phase = self._table.phase
        return {power: {"phase": phase, "action_mask": self._mask(power)} for power in powers}

    def _observations_of(self, powers: Sequence[str]) -> dict[str, Board]:
        board = self._board()
        return {power: self._board_for(board, power) for power in powers}

    def _mask(self, power: str) -> tuple[Board, ...]:
        mask = np.zeros((len(self._map.provinces), MOST_ORDERS + 1), np.int8)
        mask[:, 0] = 1
        rows = {province: row for row, province in enumerate(self._map.provinces)}
        for province, orders in self._table.legal(power).items():
            mask[rows[province], 1 : 1 + len(orders)] = 1
        return tuple(mask)

    def _board(self) -> Board:
        """Return the columns that all powers see alike."""
        board = np.zeros((len(self._map.locations), len(COLUMNS)), np.int8)
        rows = {location: row for row, location in enumerate(self._map.locations)}
        for power in POWERS:
            name = power.lower()
            for unit in self._table.units[power]:
                kind = "army" if unit[0] == "A" else "fleet"
                board[rows[unit[2:]], [_COLUMN[kind], _COLUMN[f"unit of {name}"]]] = 1
            for unit in self._table.retreats[power]:
                kind = "dislodged army" if unit[0] == "A" else "dislodged fleet"
                board[rows[unit[2:]], [_COLUMN[kind], _COLUMN[f"dislodged unit of {name}"]]] = 1
            for location in self._table.centres[power]:
                board[rows[location], _COLUMN[f"centre of {name}"]] = 1
            for location in self._map.homes[power]:
                board[rows[location], _COLUMN[f"home of {name}"]] = 1
        board[[rows[location] for location in self._map.centres], _COLUMN["centre"]] = 1
        phase = parse_phase(self._table.phase)
        if phase:
            board[:, [_COLUMN[phase.season], _COLUMN[_KINDS[phase.kind]]]] = 1
        return board

    def _board_for(self, board: Board, power: str) -> Board:
        """Return the board as one power sees it."""
        seen = board.copy()
        seen[:, _COLUMN[f"seen by {power.lower()}"]] = 1
        seen[:, _COLUMN["builds"]] = self._table.builds[power]
        return seen
