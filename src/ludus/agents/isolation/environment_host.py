"""The process of an environment of somebody else's: plays the frames that the referee asks for."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping

from ludus.agents.isolation.messages import Ask, Say
from ludus.agents.isolation.moving_in import describe_error, move, shut_door, to_text
from ludus.agents.isolation.own_traceback import print_own_traceback
from ludus.agents.isolation.printed import flush_printed
from ludus.agents.isolation.values import decode, encode
from ludus.errors import AgentError, OptionError
from ludus.games.guest.environment import GuestEnv
from ludus.games.guest.played import Played
from ludus.limits import Limits

__all__ = ["EnvironmentHost"]


class EnvironmentHost:
    """The environment, and how each message is answered.

    Args:
        keeper: The way to the keeper, which is told of the sandbox.
    """

    def __init__(self, keeper: socket.socket) -> None:
        self._keeper = keeper
        self._env: GuestEnv
        self._logged_files: list[str] | None = None
        self._answers: Mapping[int, Callable[[bytes], bytes]] = {
            Ask.OPEN_ENVIRONMENT: self._open,
            Ask.RESET_ENVIRONMENT: lambda content: _pack(self._env.reset(decode(content))),
            Ask.STEP_ENVIRONMENT: lambda content: _pack(self._env.step(decode(content))),
            Ask.CLOSE_ENVIRONMENT: self._close,
        }

    def answer(self, kind: int, content: bytes) -> tuple[Say, bytes]:
        """Return the answer; whatever the environment raises is one, too."""
        try:
            return Say.VALUE, self._answers[kind](content)
        except (AgentError, OptionError) as error:
            self._log(error.__cause__ or error)
            return Say.NO_AGENT, to_text(error)
        except BaseException as error:
            self._log(error)
            return Say.RAISED, describe_error(error)

    def _log(self, error: BaseException) -> None:
        if self._logged_files is not None:
            print_own_traceback(error, self._logged_files)

    def _open(self, content: bytes) -> bytes:
        request = decode(content)
        move(request["place"])
        self._logged_files = request["place"]["logged_files"]
        shut_door(request["place"], Limits(memory=request["memory"]), self._keeper)
        self._env = GuestEnv(request["spec"], filming=request["filming"], on_error=self._log)
        return encode([self._env.actions, self._env.frame_rate])

    def _close(self, _: bytes) -> bytes:
        self._env.close()
        flush_printed()
        return b""


def _pack(played: Played) -> bytes:
    return encode(played.to_values())
