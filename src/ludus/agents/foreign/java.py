"""Java agents: classes of the Mario-AI-Framework's interface or of the competition of 2009."""

from __future__ import annotations

from struct import Struct, pack
from typing import Any

from ludus.agents.foreign.java_counting import JavaCounting
from ludus.agents.foreign.java_files import JavaClass, find_java_class
from ludus.agents.foreign.java_process import Ask, JavaProcess
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import AgentError, AgentFault, clean_text
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.physics import Physics
from ludus.games.platformer.view import View
from ludus.limits import Limits

__all__ = ["JavaAgent", "open_java_agent"]

RULES = {"F": ("framework", "ludus"), "C": ("2009",)}
"""What agents of each interface play by."""

BEGINS = b"\x01"
GOES_ON = b"\x00"
TEXT, MAP = b"\x00", b"\x01"
PHYSICS = Struct("<9f")


class JavaAgent:
    """An agent in a Java virtual machine, which is a child of this process.

    The machine has the engine in it. It gets the state of the world for every decision, so an
    agent's models are native and equal to the game, whatever it did to them before.

    Args:
        java_class: The agent's class.
        context: What the run allows it.
        counting: Counts its work, if that has a budget.

    Raises:
        AgentError: It cannot be loaded, or would have to be confined.
    """

    plays = "platformer"

    def __init__(
        self,
        java_class: JavaClass,
        context: RunContext = DEFAULT_CONTEXT,
        counting: JavaCounting | None = None,
    ) -> None:
        if context.sandbox:
            raise AgentError(
                "Java agents cannot be confined: play without --sandbox, in a container of yours"
            )
        limits = context.limits or Limits()
        self._class, self._counting = java_class, counting
        self._memory, self._plays_ahead = limits.memory, limits.forward_model
        # In a run the referee keeps the time; whoever loads an agent by hand has nobody else.
        self._seconds = limits.seconds if context.limits is None else 2 * limits.seconds
        self._level: Level | None = None
        self._begins = True
        self._process, self._kind, self.name = self._load()

    def reset(self, scenario: Any) -> None:
        """Prepare to play: the agent itself is told with the first observation."""
        if not self._process.running:
            self._process.kill()
            self._process, self._kind, _ = self._load()
            self._level = None
        self._begins = True
        self._process.begin_episode()

    def act(self, observation: View) -> int:
        """Return the sum of the buttons that it presses.

        Raises:
            AgentFault: It failed, or cannot play this game.
        """
        if not isinstance(observation, View):
            raise AgentFault("a Java agent needs the whole game, and the task hides some of it")
        if observation.level is not self._level:
            self._send_level(observation.level)
        first = BEGINS if self._begins else GOES_ON
        state = observation.clone_state()
        answer = self._process.ask(Ask.ACT, first + state, self._seconds)
        self._begins = False
        return answer[0]

    def close(self) -> None:
        """End the virtual machine."""
        self._process.kill()

    def __del__(self) -> None:
        """End the virtual machine of an agent that nobody plays any more."""
        if hasattr(self, "_process"):
            self._process.kill()

    def _load(self) -> tuple[JavaProcess, str, str]:
        """Start a virtual machine and return it with the agent's interface and name."""
        process = JavaProcess(self._class, self._memory)
        try:
            if self._counting is not None:
                self._counting.attach(process)
            answer = process.ask(Ask.LOAD).decode("utf-8", "replace")
        except AgentFault as error:
            process.kill()
            raise AgentError(f"class {self._class.name!r} cannot be loaded: {error}") from None
        return process, answer[:1], clean_text(answer[1:]) or self._class.name.rpartition(".")[2]

    def _send_level(self, level: Level) -> None:
        rules = RULES[self._kind]
        if level.rules not in rules:
            raise AgentFault(
                f"plays by the rules {' or '.join(rules)}, and the level is for {level.rules}"
            )
        ahead = bytes([self._plays_ahead])
        self._process.ask(Ask.LEVEL, ahead + encode_level(level), self._seconds)
        self._level = level


def open_java_agent(
    spec: str, *, context: RunContext, counting: JavaCounting | None = None
) -> JavaAgent:
    """Return the agent of ``agents.jar:package.Agent`` or ``FOLDER:package.Agent``.

    Raises:
        AgentError: There is no such class, or it cannot be loaded.
    """
    java_class = find_java_class(spec)
    if java_class is None:
        raise AgentError(f"{spec[:200]!r} names no Java class: try agents.jar:package.Agent")
    if not java_class.file.is_file():
        raise AgentError(f"there is no file {str(java_class.file)[:200]!r}")
    return JavaAgent(java_class, context, counting)


def encode_level(level: Level) -> bytes:
    """Return a level as the runner reads it: its rules, then its text with physics, or its map."""
    name = level.rules.encode("ascii")
    head = bytes([len(name)]) + name
    reference = level.map
    if reference is None:
        text = "".join(sign if sign.isascii() else "-" for sign in level.text)
        return head + TEXT + _encode_physics(level.physics) + text.encode("ascii")
    numbers = (reference.width, reference.height, *reference.exit)
    creatures = [int(number) for creature in reference.creatures for number in creature]
    data = [number for block in reference.data for number in block]
    return b"".join(
        (
            head + MAP,
            pack("<6i", *numbers, reference.type, reference.difficulty),
            pack(f"<i{len(creatures)}i", len(creatures), *creatures),
            pack(f"<i{len(data)}i", len(data), *data),
            reference.map,
        )
    )


def _encode_physics(physics: Physics | None) -> bytes:
    if physics is None:
        return b"\x00"
    return b"\x01" + PHYSICS.pack(
        physics.gravity,
        physics.creature_gravity,
        physics.jump_power,
        physics.ice,
        physics.wind,
        physics.tick_ms,
        physics.frozen_creatures,
        physics.invulnerable,
        physics.power_restoration,
    )
