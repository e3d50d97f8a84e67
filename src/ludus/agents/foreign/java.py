"""Java agents: classes of the Mario-AI-Framework's interface or of the competition of 2009."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct, pack
from typing import Any, Protocol

from ludus.agents.foreign.java_counting import JavaCounting
from ludus.agents.foreign.java_files import JavaClass, find_java_class
from ludus.agents.foreign.java_process import Ask, JavaProcess
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import AgentError, AgentFault, clean_text
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.physics import Physics
from ludus.games.platformer.view import View
from ludus.limits import Limits

__all__ = ["JavaAgent", "find_timer", "open_java_agent"]

RULES = {"F": ("framework", "ludus"), "C": ("2009",)}
"""What agents of each interface play by."""

TEXT, MAP = b"\x00", b"\x01"
PHYSICS = Struct("<9f")
ALLOWED = Struct("<BH")  # whether it may play ahead, and what its timers show

FRAMEWORK_TIMER = 40
"""The milliseconds that a decision has in the framework."""

TIMER_SHARE = 0.7


class JavaHost(Protocol):
    """A virtual machine with an agent."""

    @property
    def running(self) -> bool:
        """Whether it can be asked."""
        ...

    def ask(self, kind: Ask, content: bytes = b"") -> bytes:
        """Return the answer to what is asked before decisions.

        Raises:
            AgentFault: The agent failed.
        """
        ...

    def act(self, view: View, *, begins: bool) -> int:
        """Return the buttons that the agent presses.

        Raises:
            AgentFault: It failed.
        """
        ...

    def begin_episode(self) -> None:
        """Let the agent print as much as it may for an episode."""
        ...

    def kill(self) -> None:
        """End the machine, if that is a process of its own."""
        ...


class JavaAgent:
    """An agent in a Java virtual machine: in this process if that is the agent's, else in a child.

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
        if context.sandbox and not context.own_process:
            raise AgentError("a Java agent is confined in a process of its own: play it in a run")
        limits = context.limits or Limits()
        self._class, self._counting, self._here = java_class, counting, context.own_process
        self._limits = limits.in_sandbox() if context.sandbox else limits
        self._level: Level | None = None
        self._kill_events: list[tuple[int, int]] = []
        self._begins = True
        self._host, self._kind, self.name = self._load()

    def reset(self, scenario: Any) -> None:
        """Prepare to play: the agent itself is told with the first observation."""
        if not self._host.running:
            self._host.kill()
            self._host, self._kind, _ = self._load()
            self._level = None
        self._begins = True
        self._host.begin_episode()
        if self._counting is not None:
            self._counting.begin_episode()

    def act(self, observation: View) -> int:
        """Return the sum of the buttons that it presses.

        Raises:
            AgentFault: It failed, or cannot play this game.
        """
        if not isinstance(observation, View):
            raise AgentFault("a Java agent needs the whole game, and the task hides some of it")
        if not self._begins:
            return self._host.act(observation, begins=False)
        self._send_level(observation.level, observation.kill_events)
        buttons = self._host.act(observation, begins=True)
        self._begins = False
        return buttons

    def close(self) -> None:
        """End the virtual machine, if that is a process of its own."""
        self._host.kill()

    def __del__(self) -> None:
        """End the virtual machine of an agent that nobody plays any more."""
        if hasattr(self, "_host"):
            self._host.kill()

    def _load(self) -> tuple[JavaHost, str, str]:
        """Start a virtual machine and return it with the agent's interface and name."""
        host = self._start()
        try:
            if self._counting is not None:
                self._counting.attach(host)
            answer = host.ask(Ask.LOAD).decode("utf-8", "replace")
        except AgentFault as error:
            host.kill()
            raise AgentError(f"class {self._class.name!r} cannot be loaded: {error}") from None
        return host, answer[:1], clean_text(answer[1:]) or self._class.name.rpartition(".")[2]

    def _start(self) -> JavaHost:
        if not self._here:
            return JavaProcess(self._class, self._limits.memory, self._limits.seconds)
        from ludus.agents.foreign.java_machine import HostedJava

        return HostedJava(self._class, self._limits.memory)

    def _send_level(self, level: Level, kill_events: list[tuple[int, int]]) -> None:
        if level is self._level and kill_events == self._kill_events:
            return
        rules = RULES[self._kind]
        if level.rules not in rules:
            raise AgentFault(
                f"plays by the rules {' or '.join(rules)}, and the level is for {level.rules}"
            )
        allowed = ALLOWED.pack(self._limits.forward_model, find_timer(self._limits))
        kills = _encode_ints([number for event in kill_events for number in event])
        self._host.ask(Ask.LEVEL, allowed + kills + encode_level(level))
        self._level, self._kill_events = level, kill_events


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


def find_timer(limits: Limits) -> int:
    """Return how many milliseconds a timer of the agent's shows at first.

    Who plans until none is left keeps a limit of real time, with some to spare for the way back.
    """
    share = int(TIMER_SHARE * 1000 * limits.decision_seconds)
    return min(FRAMEWORK_TIMER, max(share, 1)) if limits.decision_seconds else FRAMEWORK_TIMER


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
            _encode_ints(creatures),
            _encode_ints(data),
            reference.map,
        )
    )


def _encode_ints(numbers: Sequence[int]) -> bytes:
    return pack(f"<i{len(numbers)}i", len(numbers), *numbers)


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
