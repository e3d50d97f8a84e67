"""Agents that print to do harm, or do harm to what they print to; a copy of this file is played."""
# ruff: noqa
# mypy: ignore-errors

import fcntl
import os
import sys
import threading
import time


class Calm:
    name = "calm"

    def reset(self, scenario):
        print("calm")

    def act(self, view):
        return 2


class Floods(Calm):
    def reset(self, scenario):
        for _ in range(64):
            os.write(1, b"first\n" + b"x" * 65_530)


class PrintsManyLines(Calm):
    def reset(self, scenario):
        for number in range(100_000):
            print(number)


class PrintsMuchAndFails(PrintsManyLines):
    def act(self, view):
        raise ValueError("at last")


class PrintsControls(Calm):
    def reset(self, scenario):
        os.write(2, b"\x1b[2J\x1b]0;owned\x07\0\r\xff\xe2\x82\n")
        print("\u202egnp\ud800.exe [bold]x[/bold]")


class PrintsAfterTheDeadline(Calm):
    """Goes on printing in a thread while it is late, until it is killed."""

    def act(self, view):
        print("before")
        threading.Thread(target=self.print_on, daemon=True).start()
        time.sleep(1_000)

    def print_on(self):
        while True:
            os.write(1, b"y" * 4_000)


class ClosesStreams(Calm):
    def reset(self, scenario):
        print("last words")
        os.close(1)
        os.close(2)


class ClosesStreamsAndFails(ClosesStreams):
    def act(self, view):
        raise ValueError("unheard")


class FillsItsOwnPipe(Calm):
    """Fills the pipe without waiting, and leaves it full."""

    def reset(self, scenario):
        print("kept")
        flags = fcntl.fcntl(1, fcntl.F_GETFL)
        fcntl.fcntl(1, fcntl.F_SETFL, flags | os.O_NONBLOCK)
        try:
            for _ in range(10_000):
                os.write(1, b"z" * 4_096)
        except BlockingIOError:
            pass
        fcntl.fcntl(1, fcntl.F_SETFL, flags)


class WritesElsewhere(Calm):
    def act(self, view):
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"\xff" * 64)
            except OSError:
                continue
        return 2


class BreaksItsStreams(Calm):
    def act(self, view):
        class Broken:
            def write(self, text):
                raise SystemExit("no stream")

            flush = write

        sys.stdout = sys.stderr = Broken()
        return {}["missing"]


class Unreadable(Calm):
    def act(self, view):
        class Error(Exception):
            def __str__(self):
                raise SystemExit("no text")

        raise Error


class LeavesChild(Calm):
    """Leaves a process of its own behind that has the pipe open and prints for ever."""

    def reset(self, scenario):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    os.write(1, b"child\n" * 100)
                    time.sleep(0.01)
            os._exit(0)
        os.wait()
