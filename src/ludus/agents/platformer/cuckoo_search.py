"""A table from what is seen to moves, improved by cuckoo search.

In the spirit of FEETSIES (Speed 2010), second in the learning track of 2010 with 44,801 points. Its
settings as published:

- A state is the whole 19 × 19 field of blocks and creatures, Mario's mode, whether he may jump,
  whether he is in the air, whether the last move went left, and the seconds left.
- A state that is met for the first time gets the move of the forward-jumping player with 0.9 (its
  mirror image with 0.8 if the last move went left), else any of 16 moves.
- 20 nests. An egg is a copy of a random nest in which each entry changes with probability
  *(10 / entries) / u^(1 / 1.001)*, *u* uniform in 0 … 1: a Lévy flight. It replaces a random nest
  if it is better. With 0.25 the worst nest is replaced by its own variation, with 1 for 10.

Chosen here: a nest keeps the entries that its last play met, because no other entry has an effect
on its level; and an egg's flight is 3 for 10. ``ludus train``, whose player is to play levels
that it has never seen, takes 5 × 5 cells and no clock, so that states are met again, changes fewer
entries and gives no new state a random move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.agents.checkpoint import Arrays
from ludus.agents.platformer.learner import Learner, Trial
from ludus.agents.platformer.moves import Moves
from ludus.errors import AgentError, OptionError
from ludus.games.platformer.view import View

__all__ = ["CuckooSearch", "CuckooSettings", "Nest"]

MOVES = Moves(
    f"{way} {rest}".strip()
    for way in ("", "right", "left", "down")
    for rest in ("", "jump", "speed", "jump speed")
)
RIGHT, RIGHT_LEAP = MOVES.index("right"), MOVES.index("right jump speed")
LEFT, LEFT_LEAP = MOVES.index("left"), MOVES.index("left jump speed")
GOES_LEFT = frozenset(number for number, move in enumerate(MOVES) if "left" in move)

WIDEST = 19
LARGEST = 1_000_000
TIMER_OF_A_SECOND = 450
EXPONENT = 1 / 1.001


@dataclass(frozen=True, kw_only=True)
class CuckooSettings:
    """The settings of the search.

    Attributes:
        nests: Tables that are kept.
        eggs: Variations that are tried in a round.
        step: How many entries a flight changes at least, on average.
        small_step: The same for the variation of the worst nest.
        abandoned: How probable it is that the worst nest is replaced.
        habit: How probable the forward-jumping player's move is in a new state.
        left_habit: The same if the last move went left.
        field: Columns and rows of what is seen, an odd number up to 19.
        clock: Whether the seconds left are part of a state.
    """

    nests: int = 20
    eggs: int = 20
    step: float = 3.0
    small_step: float = 1.0
    abandoned: float = 0.25
    habit: float = 0.9
    left_habit: float = 0.8
    field: int = 19
    clock: bool = True


class Nest(NamedTuple):
    """A table, and how states are made that it does not know.

    Attributes:
        table: Moves by state.
        field: Columns and rows of what is seen.
        clock: Whether the seconds left are part of a state.
        habit: How probable the forward-jumping player's move is in a new state.
        left_habit: The same if the last move went left.
        seed: What chance in new states is made from.
    """

    table: dict[int, int]
    field: int = 19
    clock: bool = True
    habit: float = 1.0
    left_habit: float = 1.0
    seed: int = 0


class CuckooSearch(Learner[Nest]):
    """Looks up its move; where it knows none, it runs right and jumps whenever it can."""

    name = "cuckoo-search"
    rounds = 200
    levels = 8

    @classmethod
    def read_arrays(cls, arrays: Arrays) -> Nest:
        """Return the table of a checkpoint."""
        states: NDArray[Any] = np.asarray(arrays["states"])
        moves: NDArray[Any] = np.asarray(arrays["moves"])
        field, clock = int(arrays["field"]), bool(arrays["clock"])
        if states.ndim != 1 or states.shape != moves.shape or len(states) > LARGEST:
            raise AgentError(f"{states.shape} states and {moves.shape} moves are no table")
        if states.dtype != np.uint64 or moves.dtype != np.uint8 or (moves >= len(MOVES)).any():
            raise AgentError(f"a table has states of 64 bits and moves below {len(MOVES)}")
        _check_field(field)
        return Nest(dict(zip(states.tolist(), moves.tolist(), strict=True)), field, clock)

    @classmethod
    def write_arrays(cls, candidate: Nest) -> dict[str, Any]:
        """Return the table as arrays."""
        return {
            "states": np.array(list(candidate.table), np.uint64),
            "moves": np.array(list(candidate.table.values()), np.uint8),
            "field": np.array(candidate.field),
            "clock": np.array(candidate.clock),
        }

    @classmethod
    def training_settings(cls) -> CuckooSettings:
        """Return the settings of its search under ``ludus train``."""
        return CuckooSettings(field=5, clock=False, habit=1.0, left_habit=1.0, step=1.0)

    @classmethod
    def learning_settings(cls) -> CuckooSettings:
        """Return the settings of its search in the learning track."""
        return CuckooSettings()

    @classmethod
    def search(cls, champion: Nest | None, seed: int, settings: CuckooSettings) -> CuckooRounds:
        """Return a search; it begins with forward-jumping, whatever the player knows."""
        return CuckooRounds(seed, settings)

    def play_as(self, candidate: Nest) -> None:
        """Play by a nest's table."""
        self._nest = candidate
        self._met: dict[int, int] = {}
        self._chance = np.random.default_rng(candidate.seed)
        self.begin_level()

    def begin_level(self) -> None:
        """Look to the right."""
        self._left = False

    def experience(self) -> dict[int, int]:
        """Return the entries that were met."""
        return self._met

    def act(self, observation: View) -> int:
        """Return the buttons of the table's move."""
        mario = observation.mario
        state = self._state(observation, mario)
        move = self._met.get(state)
        if move is None:
            move = self._nest.table.get(state)
            if move is None:
                move = self._new_move(leaps=mario.may_jump or not mario.on_ground)
            self._met[state] = move
        self._left = move in GOES_LEFT
        return MOVES.buttons(observation.rules)[move]

    def _state(self, view: View, mario: Any) -> int:
        nest = self._nest
        seconds = view.timer // TIMER_OF_A_SECOND % 256 if nest.clock else 0
        flags = mario.mode | mario.may_jump << 2 | mario.on_ground << 3 | self._left << 4
        seen = view.grid("merged", size=nest.field).astype(np.int8).tobytes()
        digest = blake2b(seen + bytes((flags, seconds)), digest_size=8).digest()
        return int.from_bytes(digest, "little")

    def _new_move(self, *, leaps: bool) -> int:
        habit = self._nest.left_habit if self._left else self._nest.habit
        if habit < 1 and self._chance.random() >= habit:
            return int(self._chance.integers(len(MOVES)))
        if self._left:
            return LEFT_LEAP if leaps else LEFT
        return RIGHT_LEAP if leaps else RIGHT


