"""A table of moves by a few numbers, learned by Q-learning.

In the spirit of Liao, Yi and Yang (2012), who report about 90 % of levels won after 5,000 plays,
and of Olmenius (2017), whose settings are: a state of 14 small numbers, 12 moves, a learning rate
from 0.8 downwards, a discount of 0.62, exploration 0.3. Chosen here:

- The numbers that need what no task shows (who was killed, and how) are replaced by what lies
  ahead: how high the wall is, how wide the gap, what is below. See :func:`describe_state`.
- A move is held for three ticks. A decision pays the tiles gained, a wound costs 3, the end of the
  level pays 10 if it was won and costs 10 if not. Values are updated from a play's end to its
  beginning, with a discount of 0.9 a decision.
- The rate is 0.8 the first time and falls with the square root of the visits. Exploration falls
  from 0.3. Every fourth play goes without; the best of those is what the player shows.
- A state without values gets the move of the forward-jumping player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.agents.checkpoint import Arrays
from ludus.agents.platformer.learner import Learner, Trial
from ludus.agents.platformer.moves import Moves
from ludus.agents.platformer.sight import see_blocks, see_creatures, see_walls
from ludus.errors import AgentError, OptionError
from ludus.games.platformer.records import Mario
from ludus.games.platformer.view import View

__all__ = ["MOVES", "NUMBERS", "QLearning", "QSettings", "Table", "describe_state"]

MOVES = Moves(
    f"{way} {rest}".strip()
    for way in ("right", "left", "")
    for rest in ("", "jump", "speed", "jump speed")
)
RIGHT, LEAP = MOVES.index("right"), MOVES.index("right jump speed")
NUMBERS = 14
HELD = 3
SIDE = 13
MIDDLE = SIDE // 2
LARGEST = 1_000_000
TILE = 16
WOUND, ENDING = 3.0, 10.0


@dataclass(frozen=True, kw_only=True)
class QSettings:
    """The settings of the learning.

    Attributes:
        discount: What a reward is worth a decision earlier.
        rate: The learning rate of a value's first update.
        slowest: The learning rate that it falls to.
        exploration: How probable a random move is in the first play.
        calming: Plays after which that is half of it.
        actors: Players that play at the same time with the same table, in a round.
        fresh_levels: Whether rounds are played on new levels, so that scores cannot be compared:
            then the champion is the table as it is.
    """

    discount: float = 0.9
    rate: float = 0.8
    slowest: float = 0.05
    exploration: float = 0.3
    calming: int = 100
    actors: int = 4
    fresh_levels: bool = False


class Table(NamedTuple):
    """What a player does.

    Attributes:
        moves: The best known move by state.
        exploration: How probable a random move is.
        seed: What chance is made from.
    """

    moves: dict[bytes, int]
    exploration: float = 0.0
    seed: int = 0


class Step(NamedTuple):
    """A decision: what was seen, what was done, what it paid, and whether it was the last one."""

    state: bytes
    move: int
    reward: float
    last: bool = False


class QLearning(Learner[Table]):
    """Does what has paid best in states like this one."""

    name = "q-learning"
    rounds = 300
    levels = 4

    @classmethod
    def read_arrays(cls, arrays: Arrays) -> Table:
        """Return the table of a checkpoint."""
        states: NDArray[Any] = np.asarray(arrays["states"])
        moves: NDArray[Any] = np.asarray(arrays["moves"])
        if states.shape != (len(moves), NUMBERS) or moves.ndim != 1 or len(moves) > LARGEST:
            raise AgentError(f"{states.shape} states and {moves.shape} moves are no table")
        if states.dtype != np.uint8 or moves.dtype != np.uint8 or (moves >= len(MOVES)).any():
            raise AgentError(f"a table has states of bytes and moves below {len(MOVES)}")
        return Table(dict(zip(map(bytes, states), moves.tolist(), strict=True)))

    @classmethod
    def write_arrays(cls, candidate: Table) -> dict[str, Any]:
        """Return the table as arrays, without the moves that the player makes anyway."""
        table = {s: move for s, move in candidate.moves.items() if move != usual_move(s)}
        states = np.frombuffer(b"".join(table), np.uint8).reshape(-1, NUMBERS)
        return {"states": states, "moves": np.array(list(table.values()), np.uint8)}

    @classmethod
    def training_settings(cls) -> QSettings:
        """Return the settings of its search under ``ludus train``."""
        return QSettings(actors=16, calming=2000, fresh_levels=True)

    @classmethod
    def learning_settings(cls) -> QSettings:
        """Return the settings of its search in the learning track."""
        return QSettings()

    @classmethod
    def search(cls, champion: Table | None, seed: int, settings: QSettings) -> QRounds:
        """Return a learning that begins with a table, or from nothing."""
        return QRounds(champion, seed, settings)

    def play_as(self, candidate: Table) -> None:
        """Play by a table."""
        self._table = candidate
        self._chance = np.random.default_rng(candidate.seed)
        self._steps: list[Step] = []
        self.begin_level()

    def begin_level(self) -> None:
        """Forget what was seen and done last."""
        self._before: Mario | None = None
        self._state, self._move, self._ticks = b"", 0, 0

    def end_level(self, *, won: bool) -> None:
        """Note what the last decision paid."""
        if self._state:
            self._steps.append(Step(self._state, self._move, ENDING if won else -ENDING, last=True))

    def experience(self) -> list[Step]:
        """Return the decisions so far."""
        return self._steps

    def act(self, observation: View) -> int:
        """Return the buttons of the decision, which may still be the one before."""
        if self._ticks % HELD == 0:
            self._decide(observation)
        self._ticks += 1
        return MOVES.buttons(observation.rules)[self._move]

    def _decide(self, view: View) -> None:
        mario, before = view.mario, self._before
        if before is not None:
            gained = (mario.x - before.x) / TILE - WOUND * max(0, before.mode - mario.mode)
            self._steps.append(Step(self._state, self._move, gained))
        self._state, self._before = describe_state(view, mario, before), mario
        explores = self._table.exploration and self._chance.random() < self._table.exploration
        if explores:
            self._move = int(self._chance.integers(len(MOVES)))
        else:
            move = self._table.moves.get(self._state)
            self._move = usual_move(self._state) if move is None else move


# ---- what is seen


def describe_state(view: View, mario: Mario, before: Mario | None) -> bytes:
    """Return the 14 numbers of a state.

    They are: fire or not; on the ground; may jump; moving left, not, slowly or fast to the right;
    rising or falling; stuck; wounded since the last decision; creatures beside, in the 3 cells
    around and far ahead, as bits by direction; the height of the wall ahead and its distance; the
    distance of the gap ahead and its width; what is below.
    """
    blocks, walls = _columns(see_blocks(view, SIDE)), _columns(see_walls(view, SIDE))
    creatures = see_creatures(view, SIDE).tobytes()
    near, middle, far = _creatures(creatures) if any(creatures) else (0, 0, 0)
    wall, wall_at = _wall(walls)
    gap_at, gap_width = _gap(blocks)
    dx = 0.0 if before is None else mario.x - before.x
    dy = 0.0 if before is None else mario.y - before.y
    return bytes(
        (
            mario.mode == 2,
            mario.on_ground,
            mario.may_jump,
            0 if dx < -1 else 1 if dx < 1 else 2 if dx < 20 else 3,
            0 if dy < -1 else 1 if dy <= 1 else 2,
            before is not None and mario.mode < before.mode,
            near,
            middle,
            far,
            wall,
            wall_at,
            gap_at,
            gap_width,
            any(blocks[0][MIDDLE + 1 :]),
        )
    )


def usual_move(state: bytes) -> int:
    """Return what the forward-jumping player does in a state."""
    on_ground, may_jump = state[1:3]
    return LEAP if may_jump or not on_ground else RIGHT


def _columns(cells: NDArray[np.bool_]) -> list[bytes]:
    """Return Mario's column and those ahead, each as bytes."""
    packed = cells.tobytes()
    return [packed[SIDE * n : SIDE * n + SIDE] for n in range(MIDDLE, MIDDLE + 6)]


