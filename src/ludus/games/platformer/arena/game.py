"""The arena: levels of the campaign, one or all 32, under terms with chance in them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import index
from pathlib import Path
from typing import Any

from ludus.errors import ActionError, OptionError
from ludus.games.game import Facts
from ludus.games.platformer import World, build_info, digest_version, rule_sets
from ludus.games.platformer.arena.facts import Attempt, facts_of
from ludus.games.platformer.levels.campaign import VERSION, campaign_level
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.view import View
from ludus.games.rules import join_rules, name_rules
from ludus.games.sticky_actions import ActionHolder, StickyActions

__all__ = ["ArenaGame", "ArenaMatch", "ArenaScenario"]

RULES = "arena@1"
"""Changes whenever the same decisions would be played or counted otherwise."""

BUTTONS = 32
RUNNING, WIN = 0, 1
COINS_FOR_A_LIFE = 100


@dataclass(frozen=True, slots=True)
class ArenaScenario:
    """Levels of the campaign to play, one after the other, and the terms.

    Attributes:
        name: What tables call it.
        stages: The levels' names, such as ``"1-1"``, in their order.
        seed: What chance is drawn from, the game's and an agent's.
        terms: Frame skip, sticky actions, no-ops, step cap, lives.
        mode: How Mario starts: 0 small, 1 large, 2 with fire.
        policy: How a player that has probabilities is to act: ``sample`` or ``argmax``.
        scoring: The scoring mode that the episode will be scored by.
    """

    name: str
    stages: tuple[str, ...]
    seed: int
    terms: StickyActions = field(default_factory=StickyActions)
    mode: int = 0
    policy: str = "sample"
    scoring: str = "standard"

    @property
    def level(self) -> Level:
        """The first level."""
        return campaign_level(self.stages[0])

    @property
    def time_limit(self) -> int:
        """Seconds on the first level's clock."""
        return self.level.time_limit

    def to_dict(self) -> dict[str, Any]:
        """Return the scenario as plain values; levels are named, with a digest of their texts."""
        return {
            "name": self.name,
            "campaign": VERSION,
            "stages": list(self.stages),
            "levels": _digest(self.stages),
            "seed": self.seed,
            "terms": self.terms.to_dict(),
            "mode": self.mode,
            "policy": self.policy,
            "scoring": self.scoring,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ArenaScenario:
        """Return the scenario that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one, or the levels here are others.
        """
        try:
            stages = tuple(values["stages"])
            made = cls(
                name=values["name"],
                stages=stages,
                seed=values["seed"],
                terms=StickyActions.from_dict(values["terms"]),
                mode=values["mode"],
                policy=values["policy"],
                scoring=values["scoring"],
            )
            campaign, levels = values["campaign"], values["levels"]
        except (KeyError, TypeError) as error:
            raise OptionError(f"not an arena scenario: {error}") from None
        if not stages or campaign != VERSION or levels != _digest(stages):
            raise OptionError(f"the levels of {campaign!r} are others here: there is {VERSION}")
        return made


def _digest(stages: tuple[str, ...]) -> str:
    texts = "\n\n".join(campaign_level(stage).text for stage in stages)
    return hashlib.sha256(texts.encode()).hexdigest()[:16]


class ArenaMatch:
    """One play of an arena scenario; an action is a decision that is held for several ticks."""

    def __init__(self, scenario: ArenaScenario) -> None:
        self._scenario = scenario
        self._action_holder = ActionHolder(scenario.terms, scenario.seed)
        self._decisions = bytearray()
        self._lives = scenario.terms.lives
        self._coins = 0
        self._over = False
        self.attempts: list[Attempt] = []
        self._begin(scenario.stages[0], scenario.mode)

    @property
    def over(self) -> bool:
        """Whether the last level is completed, the last life lost, or the step cap reached."""
        return self._over

    @property
    def observation(self) -> View:
        """What the player sees of the level being played."""
        return self._view

    def step(self, action: Any) -> None:
        """Hold these buttons, as far as the terms let them be held."""
        buttons = _buttons(action)
        attempt = self.attempts[-1]
        attempt.steps += 1
        self._decisions.append(buttons)
        for pressed in self._action_holder.hold(buttons):
            if attempt.tick(pressed) != RUNNING:
                self._end(attempt)
                break
        if len(self._decisions) >= self._scenario.terms.step_cap:
            self._over = True

    def record(self) -> bytes:
        """Return the buttons of every decision."""
        return bytes(self._decisions)

    def facts(self) -> Facts:
        """Return what the scores are made of."""
        scenario = self._scenario
        return {
            **facts_of(self.attempts, scenario.stages, lives=self._lives),
            "policy": scenario.policy,
            "scoring": scenario.scoring,
        }

    def _begin(self, stage: str, mode: int) -> None:
        """Begin a life in a level: after some ticks without buttons it is the player's turn."""
        attempt = Attempt(stage, World(campaign_level(stage), mode), mode)
        self.attempts.append(attempt)
        self._view = View(attempt.world)
        for _ in range(self._action_holder.draw_no_ops()):
            if attempt.tick(0) != RUNNING:
                self._end(attempt)
                return

    def _end(self, attempt: Attempt) -> None:
        """Go on after a level was completed or a life was lost, if there is anything to go on."""
        found = attempt.world.coins
        more = (self._coins + found) // COINS_FOR_A_LIFE - self._coins // COINS_FOR_A_LIFE
        self._coins += found
        self._lives += more + attempt.world.lives - (not attempt.won)
        stages = self._scenario.stages
        place = stages.index(attempt.stage) + attempt.won
        if place == len(stages) or self._lives == 0 or (len(stages) == 1 and not attempt.won):
            self._over = True
        else:
            self._begin(stages[place], attempt.world.mario.mode if attempt.won else 0)


def _buttons(action: Any) -> int:
    try:
        buttons = index(action)
    except TypeError:
        buttons = -1
    if not 0 <= buttons < BUTTONS:
        raise ActionError(f"{action!r} is not a number of buttons from 0 to 31")
    return buttons


class ArenaGame:
    """The arena."""

    name = "arena"
    agent_family = "platformer"

    @cached_property
    def provenance(self) -> Mapping[str, str]:
        """Compiler, flags and source digest of the engine, and the version of its state digest."""
        return {**build_info(), "state_digest": str(digest_version())}

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the arena's own rules and the rule sets of the levels."""
        stages = {stage for scenario in scenarios for stage in scenario["stages"]}
        used = {campaign_level(stage).rules for stage in stages}
        return join_rules([RULES, *(name_rules(rule_sets(), name) for name in used)])

    def parse_scenario(self, description: Mapping[str, Any]) -> ArenaScenario:
        """Return the scenario that these plain values describe."""
        return ArenaScenario.from_dict(description)

    def begin(self, scenario: ArenaScenario) -> ArenaMatch:
        """Begin a play of the scenario."""
        return ArenaMatch(scenario)

    def replay(self, scenario: ArenaScenario, record: bytes) -> Facts:
        """Play recorded decisions again."""
        return replay_match(scenario, record).facts()

    def write_film(self, scenario: ArenaScenario, record: bytes, path: Path) -> None:
        """Write Mario's way over the levels (.png), or the film of it (.gif, .mp4)."""
        from ludus.games.platformer.arena.film import write_attempts

        write_attempts(path, replay_match(scenario, record).attempts)


def replay_match(scenario: ArenaScenario, record: bytes) -> ArenaMatch:
    """Return the match after recorded decisions.

    Raises:
        OptionError: There are more of them than the match has.
    """
    match = ArenaMatch(scenario)
    for number, decision in enumerate(record):
        if match.over:
            raise OptionError(f"the episode was over after {number} of {len(record)} decisions")
        match.step(decision)
    return match
