from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.boards.making import Here, hero
from tests.submissions.conftest import create

from ludus.api.level_sources import day_source
from ludus.api.voting import add_clip, set_generators
from ludus.benchmarks.platformer.daily import seed_of_day
from ludus.boards import accept
from ludus.games.platformer import Level, World
from ludus.games.platformer.recordings import Recording
from ludus.games.platformer.scenario import Scenario
from ludus.runs import Run, Store, run
from ludus.web.app import create_app
from ludus.web.settings import Settings

DAY = date(2026, 11, 17)
HOSTILE = "<script>alert(1)</script>"
RIGHT = 2
TRACK = "platformer/sprint"


@dataclass(frozen=True)
class Played:
    """A store with runs that were really played.

    Attributes:
        path: Its file.
        store: The store, open.
        bundled: The run of ``platformer/bundled``.
        arena: The run of ``mario-arena/1-1``, which has several lives.
        worm: The run of two worms.
        diplomacy: The run of a game of Diplomacy, one year long.
    """

    path: Path
    store: Store
    bundled: str
    arena: str
    worm: str
    diplomacy: str


def settings(prefix: str = "", *, live: bool = True) -> Settings:
    return Settings(prefix, live, today=lambda: DAY)


def play_right() -> bytes:
    """Return the buttons of somebody who runs right until the day's level is over."""
    scenario = day_source(DAY).scenario
    return walk_right(scenario.level, scenario.mode, scenario.time_limit)[0]


def walk_right(level: Level, mode: int, time_limit: int) -> tuple[bytes, str]:
    """Return the buttons of somebody who walks right to the end, and the digest there."""
    world = World(level, mode, time_limit)
    buttons = bytearray()
    while world.status == 0:
        world.step(RIGHT)
        buttons.append(RIGHT)
    return bytes(buttons), f"{world.hash():016x}"


def add_clips(run: Run, folder: Path, store: Store) -> None:
    """Let visitors judge two agents of a run, and Ann, on its first two levels."""
    for agent in (0, 1):
        for level in (0, 1):
            add_clip(run.id, run.plan.episodes.number_of(agent, level), store=store)
    for number in (0, 1):
        scenario = Scenario.from_dict(run.plan.scenarios[number])
        buttons, _ = walk_right(scenario.level, scenario.mode, scenario.time_limit)
        file = folder / f"ann-{number}.json"
        file.write_text(json.dumps(Recording(scenario, (buttons,)).to_dict()))
        add_clip(str(file), player="Ann", is_human=True, store=store)


def furnish(played: Played, folder: Path) -> Store:
    """Return a copy of the runs, with clips to judge, generators that compete, and an event."""
    target = folder / "arena.db"
    with sqlite3.connect(played.path) as old, sqlite3.connect(target) as new:
        old.backup(new)
    old.close()
    new.close()
    store = Store(str(target))
    add_clips(store.run(played.bundled), folder, store)
    set_generators(["promp", "hopper"], seed=34, store=store)  # whoever only walks is soon done
    create(store, benchmark=TRACK, episodes=1)
    return store


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
    worms = ["gradient", "random-walk"]
    worm = run("worm/foraging-small", worms, store=store, episodes=1, executor=Here())
    year = {"against": "hold", "year": "1901"}
    game = run(
        "diplomacy/gunboat", ["easy"], store=store, episodes=1, options=year, executor=Here()
    )
    yield Played(folder / "arena.db", store, bundled.id, lives.id, worm.id, game.id)
    store.close()


@pytest.fixture(scope="session")
def client(played: Played) -> Iterator[TestClient]:
    with TestClient(create_app(played.store, settings())) as opened:
        yield opened
