"""Twenty evolved rules that choose plans, and a planner that carries them out.

In the spirit of REALM by Bojarski and Congdon, first in the gameplay track of CIG 2010 with
1,789,109 points and in the learning track with 45,017. Their rules test simple facts; what follows
from one is a plan that A* carries out. How they were evolved is not known. Chosen here, after
rule sets that West evolved in 2015:

- A rule has a wish for each of 12 facts, or none, and a plan. The rule of the most fulfilled wishes
  counts, unless a wish of it is not fulfilled; the first of equals; without any, ``advance``.
- The plans: ``advance`` goes along the map of what was seen, ``guard`` does so and fears wounds,
  ``rush`` goes straight to the right, ``attack`` goes for the nearest creature, ``retreat`` goes
  back to the left.
- Where a task offers no forward model, nobody can plan: then a rule presses its keys. That is their
  first version, which learns faster and plays worse.
- Evolution begins with rules written by hand. The best 5 of 50 live on, and each of the others is a
  changed copy of one of them: a wish changes with 0.05, to none in 0.55 of the cases, plan and keys
  with 0.09.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.agents.checkpoint import Arrays
from ludus.agents.platformer.generations import GenerationSettings, Genome, GenomeGenerations
from ludus.agents.platformer.learner import Learner
from ludus.agents.platformer.moves import Moves as KeyMoves
from ludus.agents.platformer.planning.search import (
    TICKS_PER_PIXEL,
    Direction,
    Moves,
    Search,
    StraightRight,
)
from ludus.agents.platformer.planning.timed_plans import TimedPlans
from ludus.agents.platformer.surroundings import Surroundings, look_around
from ludus.errors import ActionError, AgentError
from ludus.games.platformer import ForwardModel
from ludus.games.platformer.records import Mario
from ludus.games.platformer.view import View

__all__ = ["FACTS", "HAND_WRITTEN", "KEYS", "PLANS", "Realm", "RealmSettings", "RuleEvolution"]

FACTS: Mapping[str, int] = {
    "mode": 3,
    "may jump": 2,
    "on ground": 2,
    "creature behind": 2,
    "creature above": 2,
    "creature ahead": 2,
    "wall": 2,
    "gap": 3,
    "over gap": 2,
    "direction": 3,
    "rising": 3,
    "stuck": 2,
}
"""What rules test, each with the number of its values."""

PLANS = ("advance", "guard", "rush", "attack", "retreat")
KEYS = KeyMoves(["right speed", "right speed jump", "right", "right jump", "left jump", "left", ""])

MAPPED_RULES = ("2009", "2010")
"""The rules whose levels the planner can draw a map of; under others all plans go straight."""

RULES = 20
ROW = len(FACTS) + 2
NO_WISH = -1
NEAR = 80.0
STUCK_TICKS = 30
FEARFUL = 400
BOLD = 30
BACK = 160


@dataclass(frozen=True, kw_only=True)
class RealmSettings(GenerationSettings):
    """The settings of the evolution.

    Attributes:
        candidates: Rule sets in a generation.
        elite: How many live on.
        fresh_levels: Whether rounds are played on new levels.
        wish_mutation: How probable it is that a wish changes.
        choice_mutation: How probable it is that a plan or keys change.
    """

    wish_mutation: float = 0.05
    choice_mutation: float = 0.09


class Realm(Learner[Genome]):
    """Chooses plans by rules and carries them out by search; presses keys where it cannot plan."""

    name = "realm"
    rounds = 8
    levels = 3

    @classmethod
    def read_arrays(cls, arrays: Arrays) -> Genome:
        """Return the rules of a checkpoint."""
        rules = np.asarray(arrays["rules"])
        if rules.shape != (RULES, ROW) or rules.dtype.kind != "i":
            raise AgentError(f"rules are {RULES} rows of {ROW} whole numbers")
        if (rules < LEAST).any() or (rules >= ENDS).any():
            raise AgentError("a number of the rules is no wish, plan or key")
        return tuple(rules.ravel().tolist())

    @classmethod
    def write_arrays(cls, candidate: Genome) -> dict[str, Any]:
        """Return the rules as an array, a rule a row."""
        return {"rules": np.array(candidate, np.int8).reshape(RULES, ROW)}

    @classmethod
    def training_settings(cls) -> RealmSettings:
        """Return the settings of its search under ``ludus train``."""
        return RealmSettings(candidates=20, fresh_levels=True)

    @classmethod
    def learning_settings(cls) -> RealmSettings:
        """Return the settings of its search in the learning track."""
        return RealmSettings()

    @classmethod
    def search(cls, champion: Genome | None, seed: int, settings: RealmSettings) -> RuleEvolution:
        """Return an evolution around a champion, or around the rules written by hand."""
        return RuleEvolution(champion, seed, settings)

    def play_as(self, candidate: Genome) -> None:
        """Play by a set of rules."""
        self._rules = np.array(candidate, np.int64).reshape(RULES, ROW)

    def begin_level(self) -> None:
        """Forget all plans."""
        self._plans = _RulePlans(self)
        self._can_plan = True
        self._furthest, self._idle_ticks = 0.0, 0

    def act(self, observation: View) -> int:
        """Return the plan's next action, or the keys of a rule where nobody can plan."""
        x = observation.mario.x
        self._idle_ticks = 0 if x > self._furthest + 1 else self._idle_ticks + 1
        self._furthest = max(self._furthest, x)
        if self._can_plan:
            try:
                return self._plans.act(observation)
            except ActionError:  # the task offers no forward model
                self._can_plan = False
        return KEYS.buttons(observation.rules)[self._choose(look_around(observation))[1]]

    @property
    def plan(self) -> Sequence[int]:
        """The actions that it means to play after the last one."""
        return self._plans.plan if self._can_plan else ()

    def choose_plan(self, view: View) -> str:
        """Return the plan of the rule that counts now."""
        return PLANS[self._choose(look_around(view))[0]]

    def _choose(self, around: Surroundings) -> tuple[int, int]:
        """Return plan and keys of the rule that counts now."""
        facts = read_facts(around, stuck=self._idle_ticks > STUCK_TICKS)
        wishes = self._rules[:, : len(FACTS)]
        fulfilled = (wishes == facts).sum(axis=1)
        fulfilled[((wishes != facts) & (wishes != NO_WISH)).any(axis=1)] = 0
        best = int(np.argmax(fulfilled))
        if not fulfilled[best]:
            return 0, 1 if around.mario.may_jump or not around.mario.on_ground else 0
        plan, keys = self._rules[best, len(FACTS) :].tolist()
        return plan, keys


