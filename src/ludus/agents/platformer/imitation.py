"""A linear model that does what an expert would do in such a place.

In the spirit of DAgger (Ross, Gordon and Bagnell 2011), whose setting is: 22 × 22 cells of 14 bits
over 4 frames and the last 6 moves, a decision 5 times a second, four linear support vector
machines, 5,000 points in each of 20 rounds; the expert is a planner that knows the game's own
state. In the first round the expert plays, in round *i* it holds the buttons with 0.5^(i - 1), and
it says at every decision what it would do; the model is fitted to all that it ever said. There it
gets further than what is learned from the expert's own play alone, which gets stuck at obstacles.

Chosen here: 11 × 11 cells of blocks and of creatures, Mario's state, whether he stands still, and
the last move; one decision in 3 ticks; a softmax over 8 moves, fitted by 60 steps of gradient
descent with momentum; the expert is any registered player, ``best-first`` unless another is named.
Play that was recorded, of whomever, can be shown to the model before the first round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.agents.checkpoint import Arrays
from ludus.agents.loading import load
from ludus.agents.platformer.learner import TrainedPlayer, Trial
from ludus.agents.platformer.moves import Moves
from ludus.agents.platformer.sight import see_blocks, see_creatures
from ludus.errors import AgentError, OptionError
from ludus.games.platformer._native import World
from ludus.games.platformer.records import Mario
from ludus.games.platformer.view import View

__all__ = [
    "MOVES",
    "Dagger",
    "Imitation",
    "ImitationSettings",
    "Model",
    "describe",
    "describe_play",
    "name_move",
]

MOVES = Moves(
    f"{way} {rest}".strip()
    for way in ("right", "left")
    for rest in ("", "jump", "speed", "jump speed")
)
SIDE = 11
HELD = 3
FLAGS = 13
FEATURES = 2 * SIDE * SIDE + FLAGS + len(MOVES)
Features = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class ImitationSettings:
    """The settings of the imitation.

    Attributes:
        expert: The registered player that is imitated; empty if only recorded play is.
        share: What the share of the expert's own decisions is multiplied by from round to round.
        players: Players that play at the same time with the same model, in a round.
        steps: Steps of gradient descent in a round.
        decay: The weight of the squared weights.
        fresh_levels: Whether rounds are played on new levels.
    """

    expert: str = "best-first"
    share: float = 0.5
    players: int = 8
    steps: int = 60
    decay: float = 1e-4
    fresh_levels: bool = True


class Model(NamedTuple):
    """What a player does.

    Attributes:
        weights: Those of each move, a row for each.
        expert: Who is asked what it would do; nobody if empty.
        share: How probable it is that the expert's move is played.
        seed: What chance is made from.
    """

    weights: NDArray[np.float64]
    expert: str = ""
    share: float = 0.0
    seed: int = 0


class Imitation(TrainedPlayer[Model]):
    """Plays the move that its model thinks likeliest of the expert."""

    name = "imitation"
    rounds = 12
    levels = 4

    @classmethod
    def read_arrays(cls, arrays: Arrays) -> Model:
        """Return the model of a checkpoint."""
        weights = np.asarray(arrays["weights"], np.float64)
        if weights.shape != (len(MOVES), FEATURES):
            raise AgentError(f"weights have shape {weights.shape}: give {(len(MOVES), FEATURES)}")
        return Model(weights)

    @classmethod
    def write_arrays(cls, candidate: Model) -> dict[str, Any]:
        """Return the weights in half precision."""
        return {"weights": candidate.weights.astype(np.float16)}

    @classmethod
    def training_settings(cls) -> ImitationSettings:
        """Return the settings of its search under ``ludus train``."""
        return ImitationSettings()

    @classmethod
    def search(cls, champion: Model | None, seed: int, settings: ImitationSettings) -> Dagger:
        """Return rounds of imitation."""
        return Dagger(champion, seed, settings)

    def play_as(self, candidate: Model) -> None:
        """Play by a model."""
        self._model = candidate
        self._expert = load(candidate.expert) if candidate.expert else None
        self._chance = np.random.default_rng(candidate.seed)
        self._seen: list[Features] = []
        self._shown: list[int] = []
        self.begin_level()

    def begin_level(self) -> None:
        """Forget what was seen and done last."""
        self._before: Mario | None = None
        self._move = self._ticks = 0

    def experience(self) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
        """Return what was seen at every decision, and what the expert would have done."""
        seen = np.array(self._seen, np.bool_).reshape(-1, FEATURES)
        return seen, np.array(self._shown, np.uint8)

    def act(self, observation: View) -> int:
        """Return the buttons of the decision, which may still be the one before."""
        if self._ticks % HELD == 0:
            self._decide(observation)
        self._ticks += 1
        return MOVES.buttons(observation.rules)[self._move]

    def _decide(self, view: View) -> None:
        mario = view.mario
        features = describe(view, mario, self._before, self._move)
        self._before = mario
        self._move = int(np.argmax(self._model.weights @ features))
        if self._expert is None:
            return
        self._expert.reset(None)
        shown = name_move(self._expert.act(view), view.rules)
        self._seen.append(features)
        self._shown.append(shown)
        if self._chance.random() < self._model.share:
            self._move = shown


def describe(view: View, mario: Mario, before: Mario | None, move: int) -> Features:
    """Return what the model sees: blocks, creatures, Mario's state and the last move, as bits."""
    dx = 0.0 if before is None else mario.x - before.x
    dy = 0.0 if before is None else mario.y - before.y
    mode, x_cell = mario.mode, mario.x % 16
    flags = (
        True,
        mario.on_ground,
        mario.may_jump,
        mario.on_ground and mario.may_jump,
        mode > 0,
        mode > 1,
        dx < -1,
        dx > 10,
        dx > 22,
        dy < -1,
        dy > 1,
        before is not None and abs(dx) < 1,
        x_cell > 8,
    )
    features = np.zeros(FEATURES, np.bool_)
    cells = SIDE * SIDE
    features[:cells] = see_blocks(view, SIDE).ravel()
    features[cells : 2 * cells] = see_creatures(view, SIDE).ravel()
    features[2 * cells : 2 * cells + FLAGS] = flags
    features[2 * cells + FLAGS + move] = True
    return features