def _check_field(field: int) -> None:
    if not (1 <= field <= WIDEST and field % 2):
        raise AgentError(f"field {field} is no odd number from 1 to {WIDEST}")


class CuckooRounds:
    """Nests, and eggs that are laid into them."""

    def __init__(self, seed: int, settings: CuckooSettings) -> None:
        _check_field(settings.field)
        if settings.nests < 1 or settings.eggs < 1:
            raise OptionError(f"{settings.nests} nests, {settings.eggs} eggs: give 1 or more")
        self._seed, self._settings, self._round = seed, settings, 0
        self._nests: list[Nest] = []
        self._scores: list[float] = []
        self._asked: list[Nest] = []
        self._worst: list[bool] = []

    def ask(self) -> list[Nest]:
        """Return nests that know nothing, and in later rounds eggs."""
        if not self._asked:
            chance = self._chance(0)
            if self._nests:
                dice = chance.random(self._settings.eggs)
                self._worst = (dice < self._settings.abandoned).tolist()
                self._asked = [self._lay(chance, worst=worst) for worst in self._worst]
            else:
                self._asked = [self._empty(chance) for _ in range(self._settings.nests)]
        return self._asked

    def tell(self, trials: Sequence[Trial[Nest]]) -> None:
        """Put every egg into a random nest if it is better; the worst nest gives way anyway."""
        chance = self._chance(1)
        for number, trial in enumerate(trials):
            nest = trial.candidate._replace(table=trial.experience)
            if len(self._nests) < self._settings.nests:
                self._nests.append(nest)
                self._scores.append(trial.score)
                continue
            worst = self._worst[number]
            place = int(np.argmin(self._scores) if worst else chance.integers(len(self._nests)))
            if worst or trial.score > self._scores[place]:
                self._nests[place], self._scores[place] = nest, trial.score
        self._asked, self._round = [], self._round + 1

    def champion(self) -> Nest:
        """Return the best nest, which plays without chance."""
        nest = self._nests[int(np.argmax(self._scores))] if self._nests else self._empty(None)
        return nest._replace(habit=1.0, left_habit=1.0)

    def state(self) -> dict[str, Any]:
        """Return round, scores and tables, these one behind the other."""
        return {
            "round": np.array(self._round),
            "scores": np.array(self._scores, np.float64),
            "sizes": np.array([len(nest.table) for nest in self._nests], np.int64),
            "states": np.array([key for nest in self._nests for key in nest.table], np.uint64),
            "moves": np.array([m for nest in self._nests for m in nest.table.values()], np.uint8),
        }

    def restore(self, state: Arrays) -> None:
        """Go on from a state."""
        self._round, self._scores = int(state["round"]), state["scores"].tolist()
        pairs = list(zip(state["states"].tolist(), state["moves"].tolist(), strict=True))
        ends = np.cumsum(state["sizes"]).tolist()
        tables = [dict(pairs[i:j]) for i, j in zip([0, *ends], ends, strict=False)]
        self._nests = [self._empty(None)._replace(table=table) for table in tables]
        if len(tables) != len(self._scores) or max(state["moves"], default=0) >= len(MOVES):
            raise ValueError(f"{len(tables)} tables of {len(self._scores)} nests")
        self._asked = []

    def _chance(self, part: int) -> np.random.Generator:
        return np.random.default_rng((self._seed, self._round, part))

    def _empty(self, chance: np.random.Generator | None) -> Nest:
        settings = self._settings
        seed = 0 if chance is None else int(chance.integers(2**31))
        how = (settings.field, settings.clock, settings.habit, settings.left_habit)
        return Nest({}, *how, seed=seed)

    def _lay(self, chance: np.random.Generator, *, worst: bool) -> Nest:
        """Return a variation of the worst nest, or of a random one."""
        parent = int(np.argmin(self._scores) if worst else chance.integers(len(self._nests)))
        step = self._settings.small_step if worst else self._settings.step
        table = self._nests[parent].table.copy()
        rate = min(1.0, step / max(len(table), 1) / (1 - chance.random()) ** EXPONENT)
        states = list(table)
        for number in np.flatnonzero(chance.random(len(states)) < rate).tolist():
            table[states[number]] = int(chance.integers(len(MOVES)))
        return self._empty(chance)._replace(table=table)