def _creatures(cells: bytes) -> tuple[int, int, int]:
    """Return where creatures are: bits of sectors within 1 and within 3, and if any is ahead."""
    return _sectors(cells, 1), _sectors(cells, 3), any(cells[SIDE * (MIDDLE + 4) :])


def _sectors(cells: bytes, reach: int) -> int:
    """Return a bit for creatures ahead, above ahead, below, and behind."""
    ahead = above = below = behind = False
    for column in range(MIDDLE - reach, MIDDLE + reach + 1):
        part = cells[SIDE * column : SIDE * column + SIDE]
        if column < MIDDLE:
            behind = behind or any(part[MIDDLE - reach : MIDDLE + reach + 1])
            continue
        above = above or any(part[MIDDLE - reach - 1 : MIDDLE - 1])
        ahead = ahead or any(part[MIDDLE - 1 : MIDDLE + 1])
        below = below or any(part[MIDDLE + 1 : MIDDLE + reach + 1])
    return ahead | above << 1 | below << 2 | behind << 3


def _wall(columns: Sequence[bytes]) -> tuple[int, int]:
    """Return the height and the distance of the first wall ahead, 0 if there is none near."""
    for distance in (1, 2, 3):
        column = columns[distance]
        if column[MIDDLE]:
            height = 1
            while height < 4 and column[MIDDLE - height]:
                height += 1
            return height, distance
    return 0, 0


