"""Measures the arena as visitors meet it: large boards, many requests at once, the first page.

    python -m perf.web

A server of its own is asked on the loopback, and everything is on this machine: the server, the
visitors and Chromium share its cores. So the processor time of the server is given as well, which
other work on the machine changes less than it changes rates.
"""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import tempfile
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import urlopen

from rich.console import Console
from rich.table import Table
from tests.boards.making import Here
from tests.web.browser.chromium import open_chromium
from tests.web.conftest import add_clips
from tests.web.live_server import LiveServer, TuringVisitor, start_server
from tests.web.test_pages import accepted

from ludus.benchmarks.platformer.daily import seed_of_day
from ludus.boards import accept, board
from ludus.boards.ledger import append_events
from ludus.runs import Store, run
from ludus.web.settings import Settings

ENTRIES = 10_000
CONNECTIONS = 64
REQUESTS = 2_000
MOST_SECONDS = 6.0
"""After so long a row of requests ends, also on a machine that is busy with other things."""
BOARD = "/boards/platformer/bundled/seed-0/"
MOST_FIRST_BYTE, MOST_BYTES, MOST_HOME = 0.100, 300_000, 1.0
LEAST_RATE, MOST_P99, MOST_CPU = 500, 0.100, 0.0015
VISITORS = 20
"""As many as may begin to vote from one address within an hour."""


def fill(folder: Path) -> str:
    """Play what the arena shows, put 10,000 entries on a board, and return the store's file."""
    store = Store(str(folder / "arena.db"))
    played = run("platformer/bundled", ["forward-jumping", "random"], store=store, executor=Here())
    accept(played.id, store, by="perf")
    add_clips(store.run(played.id), folder, store)
    seed = seed_of_day(Settings().today())
    daily = run("platformer/daily", ["forward-jumping"], store=store, seed=seed, executor=Here())
    accept(daily.id, store, by="perf")
    best = board("platformer/bundled", store).rows[0].entry
    append_events(store, lambda _: [accepted(best, number) for number in range(ENTRIES - 2)])
    store.close()
    return str(folder / "arena.db")


# ---- one request


def time_page(server: LiveServer, path: str) -> tuple[float, float, int]:
    """Return the seconds until the first byte of a page, the server's of them, and its size."""
    connection = HTTPConnection(urlsplit(server.address).netloc, timeout=120)
    connection.connect()
    used, begin = read_cpu(server), perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    first, used = perf_counter() - begin, read_cpu(server) - used
    body = answer.read()
    assert answer.status == 200, path
    connection.close()
    return first, used, len(body)


def read_cpu(server: LiveServer) -> float:
    """Return the seconds of processor time that a server has used."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def time_home(address: str) -> float:
    """Return the seconds until Chromium, its cache cold, has the first page ready to use."""
    with open_chromium() as browser:
        page = browser.new_page()
        page.goto(address, wait_until="load")
        timing = "performance.getEntriesByType('navigation')[0].domInteractive / 1000"
        return float(page.evaluate(timing))


# ---- many requests


async def visit(address: str, paths: Iterator[str], times: list[float], bad: list[str]) -> None:
    """Ask for one path after the other on one connection."""
    host = urlsplit(address)
    reader, writer = await asyncio.open_connection(host.hostname, host.port)
    for path in paths:
        begin = perf_counter()
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host.netloc}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        await reader.readexactly(int(length[1]) if length else 0)
        times.append(perf_counter() - begin)
        if not head.startswith(b"HTTP/1.1 200") or not length:
            bad.append(f"{path}: {head[:40]!r}")
    writer.close()
    await writer.wait_closed()


class Load(NamedTuple):
    """What many requests met: requests a second, 99th percentile, server's time each, failures."""

    rate: float
    slow: float
    cpu: float
    bad: int


async def load(server: LiveServer, path: str) -> Load:
    """Ask for one path on all connections at once."""
    times, bad = list[float](), list[str]()
    used, begin = read_cpu(server), perf_counter()
    paths = repeat_until(path, begin + MOST_SECONDS)
    await asyncio.gather(*(visit(server.address, paths, times, bad) for _ in range(CONNECTIONS)))
    seconds, used = perf_counter() - begin, read_cpu(server) - used
    slow = statistics.quantiles(times, n=100)[98]
    return Load(len(times) / seconds, slow, used / len(times), len(bad))


