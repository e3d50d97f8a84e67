"""The parsers of foreign files, one line each: its name, valid inputs, and how it is called.

A parser takes bytes and a folder to write files to. Whoever adds one adds a line to PARSERS, and
the functions that it covers to COVERED; a test holds both against the sources.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.fuzz import making

from ludus.agents.checkpoint import read_checkpoint
from ludus.agents.diplomacy.prompts import read_prompts
from ludus.agents.llm.prices import read_prices
from ludus.agents.llm.reading import find_json
from ludus.agents.platformer.policy import Policy
from ludus.agents.worm.brain import TrainedBrain
from ludus.api.human_plays import add_human_play
from ludus.api.level_sources import find_level_source
from ludus.array_files import NotArrays, read_arrays
from ludus.benchmarks.diplomacy.folders import read_folder
from ludus.benchmarks.mario_ai.vote_files import read_votes
from ludus.benchmarks.nematode.submission import read_submission
from ludus.benchmarks.registry import find_benchmark
from ludus.benchmarks.score_files import score_files
from ludus.benchmarks.submitting import ReadSubmission
from ludus.boards.board import build_board
from ludus.boards.formats import board_to_dict, to_csv, to_html, to_latex, to_markdown
from ludus.boards.ledger import find_broken_line
from ludus.boards.ledger_files import read_ledger_file
from ludus.boards.submitting import check_submission
from ludus.errors import LudusError
from ludus.events.archives import read_archive
from ludus.events.terms import read_event_file
from ludus.execution.episode import Episode
from ludus.execution.plan import Plan
from ludus.foreign_files import UnreadableFile
from ludus.games.diplomacy.saved_games import read_saved_game
from ludus.games.game import find_game
from ludus.games.platformer.formats import decode_level, read_level
from ludus.games.platformer.levels.level import Level, Recipe
from ludus.games.platformer.recordings.recording import read_recording
from ludus.games.worm.training.records import read_record, unpack_actions
from ludus.games.worm.training.session import read_session
from ludus.json_files import NotJson, parse_json, read_json
from ludus.learning.curve_folder import read_curve
from ludus.learning.folder import TrainingFolder
from ludus.learning.mario_ai.practice import METHODS, player_class
from ludus.learning.worm.reference_config import read_config
from ludus.runs import score_file
from ludus.runs.exchange import read_run
from ludus.web.multipart import parse_form


@dataclass(frozen=True)
class Parser:
    """One way that a foreign file comes in.

    Attributes:
        name: What it parses.
        make_seeds: Returns valid inputs; it may write to the folder.
        parse: Parses an input; it may write to the folder.
        errors: All that may come out of it.
        lines: Whether its messages may have several lines.
        slow: Whether an input takes so long that ``make fuzz`` gives it fewer.
    """

    name: str
    make_seeds: Callable[[Path], list[bytes]]
    parse: Callable[[bytes, Path], object]
    errors: tuple[type[BaseException], ...] = field(default=(LudusError,))
    lines: bool = False
    slow: bool = False


def _as_file(name: str, read: Callable[[Path], object]) -> Callable[[bytes, Path], object]:
    """Return a parser of bytes, of one that reads a file of this name."""

    def parse(data: bytes, folder: Path) -> object:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return read(file)

    return parse


def _as_text(read: Callable[[str], object]) -> Callable[[bytes, Path], object]:
    return lambda data, _: read(data.decode("utf-8", "surrogateescape"))


def _as_json(read: Callable[[Any], object]) -> Callable[[bytes, Path], object]:
    """Return a parser of bytes, of one that takes the values of JSON."""

    def parse(data: bytes, _: Path) -> object:
        try:
            return read(parse_json(data))
        except NotJson:
            return None

    return parse


def _seeds(*values: Any) -> Callable[[Path], list[bytes]]:
    return lambda _: [one if isinstance(one, bytes) else json.dumps(one).encode() for one in values]


# ---- what the games take


def _scenario(game: str) -> Callable[[bytes, Path], object]:
    def read(values: Any) -> object:
        if not isinstance(values, dict):
            return None  # a plan holds objects alone
        scenario = find_game(game).parse_scenario(values)
        return find_game(game).replay(scenario, b"")

    return _as_json(read)


def _record(game: str) -> Callable[[bytes, Path], object]:
    scenario = cache(lambda: find_game(game).parse_scenario(making.scenarios(game)[0]))
    return lambda data, _: find_game(game).replay(scenario(), data)


def _restored_world(data: bytes, _: Path) -> object:
    world = making.small_world()
    world.restore_state(data)
    return world.step(0)


# ---- checkpoints, trainings, submissions


def _agent(file: Path) -> object:
    kind, arrays = read_checkpoint(file)
    makers: dict[str, Any] = {"policy": Policy, "brain": TrainedBrain}
    if kind in METHODS:
        makers[kind] = player_class(kind)
    return makers[kind].from_checkpoint(arrays) if kind in makers else None


def _settings(file: Path) -> object:
    from ludus.learning.platformer.settings import Course
    from ludus.learning.worm.experiment import Experiment

    folder = TrainingFolder(file.parent.parent)
    values = folder.settings()
    family = folder.family
    folder.made_with()
    return (Experiment if family == "nematode" else Course).from_dict(values)


def _training_checkpoint(file: Path) -> object:
    return TrainingFolder(file.parent.parent).read_checkpoint(0)


def _submission(file: Path) -> object:
    submission, problems = read_submission(file.parent)
    sent = None if submission is None else making.submitted(submission)
    return check_submission(ReadSubmission(sent, problems))


# ---- runs and ledgers, sealed again as a forger would


def _forged_run(data: bytes, folder: Path) -> object:
    return making.import_and_verify(making.seal_run(data, folder / "forged.jsonl"))


def _forged_ledger(data: bytes, folder: Path) -> object:
    events = read_ledger_file(making.seal_ledger(data, folder / "forged-ledger.jsonl"))
    board = build_board(find_benchmark(making.SMALL), events)
    return [write(board) for write in (board_to_dict, to_csv, to_html, to_latex, to_markdown)]


def _ledger(file: Path) -> object:
    return find_broken_line(read_ledger_file(file))


SCORED = "platformer/bundled"
REPLAYED = ("platformer", "arena", "worm", "worm-colony", "worm-training")
GAME = "lmvsgame.json"
LEVEL = b"M---o--g--F\n-----------\nXXXXXXXXXXX\n"
DOCUMENT = making.level_document()
NOT_PLAIN = (ValueError, TypeError, KeyError)

PARSERS = (
    Parser(
        "json", _seeds({"a": [1, {"b": "c"}], "d": 1.5}), lambda d, _: parse_json(d), (NotJson,)
    ),
    Parser("json file", _seeds({"a": [1]}), _as_file("x.json", read_json), (NotJson,)),
    Parser(
        "arrays", lambda f: [making.arrays(f)], _as_file("x.npz", read_arrays), (NotArrays, OSError)
    ),
    Parser("policy checkpoint", lambda f: [making.policy(f)], _as_file("policy.npz", _agent)),
    Parser("brain checkpoint", lambda f: [making.brain(f)], _as_file("brain.npz", _agent)),
    Parser(
        "policy to start from",
        lambda f: [making.policy(f)],
        _as_file("start.npz", making.grow_policy),
    ),
    *(
        Parser(
            f"{method} checkpoint",
            lambda f, method=method: [making.learned(method)],  # type: ignore[misc]
            _as_file(f"{method}.npz", _agent),
        )
        for method in METHODS
    ),
    Parser("recording of play", _seeds(making.recording()), _as_file("r.json", read_recording)),
    Parser("votes", lambda f: making.votes(), _as_file("votes.jsonl", read_votes)),
    Parser("event", lambda f: [making.event_file()], _as_file("cup.json", read_event_file)),
    Parser(
        "form with a file",
        _seeds(making.form()),
        lambda d, _: parse_form("multipart/form-data; boundary=xx", d),
    ),
    Parser(
        "archive of an entry",
        lambda f: making.archives(),
        lambda d, _: read_archive(d),
        (UnreadableFile,),
    ),
    Parser("level text", _seeds(LEVEL, making.settings_line() + LEVEL), _as_text(decode_level)),
    Parser("level map", _seeds(making.map_text()), _as_text(decode_level)),
    Parser("level record", _seeds(making.map_record()), _as_json(Level.from_record)),
    Parser("level document", _seeds(DOCUMENT), _as_text(partial(decode_level, format="json"))),
    Parser("level vglc", _seeds(b"--\nXX\n"), _as_text(partial(decode_level, format="vglc"))),
    Parser(
        "level file",
        _seeds(LEVEL, making.settings_line() + LEVEL),
        _as_file("level.txt", read_level),
    ),
    Parser("level document file", _seeds(DOCUMENT), _as_file("level.json", read_level)),
    Parser("recipe", _seeds(making.recipe()), _as_text(Recipe.from_json)),
    Parser("run file", lambda f: [making.run_file(f).read_bytes()], _as_file("r.jsonl", read_run)),
    Parser("forged run", lambda f: making.unsealed_run(f), _forged_run),
    Parser("plan", lambda f: [making.plan(f)], _as_text(Plan.from_json)),
    Parser("episode", lambda f: [making.episode(f)], lambda d, _: Episode.from_json(d), NOT_PLAIN),
    Parser("ledger file", lambda f: [making.ledger_file(f)], _as_file("ledger.jsonl", _ledger)),
    Parser("forged ledger", lambda f: [making.unsealed_ledger(f)], _forged_ledger),
    Parser(
        "rows of columns",
        _seeds(b"agent,x,coins,ticks\nme,1,2,3\nyou,2,,4\n", making.rows_csv()),
        _as_file("rows.csv", lambda f: score_file(find_benchmark(SCORED), f)),
    ),
    Parser(
        "rows of JSON",
        lambda f: [making.rows_json(), making.run_file(f).read_bytes()],
        _as_file("rows.jsonl", lambda f: score_file(find_benchmark(SCORED), f)),
    ),
    Parser(
        "rows of the arena",
        _seeds(making.arena_json()),
        _as_file("arena.jsonl", lambda f: score_files("mario-arena", f)),
    ),
    Parser(
        "columns of the arena",
        _seeds(making.arena_csv()),
        _as_file("arena.csv", lambda f: score_files("mario-arena", f)),
    ),
    Parser("session", lambda f: making.sessions(), _as_file("session.json", read_session)),
    Parser(
        "scores of sessions",
        lambda f: making.sessions(),
        _as_file("scored/0000.json", lambda f: score_files("nematode", f.parent)),
    ),
    Parser(
        "submission",
        lambda f: making.sessions(),
        _as_file("sent/0000.json", _submission),
        lines=True,
    ),
    Parser(
        "note of a submission",
        lambda f: [making.note(f)],
        _as_file("noted/submission.json", _submission),
        lines=True,
    ),
    Parser(
        "claim of a submission",
        lambda f: [making.claim(f)],
        _as_file("claimed/submission.json", making.show_claim),
    ),
    Parser("configuration", lambda f: making.configs(), _as_file("config.yml", read_config)),
    Parser("record of a training", _seeds(making.training_record()), lambda d, _: read_record(d)),
    Parser("actions of a training", _seeds(making.packed_actions()), _as_text(unpack_actions)),
    Parser("saved game", lambda f: [making.saved_game()], _as_json(read_saved_game)),
    Parser(
        "scores of games",
        lambda f: [making.saved_game()],
        _as_file(f"games/{GAME}", lambda f: score_files("diplomacy", f)),
    ),
    Parser(
        "overview of a game",
        _seeds({"max_year": 1925, "FRANCE": "gpt"}),
        _as_file("beside/overview.jsonl", making.read_beside),
    ),
    Parser(
        "calls of a game",
        _seeds(b"power,response_type,success\nFRANCE,order,TRUE\nITALY,plan,Failure: x\n"),
        _as_file("beside/llm_responses.csv", making.read_beside),
    ),
    Parser(
        "log of a game",
        _seeds(b"Phase S1901M took 12.5s\nPhase F1901M took 3s\n"),
        _as_file("beside/general_game.log", making.read_beside),
    ),
    Parser(
        "folder of games",
        lambda f: [making.saved_game()],
        _as_file(f"folder/gpt-baseline/{GAME}", lambda f: read_folder(f.parent.parent)),
    ),
    Parser("prices", _seeds(b"[models]\nx = [1.0, 2]\n"), making.fresh_file("p.toml", read_prices)),
    Parser(
        "prompts",
        _seeds(b"You are $power until $end_year. $$5 $press\n"),
        _as_file("prompts/system.txt", lambda f: read_prompts(str(f.parent))),
    ),
    Parser("answer of a model", _seeds(b'So: {"orders": ["A PAR H",]}'), _as_text(find_json)),
    Parser(
        "settings of a training",
        lambda f: making.settings_files(),
        _as_file("training/progress/settings.json", _settings),
    ),
    Parser(
        "checkpoint of a training",
        lambda f: [making.training_checkpoint(f)],
        _as_file("training/progress/0000.npz", _training_checkpoint),
    ),
    Parser(
        "curve of a training",
        _seeds(b'{"seed": 0, "steps": 9}\n{"seed": 1, "steps": 9}\n'),
        _as_file("curved/curve.jsonl", lambda f: read_curve(f.parent)),
    ),
    *(
        Parser(f"scenario of {game}", partial(making.scenario_seeds, game), _scenario(game))
        for game in (*REPLAYED, "mario-ai", "mario-ai-learning")
    ),
    Parser(
        "scenario of a guest",
        lambda f: making.guest_scenarios(),
        _as_json(lambda values: find_game("guest").parse_scenario(making.plain(values))),
    ),
    Parser(
        "scenario of diplomacy",
        partial(making.scenario_seeds, "diplomacy"),
        _as_json(lambda values: find_game("diplomacy").parse_scenario(making.plain(values))),
    ),
    *(
        Parser(f"record of {game}", partial(making.records, game), _record(game))
        for game in (*REPLAYED, "mario-ai", "mario-ai-learning")
    ),
    Parser(
        "record of diplomacy",
        partial(making.records, "diplomacy"),
        _record("diplomacy"),
        slow=True,
    ),
    Parser(
        "source of a level",
        _seeds(b"generator=ludus&seed=7&difficulty=3&length=60", b"level=1-1", b"day=2026-11-17"),
        _as_text(find_level_source),
        slow=True,
    ),
    Parser(
        "play of a level",
        lambda f: [making.whole_play()],
        lambda data, folder: add_human_play(making.PLAYED, data),
    ),
    Parser("state of a world", lambda f: [making.small_world().clone_state()], _restored_world),
)