def _gap(columns: Sequence[bytes]) -> tuple[int, int]:
    """Return the distance and the width of the first gap ahead, 0 if there is none near."""
    bottomless = [not any(column[MIDDLE + 1 :]) for column in columns]
    for distance in (1, 2, 3):
        if bottomless[distance]:
            width = 1
            while distance + width < len(bottomless) and bottomless[distance + width]:
                width += 1
            return distance, width
    return 0, 0


# ---- learning


class QRounds:
    """Values of moves by state, and players that try them out."""

    def __init__(self, champion: Table | None, seed: int, settings: QSettings) -> None:
        if settings.actors < 1 or not 0 <= settings.discount < 1:
            raise OptionError(
                f"{settings.actors} actors, discount {settings.discount}: "
                "give 1 or more actors and a discount below 1"
            )
        self._seed, self._settings, self._round = seed, settings, 0
        self._values: dict[bytes, list[float]] = {}
        self._visits: dict[bytes, list[int]] = {}
        self._moves: dict[bytes, int] = {}
        self._best, self._best_score = champion or Table({}), -1e300
        for state, move in self._best.moves.items():
            self._enter(state)[move] = 1.0
            self._moves[state] = move

    def ask(self) -> list[Table]:
        """Return the table as it is: once without chance, and for others with exploration."""
        settings, moves = self._settings, self._moves.copy()
        chance = settings.exploration / (1 + self._round * settings.actors / settings.calming)
        seeds = np.random.default_rng((self._seed, self._round)).integers(
            2**31, size=settings.actors
        )
        actors = [Table(moves, chance, seed) for seed in seeds.tolist()]
        return [actors[0]._replace(exploration=0.0), *actors[1:]]

    def tell(self, trials: Sequence[Trial[Table]]) -> None:
        """Update the values along every play, from its end to its beginning."""
        if trials[0].score > self._best_score:
            self._best, self._best_score = trials[0].candidate, trials[0].score
        for trial in trials:
            value = 0.0
            for step in reversed(trial.experience):
                value = self._update(step, 0.0 if step.last else value)
        self._round += 1

    def champion(self) -> Table:
        """Return the table that scored best without exploration."""
        return Table(self._moves.copy()) if self._settings.fresh_levels else self._best

    def state(self) -> dict[str, Any]:
        """Return round, values and visits, and the best table."""
        best = QLearning.write_arrays(self._best)
        return {
            "round": np.array(self._round),
            "states": np.frombuffer(b"".join(self._values), np.uint8).reshape(-1, NUMBERS),
            "values": np.array(list(self._values.values()), np.float64).reshape(-1, len(MOVES)),
            "visits": np.array(list(self._visits.values()), np.int64).reshape(-1, len(MOVES)),
            "moves": np.array([self._moves[state] for state in self._values], np.uint8),
            "best_score": np.array(self._best_score),
            **{f"best_{name}": array for name, array in best.items()},
        }

    def restore(self, state: Arrays) -> None:
        """Go on from a state."""
        shape = (len(state["states"]), len(MOVES))
        if state["values"].shape != shape or state["visits"].shape != shape:
            raise ValueError(f"values of shape {state['values'].shape} are no table")
        states = [bytes(row) for row in state["states"]]
        self._round, self._best_score = int(state["round"]), float(state["best_score"])
        self._values = dict(zip(states, state["values"].tolist(), strict=True))
        self._visits = dict(zip(states, state["visits"].tolist(), strict=True))
        self._moves = dict(zip(states, state["moves"].tolist(), strict=True))
        best = {name: state[f"best_{name}"] for name in ("states", "moves")}
        self._best = QLearning.read_arrays(best)

    def _enter(self, state: bytes) -> list[float]:
        values = self._values.get(state)
        if values is None:
            values = self._values[state] = [0.0] * len(MOVES)
            self._visits[state] = [0] * len(MOVES)
        return values

    def _update(self, step: Step, next_value: float) -> float:
        """Move a value towards what the step paid and what came after it; return the state's."""
        settings, values, visits = self._settings, self._enter(step.state), self._visits[step.state]
        visits[step.move] += 1
        rate = max(settings.slowest, settings.rate / visits[step.move] ** 0.5)
        target = step.reward + settings.discount * next_value
        values[step.move] += rate * (target - values[step.move])
        best = max(values)
        self._moves[step.state] = values.index(best)
        return best
