"""Recorded and random plays of every rule set, as the pages' engine is asked to play them.

    python -m tests.web.engine.plays

plays every recording of the conformance tests in node and compares every row; with the word
``chromium`` behind it, in Chromium.
"""

from __future__ import annotations

import base64
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from zlib import crc32

from tests.conformance import recordings, traces
from tests.web.browser.chromium import EngineTab, open_chromium
from tests.web.engine.node import Engines, Node

from ludus.games.platformer import Level, World, replay, trace_row
from ludus.games.platformer.generators import generate
from ludus.games.platformer.options_2010 import Options2010
from ludus.games.platformer.scenario import level_to_dict

ELEMENTS: dict[str, Any] = {
    "ladders": 40,
    "moving_platforms": 40,
    "switches": 30,
    "keys": 30,
    "puzzles": 20,
}


@dataclass(frozen=True)
class Play:
    """Buttons on a level, and the digests of the rows that must come out.

    Attributes:
        name: Which recording it is.
        level: Where it happens.
        actions: The buttons of every tick.
        read_rows: Returns a digest of every row, that of the start first.
        options: How the world begins.
    """

    name: str
    level: Level
    actions: bytes
    read_rows: Callable[[], list[int]]
    options: dict[str, Any]

    @property
    def rows(self) -> list[int]:
        """The digests of all rows."""
        return self.read_rows()

    @property
    def question(self) -> dict[str, Any]:
        """What the page's engine is asked."""
        actions = base64.b64encode(self.actions).decode()
        return {"level": level_to_dict(self.level), "actions": actions, **self.options}

    @property
    def world(self) -> World:
        """The native engine's world after the last tick."""
        return replay(self.level, self.actions, **self.options)


def digest_row(world: World) -> int:
    """Return the digest of a world as a row of a recording."""
    return crc32(",".join(trace_row(world).values()).encode())


def framework_plays(step: int) -> Iterator[Play]:
    """Yield every ``step``-th recording of the rules ``framework``."""
    for number in range(0, len(traces.names()), step):
        trace = traces.load(number)
        yield Play(
            trace.name,
            Level.parse(trace.level),
            bytes(trace.columns["act"][1:].tolist()),
            partial(digest_lines, trace),
            {
                "mode": trace.mode,
                "time_limit": trace.timer,
                "kill_events": [list(event) for event in trace.kill],
            },
        )


def digest_lines(trace: traces.Trace) -> list[int]:
    """Return the digest of every row of a recording."""
    lines = [line for line in traces.text_lines(trace) if not line.startswith("#")][1:]
    return [crc32(line.split(",", 2)[2].encode()) for line in lines]


def plays_2009(step: int) -> Iterator[Play]:
    """Yield every ``step``-th recording of the competition of 2009."""
    for run in recordings.load("2009.xz")[0][::step]:
        header = run.header
        options = {"mode": int(header["mode"]), "time_limit": int(header["timelimit"])}
        level = Level.from_record(run.level)
        yield Play(run.name, level, run.actions[1:], run.rows.tolist, options)


def plays_2010(step: int) -> Iterator[Play]:
    """Yield every ``step``-th recording of the benchmark of 2010."""
    for run in recordings.load("2010.xz")[0][::step]:
        text = run.header["opts"]
        level = Level.from_record(run.level).with_options(text)
        parsed = Options2010.parse(text)
        options = {"mode": parsed.mode, "time_limit": parsed.time_limit}
        yield Play(run.name, level, run.actions[1:], run.rows.tolist, options)


def ludus_plays(count: int) -> Iterator[Play]:
    """Yield random plays of the rules ``ludus``, which nobody else has: the native engine's."""
    chance = random.Random(17)
    for seed in range(count):
        physics: dict[str, Any] = {"gravity": 0.7, "ice": 0.05} if seed % 3 == 2 else {}
        level = generate("ludus", seed=seed, difficulty=seed % 9, **ELEMENTS, **physics)
        options: dict[str, Any] = {"mode": seed % 3, "time_limit": level.time_limit}
        world = World(level, **options)
        actions, rows = bytearray(), [digest_row(world)]
        while world.status == 0 and len(actions) < 400:
            buttons = chance.choice((2, 2, 10, 26, 18, 16, 0, 4, 1))
            for _ in range(chance.randint(1, 12)):
                if world.status == 0:
                    world.step(buttons)
                    actions.append(buttons)
                    rows.append(digest_row(world))
        assert level.rules == "ludus"
        yield Play(f"ludus-{seed}", level, bytes(actions), rows.copy, options)


def find_difference(play: Play, engines: Engines) -> str | None:
    """Play in node or a browser and describe the first difference, or return None."""
    found, rows = engines.ask("play", **play.question), play.rows
    pairs = zip(found["rows"], rows, strict=False)
    first = next((n for n, (row, wanted) in enumerate(pairs) if row != wanted), None)
    if first is not None:
        return f"{play.name}: row {first} differs"
    if len(found["rows"]) != len(rows):
        return f"{play.name}: {len(found['rows'])} rows instead of {len(rows)}"
    if found["digest"] != f"{play.world.hash():016x}":
        return f"{play.name}: the state's digest differs"
    return None


def all_plays(step: int = 1) -> Iterator[Play]:
    """Yield every ``step``-th recording of each rule set, and random plays of ``ludus``."""
    yield from framework_plays(step)
    yield from plays_2009(step)
    yield from plays_2010(step)
    yield from ludus_plays(max(60 // step, 6))


def compare_all(engines: Engines) -> int:
    """Play everything, print what differs, and return how many plays do."""
    plays, rows, failed = 0, 0, 0
    for play in all_plays():
        difference = find_difference(play, engines)
        plays, rows, failed = plays + 1, rows + len(play.actions) + 1, failed + bool(difference)
        if difference:
            sys.stdout.write(f"{difference}\n")
    sys.stdout.write(f"{plays} plays, {rows:,} rows, {failed} differ\n")
    return failed


def main(words: Sequence[str]) -> int:
    """Compare in node or in Chromium."""
    if list(words) == ["chromium"]:
        with open_chromium() as browser:
            return 1 if compare_all(EngineTab(browser)) else 0
    node = Node()
    failed = compare_all(node)
    node.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
