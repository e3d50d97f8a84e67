"""A program that decides by what is in which cell, bred by genetic programming.

In the spirit of Villalobos, third in the learning track of 2010 with 41,024 points: trees, 25
generations of 400, whose terminals are the presence of objects and enemies in cells of the grid.
Nothing else of the settings is known. Chosen here:

- A program is a move, or *if test then program else program*. A test is a cell that holds a block
  or a creature, *on the ground*, *may jump*, *not test*, *test and test* or *test or test*. Cells
  are the 9 × 9 around Mario.
- The first programs are grown at random to a depth of 2 to 5; one of them is the forward-jumping
  player, written as a program. Where a champion is there already, a quarter of them vary it.
- The best 4 live on. Others are children of winners of tournaments of 7: with 0.6 a subtree is
  replaced by one of the same kind of another winner, with 0.3 by a new one, with 0.1 one node
  changes. No program has more than 150 nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.agents.checkpoint import Arrays
from ludus.agents.platformer.generations import Generations, GenerationSettings
from ludus.agents.platformer.learner import Learner
from ludus.agents.platformer.moves import Moves
from ludus.agents.platformer.sight import see_blocks, see_creatures
from ludus.errors import AgentError
from ludus.games.platformer.view import View

__all__ = ["GeneticProgramming", "GeneticSettings", "Program"]

MOVES = Moves(
    ["right speed", "right jump speed", "right", "right jump", "left jump speed", "left", ""]
)
SIDE = 9
CELLS = SIDE * SIDE

# A program is a sequence of numbers, each node in front of its parts.
IF, NOT, AND, OR, GROUND, MAY_JUMP = range(6)
FIRST_MOVE = 6
FIRST_BLOCK = FIRST_MOVE + len(MOVES)
FIRST_CREATURE = FIRST_BLOCK + CELLS
END = FIRST_CREATURE + CELLS

Program = tuple[int, ...]

ROOM = 150
DEEPEST = 60
RUN, LEAP = FIRST_MOVE + 2, FIRST_MOVE + 1
FORWARD_JUMPING: Program = (IF, OR, MAY_JUMP, NOT, GROUND, LEAP, RUN)


@dataclass(frozen=True, kw_only=True)
class GeneticSettings(GenerationSettings):
    """The settings of the breeding.

    Attributes:
        candidates: Programs in a generation.
        elite: How many live on.
        fresh_levels: Whether rounds are played on new levels: then all are played again.
        tournament: How many compete to have a child.
        crossover: How probable it is that a child has two parents.
        regrowth: How probable it is that a subtree of a child is grown anew.
    """

    candidates: int = 400
    elite: int = 4
    tournament: int = 7
    crossover: float = 0.6
    regrowth: float = 0.3


class GeneticProgramming(Learner[Program]):
    """Plays the move that its program decides on."""

    name = "genetic-programming"
    rounds = 25
    levels = 4

    @classmethod
    def read_arrays(cls, arrays: Arrays) -> Program:
        """Return the program of a checkpoint."""
        nodes = np.asarray(arrays["program"])
        if nodes.ndim != 1 or nodes.dtype.kind not in "iu" or not 0 < len(nodes) <= ROOM:
            raise AgentError(f"a program is a row of 1 to {ROOM} whole numbers")
        program = tuple(nodes.tolist())
        check_program(program)
        return program

    @classmethod
    def write_arrays(cls, candidate: Program) -> dict[str, Any]:
        """Return the program as an array."""
        return {"program": np.array(candidate, np.int16)}

    @classmethod
    def training_settings(cls) -> GeneticSettings:
        """Return the settings of its search under ``ludus train``."""
        return GeneticSettings(fresh_levels=True)

    @classmethod
    def learning_settings(cls) -> GeneticSettings:
        """Return the settings of its search in the learning track."""
        return GeneticSettings()

    @classmethod
    def search(cls, champion: Program | None, seed: int, settings: GeneticSettings) -> Breeding:
        """Return a breeding, with a champion among the first programs if there is one."""
        return Breeding(champion, seed, settings)

    def play_as(self, candidate: Program) -> None:
        """Play by a program."""
        self._tree = build_tree(candidate)

    def act(self, observation: View) -> int:
        """Return the buttons of the move that the program comes to."""
        mario = observation.mario
        blocks = see_blocks(observation, SIDE).ravel().tolist()
        creatures = see_creatures(observation, SIDE).ravel().tolist()
        held = (0, 0, 0, 0, mario.on_ground, mario.may_jump, *[0] * len(MOVES), *blocks, *creatures)
        tree: tuple[Any, ...] = self._tree
        while len(tree) > 1:
            tree = tree[2] if _holds(tree[1], held) else tree[3]
        move: int = tree[0] - FIRST_MOVE
        return MOVES.buttons(observation.rules)[move]


# ---- programs


def build_tree(program: Program) -> tuple[Any, ...]:
    """Return a program as nested tuples: a node and its parts."""
    return _build(iter(program))


def _build(nodes: Iterator[int]) -> tuple[Any, ...]:
    node = next(nodes)
    return (node, *[_build(nodes) for _ in range(_count_parts(node))])


def _count_parts(node: int) -> int:
    return (3, 1, 2, 2)[node] if node <= OR else 0


def _is_test(node: int) -> bool:
    return node != IF and not FIRST_MOVE <= node < FIRST_BLOCK


def _holds(test: tuple[Any, ...], held: Sequence[Any]) -> bool:
    node = test[0]
    if node == NOT:
        return not _holds(test[1], held)
    if node == AND:
        return _holds(test[1], held) and _holds(test[2], held)
    if node == OR:
        return _holds(test[1], held) or _holds(test[2], held)
    return bool(held[node])


def check_program(program: Program) -> None:
    """Refuse numbers that are no program.

    Raises:
        AgentError: They are none, or one that is nested too deep.
    """
    wanted = [(False, 1)]
    for node in program:
        if not wanted:
            raise AgentError("the program goes on after its end")
        test, depth = wanted.pop()
        if not 0 <= node < END or _is_test(node) != test or depth > DEEPEST:
            raise AgentError(f"node {node} of the program does not fit where it is")
        parts = [node != IF] * _count_parts(node)
        if node == IF:
            parts[0] = True
        wanted += [(part, depth + 1) for part in reversed(parts)]
    if wanted:
        raise AgentError("the program breaks off")


def end_of_part(program: Program, start: int) -> int:
    """Return where the part of a program ends that begins at a place."""
    open_parts, place = 1, start
    while open_parts:
        open_parts += _count_parts(program[place]) - 1
        place += 1
    return place


# ---- breeding


class Breeding(Generations[Program]):
    """Generations of programs."""

    _settings: GeneticSettings

    def first_generation(
        self, champion: Program | None, chance: np.random.Generator
    ) -> list[Program]:
        """Return the champion and its changes, or forward-jumping, and programs grown at random."""
        size = self._settings.candidates
        first = champion or FORWARD_JUMPING
        varied = [vary(first, chance) for _ in range(size // 4 if champion else 0)]
        grown = [grow(chance, 2 + n % 4) for n in range(size - 1 - len(varied))]
        return [first, *varied, *grown]

    def measure_size(self, candidate: Program) -> int:
        """Return the nodes of a program."""
        return len(candidate)

    def pack(self, candidates: Sequence[Program]) -> dict[str, Any]:
        """Return the programs one behind the other."""
        return {
            "sizes": np.array([len(program) for program in candidates], np.int64),
            "nodes": np.array([node for program in candidates for node in program], np.int16),
        }

    def unpack(self, arrays: Arrays) -> list[Program]:
        """Return the programs of arrays."""
        nodes, ends = arrays["nodes"].tolist(), np.cumsum(arrays["sizes"]).tolist()
        return [tuple(nodes[i:j]) for i, j in zip([0, *ends], ends, strict=False)]

    def breed(self, ranked: Sequence[Program], chance: np.random.Generator) -> Program:
        """Return a child of one or two winners of tournaments."""
        parent, dice = self._choose(ranked, chance), chance.random()
        if dice < self._settings.crossover:
            return cross(parent, self._choose(ranked, chance), chance)
        if dice < self._settings.crossover + self._settings.regrowth:
            return vary(parent, chance)
        return change_node(parent, chance)

    def _choose(self, ranked: Sequence[Program], chance: np.random.Generator) -> Program:
        """Return the winner of a tournament; a rank is all that counts in it."""
        return ranked[int(chance.integers(len(ranked), size=self._settings.tournament).min())]


def grow(chance: np.random.Generator, depth: int, *, test: bool = False) -> Program:
    """Return a new program, or a new test, of at most this depth."""
    if test:
        return _grow_test(chance, depth)
    if depth <= 1 or chance.random() < 0.1:
        return (FIRST_MOVE + int(chance.integers(len(MOVES))),)
    parts = _grow_test(chance, depth - 1), grow(chance, depth - 1), grow(chance, depth - 1)
    return (IF, *parts[0], *parts[1], *parts[2])


def _grow_test(chance: np.random.Generator, depth: int) -> Program:
    if depth <= 1 or chance.random() < 0.5:
        if chance.random() < 0.2:
            return (GROUND + int(chance.integers(2)),)
        return (FIRST_BLOCK + int(chance.integers(2 * CELLS)),)
    node = NOT + int(chance.integers(3))
    parts = [_grow_test(chance, depth - 1) for _ in range(_count_parts(node))]
    return (node, *(number for part in parts for number in part))


def vary(program: Program, chance: np.random.Generator) -> Program:
    """Return a program of which one part was grown anew."""
    start = int(chance.integers(len(program)))
    part = grow(chance, int(chance.integers(1, 4)), test=_is_test(program[start]))
    return _replace_part(program, start, part)


def cross(program: Program, other: Program, chance: np.random.Generator) -> Program:
    """Return a program of which one part was replaced by a part of another."""
    start = int(chance.integers(len(program)))
    alike = [n for n, node in enumerate(other) if _is_test(node) == _is_test(program[start])]
    if not alike:
        return program
    from_ = alike[int(chance.integers(len(alike)))]
    return _replace_part(program, start, other[from_ : end_of_part(other, from_)])


def change_node(program: Program, chance: np.random.Generator) -> Program:
    """Return a program of which one move or one cell is another."""
    places = [n for n, node in enumerate(program) if not _count_parts(node)]
    place = places[int(chance.integers(len(places)))]
    return _replace_part(program, place, grow(chance, 1, test=_is_test(program[place])))


def _replace_part(program: Program, start: int, part: Program) -> Program:
    changed = (*program[:start], *part, *program[end_of_part(program, start) :])
    return changed if len(changed) <= ROOM and _depth(changed) <= DEEPEST else program


def _depth(program: Program) -> int:
    """Return how deep a program is nested."""
    open_parts: list[int] = []
    deepest = 1
    for node in program:
        while open_parts and not open_parts[-1]:
            open_parts.pop()
        if open_parts:
            open_parts[-1] -= 1
        open_parts.append(_count_parts(node))
        deepest = max(deepest, len(open_parts))
    return deepest
