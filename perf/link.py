"""Measures how long a referee and an agent's process take to speak with each other.

    python -m perf.link

A question of 400 bytes goes to another process, and an answer of 9 comes back: by pipes, and by
memory that both share. They take turns, a batch each; by the wall clock the best batch of each
counts, so that other work on the machine matters little. Processor time is that of both processes,
the mean of all batches. Then a file agent plays, with either, the best of the repeats; what is
shown is what a decision costs beyond one in the engine's process.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from perf.spine import FLAT, FOREIGN, decisions
from rich.console import Console
from rich.progress import track
from rich.table import Table

from ludus.agents import load
from ludus.agents.isolation import shared_channel
from ludus.benchmarks import benchmarks
from ludus.frames import Channel
from ludus.runs import make_plan

QUESTION, ANSWER = b"q" * 400, b"a" * 9
BATCH = 500
BATCHES = 200
PLAYS = 8
MOST_MICROSECONDS = 10.0
LIMIT = 2**20


class Cost(NamedTuple):
    """What something costs once, in microseconds."""

    clock: float
    processor: float


@contextmanager
def answering(shared: bool) -> Iterator[tuple[Channel | shared_channel.SharedChannel, int]]:
    """Give a channel to a process that answers every question, and that process."""
    there_in, to_there = os.pipe()
    from_there, there_out = os.pipe()
    memory = shared_channel.make_memory() if shared else None
    child = os.fork()
    if child == 0:
        for descriptor in (to_there, from_there):
            os.close(descriptor)
        _answer(shared_channel.open_channel(there_in, there_out, memory, asks=False))
    for descriptor in (there_in, there_out):
        os.close(descriptor)
    channel = shared_channel.open_channel(from_there, to_there, memory, asks=True)
    yield channel, child
    channel.send(0, 0, b"")
    os.waitpid(child, 0)
    channel.close()


def _answer(channel: Channel | shared_channel.SharedChannel) -> None:
    """Answer until a question is empty, then end this process."""
    try:
        while True:
            number, kind, question = channel.receive(LIMIT)
            if not question:
                break
            channel.send(number, kind, ANSWER)
    finally:
        os._exit(0)


def measure_batch(channel: Channel | shared_channel.SharedChannel, child: int) -> Cost:
    """Return what a round trip costs, the mean of a batch."""
    clock_of_child = (~child << 3) | 2
    processor = time.process_time() + time.clock_gettime(clock_of_child)
    clock = time.perf_counter()
    for number in range(BATCH):
        channel.send(number, 1, QUESTION, 60.0)
        channel.receive(LIMIT, 60.0)
    clock = time.perf_counter() - clock
    processor = time.process_time() + time.clock_gettime(clock_of_child) - processor
    return Cost(1e6 * clock / BATCH, 1e6 * processor / BATCH)


def measure_trips() -> tuple[Cost, Cost]:
    """Return the best round trip by pipes, and by shared memory."""
    with answering(shared=False) as by_pipe, answering(shared=True) as by_memory:
        pairs = [
            (measure_batch(*by_pipe), measure_batch(*by_memory))
            for _ in track(range(BATCHES), "Round trips", transient=True)
        ]
    clocks, processors = np.moveaxis(np.array(pairs), 2, 0)
    pipe, memory = np.stack([clocks.min(0), processors.mean(0)], 1)
    return Cost(*pipe), Cost(*memory)


def measure_decisions() -> tuple[Cost, Cost]:
    """Return what a decision costs beyond one in this process, by pipes and by shared memory."""
    benchmarks()[FLAT.id] = FLAT
    costs: dict[str, list[tuple[float, float]]] = {"here": [], "pipe": [], "memory": []}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "runner.py").write_text(FOREIGN)
        spec = f"{folder}/runner.py:Runner"
        plan = make_plan(FLAT.id, [spec], episodes=10)
        for _ in track(range(PLAYS), "Decisions", transient=True):
            costs["here"].append(decisions(plan, {0: load(spec)}))
            costs["memory"].append(decisions(plan))
            with _no_memory():
                costs["pipe"].append(decisions(plan))
    best = {name: 1e6 * np.array(values).min(0)[::-1] for name, values in costs.items()}
    return Cost(*(best["pipe"] - best["here"])), Cost(*(best["memory"] - best["here"]))


@contextmanager
def _no_memory() -> Iterator[None]:
    """Let agents be spoken to by pipes, as on systems without sealed memory."""
    kept, shared_channel.make_memory = shared_channel.make_memory, lambda: None
    try:
        yield
    finally:
        shared_channel.make_memory = kept


def main() -> None:
    """Print the table."""
    load_before = os.getloadavg()[0]
    table = Table(title="Referee and agent's process, µs", title_justify="left")
    table.add_column("", min_width=58)
    for heading in ("pipes", "shared memory", "ratio", "target", "met"):
        table.add_column(heading, justify="right")
    trips = measure_trips()
    met = "[green]yes[/]" if trips[1].clock <= MOST_MICROSECONDS else "[red]no[/]"
    for name, (pipe, memory), target in (
        ("round trip", trips, (f"{MOST_MICROSECONDS:g}", met)),
        ("added to a decision of a file agent", measure_decisions(), ("–", "–")),
    ):
        for kind, before, after in (
            ("wall clock", pipe.clock, memory.clock),
            ("processor time of both", pipe.processor, memory.processor),
        ):
            row = (f"{name}, {kind}", f"{before:.1f}", f"{after:.1f}", f"{before / after:.1f} ×")
            table.add_row(*row, *(target if kind == "wall clock" else ("–", "–")))
    console = Console(width=max(120, Console().width))
    console.print(table)
    console.print(f"Load {load_before:.1f} before, {os.cpu_count()} cores.", style="dim")


if __name__ == "__main__":
    main()
