"""Plays a few agents into a store, so that an arena has something to show.

    python scripts/make_arena.py build/arena.db

What is there already is not played again; the level of the day is, on every new day.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import ludus
from ludus.api.voting import add_clip
from ludus.benchmarks.platformer.daily import DAILY, seed_of_day
from ludus.errors import OptionError
from ludus.runs import Store
from ludus.voting.clips import list_clips

RACES = {
    "platformer/bundled": ["astar", "rule-based", "forward-jumping", "random", "idle"],
    "platformer/sprint": ["rule-based", "forward-jumping", "random"],
    "mario-arena/1-1": ["ppo-1m", "rule-based", "random"],
    "mario-ai/gameplay-ludus": ["rule-based", "forward-jumping"],
    "worm/foraging-small": ["gradient", "klinokinesis", "random-walk"],
    "diplomacy/table": ["dumb", "easy", "random"],
}
SEASON = ("platformer/sprint", ["rule-based", "forward-jumping"])
DAILY_RACES = {
    DAILY.id: ["astar", "rule-based", "forward-jumping"],
    "diplomacy/table": ["dumb", "easy"],
}
"""What is played anew on every day, so that people have somebody to compare themselves with."""

CLIPS = ["astar", "rule-based", "forward-jumping", "random"]
"""Whose play visitors of the Turing test judge; people's plays are added by an organiser."""

LEVELS = 4
RULES = "One entry a person. The fastest agent on ten levels that nobody has seen wins."


def play_race(benchmark: str, agents: list[str], seed: int, store: Store) -> None:
    """Play a race and put all on the board, unless somebody is on it."""
    if not ludus.board(benchmark, seed=seed, store=store).to_dicts():
        print(f"Playing {benchmark}: {', '.join(agents)}", flush=True)  # noqa: T201
        ludus.race(benchmark, agents, seed=seed, store=store, accept=True)


def add_clips(store: Store) -> None:
    """Let visitors judge the first levels of the race on short ones."""
    if list_clips(store):
        return
    run = next(run for run in store.runs() if run.benchmark == "platformer/bundled")
    names = [source.name for source in run.plan.agents]
    for agent in CLIPS:
        for level in range(LEVELS):
            number = run.plan.episodes.number_of(names.index(agent), level)
            with suppress(OptionError):  # too short to be judged
                add_clip(run.id, number, store=store)


def hold_season(store: Store) -> None:
    """Play a sealed season, whose seed stays secret."""
    track, agents = SEASON
    name = f"{datetime.now(UTC).year}-season"
    if name not in {season.name for season in ludus.seasons(store=store)}:
        print(f"Playing season {name} of {track}", flush=True)  # noqa: T201
        ludus.start_season(track, name, store=store)
        ludus.play_season(name, agents, store=store)


def open_cup(store: Store) -> None:
    """Open a competition that takes entries for a month."""
    if not ludus.list_events(store=store):
        print("Opening an event", flush=True)  # noqa: T201
        deadline = datetime.now(UTC) + timedelta(days=30)
        ludus.create_event(
            "platformer/sprint", "sprint-cup", deadline=deadline, rules=RULES, store=store
        )


def main() -> None:
    """Play all races."""
    file = Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    store = Store(str(file))
    for benchmark, agents in RACES.items():
        play_race(benchmark, agents, 0, store)
    for benchmark, agents in DAILY_RACES.items():
        play_race(benchmark, agents, seed_of_day(datetime.now(UTC).date()), store)
    hold_season(store)
    add_clips(store)
    open_cup(store)
    store.close()


if __name__ == "__main__":
    main()
