"""Measures the arena as visitors meet it: large boards, many requests at once, the first page.

    python -m perf.web

A server of its own is asked on the loopback, and everything is on this machine: the server, the
visitors and Chromium share its cores.
"""

from __future__ import annotations

import asyncio
import re
import statistics
import tempfile
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter, sleep
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table
from tests.boards.making import Here
from tests.web.browser.chromium import open_chromium
from tests.web.conftest import add_clips
from tests.web.live_server import TuringVisitor, start_server
from tests.web.test_pages import accepted

from ludus.benchmarks.platformer.daily import seed_of_day
from ludus.boards import accept, board
from ludus.boards.ledger import append_events
from ludus.runs import Store, run
from ludus.web.settings import Settings

ENTRIES = 10_000
CONNECTIONS = 64
REQUESTS = 2_000
BOARD = "/boards/platformer/bundled/seed-0/"
MOST_FIRST_BYTE, MOST_BYTES, MOST_HOME = 0.100, 300_000, 1.0
LEAST_RATE, MOST_P99 = 500, 0.100
PATIENCE = 60.0
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


def time_page(address: str, path: str) -> tuple[float, int]:
    """Return the seconds until the first byte of a page, and its size."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=120)
    begin = perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    first = perf_counter() - begin
    body = answer.read()
    assert answer.status == 200, path
    connection.close()
    return first, len(body)


def wait_until_warm(address: str) -> None:
    """Wait until the server has drawn the board that takes longest."""
    begin = perf_counter()
    while time_page(address, BOARD)[0] > MOST_FIRST_BYTE and perf_counter() - begin < PATIENCE:
        sleep(0.2)


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


async def load(address: str, path: str) -> tuple[float, float, int]:
    """Return requests a second, the 99th percentile of their times, and how many failed."""
    times, bad = list[float](), list[str]()
    paths = iter([path] * REQUESTS)
    begin = perf_counter()
    await asyncio.gather(*(visit(address, paths, times, bad) for _ in range(CONNECTIONS)))
    seconds = perf_counter() - begin
    return len(times) / seconds, statistics.quantiles(times, n=100)[98], len(bad)


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
            console.print(measure_pages(server.address))
            console.print(measure_load(server.address))
            confirmed = cast_votes(server.address)
        stored = count_stored(file)
        console.print(mark(f"Votes: {confirmed} confirmed, {stored} stored", confirmed == stored))


def measure_pages(address: str) -> Table:
    """Return how fast single pages are."""
    table = Table("page", "first byte, ms", "bytes", title=f"A board of {ENTRIES:,} entries")
    wait_until_warm(address)
    for name, path in (("its first page", BOARD), ("page 50, new", f"{BOARD}page/50/")):
        first, size = min(time_page(address, path) for _ in range(1 if "new" in name else 5))
        table.add_row(
            name,
            mark(f"{1000 * first:,.0f}", first <= MOST_FIRST_BYTE),
            mark(f"{size:,}", size <= MOST_BYTES),
        )
    home = min(time_home(address) for _ in range(3))
    table.add_row("home, interactive", mark(f"{1000 * home:,.0f}", home <= MOST_HOME), "")
    return table


def measure_load(address: str) -> Table:
    """Return how many requests are answered, and how late."""
    title = f"{CONNECTIONS} connections, {REQUESTS:,} requests each row"
    table = Table("what", "requests/s", "p99, ms", "errors", title=title)
    for path in ("/static/style.css", "/api/v1/boards.json", BOARD, "/"):
        rate, slow, bad = asyncio.run(load(address, path))
        table.add_row(
            path,
            mark(f"{rate:,.0f}", rate >= LEAST_RATE),
            mark(f"{1000 * slow:,.0f}", slow <= MOST_P99),
            mark(str(bad), not bad),
        )
    return table


if __name__ == "__main__":
    main()
