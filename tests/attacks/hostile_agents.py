"""Agents that attack their rivals, their referee, or the run; each in the way its name says."""

from __future__ import annotations

import builtins
import gc
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

HERE = Path(os.environ.get("HOSTILE_FOLDER", tempfile.gettempdir()))


class Calm:
    """Runs to the right; what the others do is added to this."""

    @property
    def name(self) -> str:
        return type(self).__name__

    def __init__(self) -> None:
        self.calls = 0
        with (HERE / "pids").open("a") as file:
            file.write(f"{os.getpid()} {os.getppid()} ")

    def reset(self, scenario: Any) -> None:
        self.scenario = scenario
        self.calls = 0

    def act(self, view: Any) -> Any:
        self.calls += 1
        return 2 if self.calls != 3 else self.attack(view)

    def attack(self, view: Any) -> Any:
        return 2


class PatchesStage(Calm):
    def __init__(self) -> None:
        super().__init__()
        import ludus.execution.stage
        from ludus.execution.episode import EpisodeEnding

        def play_nothing(*_: Any, **__: Any) -> Any:
            return EpisodeEnding.FINISHED, "", 0

        setattr(ludus.execution.stage, "play_match", play_nothing)  # noqa: B010


class PatchesEngine(Calm):
    def __init__(self) -> None:
        super().__init__()
        import ludus.games.platformer.game as game

        vars(game)["World"].step = lambda *_: 1
        vars(game)["_facts"] = lambda _: {"completion": 1.0}


class PatchesPython(Calm):
    def attack(self, view: Any) -> Any:
        json.loads = lambda *_, **__: {}
        json.dumps = lambda *_, **__: "{}"
        vars(builtins)["print"] = lambda *_: None
        return [2]


class SleepsBetween(Calm):
    def __init__(self) -> None:
        super().__init__()
        for _ in range(4):
            threading.Thread(target=self._sleep, daemon=True).start()

    def _sleep(self) -> None:
        while True:
            time.sleep(0.001)


class Pauses(Calm):
    def attack(self, view: Any) -> Any:
        from ludus.errors import Paused

        raise Paused("nobody plays any more")


class RaisesFilth(Calm):
    def attack(self, view: Any) -> Any:
        raise ValueError("a\x00b\ud800c\x1b[2J\nd" + "x" * 100_000)


class RaisesUnspeakable(Calm):
    def attack(self, view: Any) -> Any:
        class Unspeakable(BaseException):
            def __str__(self) -> str:
                raise RuntimeError

        raise Unspeakable


class Interrupts(Calm):
    def attack(self, view: Any) -> Any:
        raise KeyboardInterrupt


class Leaves(Calm):
    def attack(self, view: Any) -> Any:
        sys.exit(0)


class Recurses(Calm):
    def attack(self, view: Any) -> Any:
        return self.attack(view)


class AnswersNaN(Calm):
    def attack(self, view: Any) -> Any:
        return float("nan")


class AnswersText(Calm):
    def attack(self, view: Any) -> Any:
        return "\ud800" * 50_000


class AnswersBool(Calm):
    def attack(self, view: Any) -> Any:
        return [True, None]


class AnswersHuge(Calm):
    def attack(self, view: Any) -> Any:
        return 10**26


class AnswersDeep(Calm):
    def attack(self, view: Any) -> Any:
        answer: Any = []
        for _ in range(1000):
            answer = [answer]
        return answer


class AnswersLong(Calm):
    def attack(self, view: Any) -> Any:
        return b"x" * 2_000_000


class AnswersObject(Calm):
    def attack(self, view: Any) -> Any:
        class Number:
            def __reduce__(self) -> Any:
                return os.system, ("touch pickled",)

        return Number()


class Dies(Calm):
    def attack(self, view: Any) -> Any:
        os._exit(0)