def read_facts(around: Surroundings, *, stuck: bool) -> NDArray[np.int64]:
    """Return the values of the facts that rules test."""
    mario = around.mario
    behind = any(-NEAR < creature.dx < -8 for creature in around.creatures)
    above = around.creature_ahead(NEAR, above=80.0, below=-8.0) is not None
    facts = (
        mario.mode,
        mario.may_jump,
        mario.on_ground,
        behind,
        above,
        around.creature_ahead(NEAR, above=8.0, below=48.0) is not None,
        around.wall_height(2) > 0,
        min(around.gap_width(2), 2),
        around.over_gap,
        1 + (mario.vx > 1) - (mario.vx < -1),
        1 + (mario.vy < -1) - (mario.vy > 1 and not mario.on_ground),
        stuck,
    )
    return np.array(facts, np.int64)


# ---- plans


class _RulePlans(TimedPlans):
    """Plans whose direction and fear a player's rules choose."""

    def __init__(self, player: Realm) -> None:
        super().__init__()
        self._player = player

    def _begin(self, model: ForwardModel, view: View, *, coarse: bool = False) -> Search:
        """Begin a search in the direction of the plan that the rules choose."""
        plan = self._player.choose_plan(view)
        options = self._options.search
        if plan in ("guard", "rush"):
            options = replace(options, wound=FEARFUL if plan == "guard" else BOLD)
        direction = _find_direction(plan, model, view) or self._choose_direction(model, view)
        search = Search(model, options, direction, Moves(view.rules), coarse=coarse, ducks=coarse)
        self._search = search
        return search

    def _choose_direction(self, model: ForwardModel, view: View) -> Direction:
        """Return the way along the map, or straight on where levels cannot be drawn."""
        if view.rules in MAPPED_RULES:
            return super()._choose_direction(model, view)
        return StraightRight(model.mario, self._options.search.horizon)


