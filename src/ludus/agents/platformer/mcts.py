"""The player that samples: Monte Carlo tree search on the forward model.

Plain tree search plays Mario badly: a tick decides next to nothing, one deadly variation spoils the
mean of a good move, and chance alone jumps into holes. The known remedies are all here, with
settings of our own:

- **Macro-actions**: buttons are held for 6 ticks.
- **Mixed values**: a move is worth 0.8 times its best play plus 0.2 times the mean.
- **Partial expansion**: a node tries its next move when it has been visited twice as often as it
  has moves, so that good moves are followed before bad ones are tried; moves come likeliest first.
- **Roulette roll-outs**: 4 macro-actions, drawn by weights that prefer running and jumping right.
- **Hole detection**: a roll-out that ends in the air goes on, without jumping, until Mario stands
  or is lost; below the level he is lost at once.
- **The tree is kept**: what was found about the move that is made is where the next search begins.
  It goes on while the move is played, 25 roll-outs a tick; a new tree begins with 60.

What a play is worth is the ticks it has gained on a Mario who runs; a wound costs 40, the end 30.
Values are scaled by the least and the best found so far; exploration weighs 0.25. Chance comes from
the scenario's name and seed, so an episode can be played again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import log, sqrt
from random import Random

from ludus.agents.platformer.planning.search import TICKS_PER_PIXEL
from ludus.games.platformer import ForwardModel
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["MonteCarlo"]

HOLD = 6
BEST_SHARE = 0.8
EXPLORATION = 0.25
ROLL_OUT = 4
LANDING = 24
ROLL_OUTS_A_TICK = 25
FIRST_ROLL_OUTS = 60
WOUND, LOST = 40, 30
RUNNING, WIN = 0, 1


class Moves:
    """The macro-actions under some rules, likeliest first, and how often a roll-out takes each."""

    def __init__(self, rules: str) -> None:
        button = buttons_of(rules)
        run = int(button.RIGHT | button.SPEED)
        right, left, jump = int(button.RIGHT), int(button.LEFT), int(button.JUMP)
        weights = {
            run: 8, run | jump: 8, right: 2, right | jump: 2,
            left | jump: 1, left: 1, 0: 1, jump: 1,
        }  # fmt: skip
        self.actions = tuple(weights)
        self.bounds = tuple(accumulate(weights.values()))
        self.fall = right

    def draw(self, chance: Random) -> int:
        """Return a move by the roulette."""
        return chance.choices(self.actions, cum_weights=self.bounds)[0]


class Node:
    """A position in the tree, and what plays through it were worth."""

    __slots__ = ("action", "best", "children", "model", "ticks", "total", "visits")

    def __init__(self, model: ForwardModel, ticks: int, action: int) -> None:
        self.model = model
        self.ticks = ticks
        self.action = action
        self.children: list[Node] = []
        self.visits = 0
        self.total = 0.0
        self.best = float("-inf")

    def value(self) -> float:
        """Return what it is worth: the mean, with a share of the best."""
        return BEST_SHARE * self.best + (1 - BEST_SHARE) * self.total / self.visits

    def add(self, worth: float) -> None:
        """Count a play through it."""
        self.visits += 1
        self.total += worth
        self.best = max(self.best, worth)


class Tree:
    """The plays from one position on."""

    def __init__(self, model: ForwardModel, moves: Moves, chance: Random, hold: int) -> None:
        self.root = Node(model, 0, 0)
        self._moves, self._chance, self._hold = moves, chance, hold
        self._floor = 16 * model.level.height
        self._least, self._most = float("inf"), float("-inf")

    def play(self, times: int) -> None:
        """Play so often from the root to the end of a roll-out."""
        for _ in range(times):
            path = self._select()
            worth = self._roll_out(path[-1])
            self._least, self._most = min(self._least, worth), max(self._most, worth)
            for node in path:
                node.add(worth)

    def take_best(self) -> Node:
        """Make the best child the root and return it; a game that is over has none."""
        self.root = max(self.root.children, key=Node.value, default=self.root)
        return self.root

    def list_best(self) -> list[int]:
        """Return the moves that look best from the root on."""
        moves, node = list[int](), self.root
        while node.children:
            node = max(node.children, key=Node.value)
            moves.append(node.action)
        return moves

    def _select(self) -> list[Node]:
        """Return the nodes from the root to a new one, by their upper bounds."""
        path = [self.root]
        while path[-1].children and not self._is_due(path[-1]):
            node = path[-1]
            breadth = EXPLORATION * sqrt(log(node.visits + 1)) * (self._most - self._least)
            path.append(max(node.children, key=lambda n: n.value() + breadth / sqrt(n.visits)))
        child = self._grow(path[-1])
        return path if child is None else [*path, child]

    def _is_due(self, node: Node) -> bool:
        """Tell whether a node should try its next move."""
        moves = len(node.children)
        return moves < len(self._moves.actions) and node.visits >= 2 * moves

    def _grow(self, node: Node) -> Node | None:
        """Return the node's next child; a node where the game is over has none."""
        if node.model.status != RUNNING:
            return None
        action = self._moves.actions[len(node.children)]
        model = node.model.clone()
        child = Node(model, node.ticks + self._hold_buttons(model, action), action)
        node.children.append(child)
        return child

    def _hold_buttons(self, model: ForwardModel, action: int) -> int:
        """Play a macro-action; return its ticks."""
        for tick in range(self._hold):
            if model.advance(action) != RUNNING:
                return tick + 1
        return self._hold

    def _roll_out(self, node: Node) -> float:
        """Play on by the roulette until Mario stands or is lost; return what it is worth."""
        model, ticks = node.model.clone(), node.ticks
        for _ in range(ROLL_OUT):
            if model.status != RUNNING:
                break
            ticks += self._hold_buttons(model, self._moves.draw(self._chance))
        for _ in range(LANDING):
            mario = model.mario
            if model.status != RUNNING or mario.on_ground or mario.y > self._floor:
                break
            model.advance(self._moves.fall)
            ticks += 1
        return self._judge(model, ticks)

    def _judge(self, model: ForwardModel, ticks: int) -> float:
        """Return the ticks gained, less what harm costs."""
        mario = model.mario
        lost = model.status not in (RUNNING, WIN) or mario.y > self._floor
        harm = WOUND * (2 - mario.mode) + LOST * lost
        return mario.x * TICKS_PER_PIXEL - ticks - harm