class KillsItself(Calm):
    def attack(self, view: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


class KillsItsGroup(Calm):
    def attack(self, view: Any) -> Any:
        os.killpg(0, signal.SIGKILL)


class Stops(Calm):
    def attack(self, view: Any) -> Any:
        os.kill(os.getpid(), signal.SIGSTOP)


class Hangs(Calm):
    def attack(self, view: Any) -> Any:
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
        while True:
            time.sleep(1000)


class Hoards(Calm):
    """Asks for more memory than it may have."""

    def attack(self, view: Any) -> Any:
        resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
        return bytearray(2**31)


class ClosesEverything(Calm):
    def attack(self, view: Any) -> Any:
        os.closerange(0, 1000)


class Prints(Calm):
    def attack(self, view: Any) -> Any:
        print("\x1b[2J{" * 1000)  # noqa: T201
        os.write(1, b"\xff" * 1000)
        return 2


def _outgoing() -> list[int]:
    """The pipes to which this process can write."""
    pipes = []
    for name in os.listdir("/proc/self/fd"):
        try:
            if "pipe:" in os.readlink(f"/proc/self/fd/{name}") and int(name) > 2:
                os.write(int(name), b"")
                pipes.append(int(name))
        except OSError:
            continue
    return pipes


class WritesHalf(Calm):
    """Announces an answer and never ends it."""

    def attack(self, view: Any) -> Any:
        for pipe in _outgoing():
            os.write(pipe, struct.pack("<IIB", 100, 4, 1) + b"half")
        time.sleep(1000)


class WritesHuge(Calm):
    """Announces four gigabytes."""

    def attack(self, view: Any) -> Any:
        for pipe in _outgoing():
            os.write(pipe, struct.pack("<IIB", 2**32 - 1, 4, 1) + b"x" * 1000)
        time.sleep(1000)


class WritesJunk(Calm):
    def attack(self, view: Any) -> Any:
        for pipe in _outgoing():
            os.write(pipe, os.urandom(1000))
        time.sleep(1000)


class AnswersTwice(Calm):
    """Answers the next question before it is asked."""

    def attack(self, view: Any) -> Any:
        for pipe in _outgoing():
            for number in range(3, 40):
                os.write(pipe, struct.pack("<IIB", 9, number, 1) + b"i" + struct.pack("<q", 2))
        return 2


class SendsAnEpisode(Calm):
    """Writes the episode of a rival to every descriptor that it can find."""

    def attack(self, view: Any) -> Any:
        episode = json.dumps({"number": 0, "agent": 0, "scenario": 0, "facts": {}}).encode()
        for number in range(3, 64):
            try:
                os.set_blocking(number, False)
                os.write(number, struct.pack("<IIB", len(episode), 0, 1) + episode)
            except OSError:
                continue
        return 2


class HasChildren(Calm):
    """Starts processes of its own, in their own sessions, that would outlive it."""

    def attack(self, view: Any) -> Any:
        code = (
            "import os, time\n"
            "if os.fork() == 0:\n"
            "    os.setsid()\n"
            "    if os.fork() != 0:\n"
            "        os._exit(0)\n"
            f"open({str(HERE / 'pids')!r}, 'a').write(f'{{os.getpid()}} ')\n"
            "time.sleep(1000)\n"
        )
        subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
        time.sleep(0.3)
        os._exit(0)


class KillsOthers(Calm):
    """Signals every process that it can see, and writes down which it reached."""

    def attack(self, view: Any) -> Any:
        reached = []
        for entry in os.listdir("/proc"):
            if entry.isdigit() and int(entry) not in (1, os.getpid()):
                try:
                    environment = Path(f"/proc/{entry}/environ").read_bytes()
                    if b"HOSTILE_FOLDER=" + os.fsencode(HERE) in environment:
                        os.kill(int(entry), signal.SIGKILL)
                        reached.append(entry)
                except OSError:
                    continue
        ancestor = os.getppid()
        for _ in range(5):
            try:
                os.kill(ancestor, signal.SIGKILL)
                reached.append(str(ancestor))
            except OSError:
                break
        (HERE / "reached").write_text(" ".join(reached))
        return 2


class ReadsMemory(Calm):
    """Looks into the memory and the descriptors of its ancestors."""

    def attack(self, view: Any) -> Any:
        reached, process = [], os.getppid()
        for _ in range(6):
            for file in ("mem", *(f"fd/{number}" for number in range(64))):
                try:
                    os.close(os.open(f"/proc/{process}/{file}", os.O_RDWR | os.O_NONBLOCK))
                    reached.append(f"{process}/{file}")
                except OSError:
                    continue
            try:
                status = Path(f"/proc/{process}/stat").read_text()
            except OSError:
                break
            process = int(status.rpartition(")")[2].split()[1])
            if process <= 1:
                break
        (HERE / "reached").write_text(" ".join(reached))
        return 2


class LooksForTheMatch(Calm):
    """Walks all objects and frames for a plan, a match or the world's seed."""

    def attack(self, view: Any) -> Any:
        from ludus.execution.plan import Plan
        from ludus.execution.stage import Stage
        from ludus.games.platformer.game import PlatformerMatch

        kinds = (Plan, Stage, PlatformerMatch)
        found = [type(thing).__name__ for thing in gc.get_objects() if isinstance(thing, kinds)]
        frame: Any = sys._getframe()
        while frame:
            found += [
                type(value).__name__
                for value in frame.f_locals.values()
                if isinstance(value, kinds) or (isinstance(value, str) and '"benchmark"' in value)
            ]
            frame = frame.f_back
        (HERE / "found").write_text(" ".join([*found, f"seed={self.scenario.seed}"]))
        return 2