def _find_direction(plan: str, model: ForwardModel, view: View) -> Direction | None:
    """Return where a plan leads; None if it leads along the map."""
    if plan == "rush":
        return StraightRight(model.mario, BACK)
    if plan == "retreat":
        return Towards(model.mario.x - BACK)
    creatures = [creature for creature in look_around(view).creatures if creature.stompable]
    if plan == "attack" and creatures:
        return Towards(view.mario.x + creatures[0].dx)
    return None


class Towards:
    """The direction of a search that leads to a place to the left or to the right.

    Args:
        x: The place, in pixels.
    """

    def __init__(self, x: float) -> None:
        self._x = x

    def ticks_to_go(self, mario: Mario) -> float:
        """Return the ticks from here at full speed."""
        return abs(mario.x - self._x) * TICKS_PER_PIXEL

    def is_far_enough(self, mario: Mario, to_go: float) -> bool:
        """Tell whether Mario is there."""
        return abs(mario.x - self._x) < 16

    def has_ladder(self, mario: Mario) -> bool:
        """Tell that nothing is known of ladders."""
        return False


# ---- rules and their evolution


def write_rule(plan: str, keys: str, **wishes: int) -> list[int]:
    """Return a rule as numbers.

    Args:
        plan: What follows from it.
        keys: What it presses where nobody can plan.
        **wishes: Values that facts must have; ``_`` stands for the blank in a fact's name.
    """
    named = {name.replace("_", " "): value for name, value in wishes.items()}
    row = [named.get(fact, NO_WISH) for fact in FACTS]
    return [*row, PLANS.index(plan), KEYS.index(keys)]


_BY_HAND = [
    write_rule("advance", "right speed jump", gap=2, may_jump=1),
    write_rule("advance", "right speed jump", gap=1, may_jump=1),
    write_rule("advance", "right speed jump", over_gap=1, on_ground=0),
    write_rule("advance", "right speed jump", wall=1, may_jump=1),
    write_rule("advance", "right speed jump", wall=1, rising=2),
    write_rule("advance", "right speed jump", creature_ahead=1, may_jump=1),
    write_rule("advance", "right speed jump", on_ground=0, rising=2),
    write_rule("guard", "right speed jump", mode=0, creature_ahead=1, may_jump=1),
    write_rule("guard", "right speed", mode=0, creature_above=1),
    write_rule("rush", "right speed", direction=2, creature_ahead=0, wall=0, gap=0, stuck=0),
    write_rule("advance", "left", stuck=1, on_ground=1, may_jump=0),
    write_rule("advance", "right jump", stuck=1, may_jump=1),
]
_ALIKE = [write_rule("advance", "right speed", mode=0)] * (RULES - len(_BY_HAND))
HAND_WRITTEN: Genome = tuple(number for row in [*_BY_HAND, *_ALIKE] for number in row)
"""The rules that evolution begins with."""

LEAST = np.array([*[NO_WISH] * len(FACTS), 0, 0])
ENDS = np.array([*FACTS.values(), len(PLANS), len(KEYS)])


class RuleEvolution(GenomeGenerations):
    """Generations of rule sets."""

    _settings: RealmSettings

    def first_generation(
        self, champion: Genome | None, chance: np.random.Generator
    ) -> list[Genome]:
        """Return the champion, or the rules written by hand, and changed copies."""
        first = champion or HAND_WRITTEN
        changed = (self._mutate(first, chance) for _ in range(self._settings.candidates - 1))
        return [first, *changed]

    def breed(self, ranked: Sequence[Genome], chance: np.random.Generator) -> Genome:
        """Return a changed copy of one of those that live on."""
        return self._mutate(ranked[int(chance.integers(self._settings.elite))], chance)

    def _mutate(self, genome: Genome, chance: np.random.Generator) -> Genome:
        rules = np.array(genome).reshape(RULES, ROW)
        rate = np.full(ROW, self._settings.wish_mutation)
        rate[len(FACTS) :] = self._settings.choice_mutation
        changed = chance.random(rules.shape) < rate
        values = chance.integers(np.zeros(ROW, np.int64), ENDS, size=rules.shape)
        values[:, : len(FACTS)][chance.random((RULES, len(FACTS))) < 0.55] = NO_WISH
        return tuple(np.where(changed, values, rules).ravel().tolist())
