"""Work that all cores of this machine share, with its results in order and its memory bounded."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Any, TypeVar

from ludus.errors import OptionError, StoreError
from ludus.processes import kill_process, start_process

__all__ = ["ProcessPool", "count_cores", "map_in_processes", "map_sharing"]

WAITING = 4
"""So many results for each process may wait for an earlier one."""

ALONE_SECONDS = 1.0
"""So long one process works alone: it takes others about as long to start."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def count_cores(workers: int | None = None) -> int:
    """Return how many processes to use: as many as asked for, or one for each core.

    Raises:
        OptionError: Less than one was asked for.
    """
    if workers is not None and workers < 1:
        raise OptionError(f"{workers} workers are too few: give 1 or more")
    if hasattr(os, "sched_getaffinity"):
        return workers or len(os.sched_getaffinity(0))
    return workers or os.cpu_count() or 1


def map_in_processes(
    prepare: Callable[..., Callable[[Item], Result]],
    arguments: Sequence[Any],
    items: Iterable[Item],
    workers: int,
) -> Iterator[Result]:
    """Yield what a function makes of every item, in the order of the items.

    Items are taken as they are needed, so there may be any number of them.

    Args:
        prepare: A function of a module; each process calls it once, for the function to use.
        arguments: What ``prepare`` is called with: plain values.
        items: What the function is called with: plain values.
        workers: How many processes there are.

    Raises:
        StoreError: A process died, or cannot be started.
    """
    pool = ProcessPool(prepare, arguments, workers)
    try:
        yield from pool.map(items)
    finally:
        pool.close()


def map_sharing(
    prepare: Callable[..., Callable[[Item], Result]],
    arguments: Sequence[Any],
    items: Iterable[Item],
    workers: int,
) -> Iterator[Result]:
    """Yield what :func:`map_in_processes` does; what takes a second at most, this process does."""
    waiting, function, started = iter(items), prepare(*arguments), monotonic()
    for item in waiting:
        yield function(item)
        if workers > 1 and monotonic() - started > ALONE_SECONDS:
            break
    for first in waiting:
        yield from map_in_processes(prepare, arguments, chain([first], waiting), workers)


@dataclass
class _Worker:
    """A process and the number of the item that it works on."""

    process: BaseProcess
    link: Connection
    number: int = -1


class ProcessPool:
    """Processes that call a function with items, for as long as it is not closed.

    Args:
        prepare: A function of a module; each process calls it once, for the function to use.
        arguments: What ``prepare`` is called with: plain values.
        workers: How many processes there are.

    Raises:
        StoreError: A process cannot be started.
    """

    def __init__(self, prepare: Callable[..., Any], arguments: Sequence[Any], workers: int) -> None:
        self._workers: list[_Worker] = []
        self._results: dict[int, Any] = {}
        try:
            for _ in range(workers):
                self._workers.append(_start(prepare, arguments))
        except BaseException:
            self.close()
            raise
        self._idle = list(self._workers)

    def map(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the results in the order of the items; loop to the end before the next call.

        Raises:
            StoreError: A process died.
        """
        first = 0
        for number, item in enumerate(items):
            while not self._idle or number - first >= WAITING * len(self._workers):
                self._receive()
                while first in self._results:
                    yield self._results.pop(first)
                    first += 1
            self._send(self._idle.pop(), number, item)
        while len(self._idle) < len(self._workers):
            self._receive()
        yield from (self._results.pop(number) for number in sorted(self._results))

    def close(self) -> None:
        """End every process."""
        for worker in self._workers:
            worker.link.close()
            kill_process(worker.process)

    def _send(self, worker: _Worker, number: int, item: Any) -> None:
        worker.number = number
        with suppress(OSError):  # if it died meanwhile, its link says so
            worker.link.send(item)

    def _receive(self) -> None:
        """Wait for a result, or for several.

        A process gets its next item only when its result was read: neither waits for the other.
        """
        busy = {worker.link: worker for worker in self._workers if worker not in self._idle}
        for link in wait(list(busy)):
            worker = busy[link]  # type: ignore[index]  # these are the links
            try:
                error, result = worker.link.recv()
            except (EOFError, OSError) as problem:
                raise StoreError("a process of this machine died: try again") from problem
            if error is not None:
                raise error
            self._results[worker.number] = result
            self._idle.append(worker)


def _start(prepare: Callable[..., Any], arguments: Sequence[Any]) -> _Worker:
    link, far = Pipe()
    process = start_process(_work, far, prepare, tuple(arguments))
    far.close()
    return _Worker(process, link)


def _work(link: Connection, prepare: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Answer items until the link closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal signals the caller too, who ends this
    with suppress(EOFError, OSError):
        function: Callable[[Any], Any] | None = None
        while True:
            item = link.recv()
            try:
                function = function or prepare(*arguments)
                answer: tuple[Exception | None, Any] = (None, function(item))
            except Exception as error:  # the caller raises it
                answer = error, None
            link.send(answer)
