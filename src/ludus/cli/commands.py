"""The commands of Ludus itself, in the order and the panels of ``ludus --help``.

Each line repeats the first sentence of its command's docstring, so that the help need not import
the command; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.benchmarks.families import families
from ludus.benchmarks.family import Command
from ludus.cli.mounting import MountedCommand

__all__ = ["all_commands"]

START, PLAY, CHECK, LOOK, FILES = "Begin here", "Play", "Check", "Look", "Exchange"

OPEN_OPTIONS = {"ignore_unknown_options": True}
"""For commands whose last argument may hold options that only a benchmark knows."""

FAMILY_OPTIONS = {**OPEN_OPTIONS, "allow_extra_args": True, "help_option_names": []}
"""For commands that hand all their words to a family's own command."""


def all_commands() -> list[MountedCommand]:
    """Return the commands of Ludus, then those that families add."""
    added = [command for family in families().values() for command in family.commands]
    return [*COMMANDS, *(MountedCommand(command, FILES) for command in added)]


def _mount(
    panel: str, name: str, target: str, summary: str, settings: Mapping[str, Any] | None = None
) -> MountedCommand:
    return MountedCommand(Command(name, f"ludus.cli.{target}", summary), panel, settings or {})


COMMANDS = (
    _mount(
        START,
        "demo",
        "dispatch:demo",
        "Show what Ludus does: players race, and a table and a picture come of it.",
        FAMILY_OPTIONS,
    ),
    _mount(START, "new", "new:new", "Begin something of your own."),
    _mount(
        START,
        "agents",
        "lists:agents",
        "List the agents that can be named, and of one game what can be trained for it.",
    ),
    _mount(
        START,
        "benchmarks",
        "lists:benchmarks",
        "List the benchmarks, or tell how one is played, scored and ranked.",
    ),
    _mount(
        START,
        "doctor",
        "doctor:doctor",
        "Show versions, extras, sandbox layers and the engine's build.",
    ),
    _mount(
        PLAY,
        "run",
        "play:run",
        "Play agents through a benchmark and keep every episode.",
        OPEN_OPTIONS,
    ),
    _mount(
        PLAY,
        "race",
        "play:race",
        "Play agents against each other and watch the standings while they play.",
        OPEN_OPTIONS,
    ),
    _mount(
        PLAY,
        "resume",
        "play:resume",
        "Play what a run still lacks; games that take long go on where they were left.",
    ),
    _mount(
        PLAY,
        "train",
        "dispatch:train",
        "Train for a benchmark; what comes of it can be raced like any agent.",
        FAMILY_OPTIONS,
    ),
    _mount(PLAY, "runs", "stored_runs:runs", "List the runs, the newest first."),
    _mount(PLAY, "show", "stored_runs:show_run", "Show a run's standings."),
    _mount(
        PLAY,
        "delete",
        "stored_runs:delete",
        "Forget a run and its episodes, unless it is on a board or counts in an event.",
    ),
    _mount(PLAY, "board", "board:board", "Show a ranking, or see to it."),
    _mount(
        PLAY,
        "season",
        "season:season",
        "Hold a sealed season: its seed is secret until it is revealed, so nobody learns it by "
        "heart.",
    ),
    _mount(
        PLAY,
        "event",
        "event:event",
        "Hold a competition: a call, entries, a run on a sealed seed, results that anybody checks.",
    ),
    _mount(
        PLAY,
        "account",
        "account:account",
        "See to the accounts of organisers and submitters; nobody else needs one.",
    ),
    _mount(
        PLAY,
        "worker",
        "worker:worker",
        "Play what was submitted to events, in the sandbox; several workers may share a store.",
    ),
    _mount(
        PLAY,
        "submit",
        "dispatch:submit",
        "Train many times and put the result on the board, or submit a folder of trainings.",
        FAMILY_OPTIONS,
    ),
    _mount(
        CHECK,
        "verify",
        "check:verify",
        "Play every record of a run again and compare all it says; exit code 1 if something "
        "differs.",
    ),
    _mount(
        CHECK,
        "check",
        "preflight:check",
        "Play an agent in the sandbox and the limits of an organiser; exit code 1 if it fails.",
        OPEN_OPTIONS,
    ),
    _mount(
        CHECK,
        "judge",
        "judge:judge",
        "Count an agent's work and show where it goes, beside a benchmark's budget.",
    ),
    _mount(
        CHECK,
        "trust",
        "trust:trust",
        "Look at the code that an imported run names, and agree to run it.",
    ),
    _mount(CHECK, "explain", "check:explain", "Show what the score of an episode is made of."),
    _mount(
        CHECK,
        "replay",
        "check:replay",
        "Play an episode's record again; show what happens, or draw it.",
    ),
    _mount(
        CHECK,
        "prompt",
        "prompt:prompt",
        "Print what a language model would be asked at a step of an episode, with its tokens.",
    ),
    _mount(CHECK, "compare", "check:compare", "Compare agents on the scenarios that both played."),
    _mount(
        CHECK,
        "plot",
        "plot:plot",
        "Draw runs of one benchmark: scores, performance profile, progress, who beats whom.",
    ),
    _mount(
        LOOK,
        "play",
        "serve:play",
        "Play a level in your browser: keyboard, touch or gamepad.",
        OPEN_OPTIONS,
    ),
    _mount(
        LOOK,
        "serve",
        "serve:serve",
        "Show boards, replays and levels in a browser.",
    ),
    _mount(
        LOOK,
        "publish",
        "serve:publish",
        "Write boards, entries and replays as a folder of pages for any web host.",
    ),
    _mount(FILES, "export", "files:export", "Write a run to a file."),
    _mount(
        FILES,
        "import",
        "files:import_",
        "Take in a run that was exported elsewhere, or what a submission of others claims.",
    ),
    _mount(
        FILES,
        "score",
        "files:score",
        "Score episodes that somebody else played; what has a fault is named and not counted.",
    ),
)
