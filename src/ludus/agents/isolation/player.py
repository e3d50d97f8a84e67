"""The process of an agent: loads it, and answers what the referee asks until it is killed.

The process of an environment begins alike; its first message says that it is one.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ludus.agents.isolation.environment_host import EnvironmentHost
from ludus.agents.isolation.messages import Ask, Say
from ludus.agents.isolation.moving_in import describe_error, move, shut_door, to_text
from ludus.agents.isolation.own_traceback import print_own_traceback
from ludus.agents.isolation.printed import flush_printed
from ludus.agents.isolation.shared_channel import SharedChannel
from ludus.agents.isolation.values import decode, encode
from ludus.agents.judge.judged_agent import JudgedAgent
from ludus.agents.judge.opening import is_judged, open_judged
from ludus.agents.loading import describe, load
from ludus.context import Budget, RunContext
from ludus.contract import Closes, Declares, Remembers
from ludus.errors import ActionError, AgentError, AgentFault, AgentOverBudget, format_error
from ludus.frames import Channel
from ludus.games.game import HasForwardModel, find_game
from ludus.games.observation_codec import ObservationCodec, PlainCodec, find_codec
from ludus.limits import Limits

__all__ = ["answer_messages", "context_from_values", "context_to_values"]

MOST_MESSAGE = 2**30
MOST_LINES = 1000


def answer_messages(channel: Channel | SharedChannel, keeper: socket.socket) -> None:
    """Answer every message of the referee; return when it is gone.

    Args:
        channel: The way to the referee.
        keeper: The way to the keeper, which is told of the sandbox.
    """
    player: _Player | EnvironmentHost = _Player(keeper)
    receive, send = channel.receive, channel.send
    while True:
        try:
            number, kind, content = receive(MOST_MESSAGE)
        except EOFError:
            return
        if kind == Ask.OPEN_ENVIRONMENT:
            player = EnvironmentHost(keeper)
        said, answer = player.answer(kind, content)
        send(number, said, answer)


class _Player:
    """The agent, and how each message is answered."""

    def __init__(self, keeper: socket.socket) -> None:
        self._keeper = keeper
        self._agent: Any = None
        self._codec: ObservationCodec = PlainCodec()
        self._plays_ahead = True
        self._logged_files: list[str] | None = None
        self._answers: Mapping[int, Callable[[bytes], bytes]] = {
            Ask.LOAD: self._load,
            Ask.RESET: self._reset,
            Ask.ACT: self._act,
            Ask.MEMORY: self._memory,
            Ask.RECALL: self._recall,
            Ask.DECLARED: self._declared,
            Ask.CLOSE: self._close,
            Ask.UNITS: self._units,
            Ask.PROFILE: self._profile,
            Ask.LEARN: self._learn,
        }

    def answer(self, kind: int, content: bytes) -> tuple[Say, bytes]:
        """Return the answer; whatever the agent raises is one, too."""
        try:
            return Say.VALUE, self._answers[kind](content)
        except AgentError as error:
            self._log(error.__cause__ or error)
            said = Say.NO_AGENT if kind == Ask.LOAD else Say.RAISED
            return said, to_text(error if kind == Ask.LOAD else format_error(error))
        except ActionError as error:
            return Say.NO_ACTION, to_text(error)
        except AgentOverBudget as error:
            episode = error.of == "episode"
            return Say.EPISODE_OVER_BUDGET if episode else Say.OVER_BUDGET, to_text(error)
        except AgentFault as error:  # of an agent that has a process of its own once more
            return Say.RAISED, to_text(error)
        except BaseException as error:
            self._log(error)
            return Say.RAISED, describe_error(error)

    def _log(self, error: BaseException) -> None:
        if self._logged_files is not None:
            print_own_traceback(error, self._logged_files)

    def _load(self, content: bytes) -> bytes:
        request = decode(content)
        move(request["place"])
        self._logged_files = request["place"]["logged_files"]
        context = replace(context_from_values(request["context"]), own_process=True)
        self._plays_ahead = context.limits is None or context.limits.forward_model
        if request["game"]:
            self._codec = find_codec(find_game(request["game"]))
        shut_door(request["place"], context.limits or Limits(), self._keeper)
        if is_judged(context):
            self._agent = judged = open_judged(request["spec"], request["family"], context)
            return encode(asdict(judged.describe(describe)))
        self._agent = load(request["spec"], request["family"], context)
        return encode(asdict(describe(self._agent)))

    def _reset(self, content: bytes) -> bytes:
        self._agent.reset(self._codec.decode_scenario(decode(content, records=True)))
        return b""

    def _act(self, content: bytes) -> bytes:
        observation = self._codec.decode_observation(decode(content, records=True))
        if not self._plays_ahead and isinstance(observation, HasForwardModel):
            observation.close_forward_model()
        return encode(self._codec.encode_action(self._agent.act(observation)))

    def _learn(self, content: bytes) -> bytes:
        self._agent.learn(decode(content))
        return b""

    def _memory(self, _: bytes) -> bytes:
        return encode(self._agent.memory() if isinstance(self._agent, Remembers) else None)

    def _recall(self, content: bytes) -> bytes:
        self._agent.recall(decode(content))
        return b""

    def _declared(self, _: bytes) -> bytes:
        return encode(self._agent.declared if isinstance(self._agent, Declares) else {})

    def _close(self, _: bytes) -> bytes:
        if isinstance(self._agent, Closes):
            self._agent.close()
        flush_printed()
        return b""

    def _units(self, _: bytes) -> bytes:
        return encode(self._agent.end_episode() if isinstance(self._agent, JudgedAgent) else None)

    def _profile(self, _: bytes) -> bytes:
        judged = self._agent
        if not isinstance(judged, JudgedAgent):
            return encode(None)
        lines = [asdict(line) for line in judged.profile()[:MOST_LINES]]
        return encode({"decisions": judged.decisions, "lines": lines})


def context_to_values(context: RunContext) -> dict[str, Any]:
    """Return a run's context as plain values."""
    budget, limits = context.budget, context.limits
    return {
        "folder": str(context.folder) if context.folder else None,
        "budget": [budget.amount, budget.unit] if budget else None,
        "trust": context.trust,
        "sandbox": context.sandbox,
        "profile": context.profile,
        "limits": limits.to_dict() if limits else None,
    }


def context_from_values(values: Mapping[str, Any]) -> RunContext:
    """Return the context that :func:`context_to_values` described."""
    return RunContext(
        folder=Path(values["folder"]) if values["folder"] else None,
        budget=Budget(*values["budget"]) if values["budget"] else None,
        trust=values["trust"],
        sandbox=values["sandbox"],
        profile=values["profile"],
        limits=Limits.from_dict(values["limits"]) if values["limits"] else None,
    )
