"""Agents that use more than they may, or hide what they use; each steps right otherwise."""
# mypy: ignore-errors

from __future__ import annotations

import os
import time

RIGHT = 2
MEBIBYTE = 2**20


class Right:
    """Walks right."""

    def reset(self, scenario):
        self.decisions = 0

    def act(self, view):
        self.decisions += 1
        if self.decisions == 2:
            self.misbehave()
        return RIGHT

    def misbehave(self):
        pass


class Spins(Right):
    def misbehave(self):
        burn(60)


class Eats(Right):
    def misbehave(self):
        self.eaten = [bytearray(b"x" * MEBIBYTE) for _ in range(200)]
        time.sleep(60)


class Forks(Right):
    def misbehave(self):
        for _ in range(4):
            if os.fork() == 0:
                time.sleep(60)
        time.sleep(60)


class LetsOthersWork(Right):
    """Works in a child, and in a grandchild that nobody waits for."""

    def misbehave(self):
        child = os.fork()
        if child == 0:
            if os.fork() == 0:
                burn(0.3)
                os._exit(0)
            burn(0.3)
            os._exit(0)
        os.waitpid(child, 0)
        time.sleep(0.4)


class HidesItsMemory(Right):
    """Lets the kernel forget the most memory that it had, while it still has it."""

    def misbehave(self):
        eaten = bytearray(b"x" * 150 * MEBIBYTE)
        time.sleep(0.5)
        del eaten
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")


class PlaysAhead(Right):
    def act(self, view):
        view.forward_model().step(RIGHT)
        return RIGHT


class EatsOnce(Right):
    """Eats in its first episode and gives all of it back."""

    hungry = True

    def misbehave(self):
        if EatsOnce.hungry:
            EatsOnce.hungry = False
            bytearray(b"x" * 150 * MEBIBYTE)


class HidesItsTime(Right):
    """Sets its own figures to what it likes, where a process can."""

    def misbehave(self):
        burn(0.3)
        time.process_time = lambda: 0.0
        os.times = lambda: (0.0,) * 5


def burn(seconds):
    started = time.process_time()
    while time.process_time() - started < seconds:
        pass
