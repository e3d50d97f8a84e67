"""A program that attempts what its argument names, then answers; run by a shebang, not imported."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

HERE = Path(sys.argv[0]).parent


def open_socket() -> None:
    socket.socket()


def read_store() -> None:
    (HERE / "runs.db").read_bytes()


def read_shadow() -> None:
    Path("/etc/shadow").read_bytes()


def write_beside() -> None:
    (HERE / "written").write_text("x")


def write_temporary() -> None:
    Path("/tmp/ludus-written").write_text("x")


def change_rights() -> None:
    HERE.chmod(0o777)


def kill_parent() -> None:
    os.kill(os.getppid(), signal.SIGKILL)


def kill_all() -> None:
    os.kill(-1, signal.SIGKILL)


def fork_for_ever() -> None:
    while True:
        os.fork()


def trace_parent() -> None:
    ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)


def outlive() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for descriptor in range(3):
                os.close(descriptor)
            time.sleep(600)
        os._exit(0)
    os._exit(5)


def log_much() -> None:
    for _ in range(10):
        os.write(2, b"log\n" * 100_000)


def use_scratch_and_processes() -> None:
    (Path(os.environ["TMPDIR"]) / "mine").write_text("x")
    if os.system("/bin/true") != 0:
        raise PermissionError("no program can be started")


def answer(message: str) -> dict[str, object]:
    kind = json.loads(message)["type"]
    if kind == "hello":
        return {"type": "hello", "protocol": 1, "name": sys.argv[1], "wants": []}
    if kind == "reset":
        return {"type": "ready"}
    try:
        globals()[sys.argv[1]]()
    except OSError as error:
        return {"type": "error", "message": f"{type(error).__name__} {error.errno}"}
    return {"type": "action", "buttons": 2}


if __name__ == "__main__":
    for line in sys.stdin:
        if '"close"' in line:
            break
        print(json.dumps(answer(line)), flush=True)  # noqa: T201
