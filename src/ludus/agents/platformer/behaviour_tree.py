"""A behaviour tree that a grammar makes of a row of numbers, and evolution finds the numbers.

In the spirit of Perez, Nicolau, O'Neill and Brabazon, fourth in the gameplay track of CIG 2010 with
1,181,452 points. Theirs is a root of blocks, each of one or two conditions and a sequence, of which
the last is a path search to the right; 500 trees and 125,000 evaluations. Chosen here:

- A genome has 120 numbers from 0 to 255. The grammar reads one number at each choice and takes it
  modulo the number of choices; behind the last number it reads the first one again.
- A tree has 2 to 7 blocks. A block has one or two conditions, each possibly negated, and one to
  three behaviours: an action, one of five ready-made sub-trees, or one of these repeated.
- The best tenth lives on. Others are children of winners of tournaments of 5: with 0.5 two points
  of the genome are crossed, with 0.5 two blocks of 12 numbers change their places, and one number
  in 40 changes.
- In ``ludus train`` every generation plays new levels, and the elite plays them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.agents.checkpoint import Arrays
from ludus.agents.platformer.behaviours import (
    ACTIONS,
    CONDITIONS,
    Act,
    Check,
    GoRight,
    Moment,
    Node,
    Repeat,
    Selector,
    Steps,
)
from ludus.agents.platformer.generations import GenerationSettings, Genome, GenomeGenerations
from ludus.agents.platformer.learner import Learner
from ludus.agents.platformer.moves import Moves
from ludus.agents.platformer.surroundings import look_around
from ludus.errors import AgentError
from ludus.games.platformer.view import View

__all__ = ["BehaviourTree", "BehaviourTreeSettings", "TreeEvolution", "build_tree"]

CODONS = 120
VALUES = 256
BLOCK = 12
MUTATION = 1 / 40
STUCK_TICKS = 35

MOVES = Moves(sorted({move for steps in ACTIONS.values() for move, _ in steps} | {"right speed"}))
PLACES = {move: place for place, move in enumerate(MOVES)}


@dataclass(frozen=True, kw_only=True)
class BehaviourTreeSettings(GenerationSettings):
    """The settings of the evolution.

    Attributes:
        candidates: Trees in a generation.
        elite: How many live on.
        fresh_levels: Whether rounds are played on new levels.
        tournament: How many compete to have a child.
        crossover: How probable it is that a child has two parents.
    """

    candidates: int = 100
    elite: int = 10
    tournament: int = 5
    crossover: float = 0.5


class BehaviourTree(Learner[Genome]):
    """Plays by a tree of behaviours."""

    name = "behaviour-tree"
    rounds = 30
    levels = 5

    @classmethod
    def read_arrays(cls, arrays: Arrays) -> Genome:
        """Return the genome of a checkpoint."""
        genome = np.asarray(arrays["genome"])
        if genome.shape != (CODONS,) or genome.dtype.kind not in "iu":
            raise AgentError(f"a genome is a row of {CODONS} whole numbers")
        if genome.min() < 0 or genome.max() >= VALUES:
            raise AgentError(f"the numbers of a genome are from 0 to {VALUES - 1}")
        return tuple(genome.tolist())

    @classmethod
    def write_arrays(cls, candidate: Genome) -> dict[str, Any]:
        """Return the genome as an array."""
        return {"genome": np.array(candidate, np.uint8)}

    @classmethod
    def training_settings(cls) -> BehaviourTreeSettings:
        """Return the settings of its search under ``ludus train``."""
        return BehaviourTreeSettings(fresh_levels=True)

    @classmethod
    def learning_settings(cls) -> BehaviourTreeSettings:
        """Return the settings of its search in the learning track."""
        return BehaviourTreeSettings()

    @classmethod
    def search(
        cls, champion: Genome | None, seed: int, settings: BehaviourTreeSettings
    ) -> TreeEvolution:
        """Return an evolution, with a champion among the first trees if there is one."""
        return TreeEvolution(champion, seed, settings)

    def play_as(self, candidate: Genome) -> None:
        """Play by the tree of a genome."""
        self._tree = build_tree(candidate)

    def begin_level(self) -> None:
        """Forget what was under way."""
        self._tree.restart()
        self._furthest, self._idle_ticks = 0.0, 0

    def act(self, observation: View) -> int:
        """Return the buttons of the node that acts."""
        around = look_around(observation)
        self._idle_ticks += 1
        if around.mario.x > self._furthest + 1:
            self._furthest, self._idle_ticks = around.mario.x, 0
        now = Moment(around, stuck=self._idle_ticks > STUCK_TICKS)
        self._tree.tick(now)
        return MOVES.buttons(observation.rules)[PLACES[now.move or ""]]


# ---- the grammar


class _Codons:
    """Reads a genome from left to right, and again from the left."""

    def __init__(self, genome: Genome) -> None:
        self._genome, self._read = genome, 0

    def choose(self, choices: int) -> int:
        """Return the next number, modulo the choices."""
        codon = self._genome[self._read % len(self._genome)]
        self._read += 1
        return codon % choices


def build_tree(genome: Genome) -> Node:
    """Return the tree that the grammar makes of a genome."""
    codons = _Codons(genome)
    blocks = [_build_block(codons) for _ in range(2 + codons.choose(6))]
    return Selector([*blocks, GoRight()])


def _build_block(codons: _Codons) -> Node:
    conditions = [_build_condition(codons) for _ in range(1 + codons.choose(2))]
    behaviours = [_build_behaviour(codons) for _ in range(1 + codons.choose(3))]
    return Steps([*conditions, *behaviours])


def _build_condition(codons: _Codons) -> Node:
    condition = list(CONDITIONS)[codons.choose(len(CONDITIONS))]
    return Check(condition, wanted=codons.choose(4) != 0)


def _build_behaviour(codons: _Codons) -> Node:
    kind = codons.choose(8)
    if kind < 4:
        return _build_action(codons)
    if kind < 6:
        return READY_MADE[codons.choose(len(READY_MADE))]()
    return Repeat(_build_action(codons), 2 + codons.choose(9), until_fails=kind == 7)


def _build_action(codons: _Codons) -> Node:
    return Act(list(ACTIONS)[codons.choose(len(ACTIONS))])


def _cross_hole() -> Node:
    return Steps([Check("hole near"), Check("may jump"), Act("long jump right")])


def _climb_wall() -> Node:
    return Steps([Check("wall near"), Check("may jump"), Act("jump right")])


def _stomp_creature() -> Node:
    return Steps([Check("creature stompable"), Check("may jump"), Act("short jump right")])


def _pass_creature() -> Node:
    return Steps([Check("creature spiked"), Check("may jump"), Act("long jump right")])


def _run_safely() -> Node:
    return Selector([_cross_hole(), _climb_wall(), _pass_creature(), _stomp_creature()])


READY_MADE = (_run_safely, _cross_hole, _climb_wall, _stomp_creature, _pass_creature)


# ---- evolution


class TreeEvolution(GenomeGenerations):
    """Generations of genomes that make trees."""

    _settings: BehaviourTreeSettings

    def first_generation(
        self, champion: Genome | None, chance: np.random.Generator
    ) -> list[Genome]:
        """Return the champion and its changes, or new genomes."""
        count = self._settings.candidates
        if champion is None:
            return [tuple(chance.integers(VALUES, size=CODONS).tolist()) for _ in range(count)]
        return [champion, *(_mutate(champion, chance) for _ in range(count - 1))]

    def breed(self, ranked: Sequence[Genome], chance: np.random.Generator) -> Genome:
        """Return a child of one or two winners of tournaments."""
        parent = self._choose(ranked, chance)
        if chance.random() < self._settings.crossover:
            child = _cross(parent, self._choose(ranked, chance), chance)
        else:
            child = _swap_blocks(parent, chance)
        return _mutate(child, chance)

    def _choose(self, ranked: Sequence[Genome], chance: np.random.Generator) -> Genome:
        return ranked[int(chance.integers(len(ranked), size=self._settings.tournament).min())]


def _cross(one: Genome, other: Genome, chance: np.random.Generator) -> Genome:
    first, last = sorted(chance.integers(CODONS + 1, size=2).tolist())
    return (*one[:first], *other[first:last], *one[last:])


def _swap_blocks(genome: Genome, chance: np.random.Generator) -> Genome:
    blocks = [genome[start : start + BLOCK] for start in range(0, CODONS, BLOCK)]
    first, second = chance.integers(len(blocks), size=2).tolist()
    blocks[first], blocks[second] = blocks[second], blocks[first]
    return tuple(codon for block in blocks for codon in block)


def _mutate(genome: Genome, chance: np.random.Generator) -> Genome:
    changed = chance.random(CODONS) < MUTATION
    codons = np.where(changed, chance.integers(VALUES, size=CODONS), genome)
    return tuple(codons.tolist())