def repeat_until(path: str, end: float) -> Iterator[str]:
    """Yield a path as often as it is asked for, or until the time is over."""
    for _ in range(REQUESTS):
        if perf_counter() > end:
            return
        yield path


# ---- votes


def cast_votes(address: str) -> int:
    """Let visitors vote beside each other until all clips are judged; return votes confirmed."""
    visitors = [TuringVisitor(address) for _ in range(VISITORS)]

    async def vote_all() -> None:
        await asyncio.gather(*(asyncio.to_thread(one.vote) for one in visitors))

    asyncio.run(vote_all())
    return sum(one.confirmed for one in visitors)


def count_stored(file: str) -> int:
    """Return how many votes a store has."""
    from ludus.api.voting import export_votes

    with tempfile.TemporaryDirectory() as folder:
        return export_votes("turing", Path(folder) / "votes.jsonl", store=file)


# ---- tables


def mark(text: str, good: bool) -> str:
    """Return a figure, marked if it misses its aim."""
    return text if good else f"{text} !"


def main() -> None:
    """Print what visitors meet; a figure that misses its aim is marked."""
    console = Console()
    with tempfile.TemporaryDirectory() as name:
        file = fill(Path(name))
        with start_server(file) as server:
            console.print(measure_pages(server))
            console.print(measure_load(server))
            confirmed = cast_votes(server.address)
        stored = count_stored(file)
        console.print(mark(f"Votes: {confirmed} confirmed, {stored} stored", confirmed == stored))


def measure_pages(server: LiveServer) -> Table:
    """Return how fast single pages are, the first of them right after the server has started."""
    title = f"A board of {ENTRIES:,} entries"
    table = Table("page", "first byte, ms", "server's CPU, ms", "bytes", title=title)
    pages = {"its first page, first visit": BOARD, "page 50, new": f"{BOARD}page/50/"}
    for name, path in {**pages, "page 50, again": f"{BOARD}page/50/", "home": "/"}.items():
        first, used, size = time_page(server, path)
        table.add_row(
            name,
            mark(f"{1000 * first:,.0f}", first <= MOST_FIRST_BYTE),
            mark(f"{1000 * used:,.0f}", used <= MOST_FIRST_BYTE),
            mark(f"{size:,}", size <= MOST_BYTES),
        )
    home = min(time_home(server.address) for _ in range(3))
    table.add_row("home, interactive", mark(f"{1000 * home:,.0f}", home <= MOST_HOME))
    return table


def measure_load(server: LiveServer) -> Table:
    """Return how many requests are answered, and how late."""
    title = f"{CONNECTIONS} connections, {REQUESTS:,} requests or {MOST_SECONDS:.0f} s each row"
    table = Table("what", "requests/s", "p99, ms", "CPU each, ms", "errors", title=title)
    for path in find_paths(server):
        found = asyncio.run(load(server, path))
        table.add_row(
            shorten(path),
            mark(f"{found.rate:,.0f}", found.rate >= LEAST_RATE),
            mark(f"{1000 * found.slow:,.0f}", found.slow <= MOST_P99),
            mark(f"{1000 * found.cpu:.2f}", found.cpu <= MOST_CPU),
            mark(str(found.bad), not found.bad),
        )
    return table


def find_paths(server: LiveServer) -> list[str]:
    """Return an address of each kind that visitors ask for."""
    run = re.findall(r"runs/([0-9a-f]{8}-[0-9a-f]{8})/", read_text(server, "/runs/"))[-1]
    day = Settings().today()
    return [
        *("/static/style.css", "/", BOARD, "/api/v1/boards.json", f"/api/v1/days/{day}.json"),
        *(f"/runs/{run}/", f"/runs/{run}/episodes/0/", "/events/", "/play/"),
        f"/api/v1/runs/{run}/episodes/0/replay.json",
    ]


def read_text(server: LiveServer, path: str) -> str:
    """Return a page."""
    with urlopen(f"{server.address}{path}", timeout=120) as answer:
        return str(answer.read().decode())


def shorten(path: str) -> str:
    """Return an address without the name of its run, which is long."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f]{8}", "RUN", path)


if __name__ == "__main__":
    main()
