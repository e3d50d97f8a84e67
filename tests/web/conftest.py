from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.boards.making import Here, hero

from ludus.api.level_sources import day_source
from ludus.benchmarks.platformer.daily import seed_of_day
from ludus.boards import accept
from ludus.games.platformer import World
from ludus.runs import Store, run
from ludus.web.app import create_app
from ludus.web.settings import Settings

DAY = date(2026, 11, 17)
HOSTILE = "<script>alert(1)</script>"
RIGHT = 2


@dataclass(frozen=True)
class Played:
    """A store with runs that were really played.

    Attributes:
        path: Its file.
        store: The store, open.
        bundled: The run of ``platformer/bundled``.
        arena: The run of ``mario-arena/1-1``, which has several lives.
        worm: The run of a worm, which no page can play.
    """

    path: Path
    store: Store
    bundled: str
    arena: str
    worm: str


def settings(prefix: str = "", *, live: bool = True) -> Settings:
    return Settings(prefix, live, today=lambda: DAY)


def play_right() -> bytes:
    """Return the buttons of somebody who runs right until the day's level is over."""
    scenario = day_source(DAY).scenario
    world = World(scenario.level, scenario.mode, scenario.time_limit)
    buttons = bytearray()
    while world.status == 0:
        world.step(RIGHT)
        buttons.append(RIGHT)
    return bytes(buttons)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("web")
    store = Store(str(folder / "arena.db"))
    agents = ["forward-jumping", "random", hero(folder, "fast", HOSTILE)]
    bundled = run("platformer/bundled", agents, store=store, executor=Here())
    accept(bundled.id, store, by="a test", why="for pages")
    daily = ["forward-jumping"]
    seed = seed_of_day(DAY)
    accept(
        run("platformer/daily", daily, store=store, seed=seed, executor=Here()).id,
        store,
        by="a test",
    )
    lives = run("mario-arena/1-1", ["random"], store=store, episodes=1, executor=Here())
    worm = run("worm/foraging-small", ["gradient"], store=store, episodes=1, executor=Here())
    yield Played(folder / "arena.db", store, bundled.id, lives.id, worm.id)
    store.close()


@pytest.fixture(scope="session")
def client(played: Played) -> Iterator[TestClient]:
    with TestClient(create_app(played.store, settings())) as opened:
        yield opened
