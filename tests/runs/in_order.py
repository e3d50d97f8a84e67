"""A benchmark whose levels are played in order, agents that carry something over, and their runs.

`python -m tests.runs.in_order STORE RUN` resumes a run in a process of its own, to be killed.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.runs.small import SMALL

from ludus.benchmarks import benchmarks

IN_ORDER = replace(SMALL, id="test/in-order", in_order=True, episodes=5)
RIGHT, JUMP = 2, 16


def register() -> None:
    benchmarks()[IN_ORDER.id] = IN_ORDER


def spec_of(agent: type) -> str:
    return f"{Path(__file__)}:{agent.__name__}"


class Carries:
    """Presses buttons by the number of decisions since it was made, over all levels."""

    name = "carries"

    def __init__(self) -> None:
        self.decisions = 0
        self.level = ""

    def reset(self, scenario: Any) -> None:
        self.level = scenario.name

    def act(self, view: Any) -> int:
        self.decisions += 1
        return RIGHT | JUMP * (self.decisions // 7 % 3 == 0) if self.decisions % 100 else 0


class Slow(Carries):
    name = "slow"

    def reset(self, scenario: Any) -> None:
        super().reset(scenario)
        time.sleep(0.05)


class Remembering(Carries):
    """Says what it carries over; notes every level that it is shown in the file of its variant."""

    name = "remembering"

    def __init__(self, variant: str = "") -> None:
        super().__init__()
        self.log = variant

    def reset(self, scenario: Any) -> None:
        super().reset(scenario)
        with open(self.log, "a", encoding="utf-8") as file:
            file.write(f"{scenario.name}\n")

    def memory(self) -> Any:
        return {"decisions": self.decisions}

    def recall(self, memory: Any) -> None:
        self.decisions = memory["decisions"]


class Misremembers(Carries):
    """Claims to have nothing to carry over."""

    name = "misremembers"

    def memory(self) -> Any:
        return {}

    def recall(self, memory: Any) -> None: ...


class Forgetful(Carries):
    """Plays by chance that nobody seeds, so it never plays the same twice."""

    name = "forgetful"

    def act(self, view: Any) -> int:
        return RIGHT | JUMP * (os.urandom(1)[0] % 2)


class Raises(Carries):
    """Raises in the middle of the third level."""

    name = "raises"

    def act(self, view: Any) -> int:
        action = super().act(view)
        if self.level == "small 2" and view.tick > 20:
            raise ValueError("the third level is too much")
        return action


class Exits(Carries):
    """Ends its process in the middle of the third level."""

    name = "exits"

    def act(self, view: Any) -> int:
        if self.level == "small 2" and view.tick > 20:
            os._exit(3)
        return super().act(view)


if __name__ == "__main__":
    from ludus.execution.local import LocalExecutor
    from ludus.runs.running import resume
    from ludus.runs.store import Store

    register()
    resume(sys.argv[2], store=Store(sys.argv[1]), executor=LocalExecutor(2))
