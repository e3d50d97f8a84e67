"""The arena: levels of the campaign, one or all 32, or generated ones, with sticky actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import index
from pathlib import Path
from typing import Any

from ludus.errors import ActionError, OptionError, show_value
from ludus.games.game import Facts, ReplayOutcome
from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.games.platformer import World, build_info, digest_version, rule_sets
from ludus.games.platformer.arena.facts import Attempt, collect_facts
from ludus.games.platformer.arena.levels import arena_level
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.codec import PlatformerCodec
from ludus.games.platformer.rounds import Round, round_of_world
from ludus.games.platformer.view import Tape, View
from ludus.games.rules import join_rules, name_rules
from ludus.games.sticky_actions import ActionHolder

__all__ = ["ArenaGame", "ArenaMatch", "replay_match"]

RULES = "arena@1"
"""The version rises whenever the same decisions are played or counted otherwise."""

BUTTONS = 32
RUNNING, WIN = 0, 1
COINS_FOR_A_LIFE = 100


class ArenaMatch:
    """One play of an arena scenario; an action is a decision that is held for several ticks."""

    empty_action = 0

    def __init__(self, scenario: ArenaScenario) -> None:
        self._scenario = scenario
        self._action_holder = ActionHolder(scenario.terms, scenario.seed)
        self._decisions = bytearray()
        self._lives = scenario.terms.lives
        self._coins = 0
        self._over = False
        self.attempts: list[Attempt] = []
        self._begin_life(scenario.stages[0], scenario.mode)

    @property
    def over(self) -> bool:
        """Whether the last level is completed, the last life lost, or the step cap reached."""
        return self._over

    @property
    def observation(self) -> View:
        """What the player sees of the level being played."""
        return self._view

    def step(self, action: Any) -> None:
        """Hold these buttons for several ticks, sticky actions permitting."""
        buttons = _buttons(action)
        attempt = self.attempts[-1]
        attempt.steps += 1
        self._decisions.append(buttons)
        for pressed in self._action_holder.hold(buttons):
            if attempt.tick(pressed) != RUNNING:
                self._end_life(attempt)
                break
        if len(self._decisions) >= self._scenario.terms.step_cap:
            self._over = True

    def record(self) -> bytes:
        """Return the buttons of every decision."""
        return bytes(self._decisions)

    def facts(self) -> Facts:
        """Return the figures that are scored."""
        scenario = self._scenario
        return {
            **collect_facts(self.attempts, scenario.stages, lives=self._lives),
            "policy": scenario.policy,
            "scoring": scenario.scoring,
        }

    def _begin_life(self, stage: str, mode: int) -> None:
        """Begin a life in a level, with some ticks without buttons."""
        attempt = Attempt(stage, World(arena_level(stage), mode), mode)
        self.attempts.append(attempt)
        self._view = View(attempt.world, Tape(stage, mode, None, attempt.ticks))
        for _ in range(self._action_holder.draw_no_ops()):
            if attempt.tick(0) != RUNNING:
                self._end_life(attempt)
                return

    def _end_life(self, attempt: Attempt) -> None:
        """Begin the next life, if there is one, after a level was completed or a life was lost."""
        coins = attempt.world.coins
        extra_lives = (self._coins + coins) // COINS_FOR_A_LIFE - self._coins // COINS_FOR_A_LIFE
        self._coins += coins
        self._lives += extra_lives + attempt.world.lives - (not attempt.won)
        stages = self._scenario.stages
        next_stage = stages.index(attempt.stage) + attempt.won
        if next_stage == len(stages) or self._lives == 0 or (len(stages) == 1 and not attempt.won):
            self._over = True
        else:
            self._begin_life(stages[next_stage], attempt.world.mario.mode if attempt.won else 0)


def _buttons(action: Any) -> int:
    try:
        buttons = index(action)
    except TypeError:
        buttons = -1
    if not 0 <= buttons < BUTTONS:
        raise ActionError(f"{show_value(action)} is not a number of buttons from 0 to 31")
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
        used = {arena_level(stage).rules for stage in stages}
        return join_rules([RULES, *(name_rules(rule_sets(), name) for name in used)])

    def parse_scenario(self, description: Mapping[str, Any]) -> ArenaScenario:
        """Return the scenario of a description."""
        return ArenaScenario.from_dict(description)

    def begin(self, scenario: ArenaScenario) -> ArenaMatch:
        """Return a new match of the scenario."""
        return ArenaMatch(scenario)

    def replay(self, scenario: ArenaScenario, record: bytes) -> Facts:
        """Play recorded decisions again."""
        return replay_match(scenario, record).facts()

    def replay_outcome(self, scenario: ArenaScenario, record: bytes) -> ReplayOutcome:
        """Play recorded decisions again and return what came of it."""
        match = replay_match(scenario, record)
        return ReplayOutcome(match.facts(), match.over, len(record))

    def split_record(self, scenario: ArenaScenario, record: bytes) -> Sequence[int]:
        """Return the buttons of every decision."""
        return record

    def split_rounds(self, scenario: ArenaScenario, record: bytes) -> list[Round]:
        """Return every life as a round."""
        return [
            round_of_world(
                life.stage, life.world, life.mode, life.world.level.time_limit, life.ticks
            )
            for life in replay_match(scenario, record).attempts
        ]

    def observation_codec(self) -> PlatformerCodec:
        """Return what sends the ticks of a world to an agent's process."""
        return PlatformerCodec(ArenaScenario.from_dict)

    def write_film(
        self, scenario: ArenaScenario, record: bytes, path: Path, options: FilmOptions = AS_DRAWN
    ) -> None:
        """Write Mario's path over the levels (.png), or the film of it (.gif, .mp4)."""
        from ludus.games.platformer.arena.film import write_attempts

        write_attempts(path, replay_match(scenario, record).attempts, options)

    def write_preview(self, scenario: ArenaScenario, record: bytes, path: Path) -> None:
        """Write a small film of all attempts."""
        from ludus.games.platformer.arena.film import preview_attempts

        preview_attempts(path, replay_match(scenario, record).attempts)


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