def describe_play(world: World, buttons: bytes) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """Return what was seen at every decision of recorded play, and the move that was made.

    Args:
        world: The level at its start; it is played to the end of the record.
        buttons: Those of every tick.
    """
    view, before, move = View(world), None, 0
    seen, shown = [], []
    for tick, held in enumerate(buttons):
        if world.status:
            break
        if tick % HELD == 0:
            mario = view.mario
            seen.append(describe(view, mario, before, move))
            before, move = mario, name_move(held, view.rules)
            shown.append(move)
        world.step(held)
    return np.array(seen, np.bool_).reshape(-1, FEATURES), np.array(shown, np.uint8)


def name_move(buttons: int, rules: str) -> int:
    """Return the number of the move that holds what matters of some buttons."""
    known = MOVES.buttons(rules)
    matters = 0
    for held in known:
        matters |= held
    buttons &= matters
    return known.index(buttons) if buttons in known else _nearest(buttons, known)


def _nearest(buttons: int, known: Sequence[int]) -> int:
    """Return the move that shares most buttons with those held, of equals the one that runs."""
    return max(range(len(known)), key=lambda n: (-(known[n] ^ buttons).bit_count(), -n))


class Dagger:
    """What the expert said so far, and the model fitted to it."""

    def __init__(self, champion: Model | None, seed: int, settings: ImitationSettings) -> None:
        if settings.players < 1:
            raise OptionError(f"{settings.players} players are too few: give 1 or more")
        self._seed, self._settings, self._round = seed, settings, 0
        self._weights = np.zeros((len(MOVES), FEATURES)) if champion is None else champion.weights
        self._seen: NDArray[np.bool_] = np.zeros((0, FEATURES), np.bool_)
        self._shown: NDArray[np.uint8] = np.zeros(0, np.uint8)

    def show(self, seen: NDArray[np.bool_], shown: NDArray[np.uint8]) -> None:
        """Add play that was recorded before the first round, and fit the model to it."""
        self._seen, self._shown = np.concatenate([self._seen, seen]), np.append(self._shown, shown)
        if len(shown):
            self._weights = fit(self._weights, self._seen, self._shown, self._settings)

    def ask(self) -> list[Model]:
        """Return the model several times, each with chance of its own."""
        settings, share = self._settings, self._settings.share**self._round
        chance = np.random.default_rng((self._seed, self._round))
        seeds = chance.integers(2**31, size=settings.players).tolist()
        return [Model(self._weights, settings.expert, share, seed) for seed in seeds]

    def tell(self, trials: Sequence[Trial[Model]]) -> None:
        """Add what the expert said, and fit the model to all of it."""
        parts = [trial.experience for trial in trials]
        self._seen = np.concatenate([self._seen, *(seen for seen, _ in parts)])
        self._shown = np.concatenate([self._shown, *(shown for _, shown in parts)])
        if len(self._shown):
            self._weights = fit(self._weights, self._seen, self._shown, self._settings)
        self._round += 1

    def champion(self) -> Model:
        """Return the model as it is, without the expert."""
        return Model(self._weights)

    def state(self) -> dict[str, Any]:
        """Return round, weights, and what the expert said."""
        return {
            "round": np.array(self._round),
            "weights": self._weights,
            "seen": np.packbits(self._seen, axis=1),
            "shown": self._shown,
        }

    def restore(self, state: Arrays) -> None:
        """Go on from a state."""
        self._round, self._weights = int(state["round"]), np.asarray(state["weights"], np.float64)
        packed = np.asarray(state["seen"], np.uint8)
        self._seen = np.unpackbits(packed, axis=1, count=FEATURES).astype(np.bool_)
        self._shown = np.asarray(state["shown"], np.uint8)
        if self._weights.shape != (len(MOVES), FEATURES) or len(self._seen) != len(self._shown):
            raise ValueError(f"{len(self._seen)} points and {len(self._shown)} moves do not fit")


def fit(
    weights: NDArray[np.float64],
    seen: NDArray[np.bool_],
    shown: NDArray[np.uint8],
    settings: ImitationSettings,
) -> NDArray[np.float64]:
    """Return weights under which the shown moves are likelier, by gradient descent."""
    features = seen.astype(np.float32)
    wanted = np.eye(len(MOVES), dtype=np.float32)[shown]
    now, speed = weights.astype(np.float32), np.zeros(weights.shape, np.float32)
    for _ in range(settings.steps):
        scores = features @ now.T
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        slope = (likely - wanted).T @ features / len(features) + settings.decay * now
        speed = 0.9 * speed - 0.3 * slope
        now = now + speed
    return now.astype(np.float64)
