"""The level-generation track's rules for a generator: a record and a seed in, a level out in time.

A generator runs in a process of its own, which is killed when its minute is over. One that is not
Ludus's own is confined there as agents are, where the system can do that: it reads its own folder,
writes nothing and has no network.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from ludus.agents.sandbox import confine, has_sandbox
from ludus.benchmarks.mario_ai.plain_levels import PLAIN_GENERATORS
from ludus.errors import LevelError, OptionError, clean_text, format_error
from ludus.games.platformer.formats import decode_level, encode_level
from ludus.games.platformer.generators import generate, load
from ludus.games.platformer.generators.plugins import is_file_spec
from ludus.games.platformer.levels.constraints import Constraints
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.solver import solve
from ludus.games.platformer.recordings import PlayerRecord, Recording
from ludus.games.platformer.scenario import Scenario
from ludus.processes import kill_process, start_process

__all__ = [
    "SECONDS",
    "TEST_LIVES",
    "MadeLevel",
    "check_generator",
    "make_level_for",
    "make_test_scenario",
]

SECONDS = 60.0
"""How long a generator may take."""

TEST_LIVES = 3
"""How many lives the player of a test level has."""

HEIGHT = 15
MOST_BYTES = 2**24
GOOD, BAD = b"level ", b"error "


@dataclass(frozen=True, slots=True)
class MadeLevel:
    """What a generator made for a player.

    Attributes:
        level: The level.
        seconds: How long it took, the start of the process included.
        faults: Lines on what disqualifies it: demands that it does not meet, no way through.
        solvable: The solver's word: ``solved``, ``impossible`` or ``unknown``.
    """

    level: Level
    seconds: float
    faults: tuple[str, ...]
    solvable: str


def make_test_scenario(seed: int) -> Scenario:
    """Return the test level that a judge plays first: notch, easy, with a small Mario.

    The organiser chooses the seed. There are three lives and 200 seconds for each.

    Example:
        >>> scenario = make_test_scenario(7)
        >>> scenario.level.width, scenario.level.height, scenario.mode, scenario.time_limit
        (320, 15, 0, 200)
    """
    level = generate("notch-2009", seed=seed, difficulty=0, type=0, width=320)
    return Scenario(f"test-{seed}", level, mode=0, time_limit=200, seed=seed)


def make_level_for(
    player: PlayerRecord | Recording,
    generator: str,
    seed: int = 0,
    *,
    constraints: Constraints | None = None,
    seconds: float = SECONDS,
) -> MadeLevel:
    """Let a generator make a level for a player, within its time.

    Args:
        player: The player's record, or recorded play.
        generator: A generator with an option ``profile``, one that knows no player (``ludus``,
            ``notch-2009``), or ``path.py:function``: the function gets ``profile`` and ``seed``,
            and what is demanded if it has such parameters, and returns a level or its text.
        seed: Which level of many.
        constraints: What is demanded of the level: 320 columns if None.
        seconds: How long it may take.

    Raises:
        OptionError: There is no such generator, it takes no profile, failed, or took too long.
        LevelError: What it returned is no level.
    """
    record = PlayerRecord.of(player) if isinstance(player, Recording) else player
    check_generator(generator)
    started = perf_counter()
    demanded = constraints or Constraints()
    level = _make_in_process(generator, record, seed, demanded, seconds)
    took = perf_counter() - started
    outcome = solve(level).outcome
    faults = demanded.find_faults(level)
    if level.height != HEIGHT:
        faults.append(f"{level.height} rows, {HEIGHT} are demanded")
    if outcome != "solved":
        faults.append("no way through it was found")
    return MadeLevel(level, took, tuple(faults), outcome)


def check_generator(generator: str) -> None:
    """Refuse what is no generator for players, by name or as ``path.py:function``."""
    if is_file_spec(generator):
        path = Path(generator.rpartition(":")[0])
        if not path.is_file():
            raise OptionError(f"no file {str(path)!r}: give path.py:function")
    elif generator in PLAIN_GENERATORS:
        return
    elif "profile" not in load(generator).options.model_fields:
        plain = " or ".join(PLAIN_GENERATORS)
        raise OptionError(f"{generator} takes no profile: give a generator for players, or {plain}")


def _make_in_process(
    generator: str, record: PlayerRecord, seed: int, demanded: Constraints, seconds: float
) -> Level:
    receiver, sender = Pipe(duplex=False)
    values = {**asdict(demanded), "seed": seed, "profile": record.to_json()}
    with TemporaryDirectory() as scratch:
        process = start_process(_answer, sender, generator, values, scratch)
        sender.close()
        try:
            answer = receiver.recv_bytes(MOST_BYTES) if receiver.poll(seconds) else b""
        except (EOFError, OSError):
            raise OptionError(f"{generator} ended without a level") from None
        finally:
            receiver.close()
            kill_process(process)
    if not answer:
        raise OptionError(f"{generator} took more than {seconds:g} seconds for a level")
    text = answer[len(GOOD) :].decode("utf-8", "replace")
    if not answer.startswith(GOOD):
        raise OptionError(f"{generator} made no level: {clean_text(text)}")
    try:
        return decode_level(text, "json")
    except LevelError as error:
        raise LevelError(f"{generator} returned no level: {clean_text(error)}") from None


def _answer(sender: Connection, name: str, values: Mapping[str, Any], scratch: str) -> None:
    """Make the level and send its text; what the generator prints is lost."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    try:
        if is_file_spec(name) and has_sandbox():
            _enter_sandbox(name, scratch)
        level = _make_level(name, values)
        answer = GOOD + encode_level(level.with_recipe(None), "json").encode()
    except BaseException as error:  # whatever a foreign generator raises becomes one line
        answer = BAD + clean_text(format_error(error)).encode()
    with suppress(OSError):
        sender.send_bytes(answer)


def _make_level(name: str, values: Mapping[str, Any]) -> Level:
    if name in PLAIN_GENERATORS:
        return PLAIN_GENERATORS[name](values["seed"], values["width"])
    generator = load(name)
    known = generator.options.model_fields
    values = {**values, "profile": PlayerRecord.parse(values["profile"])}
    given = {option: v for option, v in values.items() if option in known and v is not None}
    return generator(**given)


def _enter_sandbox(generator: str, scratch: str) -> None:
    folder = Path(generator.rpartition(":")[0]).resolve().parent
    listener = confine([folder], Path(scratch))
    if listener >= 0:
        os.close(listener)  # what is refused then fails, and does not wait for somebody to look
