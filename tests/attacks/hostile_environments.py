"""Environments that attack whoever plays them; each behaves while it is tried, with seed 0.

A copy of this file is played. It imports nothing but what is installed.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

HERE = Path(__file__).parent
STEPS = 5
Attack = Callable[[dict[str, Any]], Any]


class Hostile:
    """Plays five frames; attacks in the second if it is played in earnest."""

    action_space = gymnasium.spaces.Discrete(3)

    def __init__(self, attack: Attack, *, in_reset: bool = False) -> None:
        self._attack, self._in_reset = attack, in_reset
        self._seed = self._step = 0

    def reset(self, *, seed: int) -> tuple[Any, dict[str, Any]]:
        self._seed, self._step = seed, 0
        info = {"x_pos": 40, "world": 1, "stage": 1, "life": 2}
        return (self._attack(info) if seed and self._in_reset else 0), info

    def step(self, action: int) -> tuple[Any, float, bool, bool, Any]:
        self._step += 1
        info = {"x_pos": 40 + self._step, "world": 1, "stage": 1, "life": 2}
        observation = 0
        if self._seed and self._step == 2 and not self._in_reset:
            observation = self._attack(info)
        return observation, 0.0, self._step == STEPS, False, info


ATTACKS: dict[str, Attack] = {}


def attack(function: Attack) -> Attack:
    """List an attack; its function makes the environment of its name."""
    ATTACKS[function.__name__] = function
    globals()[f"env_{function.__name__}"] = lambda: Hostile(function)
    globals()[f"reset_{function.__name__}"] = lambda: Hostile(function, in_reset=True)
    return function


# ---- files, network, processes


@attack
def read_passwords(_: Any) -> None:
    Path("/etc/passwd").read_text()


@attack
def read_the_store(_: Any) -> None:
    (HERE / "runs.db").read_bytes()


@attack
def read_a_secret(_: Any) -> None:
    (HERE / "secret.key").read_text()


@attack
def read_the_parent(_: Any) -> None:
    Path(f"/proc/{os.getppid()}/environ").read_bytes()


@attack
def write_own_folder(_: Any) -> None:
    (HERE / "note").write_text("was here")


@attack
def write_temporary(_: Any) -> None:
    Path("/tmp/ludus-was-here").write_text("was here")


@attack
def change_own_code(_: Any) -> None:
    Path(__file__).write_text("")


@attack
def fill_scratch(_: Any) -> None:
    with open(Path(tempfile.gettempdir()) / "much", "wb") as file:
        for _number in range(64):
            file.write(bytes(2**20))
            file.flush()
            time.sleep(0.01)


@attack
def open_a_socket(_: Any) -> None:
    socket.socket().connect(("203.0.113.9", 80))


@attack
def fork_for_ever(_: Any) -> None:
    while True:
        os.fork()


@attack
def run_a_shell(_: Any) -> None:
    if os.system("touch was-here") != 0:
        raise PermissionError("no shell")


@attack
def kill_the_parent(_: Any) -> None:
    os.kill(os.getppid(), signal.SIGKILL)


@attack
def trace_the_parent(_: Any) -> None:
    ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)


# ---- its own process


@attack
def exit_at_once(_: Any) -> None:
    os._exit(7)


@attack
def leave(_: Any) -> None:
    sys.exit("gone")


@attack
def crash(_: Any) -> None:
    ctypes.string_at(0)


@attack
def loop_for_ever(_: Any) -> None:
    while True:
        pass


@attack
def sleep_for_ever(_: Any) -> None:
    time.sleep(1e6)


@attack
def ask_for_memory(_: Any) -> None:
    bytearray(2**45)


@attack
def take_memory(_: Any) -> None:
    taken = []
    while True:
        taken.append(bytearray(os.urandom(2**20)) * 16)
        time.sleep(0.01)


# ---- what it reports


@attack
def show_much(_: Any) -> Any:
    return np.zeros(80 * 2**20, np.uint8)


@attack
def show_depths(_: Any) -> Any:
    nested: list[Any] = []
    for _number in range(100):
        nested = [nested]
    return nested


@attack
def tell_too_many_values(info: dict[str, Any]) -> None:
    info.update({f"value {number}": number for number in range(2_000)})


@attack
def tell_a_long_text(info: dict[str, Any]) -> None:
    info["status"] = "x" * 100_000


@attack
def tell_nothing_finite(info: dict[str, Any]) -> None:
    info.update(x_pos=float("nan"), coins=float("inf"), life=float("-inf"), time=1e308)
    info.update(flag_get=float("nan"))


@attack
def tell_objects(info: dict[str, Any]) -> Any:
    info.update(nested={"x_pos": 9_999}, thing=object(), many=[[1], [2]], ram=np.zeros(4))
    return {"thing": object(), "nested": [{"deep": {1, 2}}], "not": float("nan")}


@attack
def raise_what_cannot_be_read(_: Any) -> None:
    class Unreadable(Exception):
        def __str__(self) -> str:
            raise SystemExit("no text")

    raise Unreadable


@attack
def patch_ludus(_: Any) -> None:
    """Patch what counts here, where nobody counts."""
    from ludus.games.guest.match import GuestMatch
    from ludus.games.guest.tally import Tally

    for counter in (Tally, GuestMatch):
        setattr(counter, "facts", lambda *_, **__: {"completed": 1})  # noqa: B010


@attack
def report_another_kind(_: Any) -> None:
    _report([[[{"x_pos": 1}, "yes", 1, None]], 0, ""])


@attack
def report_more_frames(_: Any) -> None:
    _report([[[{"x_pos": 1}, False, False, None]] * 99, 0, ""])


@attack
def report_frames_after_the_end(_: Any) -> None:
    _report([[[{"x_pos": 1}, True, False, None]] * 2, 0, ""])


@attack
def report_an_unknown_object(_: Any) -> None:
    _report([[[{"x_pos": object()}, False, False, None]], 0, ""])


def _report(values: Any) -> None:
    from ludus.games.guest.played import Played

    setattr(Played, "to_values", lambda _: values)  # noqa: B010


@attack
def scribble_on_the_link(_: Any) -> None:
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"\xff" * 64)
        except OSError:
            continue


@attack
def answer_with_forged_frames(_: Any) -> None:
    from ludus.frames import HEADER

    for descriptor in range(3, 64):
        try:
            os.write(descriptor, HEADER.pack(9, 1, 1) + b"i" + bytes(8))
        except OSError:
            continue


@attack
def tell_huge_numbers(info: dict[str, Any]) -> None:
    """Tell numbers that no float can hold."""
    info.update(coins=10**400, life=2 + 256 * 10**400, time=-(10**600), world=10**500)


@attack
def show_many_values(_: Any) -> Any:
    return [None] * (2**20)


# ---- the agent, and others beside it


def _others() -> list[int]:
    """Return the numbers that processes near this one have, whether they are there or not."""
    own = os.getpid()
    return [number for number in range(max(own - 40, 1), own + 40) if number != own]


def _refuse_all(reach: Callable[[int], Any]) -> None:
    """Raise what every other process is refused with; say so if one is not."""
    refused: Exception = RuntimeError("nobody is near")
    for number in _others():
        try:
            reach(number)
        except (FileNotFoundError, ProcessLookupError):
            continue
        except PermissionError as error:
            refused = error
            continue
        raise RuntimeError(f"process {number} was reached")
    raise refused


@attack
def read_memory_of_others(_: Any) -> None:
    _refuse_all(lambda number: os.open(f"/proc/{number}/mem", os.O_RDONLY))


@attack
def read_commands_of_others(_: Any) -> None:
    _refuse_all(lambda number: Path(f"/proc/{number}/cmdline").read_bytes())


@attack
def open_files_of_others(_: Any) -> None:
    _refuse_all(lambda number: os.listdir(f"/proc/{number}/fd"))


@attack
def signal_others(_: Any) -> None:
    _refuse_all(lambda number: os.kill(number, 0))


@attack
def copy_memory_of_others(_: Any) -> None:
    """Make the system call process_vm_readv of this machine's processor."""
    number = {"x86_64": 310, "aarch64": 270}[os.uname().machine]
    ctypes.CDLL(None).syscall(number, os.getppid(), 0, 0, 0, 0, 0)


@attack
def print_a_million_lines(_: Any) -> None:
    for _number in range(100):
        sys.stdout.write("line\n" * 10_000)


@attack
def print_much(_: Any) -> None:
    for _number in range(1_000):
        sys.stdout.write("x" * 10_000)


# ---- what it draws


class Painter(Hostile):
    """Draws a picture of another shape in each frame."""

    render_mode = "rgb_array"

    def __init__(self, *shapes: tuple[int, ...]) -> None:
        super().__init__(lambda _: 0)
        self._shapes = shapes

    def render(self) -> Any:
        return np.zeros(self._shapes[self._step % len(self._shapes)], np.uint8)


def draw_otherwise() -> Painter:
    return Painter((8, 8, 3), (4, 16, 3))


def draw_hugely() -> Painter:
    return Painter((5_000, 2, 3))
