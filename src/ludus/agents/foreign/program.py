"""Any program as an agent: it speaks the protocol on its standard input and output."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ludus.agents.foreign.command import Command
from ludus.agents.foreign.pipes import Pipes
from ludus.agents.foreign.protocol import (
    FORMATS,
    FRAMES,
    LENGTH,
    MOST_ANSWER,
    Format,
    Hello,
    JsonLines,
    Type,
    read_hello,
    write_hello,
)
from ludus.agents.foreign.seen import describe_scenario, find_shown
from ludus.agents.foreign.shared_memory import SharedFrames, offer_memory
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import AgentError, AgentFault

__all__ = ["LearningProgram", "Program", "open_program"]

GAME = "platformer"
T = TypeVar("T")


class Program:
    """A program that plays.

    A program that breaks the protocol is ended, and started again for the next episode.

    Args:
        command: The program with its arguments.

    Attributes:
        name: What tables call it.
        plays: The game that it plays.
    """

    plays = GAME

    def __init__(self, command: Command) -> None:
        self._command = command
        self._pipes: Pipes | None = None
        self._memory: SharedFrames | None = None
        self._format: Format = JsonLines()
        self._shown: tuple[str, ...] | None = None
        self.hello = self._start()
        self.name = self.hello.name or command.file.stem

    def reset(self, scenario: Any) -> None:
        """Let the program prepare for a scenario."""
        if self._pipes is None:
            self.hello = self._start()
        self._shown = None
        message = self._format.write(Type.RESET, {"scenario": describe_scenario(scenario)})
        self._ask(message, self._format.read_ready)

    def act(self, observation: Any) -> int:
        """Return the buttons that the program answers."""
        if self._shown is None:
            self._shown = find_shown(observation, self.hello.wants)
        message = self._format.write_act(observation, self._shown)
        return self._ask(message, self._format.read_action)

    def close(self) -> None:
        """Tell the program to close, and end it if it does not."""
        if self._pipes is not None:
            message = self._format.write(Type.CLOSE, {})
            if self._memory is not None:
                self._memory.send(message[LENGTH.size :])
            else:
                self._pipes.send(message)
            self._pipes.close()
            self._end()

    def _start(self) -> Hello:
        memory = offer_memory()
        try:
            self._pipes, self._format = Pipes(self._command, memory), JsonLines()
            hello = self._ask(write_hello(GAME, memory), read_hello)
            self._format = FORMATS[hello.frames]
            if hello.frames == "shared":
                self._memory, memory = self._share(memory), None
        finally:
            if memory is not None:
                os.close(memory)
        return hello

    def _share(self, memory: int | None) -> SharedFrames:
        if memory is None or self._pipes is None:
            self._end()
            raise AgentFault("asks for shared memory, which this system does not offer: say binary")
        return SharedFrames(memory, self._pipes)

    def _ask(self, message: bytes, read: Callable[[bytes], T]) -> T:
        """Return what the program answers; end it if that breaks the protocol."""
        if self._pipes is None:
            raise AgentError("the program has ended")
        try:
            if self._memory is not None:
                return read(self._memory.ask(message[LENGTH.size :], MOST_ANSWER))
            answer = self._pipes.ask(message, self._format)
            return read(answer[LENGTH.size :] if self._format is FRAMES else answer)
        except BaseException:
            self._end()
            raise

    def _end(self) -> None:
        pipes, self._pipes, self._memory = self._pipes, None, None
        if pipes is not None:
            pipes.kill()


class LearningProgram(Program):
    """A program that learns from training plays."""

    def learn(self, outcome: Mapping[str, Any]) -> None:
        """Tell the program what came of the training play that has just ended."""
        message = self._format.write(Type.LEARN, {"outcome": dict(outcome)})
        self._ask(message, self._format.read_ready)


def open_program(command: Command, *, context: RunContext = DEFAULT_CONTEXT) -> Program:
    """Start a program and return it as an agent.

    Args:
        command: The program with its arguments.
        context: What the run allows it.

    Raises:
        AgentError: The run confines its agents.
        AgentFault: The program cannot be started, or does not answer hello.
    """
    del context  # its process is confined where the run says so, and whatever it starts with it
    program = Program(command)
    if program.hello.learns:
        program.__class__ = LearningProgram
    return program
