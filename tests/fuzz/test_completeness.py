"""Every function that parses what others wrote is fuzzed, or named here as none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz import making, parsers

SOURCES = Path(__file__).parents[2] / "src"
NAMES = re.compile(
    r"(read|load|decode|unpack|restore)_\w+|parse\w*|decode|unpack|restore|from_checkpoint"
    r"|(\w+_)?from_(json|dict|saved)|import_run|find_json"
)

REACHED = {
    "ludus.benchmarks.diplomacy.records": "scores of games",
    "ludus.boards.ledger_files": "ledger file",
    "ludus.games.diplomacy.packing": "record of diplomacy",
    "ludus.games.diplomacy.saved_games": "saved game, record of diplomacy",
    "ludus.games.platformer.formats.vglc": "level vglc",
    "ludus.games.worm.colony.game": "record of worm-colony",
    "ludus.games.worm.colony.scenario": "scenario of worm-colony",
    "ludus.games.worm.colony.task": "scenario of worm-colony",
    "ludus.games.worm.colony.world": "states, which tests/native/colony_soup.h forges",
    "ludus.games.worm.game": "record of worm",
    "ludus.games.worm.training.reference_files": "session, scores of sessions",
    "ludus.games.worm.training.session": "session",
    "ludus.json_files": "json, rows of JSON",
    "ludus.agents.platformer.genetic_programming": "genetic-programming checkpoint",
    "ludus.events.event": "forged ledger",
    "ludus.events.terms": "event",
    "ludus.games.platformer.tasks.actions": "record of mario-ai",
    "ludus.agents.diplomacy.answers": "find_json is what reads answers; texts are cleaned",
    "ludus.agents.llm.held_actions": "find_json is what reads answers; its own tests have nonsense",
    "ludus.agents.platformer.words": "words of an answer, which find_json has read",
    "ludus.agents.worm.words": "words of an answer, which find_json has read",
    "ludus.games.model_calls": "forged run, whose episodes hold calls",
    "ludus.agents.diplomacy.memory": "a checkpoint of our own, beside the store",
    "ludus.agents.worm.brains": "brain checkpoint",
    "ludus.benchmarks.diplomacy.protocols": "scores of games: read_game reads positions",
    "ludus.benchmarks.nematode.letter": "session: it plays the actions of one that was read",
    "ludus.benchmarks.nematode.sessions": "scores of sessions",
    "ludus.benchmarks.nematode.submitting": "submission",
    "ludus.benchmarks.nematode.trainings": "submission: the task that a session names",
    "ludus.benchmarks.rows": "rows of columns, rows of JSON",
    "ludus.boards.claims": "forged ledger, which holds a claim",
    "ludus.boards.entry": "forged ledger",
    "ludus.boards.head": "ledger file",
    "ludus.boards.history": "forged ledger",
    "ludus.execution.checking": "forged run: what it checks is an episode of the plan",
    "ludus.execution.scenarios": "plan, forged run",
    "ludus.execution.sealing": "plan",
    "ludus.foreign_files": "json file and all that read files",
    "ludus.games.diplomacy.recording": "record of diplomacy",
    "ludus.games.platformer.formats.document": "level document",
    "ludus.games.sticky_actions": "scenario of arena",
    "ludus.games.worm.task": "scenario of worm",
    "ludus.learning.worm.session_folder": "checkpoint of a training",
    "ludus.learning.worm.yaml_files": "configuration",
    "ludus.reports.worm_plots": "scores of sessions",
}
"""Modules whose parsers are reached through others, with the parser that does so."""

NONE = {
    "ludus.api.families.brain_memory": "words of the user",
    "ludus.games.option_kinds": "options of the user",
    "ludus.games.diplomacy.board": "states, which tests/native/diplomacy_soup.c forges",
    "ludus.games.diplomacy.game": "a checkpoint of our own, beside the store",
    "ludus.agents.foreign": "frames between processes, damaged in its own tests; specs of the user",
    "ludus.agents.platformer.cuckoo_search": "arrays that a checkpoint of a training holds",
    "ludus.agents.platformer.generations": "arrays that a checkpoint of a training holds",
    "ludus.agents.platformer.imitation": "arrays that a checkpoint of a training holds",
    "ludus.agents.platformer.learner": "a promise, not a function",
    "ludus.agents.platformer.neuro_evolution": "arrays that a checkpoint of a training holds",
    "ludus.agents.platformer.q_learning": "arrays that a checkpoint of a training holds",
    "ludus.agents.platformer.realm": "what a player sees",
    "ludus.agents.isolation": "frames between processes, fuzzed where they are read",
    "ludus.agents.judge.own_code": "modules of Ludus",
    "ludus.agents.llm.model_file": "a file of the user's own, damaged in its own tests",
    "ludus.agents.llm.spec": "words of the user",
    "ludus.agents.llm.stepwise": "words of the user",
    "ludus.execution.restoring": "a checkpoint of our own, beside the store",
    "ludus.agents.loading": "code that the user names",
    "ludus.benchmarks.building": "a figure of facts",
    "ludus.benchmarks.mario_arena.environments": "words of the user",
    "ludus.boards.checked_head": "a file of our own, beside the store; nonsense is no head",
    "ludus.boards.ledger": "the store",
    "ludus.boards.seasons": "the store",
    "ludus.boards.signing": "keys of the user",
    "ludus.cli": "words of the user",
    "ludus.context": "words of the user",
    "ludus.contract": "a promise, not a function",
    "ludus.events.unpacking": "files that were checked when they were entered",
    "ludus.execution.inflight": "a file of our own, beside the store; nonsense is none",
    "ludus.execution.queue": "the store",
    "ludus.games.diplomacy.codec": "frames between processes",
    "ludus.games.diplomacy.match": "a checkpoint of our own, beside the store",
    "ludus.games.diplomacy.players": "names of bots",
    "ludus.games.diplomacy.records": "a phase's name",
    "ludus.games.diplomacy.table": "a checkpoint of our own, beside the store",
    "ludus.games.game": "a promise, not a function",
    "ludus.games.observation_codec": "frames between processes",
    "ludus.games.platformer.codec": "frames between processes",
    "ludus.games.platformer.environments": "words of the user",
    "ludus.games.platformer.generators": "code that the user names",
    "ludus.games.platformer.tasks.codec": "frames between processes",
    "ludus.games.platformer.tasks.learning.game": "frames; a checkpoint of our own",
    "ludus.games.worm.codec": "frames between processes",
    "ludus.games.worm.colony.observation": "frames between processes",
    "ludus.games.worm.world": "states of its own",
    "ludus.learning.mario_ai.training": "arrays that a checkpoint of a training holds",
    "ludus.learning.platformer.evolution": "arrays that a checkpoint of a training holds",
    "ludus.learning.platformer.ppo": "arrays that a checkpoint of a training holds",
    "ludus.learning.platformer.practice": "arrays that a checkpoint of a training holds",
    "ludus.learning.platformer.training": "arrays that a checkpoint of a training holds",
    "ludus.learning.setting": "words of the user",
    "ludus.learning.worker": "files of our own",
    "ludus.learning.worm.loading": "code that the user names",
    "ludus.reports.diplomacy_games": "the store",
    "ludus.reports.run_plots": "the store",
    "ludus.reports.success_plots": "the store",
    "ludus.reports.training_curves": "the store",
    "ludus.runs": "the store",
    "ludus.web.boards": "addresses, which its own tests forge",
    "ludus.web.entries": "addresses, which its own tests forge",
    "ludus.voting.clips": "the store",
    "ludus.web.generation": "plays and votes, which its own tests forge",
    "ludus.web.play": "addresses and plays, which its own tests forge",
    "ludus.web.replays": "addresses, which its own tests forge",
    "ludus.web.runs": "the store",
    "ludus.web.seats": "the store",
    "ludus.web.settings": "words of the user",
    "ludus.web.events": "the store",
    "ludus.web.static_files": "files of Ludus",
    "ludus.web.submitting": "the store",
    "ludus.web.trainings": "folders of our own",
    "ludus.web.turing": "votes, which its own tests forge",
}
"""Modules whose functions of such names take nothing that comes from a file of others."""


def find_parsers() -> Iterator[tuple[str, str]]:
    """Yield the module and the name of every public function that is named like a parser."""
    for file in sorted(SOURCES.rglob("*.py")):
        module = ".".join(file.relative_to(SOURCES).with_suffix("").parts)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and NAMES.fullmatch(node.name):
                yield module.removesuffix(".__init__"), node.name


def test_every_parser_is_fuzzed_or_named() -> None:
    table = "".join(Path(str(part.__file__)).read_text() for part in (parsers, making))
    known = (*REACHED, *NONE)
    missing = [
        f"{module}.{name}"
        for module, name in find_parsers()
        if not re.search(rf"\b{name}\b", table)
        and not any(module == one or module.startswith(f"{one}.") for one in known)
    ]
    assert missing == []


def test_what_is_named_is_there() -> None:
    modules = {module for module, _ in find_parsers()}
    gone = [
        one
        for one in (*REACHED, *NONE)
        if not any(module == one or module.startswith(f"{one}.") for module in modules)
    ]
    assert gone == []
