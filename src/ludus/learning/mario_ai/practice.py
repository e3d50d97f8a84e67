"""Candidates play levels: what they score, and what their players note on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from ludus.agents.platformer.learner import TrainedPlayer, Trial
from ludus.agents.registry import REGISTERED
from ludus.errors import OptionError
from ludus.games.platformer._native import World
from ludus.games.platformer.codes import Status
from ludus.games.platformer.evaluation import Evaluation2010, evaluate
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View
from ludus.importing import import_named_module
from ludus.learning.mario_ai.levels import training_scenario
from ludus.parallel import ProcessPool

__all__ = ["Batch", "Played", "open_pool", "play_scenario", "player_class"]

PATIENCE = 90
"""Ticks without progress after which a play is given up; it counts as one that ran out of time."""


class Batch(NamedTuple):
    """A candidate and the numbers of the levels that it is to play."""

    candidate: Any
    numbers: tuple[int, ...]


class Played(NamedTuple):
    """What came of a batch: the trial, levels completed, ticks played."""

    trial: Trial[Any]
    won: int
    ticks: int


Play = Callable[[Sequence[Batch]], Iterator[Played]]
"""Plays batches and yields what came of them, in their order."""


def player_class(method: str) -> type[TrainedPlayer[Any]]:
    """Return the class of players that learn by a method.

    Raises:
        OptionError: There is none.
    """
    registered = REGISTERED["platformer"].get(method)
    if registered is not None:
        found = getattr(import_named_module(registered.module), registered.factory)
        if isinstance(found, type) and issubclass(found, TrainedPlayer):
            return found
    raise OptionError(f"no method {method!r}: there are {', '.join(METHODS)}")


METHODS = (
    "q-learning",
    "neuro-evolution",
    "genetic-programming",
    "cuckoo-search",
    "imitation",
    "behaviour-tree",
    "realm",
)


@contextmanager
def open_pool(method: str, track: str, workers: int) -> Iterator[Play]:
    """Give what plays batches: in processes of this machine, or in this one if one is to do it."""
    if workers == 1:
        play = _prepare(method, track)
        yield lambda batches: map(play, batches)
        return
    pool = ProcessPool(_prepare, (method, track), workers)
    try:
        yield pool.map
    finally:
        pool.close()


def _prepare(method: str, track: str) -> Callable[[Batch], Played]:
    kind = player_class(method)

    def play(batch: Batch) -> Played:
        player = kind(batch.candidate)
        scenarios = [training_scenario(track, number) for number in batch.numbers]
        results = [play_scenario(player, scenario) for scenario in scenarios]
        score = sum(result[0] for result in results) / len(results)
        trial = Trial(batch.candidate, score, player.experience())
        return Played(trial, sum(r[1] for r in results), sum(r[2] for r in results))

    return play


def play_scenario(player: TrainedPlayer[Any], scenario: Scenario) -> tuple[float, bool, int]:
    """Play a level; return the competition's score, whether it was completed, and the ticks."""
    world = World(scenario.level, scenario.mode, scenario.time_limit)
    view = View(world)
    player.begin_level()
    furthest, since = 0.0, 0
    while not world.status:
        world.step(player.act(view))
        if world.tick % 16 == 0 and (x := world.mario.x) > furthest:
            furthest, since = x, world.tick
        if world.tick - since > PATIENCE:
            break
    won = world.status == Status.WIN
    player.end_level(won=won)
    return _score(world), won, world.tick


def _score(world: World) -> float:
    """Return distance in 2009 and weighted fitness in 2010; what was given up has no time left."""
    result = evaluate(world)
    if isinstance(result, Evaluation2010):
        if not world.status:
            result = result._replace(status=0, time_left=0)
        return float(result.weighted_fitness)
    return float(result.distance)
