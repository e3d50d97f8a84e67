"""Plays a few agents into a store, so that an arena has something to show.

    python scripts/make_arena.py build/arena.db

What is there already is not played again; the level of the day is, on every new day.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import ludus
from ludus.benchmarks.platformer.daily import DAILY, seed_of_day
from ludus.runs import Store

RACES = {
    "platformer/bundled": ["astar", "rule-based", "forward-jumping", "random", "idle"],
    "platformer/sprint": ["rule-based", "forward-jumping", "random"],
    "worm/foraging-small": ["gradient", "klinokinesis", "random-walk"],
}
RACERS = ["astar", "rule-based", "forward-jumping"]


def play_race(benchmark: str, agents: list[str], seed: int, store: Store) -> None:
    """Play a race and put all on the board, unless somebody is on it."""
    if not ludus.board(benchmark, seed=seed, store=store).to_dicts():
        print(f"Playing {benchmark}: {', '.join(agents)}", flush=True)  # noqa: T201
        ludus.race(benchmark, agents, seed=seed, store=store, accept=True)


def main() -> None:
    """Play all races."""
    file = Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    store = Store(str(file))
    for benchmark, agents in RACES.items():
        play_race(benchmark, agents, 0, store)
    play_race(DAILY.id, RACERS, seed_of_day(datetime.now(UTC).date()), store)
    store.close()


if __name__ == "__main__":
    main()
