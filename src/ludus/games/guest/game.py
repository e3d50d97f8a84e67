"""Guest environments as a game that runs can play, record and replay."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from pathlib import Path
from typing import Any

from ludus.errors import ActionError, NotReplayable, OptionError
from ludus.games.game import Facts, ReplayOutcome
from ludus.games.guest.codec import GuestCodec
from ludus.games.guest.environment import GuestEnv
from ludus.games.guest.scenario import GuestScenario
from ludus.games.guest.tally import Tally
from ludus.games.sticky_actions import ActionHolder

__all__ = ["GuestGame", "GuestMatch"]

RULES = "guest@1"
"""Changes whenever the same decisions would be counted otherwise."""

NO_OP = 0
BYTES = 2
"""The length of a decision in a record."""


class GuestMatch:
    """One play of a guest environment; an action is a decision that is held for several frames.

    Attributes:
        observation: What the environment shows, as it shows it.
        frames: Its pictures so far, if it is filmed.
    """

    def __init__(self, scenario: GuestScenario, *, filming: bool = False) -> None:
        self._scenario = scenario
        self._env = GuestEnv(scenario.env, filming=filming)
        self._action_holder = ActionHolder(scenario.terms, scenario.seed)
        self._tally = Tally(scenario.stages)
        self._decisions: list[int] = []
        self._digest = hashlib.sha256()
        self._filming = filming
        self.frames: list[Any] = []
        self.observation = self._env.reset(scenario.seed)
        self._observe_frame()
        for _ in range(self._action_holder.draw_no_ops()):
            self._step(NO_OP)

    @property
    def over(self) -> bool:
        """Whether the guest has ended, the task is decided, or the step cap is reached."""
        return self._ended or len(self._decisions) >= self._scenario.terms.step_cap

    def step(self, action: Any) -> None:
        """Hold an action for several frames, sticky actions permitting."""
        number = self._action_number(action)
        self._decisions.append(number)
        self._tally.count_decision()
        for pressed in self._action_holder.hold(number):
            self._step(pressed)
        if self.over:
            self._env.close()

    def record(self) -> bytes:
        """Return the numbers of the decisions."""
        return b"".join(number.to_bytes(BYTES, "little") for number in self._decisions)

    def facts(self) -> Facts:
        """Return the figures that are scored, and a digest of every ``info``."""
        return {
            **self._tally.facts(ended=self._env.over and not self._env.truncated),
            "policy": self._scenario.policy,
            "scoring": self._scenario.scoring,
            "state": self._digest.hexdigest()[:16],
        }

    @property
    def _ended(self) -> bool:
        return self._env.over or self._tally.over

    def _action_number(self, action: Any) -> int:
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self._env.actions:
            raise ActionError(f"{action!r} is not an action from 0 to {self._env.actions - 1}")
        return number

    def _step(self, action: int) -> None:
        if not self._ended:
            self.observation = self._env.step(action)
            self._observe_frame()

    def _observe_frame(self) -> None:
        """Count and digest the environment's ``info``, and keep its picture if it is filmed."""
        info = self._env.info
        self._tally.add_frame(info)
        self._digest.update(repr((sorted(info.items()), self._env.over)).encode())
        picture = self._env.picture(self.observation) if self._filming else None
        if picture is not None:
            self.frames.append(picture)


class GuestGame:
    """Environments of other people."""

    name = "guest"
    agent_family = "guest"
    replays_slowly = True  # the environment plays all of it again
    provenance: Mapping[str, str] = {}

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the rules by which guests are counted; what they play is their own affair."""
        return RULES

    def named_code(self, scenarios: Iterable[Mapping[str, Any]]) -> Mapping[tuple[str, str], str]:
        """Return the environments of these descriptions, with where they came from."""
        return {
            ("environment", str(one.get("env"))): str(one.get("origin", "")) for one in scenarios
        }

    def parse_scenario(self, description: Mapping[str, Any]) -> GuestScenario:
        """Return the scenario of a description."""
        return GuestScenario.from_dict(description)

    def begin(self, scenario: GuestScenario) -> GuestMatch:
        """Return a new match of the scenario."""
        return GuestMatch(scenario)

    def replay(self, scenario: GuestScenario, record: bytes) -> Facts:
        """Play recorded decisions again and return what happened.

        They are played twice, because a guest may not be deterministic.

        Raises:
            NotReplayable: The environment answers the same actions otherwise each time.
            OptionError: It is no record.
        """
        return self.replay_outcome(scenario, record).facts

    def replay_outcome(self, scenario: GuestScenario, record: bytes) -> ReplayOutcome:
        """Play recorded decisions again, twice, and return what came of it.

        Raises:
            NotReplayable: The environment answers the same actions otherwise each time.
            OptionError: It is no record.
        """
        match = _replay_match(scenario, record)
        facts = match.facts()
        if record and _replay_match(scenario, record).facts() != facts:
            raise NotReplayable(
                f"{scenario.env} is not deterministic: it answers the same actions otherwise each "
                "time, so its episodes cannot be verified"
            )
        if len(match.record()) < len(record):
            raise OptionError(
                f"the episode was over after {facts['steps']} decisions of its record"
            )
        return ReplayOutcome(facts, match.over, len(record) // BYTES)

    def split_record(self, scenario: GuestScenario, record: bytes) -> Sequence[bytes]:
        """Return the decisions."""
        return [record[start : start + BYTES] for start in range(0, len(record), BYTES)]

    def observation_codec(self) -> GuestCodec:
        """Return what sends arrays to an agent's process."""
        return GuestCodec()

    def write_film(self, scenario: GuestScenario, record: bytes, path: Path) -> None:
        """Write the film of recorded decisions (.gif, .mp4)."""
        from ludus.games.media.video import write_film

        frames = _replay_match(scenario, record, filming=True).frames
        if not frames:
            raise OptionError(f"{scenario.env} draws no pictures: there is nothing to film")
        write_film(path, frames)


def _replay_match(scenario: GuestScenario, record: bytes, *, filming: bool = False) -> GuestMatch:
    """Return the match after recorded decisions, or after those it had before it was over."""
    if len(record) % BYTES:
        raise OptionError(f"a record of {len(record)} bytes is not a guest's: it has {BYTES} each")
    match = GuestMatch(scenario, filming=filming)
    for start in range(0, len(record), BYTES):
        if not match.over:
            match.step(int.from_bytes(record[start : start + BYTES], "little"))
    return match
