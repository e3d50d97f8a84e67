"""Everything an agent may implement: what it must have, and what it may have besides.

::

    Agent            name, reset(scenario), act(observation) -> action     every agent
    ├── Remembers        memory(), recall(memory)    goes on after a kill where it was
    ├── Learns           learn(outcome)              has training plays before the one that counts
    ├── Closes           close()                     lets go of files and connections
    ├── Declares         declared                    says something for the record
    ├── HasFingerprint   fingerprint                 knows best whether it has changed
    ├── HasVariant       variant                     has another word for its variant
    ├── Plans            plan                        says what it means to do next
    ├── PlaysOneGame     plays                       plays one game and no other
    ├── HasModelCalls    take_model_calls()          asks language models, and keeps account of it
    ├── ChecksScenario   check_scenario(scenario)    refuses what it cannot play, before the run
    └── Waits            waits                       spends its time waiting, not computing

    FromCheckpoint   from_checkpoint(arrays)         a class whose agents come from .npz files

Ludus asks ``isinstance`` for each; no agent has to inherit from any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

__all__ = [
    "Agent",
    "ChecksScenario",
    "Closes",
    "Declares",
    "FromCheckpoint",
    "HasFingerprint",
    "HasModelCalls",
    "HasName",
    "HasVariant",
    "Learns",
    "Plans",
    "PlaysOneGame",
    "Remembers",
    "Waits",
    "find_faults",
]

ScenarioT = TypeVar("ScenarioT", contravariant=True)
ObservationT = TypeVar("ObservationT", contravariant=True)
ActionT = TypeVar("ActionT", covariant=True)


@runtime_checkable
class HasName(Protocol):
    """Something that tables call by a name."""

    @property
    def name(self) -> str:
        """What tables call it."""
        ...


class Agent(HasName, Protocol[ScenarioT, ObservationT, ActionT]):
    """Anything that is shown what to play and then, step by step, asked what to do.

    The same agent plays one episode after another. :meth:`reset` must forget the last one, so that
    an episode depends on its scenario alone and can be played again. Only in benchmarks that are
    played in order may it carry something over.

    Agents are made without arguments. A constructor with a parameter ``variant`` is given the word
    behind ``#`` in a spec; one with a keyword-only parameter ``context`` the run's
    :class:`~ludus.context.RunContext`.
    """

    def reset(self, scenario: ScenarioT) -> None:
        """Prepare to play the scenario from its start.

        Its ``seed`` is the agent's own: nothing in the scenario leads to the world's chance.
        """
        ...

    def act(self, observation: ObservationT) -> ActionT:
        """Return the action for the next step: whatever the game takes as one."""
        ...


@runtime_checkable
class Remembers(Protocol):
    """An agent that a long episode can go on with after its process was killed."""

    def memory(self) -> Any:
        """Return what it remembers of the episode, as plain values that JSON can hold.

        After a level of a benchmark that is played in order, this has to hold what the agent
        carries over to the next level.
        """
        ...

    def recall(self, memory: Any) -> None:
        """Remember what :meth:`memory` returned; called after ``reset``."""
        ...


@runtime_checkable
class Learns(Protocol):
    """An agent that learns a level by heart: it plays it many times before the play that counts.

    Every play begins with ``reset``. Its scenario has the number of the ``play``, from 1, and in
    ``plays`` that of the play that counts: in it the agent shows the best that it has learned. What
    it learned stays until a scenario comes with play 1, which begins another training.
    """

    def learn(self, outcome: Mapping[str, Any]) -> None:
        """Learn from the training play that has just ended.

        Args:
            outcome: What came of it, as plain values: its ``score``, the number of the ``play``,
                and the game's figures.
        """
        ...


@runtime_checkable
class Closes(Protocol):
    """An agent, or a match, that has something to let go of."""

    def close(self) -> None:
        """Let go of it; nothing is played afterwards."""
        ...


@runtime_checkable
class Declares(Protocol):
    """An agent that says something about itself for the record of its episodes."""

    @property
    def declared(self) -> Mapping[str, Any]:
        """What it says, as plain values; games of several rounds keep it."""
        ...


@runtime_checkable
class HasFingerprint(Protocol):
    """An agent that knows better than its file whether it has changed."""

    @property
    def fingerprint(self) -> str | None:
        """A digest of all that decides how it plays; None to take that of its file."""
        ...


@runtime_checkable
class HasVariant(Protocol):
    """An agent whose variant has a proper spelling, such as the full path of a folder."""

    @property
    def variant(self) -> str | None:
        """The variant, spelled so that it is found from anywhere."""
        ...


@runtime_checkable
class Plans(Protocol):
    """An agent that can say what it means to do next. Nothing is recorded of it: pages draw it."""

    @property
    def plan(self) -> Sequence[Any]:
        """The actions that it means to play after the one that it has just returned."""
        ...


@runtime_checkable
class PlaysOneGame(Protocol):
    """An agent that plays one game and is refused in others when it is loaded."""

    @property
    def plays(self) -> str:
        """The game's name."""
        ...


@runtime_checkable
class HasModelCalls(Protocol):
    """An agent of Ludus that asks language models; the run keeps what each call took."""

    def take_model_calls(self) -> Sequence[Mapping[str, Any]]:
        """Return the calls of the episode as plain values, and forget them."""
        ...


@runtime_checkable
class ChecksScenario(Protocol):
    """An agent of Ludus that knows beforehand what it cannot play; agents of others are not asked.

    A run is then refused when it is planned, instead of failing in every episode.
    """

    def check_scenario(self, scenario: Any) -> None:
        """Refuse a scenario that it cannot play.

        Raises:
            AgentError: It cannot play it; the message says why.
        """
        ...


@runtime_checkable
class Waits(Protocol):
    """An agent that may spend its time waiting, for a language model or a person."""

    @property
    def waits(self) -> bool:
        """Whether it does: then it is asked while others think."""
        ...


@runtime_checkable
class FromCheckpoint(Protocol):
    """A class of agents whose weights come from an ``.npz`` file."""

    def from_checkpoint(self, arrays: Mapping[str, Any]) -> Any:
        """Return the agent of a checkpoint's arrays; a class method of the agent."""
        ...


def find_faults(agent: object) -> Iterator[str]:
    """Yield why an object is no agent, a few words for each reason.

    Example:
        >>> list(find_faults(object()))
        ['has no method reset()', 'has no method act()']
    """
    for method in ("reset", "act"):
        if not callable(getattr(agent, method, None)):
            yield f"has no method {method}()"
    for protocol in (Remembers, Learns, Closes):
        for method in _methods(protocol) if isinstance(agent, protocol) else ():
            value = getattr(agent, method)
            if not callable(value):
                yield f"has {method}, a {type(value).__name__}, which Ludus takes for {method}()"


def _methods(protocol: type) -> list[str]:
    return [name for name, value in vars(protocol).items() if callable(value) and name[0] != "_"]
