"""An agent as its referee sees it: each question is a message to the agent's own process."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import Any

from ludus.agents.isolation.messages import MOST_ACTION, MOST_MEMORY, Ask, Say
from ludus.agents.isolation.metering import Report, describe_excess
from ludus.agents.isolation.nursery import AgentLink, start_agent
from ludus.agents.isolation.player import context_to_values
from ludus.agents.isolation.values import decode, encode
from ludus.agents.judge.opening import is_judged
from ludus.agents.loading import Description
from ludus.agents.registry import REGISTERED
from ludus.agents.sandbox import clean_environment
from ludus.agents.sandbox.own_files import find_own_files
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import (
    ActionError,
    AgentDied,
    AgentError,
    AgentFault,
    AgentLate,
    AgentOverBudget,
    AgentOverLimit,
    StoreError,
    clean_text,
)
from ludus.games.game import find_game
from ludus.games.observation_codec import PlainCodec, find_codec
from ludus.limits import Limits, Usage

__all__ = ["AgentProcess", "start_agent_process"]

CLOSING = 1.0  # seconds that an agent has to let go of its files and connections


class AgentProcess:
    """An agent in a process of its own; keeps the contract of :class:`ludus.contract.Agent`.

    What the agent does wrong is raised here as an :class:`~ludus.errors.AgentFault`. Only the time
    in which its answers are waited for counts, from the start of the process on.

    Attributes:
        description: What the agent says about itself.
        name: What tables call it.
        waits: Whether it spends its time waiting.
        gone: Whether its process has been ended.
    """

    def __init__(
        self, spec: str, family: str, context: RunContext = DEFAULT_CONTEXT, game: str = ""
    ) -> None:
        """Start the process and load the agent there.

        Args:
            spec: What names the agent.
            family: The family of agents that it belongs to.
            context: What the run allows it.
            game: The game that it is to play; none if it is only to be looked at.

        Raises:
            AgentError: It cannot be loaded.
            AgentFault: Loading it ended its process, or took too long.
        """
        limits = context.limits or Limits()
        self._limits = limits.in_sandbox() if context.sandbox else limits
        self._most_seconds = limits.seconds
        self._seconds = 0.0
        self._number = 0
        self._codec = find_codec(find_game(game)) if game else PlainCodec()
        self._report: Report | None = None
        self._judged, self._over = is_judged(context), 0
        self._link: AgentLink | None = _start(context.sandbox)
        self._link.limit(self._limits)
        try:
            self.description = self._load(spec, family, context, game)
            self._link.limit(self._limits)  # what it used to be loaded counts for no episode
        except BaseException:
            self.kill()
            raise
        self.name = self.description.name
        self.waits = self.description.waits

    def reset(self, scenario: Any) -> None:
        """Let it prepare to play the scenario."""
        self._ask(Ask.RESET, encode(self._codec.encode_scenario(scenario), records=True))

    def act(self, observation: Any) -> Any:
        """Return its action, which is whatever it answered: the match checks it."""
        shown = encode(self._codec.encode_observation(observation), records=True)
        answer = self._ask(Ask.ACT, shown, most_seconds=self._limits.decision_seconds)
        try:
            return self._codec.decode_action(decode(answer))
        except ValueError as error:
            raise ActionError(f"what it answered is no action: {clean_text(error)}") from None

    @property
    def declared(self) -> Mapping[str, Any]:
        """What it says about itself for the record."""
        values: Mapping[str, Any] = self._read(self._ask(Ask.DECLARED))
        return values

    @property
    def gone(self) -> bool:
        """Whether its process has been ended."""
        return self._link is None

    def end_episode(self) -> Usage:
        """Return what it used since the last call; the next episode has all of it again."""
        self._seconds = 0.0
        counted = self._count_units() if self._judged else Usage()
        if self._link is not None:
            self._report = self._link.measure(self._limits)
        report = self._report
        if report is None:
            return counted
        if report.excess:  # its keeper ends it, though the episode was over before
            self.kill()
        return replace(
            counted, peak_memory=report.peak_memory, processor_seconds=report.processor_seconds
        )

    def _count_units(self) -> Usage:
        """Return the units of this episode, unknown if the process is gone or says nonsense."""
        over, self._over = self._over, 0
        with suppress(AgentFault):
            units = self._read(self._ask(Ask.UNITS))
            if type(units) is int and 0 <= units < 2**63:
                return Usage(units=units, over_budget=over)
        return Usage(over_budget=over)

    def profile(self) -> Mapping[str, Any]:
        """Return what each decision has used, and where it went.

        Raises:
            AgentFault: Nobody has counted it.
        """
        values = self._read(self._ask(Ask.PROFILE, most=MOST_MEMORY))
        if not isinstance(values, Mapping):
            raise AgentFault("has no profile: it was not loaded under the judge")
        return values

    def close(self) -> None:
        """Let the agent close itself, then end its process with all that it has started."""
        if self._link is not None:
            self._most_seconds, self._seconds = CLOSING, 0.0
            with suppress(AgentFault, ActionError):
                self._ask(Ask.CLOSE)
        self.kill()

    def kill(self) -> None:
        """End its process with all that it has started, and wait until they are gone."""
        link, self._link = self._link, None
        if link is not None:
            self._report = link.close()

    def _load(self, spec: str, family: str, context: RunContext, game: str) -> Description:
        request = {
            "spec": spec,
            "family": family,
            "game": game,
            "context": context_to_values(context),
            "environment": (clean_environment if context.sandbox else dict)(os.environ),
            "folder": os.getcwd(),
            "readable": _find_readable(spec, family) if context.sandbox else [],
            "path": [folder or os.getcwd() for folder in sys.path],
        }
        values = self._read(self._ask(Ask.LOAD, encode(request)))
        try:
            return Description.from_values(values)
        except (TypeError, ValueError, KeyError) as error:
            raise AgentError(f"agent {spec!r} describes itself as nothing: {error}") from None

    def _ask(
        self, kind: Ask, content: bytes = b"", most: int = MOST_ACTION, most_seconds: float = 0.0
    ) -> bytes:
        """Send a message and return the answer to it."""
        if self._link is None:
            raise AgentDied("its process was ended")
        channel, started = self._link.channel, monotonic()
        left = self._most_seconds - self._seconds
        hurried = 0 < most_seconds < left
        left = most_seconds if hurried else left
        self._number = number = (self._number + 1) % 2**32
        try:
            channel.send(number, kind, content, left)
            answered, said, answer = channel.receive(most, left)
            if answered != number:
                raise ValueError("it answered what it was not asked")
        except TimeoutError:
            self.kill()
            allowed, of = (left, " for a decision") if hurried else (self._most_seconds, "")
            raise AgentLate(f"took longer than {allowed:g} seconds{of}") from None
        except ValueError as error:
            self.kill()
            raise AgentFault(f"broke off its messages: {error}") from None
        except (EOFError, OSError):
            self.kill()
            raise self._find_fault() from None
        finally:
            self._seconds += monotonic() - started
        if said != Say.VALUE:
            self._raise(said, answer)
        return answer

    def _find_fault(self) -> AgentFault:
        """Return why its process is gone."""
        report = self._report
        if report is None:
            return AgentDied("its process died")
        if report.excess:
            return AgentOverLimit(describe_excess(report.excess, self._limits))
        return report.ending.to_fault()

    def _raise(self, said: int, answer: bytes) -> None:
        text = clean_text(answer.decode("utf-8", "replace"))
        if said == Say.RAISED:
            raise AgentFault(text)
        if said == Say.NO_ACTION:
            raise ActionError(text)
        if said == Say.NO_AGENT:
            raise AgentError(text)
        if said in (Say.OVER_BUDGET, Say.EPISODE_OVER_BUDGET):
            self._over += 1
            raise AgentOverBudget(text, of="decision" if said == Say.OVER_BUDGET else "episode")
        self.kill()
        raise AgentFault(f"broke off its messages: it said {said}")

    def _read(self, answer: bytes) -> Any:
        try:
            return decode(answer)
        except ValueError as error:
            self.kill()
            raise AgentFault(f"broke off its messages: {clean_text(error)}") from None


class RememberingAgentProcess(AgentProcess):
    """An agent in a process of its own, with which a long episode can go on after a kill."""

    def memory(self) -> Any:
        """Return what it remembers."""
        return self._read(self._ask(Ask.MEMORY, most=MOST_MEMORY))

    def recall(self, memory: Any) -> None:
        """Let it remember."""
        self._ask(Ask.RECALL, encode(memory))


class LearningAgentProcess(AgentProcess):
    """An agent in a process of its own that learns from training plays."""

    def learn(self, outcome: Mapping[str, Any]) -> None:
        """Let it learn; this may take as long as a decision."""
        self._ask(Ask.LEARN, encode(outcome), most_seconds=self._limits.decision_seconds)


class RememberingLearner(LearningAgentProcess, RememberingAgentProcess):
    """An agent that does both."""


KINDS: Mapping[tuple[bool, bool], type[AgentProcess]] = {
    (False, False): AgentProcess,
    (True, False): RememberingAgentProcess,
    (False, True): LearningAgentProcess,
    (True, True): RememberingLearner,
}
"""The class of an agent's process by whether the agent remembers and whether it learns."""


def start_agent_process(
    spec: str, family: str, context: RunContext = DEFAULT_CONTEXT, game: str = ""
) -> AgentProcess:
    """Return an agent in a process of its own.

    Raises:
        AgentError: It cannot be loaded.
        AgentFault: Loading it ended its process, or took too long.
    """
    agent = AgentProcess(spec, family, context, game)
    agent.__class__ = KINDS[agent.description.remembers, agent.description.learns]
    return agent


def _find_readable(spec: str, family: str) -> list[str]:
    """Return the files that a confined agent may read; one of Ludus's own has none."""
    if spec.partition("#")[0] in REGISTERED.get(family, {}):
        return []
    return [str(path) for path in find_own_files(spec)]


def _start(sandbox: bool) -> AgentLink:
    try:
        return start_agent(sandbox=sandbox)
    except OSError as error:
        raise StoreError(f"no process can be started for an agent: {clean_text(error)}") from error
