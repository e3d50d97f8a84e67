"""The judge of one process: runs an agent's functions and says what each call has cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ludus.agents.judge.loading import JudgedCode
from ludus.agents.judge.preparing import take_control
from ludus.agents.judge.replaced import wait_for_threads

__all__ = ["Judge", "Judgement", "ProfileLine", "judge_call", "sum_lines"]

MOST_BLOCKS = 1 << 20


class Judgement(NamedTuple):
    """What became of one call.

    Attributes:
        result: What it returned; None if it was over its budget.
        units: What it has used.
        over: Whether it was stopped because its budget was used up.
    """

    result: Any
    units: int
    over: bool


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """What a line of an agent has used.

    Attributes:
        file: The file it stands in.
        function: The function it stands in.
        line: Its first line in the file.
        entered: How often it was entered.
        units: What it has used in all, with what it called in C and in the engine.
    """

    file: str
    function: str
    line: int
    entered: int
    units: int


class Judge:
    """Counts what calls into an agent's code use. A process has one, since it has one counter.

    Args:
        code: The agent's code, which is loaded by it.
        profile: Whether to find out where the agent spends its budget; the code has to know.
    """

    def __init__(self, code: JudgedCode, *, profile: bool = False) -> None:
        self._control = take_control()
        self._control.reset(None)
        self._control.profile(MOST_BLOCKS if profile else 0)
        self.code = code

    def run(self, budget: int | None, function: Callable[..., Any], *args: Any) -> Judgement:
        """Call a function of the agent with a budget, or without one if it is None.

        The call lasts until all threads have ended that it has started. Afterwards nothing of the
        agent's can run before the next one. What the function raises is raised, unless the budget
        is used up.
        """
        self._control.reset(budget)
        result, failure = None, None
        try:
            result = function(*args)
        except BaseException as error:
            failure = error
        wait_for_threads()
        units = self._control.read()
        self._control.close()
        return judge_call(budget, units, result, failure)

    def profile(self) -> list[ProfileLine]:
        """Return where the budget went, the dearest blocks first."""
        return sum_lines(self._list_hits())

    def _list_hits(self) -> Iterator[ProfileLine]:
        for number, hits, by_size in self._control.hits():
            block = self.code.blocks[number]
            units = hits * block.cost + by_size
            yield ProfileLine(Path(block.file).name, block.function, block.line, hits, units)


def judge_call(
    budget: int | None, units: int, result: Any, failure: BaseException | None
) -> Judgement:
    """Return what became of a call; raise what it raised, unless its budget is used up."""
    over = budget is not None and units > budget
    if failure is not None and not over:
        raise failure
    return Judgement(None if over else result, units, over)


def sum_lines(blocks: Iterable[ProfileLine]) -> list[ProfileLine]:
    """Return what each line has used in all its blocks, the dearest first."""
    entered: dict[tuple[str, str, int], int] = defaultdict(int)
    units: dict[tuple[str, str, int], int] = defaultdict(int)
    for block in blocks:
        place = block.file, block.function, block.line
        entered[place] = max(entered[place], block.entered)
        units[place] += block.units
    lines = [ProfileLine(*place, entered[place], units[place]) for place in units]
    return sorted(lines, key=lambda line: (-line.units, line.file, line.line))
