"""Changes the code in small ways and says which changes no test notices.

    python scripts/mutate.py                        a sample of every module in mutation.toml
    python scripts/mutate.py stats/rating           the modules whose path holds these words
    python scripts/mutate.py --sample 0 scoring     every mutant of them

Cosmic Ray makes the mutants, one at a time and in place, so commit first. Results are kept in
build/mutation, and as long as a module is the same, the next run asks the tests only of mutants
that they have not noticed yet. The same seed draws the same sample.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import difflib
import hashlib
import math
import os
import random
import re
import resource
import signal
import sys
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import hypothesis  # noqa: F401  imported here once instead of by every mutant's tests
import numpy as np  # noqa: F401
import pydantic  # noqa: F401
import pytest
import scipy.stats  # noqa: F401
import sqlalchemy  # noqa: F401
from cosmic_ray.commands import init
from cosmic_ray.mutating import use_mutation
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkItem, WorkResult

SETTINGS = Path(__file__).with_name("mutation.toml")
RESULTS = Path("build/mutation")
PYTEST = ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider"]
WAIT = 20  # seconds on the clock for a second of work: other processes may share the machine


class Target(NamedTuple):
    """A module, the tests asked first and those asked of what they let through."""

    module: Path
    tests: list[str]
    slow: list[str]


def read_targets(settings: dict[str, Any], words: list[str]) -> Iterator[Target]:
    """Yield the modules whose path holds one of the words, or all."""
    for row in settings["targets"]:
        path = Path(row["modules"])
        for module in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            if not words or any(word in str(module) for word in words):
                yield Target(module, row["tests"], row.get("slow", []))


def untested_spans(module: Path) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where annotations, decorators and the strictness of a zip stand.

    What a run of sound code returns does not depend on them.
    """
    parts = []
    for node in ast.walk(ast.parse(module.read_text())):
        parts += [getattr(node, "annotation", None), getattr(node, "returns", None)]
        parts += getattr(node, "decorator_list", [])
        if isinstance(node, ast.keyword) and node.arg == "strict":
            parts.append(node.value)
    return [
        ((part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset))
        for part in parts
        if part is not None
    ]


def list_mutants(database: WorkDB, module: Path, operators: re.Pattern[str]) -> list[WorkItem]:
    """Return the mutants that a test could notice, in the order of the file."""
    spans = untested_spans(module)
    lines = module.read_text().splitlines()

    def counts(item: WorkItem) -> bool:
        (spec,) = item.mutations
        line, column = spec.start_pos
        marker = lines[line - 1].startswith("*,", column)  # of arguments by name, not a product
        inside = any(start <= (line, column) < end for start, end in spans)
        return bool(operators.fullmatch(spec.operator_name)) and not inside and not marker

    items = [item for item in database.work_items if counts(item)]
    return sorted(items, key=lambda item: (item.mutations[0].start_pos, str(item.mutations[0])))


def run_tests(tests: list[str], limit: int) -> int:
    """Return the exit status of the tests in a process of their own, limited in its seconds.

    The process is forked from this one, which has imported what is slow to import, so that most
    mutants cost no more than the first test that notices them.
    """
    child = os.fork()
    if child == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os._exit(pytest.main([*PYTEST, *tests]))
    killer = threading.Timer(WAIT * limit, os.killpg, (child, signal.SIGKILL))
    killer.start()
    try:
        _, status = os.waitpid(child, 0)
    finally:
        killer.cancel()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status)


def limit_tests(tests: list[str]) -> int:
    """Return the seconds that these tests may take, or stop if they fail on the code as it is."""
    start = os.times()
    if run_tests(tests, 3600):
        sys.exit(f"{' '.join(tests)}: some fail without a mutant; mend them first")
    end = os.times()
    used = end.children_user + end.children_system - start.children_user - start.children_system
    return math.ceil(10 + 5 * used)


def test_mutant(item: WorkItem, groups: list[tuple[list[str], int]]) -> WorkResult:
    """Return whether one of the groups of tests notices the mutant, and what it changes."""
    (spec,) = item.mutations
    operator = get_operator(spec.operator_name)(**spec.operator_args)
    with use_mutation(spec.module_path, operator, spec.occurrence) as (old, new):
        noticed = any(run_tests(tests, limit) for tests, limit in groups)
    diff = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
    outcome = TestOutcome.KILLED if noticed else TestOutcome.SURVIVED
    return WorkResult(WorkerOutcome.NORMAL, None, outcome, "\n".join([*diff][2:]))


def run_target(target: Target, operators: re.Pattern[str], sample: int, seed: int) -> str:
    """Test a module's mutants, those that were noticed before left out, and return a report."""
    digest = hashlib.sha256(target.module.read_bytes()).hexdigest()[:12]
    name = "-".join(target.module.with_suffix("").parts[2:])
    with use_db(RESULTS / f"{name}-{digest}.sqlite", WorkDB.Mode.create) as database:
        if not database.num_work_items:
            init([target.module], database, {})
        mutants = list_mutants(database, target.module, operators)
        drawn = mutants
        if 0 < sample < len(mutants):
            drawn = random.Random(seed).sample(mutants, sample)  # noqa: S311
        noticed = {job for job, result in database.results if result.is_killed}
        waiting = [item for item in drawn if item.job_id not in noticed]
        used = [tests for tests in (target.tests, target.slow) if tests and waiting]
        groups = [(tests, limit_tests(tests)) for tests in used]
        for item in waiting:
            database.set_result(item.job_id, test_mutant(item, groups))
        results = dict(database.results)
    left = [item for item in waiting if not results[item.job_id].is_killed]
    head = f"{len(mutants)} mutants, {len(drawn)} tried, {len(left)} not noticed"
    diffs = [f"{item.mutations[0].operator_name}\n{results[item.job_id].diff}\n" for item in left]
    return "\n".join([f"## {target.module}", head, "", *diffs])


def main() -> None:
    """Test the mutants and print the report, module by module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--sample", type=int, default=60, help="mutants a module; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # which restores the module
    for folder in ("src", "tests"):
        compileall.compile_dir(folder, quiet=1)
    sys.dont_write_bytecode = True  # mutants of one second and size would share a file
    settings = tomllib.loads(SETTINGS.read_text())
    operators = re.compile("core/(" + "|".join(settings["operators"]) + ")")
    RESULTS.mkdir(parents=True, exist_ok=True)
    targets = list(read_targets(settings, options.words))
    if not targets:
        sys.exit(f"no module of {SETTINGS.name} has {' or '.join(options.words)} in its path")
    for target in targets:
        print(run_target(target, operators, options.sample, options.seed), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
