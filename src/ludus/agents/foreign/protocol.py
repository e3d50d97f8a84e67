"""The messages between Ludus and a program, as lines of JSON and as binary frames.

``docs/agent-protocol.md`` specifies them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct
from typing import Any, Protocol

from ludus.agents.foreign.seen import PARTS, describe_observation, find_bits, pack_observation
from ludus.errors import AgentFault, clean_text
from ludus.games.platformer.view import View

__all__ = [
    "FORMATS",
    "FRAMES",
    "LENGTH",
    "MOST_ANSWER",
    "VERSION",
    "BinaryFrames",
    "Format",
    "Hello",
    "JsonLines",
    "Type",
    "read_hello",
    "write_hello",
]

VERSION = 1
MOST_ANSWER = 65_536
"""The longest answer of a program, in bytes."""

LENGTH = Struct("<I")
SHOWN = 60
ACTION_BYTES = 2


class Type(IntEnum):
    """The types of messages; in frames they are numbers, in lines words."""

    RESET = 2
    ACT = 3
    LEARN = 4
    CLOSE = 5
    READY = 16
    ACTION = 17
    ERROR = 18


@dataclass(frozen=True, slots=True)
class Hello:
    """What a program answers to the first message.

    Attributes:
        name: What tables are to call it; empty for the name of its file.
        frames: ``json``, ``binary`` or ``shared``: how all later messages are written.
        wants: The parts of observations that it reads.
        learns: Whether it has training plays.
    """

    name: str = ""
    frames: str = "json"
    wants: tuple[str, ...] = PARTS
    learns: bool = False


def write_hello(game: str, memory: int | None = None) -> bytes:
    """Return the first message, which is a line whatever the program answers.

    Args:
        game: What it is to play.
        memory: The descriptor of memory that it may share, if there is some.
    """
    offered = {} if memory is None else {"memory": memory}
    return _to_line({"type": "hello", "protocol": VERSION, "game": game, **offered})


def read_hello(line: bytes) -> Hello:
    """Return what a program answered to the first message.

    Raises:
        AgentFault: It is no hello, or one of another version.
    """
    values = _read_line(line)
    _raise_error(values)
    if values.get("type") != "hello":
        raise AgentFault(f"answered hello with {_show(line)}, not with a hello")
    if values.get("protocol") != VERSION:
        raise AgentFault(
            f"speaks protocol {clean_text(values.get('protocol'))[:20]!r}, not {VERSION}"
        )
    hello = Hello(
        values.get("name", ""),
        values.get("frames", "json"),
        _read_parts(values.get("wants", list(PARTS))),
        values.get("learns", False),
    )
    if not isinstance(hello.name, str) or not isinstance(hello.learns, bool):
        raise AgentFault(f"its hello has a name or a 'learns' of another kind: {_show(line)}")
    if hello.frames not in tuple(FORMATS):
        names = ", ".join(FORMATS)
        raise AgentFault(f"asks for frames {clean_text(hello.frames)[:20]!r}: say one of {names}")
    return hello


def _read_parts(wants: Any) -> tuple[str, ...]:
    for part in wants if isinstance(wants, list) else ["no list"]:
        if part not in PARTS:
            shown = clean_text(part)[:20]
            raise AgentFault(f"wants {shown!r}, which is none of {', '.join(PARTS)}")
    return tuple(wants)


class Format(Protocol):
    """How messages are written and answers are read."""

    def write(self, kind: Type, values: Mapping[str, Any]) -> bytes:
        """Return a message with plain values."""
        ...

    def write_act(self, observation: Any, shown: Sequence[str]) -> bytes:
        """Return the message that asks for an action."""
        ...

    def find_end(self, received: bytes) -> int:
        """Return where the first answer ends, or 0 if it is not whole yet.

        Raises:
            AgentFault: It is too long.
        """
        ...

    def read_ready(self, answer: bytes) -> None:
        """Check an answer that says nothing but that the program is ready.

        Raises:
            AgentFault: It says something else.
        """
        ...

    def read_action(self, answer: bytes) -> int:
        """Return the buttons of an answer.

        Raises:
            AgentFault: It has none.
        """
        ...


class JsonLines:
    """One JSON object a line, in UTF-8, ended by LF."""

    def write(self, kind: Type, values: Mapping[str, Any]) -> bytes:
        """Return a message with plain values."""
        return _to_line({"type": kind.name.lower(), **values})

    def write_act(self, observation: Any, shown: Sequence[str]) -> bytes:
        """Return the message that asks for an action."""
        return self.write(Type.ACT, describe_observation(observation, shown))

    def find_end(self, received: bytes) -> int:
        """Return where the first line ends, or 0 if it is not whole yet."""
        end = received.find(b"\n") + 1
        if end > MOST_ANSWER or (not end and len(received) > MOST_ANSWER):
            raise AgentFault(f"wrote a line of more than {MOST_ANSWER} bytes")
        return end

    def read_ready(self, answer: bytes) -> None:
        """Check that a line says ready."""
        values = _read_line(answer)
        _raise_error(values)
        if values.get("type") != "ready":
            raise AgentFault(f"answered {_show(answer)}, not {{'type': 'ready'}}")

    def read_action(self, answer: bytes) -> int:
        """Return the buttons of a line."""
        values = _read_line(answer)
        _raise_error(values)
        buttons = values.get("buttons")
        if values.get("type") != "action" or type(buttons) is not int:
            raise AgentFault(f"answered {_show(answer)}, which is no action")
        return buttons


class BinaryFrames:
    """A length of four bytes, a type of one byte, and the rest; little-endian.

    In shared memory the length has a place of its own; answers are read without it.
    """

    def write(self, kind: Type, values: Mapping[str, Any]) -> bytes:
        """Return a message with plain values."""
        return self._frame(kind, json.dumps(values).encode() if values else b"")

    def write_act(self, observation: Any, shown: Sequence[str]) -> bytes:
        """Return the message that asks for an action."""
        if type(observation) is View and (frame := observation.pack_frame(find_bits(shown))):
            return frame
        return self._frame(Type.ACT, pack_observation(observation, shown))

    def find_end(self, received: bytes) -> int:
        """Return where the first frame ends, or 0 if it is not whole yet."""
        if len(received) < LENGTH.size:
            return 0
        length = LENGTH.unpack_from(received)[0]
        if not 0 < length <= MOST_ANSWER:
            raise AgentFault(f"wrote a frame of {length} bytes, not of 1 to {MOST_ANSWER}")
        end = LENGTH.size + int(length)
        return end if len(received) >= end else 0

    def read_ready(self, answer: bytes) -> None:
        """Check that a frame says ready."""
        self._read(answer, Type.READY, 0)

    def read_action(self, answer: bytes) -> int:
        """Return the buttons of a frame."""
        if len(answer) == ACTION_BYTES and answer[0] == Type.ACTION:
            return answer[1]
        return self._read(answer, Type.ACTION, 1)[0]

    def _frame(self, kind: Type, content: bytes) -> bytes:
        return LENGTH.pack(1 + len(content)) + bytes([kind]) + content

    def _read(self, answer: bytes, kind: Type, size: int) -> bytes:
        found, content = answer[0], answer[1:]
        if found == Type.ERROR:
            _raise_error({"type": "error", "message": content.decode("utf-8", "replace")})
        if found != kind or len(content) != size:
            raise AgentFault(
                f"answered a frame of type {found} with {len(content)} bytes, "
                f"not one of type {int(kind)} with {size}"
            )
        return content


FRAMES = BinaryFrames()
FORMATS: Mapping[str, Format] = {"json": JsonLines(), "binary": FRAMES, "shared": FRAMES}


def _to_line(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def _read_line(line: bytes) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        raise AgentFault(f"wrote {_show(line)}, which is no JSON") from None
    if not isinstance(values, dict):
        raise AgentFault(f"wrote {_show(line)}, which is no JSON object")
    return values


def _raise_error(values: Mapping[str, Any]) -> None:
    if values.get("type") == "error":
        raise AgentFault(f"gave up: {clean_text(values.get('message', ''))[:200]}")


def _show(line: bytes) -> str:
    text = clean_text(line.decode("utf-8", "replace").rstrip())
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")