class MonteCarlo:
    """Plays the move with the best plays through it."""

    name = "mcts"

    def __init__(self) -> None:
        self._chance = Random(0)  # noqa: S311 (a game, not a secret)
        self._frame_skip = 1
        self._tree: Tree | None = None
        self._plan: list[int] = []

    def reset(self, scenario: Scenario | ArenaScenario) -> None:
        """Forget the tree and seed the chance from the scenario."""
        self._chance = Random(f"{scenario.name}/{scenario.seed}")  # noqa: S311
        self._frame_skip = scenario.terms.frame_skip if isinstance(scenario, ArenaScenario) else 1
        self._tree, self._plan = None, []

    def act(self, observation: View) -> int:
        """Return the move that is being made, and search on for the next one."""
        if self._plan and self._tree is not None:
            self._tree.play(ROLL_OUTS_A_TICK)
        else:
            self._choose(observation)
        return self._plan.pop(0)

    @property
    def plan(self) -> Sequence[int]:
        """What is left of the move that is made, and the moves that look best after it."""
        following = self._tree.list_best() if self._tree else []
        return (*self._plan, *(move for move in following for _ in range(self._decisions)))

    def _choose(self, view: View) -> None:
        """Choose a move; begin a new tree if the world is not as foreseen."""
        tree, hold = self._tree, self._frame_skip * self._decisions
        if tree is None or tree.root.model.mario != view.mario:
            tree = self._tree = Tree(view.forward_model(), Moves(view.rules), self._chance, hold)
            tree.play(FIRST_ROLL_OUTS)
        self._plan = [tree.take_best().action] * self._decisions

    @property
    def _decisions(self) -> int:
        """For how many decisions a move is held."""
        return max(1, HOLD // self._frame_skip)
