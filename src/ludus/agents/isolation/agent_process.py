"""An agent as its referee sees it: each question is a message to the agent's own process."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ludus.agents.foreign.doors import find_profile
from ludus.agents.foreign.java_runtime import find_java_home, list_runtime_files
from ludus.agents.isolation.isolated_process import IsolatedProcess
from ludus.agents.isolation.messages import MOST_MEMORY, MOST_REMEMBERED, MOST_VALUES, Ask, Say
from ludus.agents.isolation.moving_in import describe_place
from ludus.agents.isolation.player import context_to_values
from ludus.agents.isolation.values import decode, encode
from ludus.agents.judge.opening import is_judged
from ludus.agents.loading import Description
from ludus.agents.registry import REGISTERED
from ludus.agents.sandbox import PROFILES
from ludus.agents.sandbox.own_files import find_own_files
from ludus.agents.sandbox.profiles import JAVA
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import ActionError, AgentError, AgentFault, AgentOverBudget, clean_text
from ludus.games.game import find_game
from ludus.games.observation_codec import PlainCodec, find_codec
from ludus.limits import Limits, Usage

__all__ = ["AgentProcess", "find_confined_limits", "start_agent_process"]


class AgentProcess(IsolatedProcess):
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
        super().__init__(
            find_confined_limits(spec, limits) if context.sandbox else limits,
            sandbox=context.sandbox,
            on_printed=context.on_printed,
        )
        self._codec = find_codec(find_game(game)) if game else PlainCodec()
        self._judged, self._over = is_judged(context), 0
        try:
            self.description = self._load(spec, family, context, game)
            if self._link is not None:  # what it used to be loaded counts for no episode
                self._link.limit(self._limits)
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
            return self._codec.decode_action(decode(answer, most_values=MOST_VALUES))
        except ValueError as error:
            raise ActionError(f"what it answered is no action: {clean_text(error)}") from None

    @property
    def declared(self) -> Mapping[str, Any]:
        """What it says about itself for the record."""
        values: Mapping[str, Any] = self._read(self._ask(Ask.DECLARED))
        return values

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
        values = self._read(self._ask(Ask.PROFILE, most=MOST_MEMORY), MOST_REMEMBERED)
        if not isinstance(values, Mapping):
            raise AgentFault("has no profile: it was not loaded under the judge")
        return values

    def close(self) -> None:
        """Let the agent close itself, then end its process with all that it has started."""
        self._close(Ask.CLOSE)

    def _load(self, spec: str, family: str, context: RunContext, game: str) -> Description:
        request = {
            "spec": spec,
            "family": family,
            "game": game,
            "context": context_to_values(context),
            "place": _describe_place(spec, family, context),
        }
        values = self._read(self._ask(Ask.LOAD, encode(request)))
        try:
            return Description.from_values(values)
        except (TypeError, ValueError, KeyError) as error:
            raise AgentError(f"agent {spec!r} describes itself as nothing: {error}") from None

    def _raise(self, said: int, answer: bytes) -> None:
        if said in (Say.OVER_BUDGET, Say.EPISODE_OVER_BUDGET):
            self._over += 1
            text = clean_text(answer.decode("utf-8", "replace"))
            raise AgentOverBudget(text, of="decision" if said == Say.OVER_BUDGET else "episode")
        super()._raise(said, answer)


class RememberingAgentProcess(AgentProcess):
    """An agent in a process of its own, with which a long episode can go on after a kill."""

    def memory(self) -> Any:
        """Return what it remembers."""
        return self._read(self._ask(Ask.MEMORY, most=MOST_MEMORY), MOST_REMEMBERED)

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


def find_confined_limits(spec: str, limits: Limits) -> Limits:
    """Return what an agent may use in the sandbox, where it has few processes or one."""
    return limits.in_sandbox(PROFILES[find_profile(spec)].processes)


def _describe_place(spec: str, family: str, context: RunContext) -> dict[str, Any]:
    logged = context.on_printed is not None
    own = _find_files(spec, family) if context.sandbox or logged else []
    profile, logged_files = find_profile(spec), own if logged else None
    if not context.sandbox:
        return describe_place(None, logged_files, profile)
    if profile != JAVA:
        return describe_place(own, logged_files, profile)
    home = find_java_home()
    runtime = map(str, list_runtime_files(home))
    place = describe_place([*own, *runtime], logged_files, profile)
    place["environment"]["JAVA_HOME"] = str(home)
    return place


def _find_files(spec: str, family: str) -> list[str]:
    """Return the files of an agent, which it may read when confined; Ludus's own have none."""
    if spec.partition("#")[0] in REGISTERED.get(family, {}):
        return []
    return [str(path) for path in find_own_files(spec)]
