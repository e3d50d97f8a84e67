"""One play of a guest environment, as a referee sees it."""

from __future__ import annotations

import hashlib
from copy import deepcopy
from operator import index
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.errors import ActionError, EnvironmentFault, show_value
from ludus.games.game import Facts
from ludus.games.guest.played import USUAL_FRAME_RATE, Environment, Played
from ludus.games.guest.scenario import GuestScenario
from ludus.games.guest.tally import Tally
from ludus.games.sticky_actions import ActionHolder

__all__ = ["BYTES", "GuestMatch", "OpenEnvironment"]

NO_OP = 0
BYTES = 2
"""The length of a decision in a record."""


class OpenEnvironment(Protocol):
    """Opens an environment by name.

    Raises:
        OptionError: There is none of that name, or it cannot be made.
        EnvironmentFault: Its process ended, or took too long.
    """

    def __call__(self, spec: str, *, filming: bool = False) -> Environment:
        """Return the environment; one that is filmed draws pictures."""
        ...


class GuestMatch:
    """One play of a guest environment; an action is a decision that is held for several frames.

    The environment only reports frames. Chance, decisions, figures, digest and record are here. An
    environment that fails ends the match: whoever asks for the next observation gets the fault.

    Args:
        scenario: What is played.
        open_environment: Opens the environment.
        filming: Whether its pictures are kept.

    Attributes:
        fault: Why it cannot go on; None if it can.

    Raises:
        OptionError: There is no such environment.
    """

    def __init__(
        self,
        scenario: GuestScenario,
        open_environment: OpenEnvironment,
        *,
        filming: bool = False,
    ) -> None:
        self._scenario = scenario
        self._env: Environment | None = None
        self._action_holder = ActionHolder(scenario.terms, scenario.seed)
        self._tally = Tally(scenario.stages)
        self._decisions: list[int] = []
        self._digest = hashlib.sha256()
        self._filming = filming
        self._observation: Any = None
        self._env_over = self._truncated = False
        self._pictures: list[NDArray[np.uint8]] = []
        self.fault: EnvironmentFault | None = None
        try:
            self._env = open_environment(scenario.env, filming=filming)
            self._count(self._check(self._env.reset(scenario.seed)))
            self._press([NO_OP] * self._action_holder.draw_no_ops())
        except EnvironmentFault as fault:
            self._fail(fault)

    @property
    def over(self) -> bool:
        """Whether the guest has ended, the task is decided, or the step cap is reached."""
        return self._ended or len(self._decisions) >= self._scenario.terms.step_cap

    @property
    def frame_rate(self) -> float:
        """How many frames are a second of the game."""
        return USUAL_FRAME_RATE if self._env is None else self._env.frame_rate

    @property
    def observation(self) -> Any:
        """What the environment shows, as it shows it.

        Raises:
            EnvironmentFault: It has failed.
        """
        if self.fault:
            raise self.fault
        return self._observation

    def step(self, action: Any) -> None:
        """Hold an action for several frames, sticky actions permitting.

        Raises:
            ActionError: The environment has no such action; nothing was played.
            EnvironmentFault: The environment has failed; nothing of this decision counts.
        """
        if self.fault:
            raise self.fault
        number = self._action_number(action)
        pressed = list(self._action_holder.hold(number))
        try:
            self._press(pressed, decision=number)
        except EnvironmentFault as fault:
            raise self._fail(fault) from None
        if self.over:
            self.close()

    def close(self) -> None:
        """Close the environment."""
        if self._env is not None:
            self._env.close()

    def take_pictures(self) -> list[NDArray[np.uint8]]:
        """Return its pictures since the last call, if it is filmed."""
        pictures, self._pictures = self._pictures, []
        return pictures

    def record(self) -> bytes:
        """Return the numbers of the decisions."""
        return b"".join(number.to_bytes(BYTES, "little") for number in self._decisions)

    def facts(self) -> Facts:
        """Return the figures that are scored, and a digest of every ``info``."""
        return {
            **self._tally.facts(ended=self._env_over and not self._truncated),
            "policy": self._scenario.policy,
            "scoring": self._scenario.scoring,
            "state": self._digest.hexdigest()[:16],
        }

    @property
    def _ended(self) -> bool:
        return self._env_over or self._tally.over

    def _fail(self, fault: EnvironmentFault) -> EnvironmentFault:
        self.fault = EnvironmentFault(f"the environment failed: {fault}")
        self.close()
        return self.fault

    def _action_number(self, action: Any) -> int:
        try:
            number = index(action)
        except TypeError:
            number = -1
        actions = self._env.actions if self._env else 0
        if not 0 <= number < actions:
            raise ActionError(f"{show_value(action)} is not an action from 0 to {actions - 1}")
        return number

    def _press(self, actions: list[int], decision: int | None = None) -> None:
        """Play frames and count them, unless the match has ended; filmed ones one by one."""
        batches = [[action] for action in actions] if self._filming else [actions]
        for batch in batches:
            if self._env is None or not batch or self._ended:
                continue
            played = self._check(self._env.step(batch))
            if decision is not None:
                self._decisions.append(decision)
                self._tally.count_decision()
                decision = None
            self._count(played)

    def _check(self, played: Played) -> Played:
        """Return what was played, unless the environment failed before the task was decided."""
        if played.fault:
            tally = deepcopy(self._tally)
            for frame in played.frames:
                tally.add_frame(frame.info)
            if not tally.over:
                raise EnvironmentFault(played.fault)
        return played

    def _count(self, played: Played) -> None:
        """Count and digest what frames report, up to the end of the match."""
        self._observation = played.observation
        for frame in played.frames:
            if self._ended:
                return
            self._env_over, self._truncated = frame.over, frame.truncated
            self._tally.add_frame(frame.info)
            self._digest.update(repr((sorted(frame.info.items()), frame.over)).encode())
            if frame.picture is not None:
                self._pictures.append(frame.picture)
