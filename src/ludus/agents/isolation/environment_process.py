"""An environment of somebody else's as its referee sees it: plain reports, each checked."""

from __future__ import annotations

from typing import Any

from ludus.agents.isolation.isolated_process import IsolatedProcess
from ludus.agents.isolation.messages import MOST_ACTION, MOST_PLAYED, Ask
from ludus.agents.isolation.moving_in import describe_place
from ludus.agents.isolation.values import encode
from ludus.agents.sandbox.own_files import find_own_files
from ludus.context import RunContext
from ludus.errors import (
    ActionError,
    AgentError,
    AgentFault,
    EnvironmentFault,
    OptionError,
    clean_text,
)
from ludus.games.guest.environment import MOST_ACTIONS
from ludus.games.guest.played import Played, is_frame_rate
from ludus.limits import SANDBOX_MEMORY, Limits

__all__ = ["EnvironmentProcess"]


class EnvironmentProcess(IsolatedProcess):
    """An environment in a process of its own; keeps the contract of a guest's ``Environment``.

    It may use as many seconds and as much memory as an agent of the run; what the run leaves open,
    the sandbox limits.

    Attributes:
        actions: How many actions there are, numbered from 0.
        frame_rate: How many frames it plays in a second of its game.
    """

    def __init__(self, spec: str, context: RunContext, *, filming: bool = False) -> None:
        """Start the process and make the environment there.

        Args:
            spec: What names the environment.
            context: What the run allows it.
            filming: Whether it draws pictures.

        Raises:
            OptionError: There is no such environment, or it cannot be made.
            EnvironmentFault: Making it ended its process, or took too long.
        """
        allowed = context.limits or Limits()
        limits = Limits(seconds=allowed.seconds, memory=allowed.memory or SANDBOX_MEMORY)
        place = _describe_place(spec, context)
        super().__init__(
            limits.in_sandbox() if context.sandbox else limits,
            sandbox=context.sandbox,
            on_printed=context.on_printed,
        )
        request = {"spec": spec, "filming": filming, "memory": limits.memory}
        try:
            self.actions, self.frame_rate = self._open(request | {"place": place})
        except BaseException:
            self.kill()
            raise

    def reset(self, seed: int) -> Played:
        """Begin an episode; see :class:`~ludus.games.guest.played.Environment`."""
        return self._play(Ask.RESET_ENVIRONMENT, seed, 1)

    def step(self, actions: list[int]) -> Played:
        """Play frames; see :class:`~ludus.games.guest.played.Environment`."""
        return self._play(Ask.STEP_ENVIRONMENT, actions, len(actions))

    def close(self) -> None:
        """Let the environment close itself, then end its process with all that it has started."""
        self._close(Ask.CLOSE_ENVIRONMENT)

    def _open(self, request: dict[str, Any]) -> tuple[int, float]:
        try:
            traits = self._question(Ask.OPEN_ENVIRONMENT, request, MOST_ACTION)
        except AgentError as error:
            raise OptionError(str(error)) from None
        actions, rate = traits if isinstance(traits, list) and len(traits) == 2 else (traits, 0)
        if type(actions) is not int or not 1 <= actions <= MOST_ACTIONS:
            raise EnvironmentFault(f"broke off its messages: it has {actions!r:.40} actions")
        if not is_frame_rate(rate):
            raise EnvironmentFault(f"broke off its messages: it has {rate!r:.40} frames a second")
        return actions, float(rate)

    def _play(self, kind: Ask, content: Any, most: int) -> Played:
        try:
            played = Played.from_values(self._question(kind, content, MOST_PLAYED), most)
        except AgentError as error:
            raise EnvironmentFault(str(error)) from None
        except ValueError as error:
            self.kill()
            raise EnvironmentFault(f"reports nonsense: {clean_text(error)}") from None
        return played._replace(fault=clean_text(played.fault))

    def _question(self, kind: Ask, content: Any, most: int) -> Any:
        """Return the value that it answers with."""
        try:
            return self._read(self._ask(kind, encode(content), most))
        except (AgentFault, ActionError) as error:
            raise EnvironmentFault(str(error)) from None


def _describe_place(spec: str, context: RunContext) -> dict[str, Any]:
    try:
        logged = context.on_printed is not None
        own = list(map(str, find_own_files(spec))) if context.sandbox or logged else []
    except AgentError as error:
        raise OptionError(f"environment {spec!r} cannot be read: {error}") from error
    return describe_place(own if context.sandbox else None, own if logged else None)
