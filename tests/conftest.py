from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
SLOW = (
    "agents/diplomacy/test_answers.py",
    "agents/diplomacy/test_llm.py",
    "agents/diplomacy/test_resume.py",
    "agents/foreign",
    "agents/isolation",
    "agents/judge",
    "agents/llm/test_endpoint.py",
    "agents/llm/test_stepwise.py",
    "agents/platformer/test_astar.py",
    "agents/platformer/test_dead_ends.py",
    "agents/platformer/test_learners.py",
    "agents/platformer/test_other_rules.py",
    "agents/platformer/test_players_2010.py",
    "agents/platformer/test_policy.py",  # compares with JAX
    "agents/platformer/test_rule_based.py",
    "agents/platformer/test_search_players.py",
    "api/test_brain_studies.py",
    "api/test_notebook.py",
    "api/test_playing.py",
    "api/test_results.py",
    "api/test_training.py",
    "attacks",
    "benchmarks/mario_arena/test_tracks.py",
    "benchmarks/nematode/test_categories.py",
    "benchmarks/nematode/test_submission.py",
    "boards/test_board.py",
    "boards/test_checked_head.py",
    "boards/test_formats.py",
    "boards/test_ledger.py",
    "boards/test_rebuild.py",
    "boards/test_seasons.py",
    "boards/test_submitting.py",
    "cli",
    "cluster",
    "conformance",
    "docs/test_c_program.py",
    "docs/test_docstrings.py",
    "docs/test_examples.py",
    "docs/test_site.py",
    "events",
    "examples",
    "execution",
    "fuzz/test_completeness.py",
    "fuzz/test_parsers.py",
    "games/diplomacy/map/test_pictures.py",
    "games/diplomacy/map/test_tables.py",
    "games/diplomacy/test_bots.py",
    "games/diplomacy/test_game.py",
    "games/diplomacy/test_table.py",
    "games/platformer/arena/test_arena.py",
    "games/platformer/generators/test_ludus.py",
    "games/platformer/generators/test_personal.py",
    "games/platformer/tasks/learning/test_learning_match.py",
    "games/platformer/test_world_properties.py",
    "games/platformer/test_world_states.py",
    "games/worm/test_properties.py",
    "learning",
    "native",
    "reports",
    "runs/test_before_versions.py",
    "runs/test_checking.py",
    "runs/test_every_benchmark.py",
    "runs/test_exchange.py",
    "runs/test_fault_score.py",
    "runs/test_in_order.py",
    "runs/test_in_order_checks.py",
    "runs/test_kill.py",
    "runs/test_lost_connection.py",
    "runs/test_ranking.py",
    "runs/test_stopping.py",
    "runs/test_streaming.py",
    "runs/test_verify.py",
    "stats/test_coverage.py",
    "submissions",
    "test_parallel.py",
    "test_testing.py",
    "web/browser",
    "web/engine",
    "web/test_api.py",
    "web/test_ghosts_and_plans.py",
    "web/test_kill.py",
    "web/test_pages.py",
    "web/test_plays.py",
    "web/test_postgres.py",
    "web/test_publishing.py",
    "web/test_sealed.py",
    "web/test_seats.py",
    "web/test_submitting.py",
    "web/test_votes.py",
)
"""Folders and files that take long or need PostgreSQL, Ray or JAX; make quick leaves them out."""
LONGEST = (
    "cluster/test_own_clusters.py",
    "cluster/test_playing.py",
    "cluster",
    "learning",
    "web",
    "native",
    "docs",
    "attacks",
    "cli",
    "runs",
)
"""The folders and files of which each worker begins with another."""
QUICK = ("cli/test_doctor.py", "cli/test_errors.py")
"""What of them is quick all the same."""

# All processes of all tests share what JAX has compiled, and the next run of the tests does, too.
os.environ.update(
    JAX_COMPILATION_CACHE_DIR=str(TESTS.parent / ".pytest_cache" / "jax"),
    JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="0",
    JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES="0",
)
# Small networks are compiled for longer than they run, and threads for them only wait.
os.environ.setdefault(
    "XLA_FLAGS", "--xla_llvm_disable_expensive_passes=true --xla_backend_optimization_level=0"
)
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# A loaded machine is no fault of a test: no example has a deadline. Every run draws other examples,
# so half of what Hypothesis would draw is enough for one.
settings.register_profile("patient", deadline=None, max_examples=50)
settings.register_profile("steady", deadline=None, max_examples=50, derandomize=True)
# In CI a merge is judged by what it changed, not by a new draw of examples.
settings.load_profile("steady" if os.environ.get("CI") else "patient")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Keep the collector from looking through thousands of tests, now and while they run."""
    gc.disable()
    outcome = yield
    gc.freeze()
    gc.enable()
    return outcome


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what ``-m 'not slow'`` leaves out."""
    is_left_out = config.option.markexpr == "not slow" and _is_listed(collection_path)
    return True if is_left_out else None


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    """Mark the slow tests, so that ``-m 'not slow'`` leaves them out, and deal them to workers."""
    for item in items:
        if _is_slow(item):
            item.add_marker(pytest.mark.slow)
    outcome = yield
    if hasattr(config, "workerinput"):
        items[:] = deal(items, config.workerinput["workercount"])
    return outcome


def deal(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Order tests so that the part of each worker begins with slow ones and ends with quick ones.

    Workers begin with parts of equal length, and who has done his part takes from the ends of the
    others. The slow tests of a folder, or of a file in LONGEST, stay together, since they share
    clusters and servers.
    """
    slow = [item for item in items if item.get_closest_marker("slow")]
    quick = [item for item in items if not item.get_closest_marker("slow")]
    parts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    slow.sort(key=_rank_folder)
    for number, (_, folder) in enumerate(groupby(slow, _rank_folder)):
        parts[number % workers] += folder
    left = len(items)
    for number, part in enumerate(parts):
        length = left // (workers - number)
        left -= length
        missing = max(0, length - len(part))
        part += quick[:missing]
        del quick[:missing]
    return [item for part in [*parts, quick] for item in part]


def _rank_folder(item: pytest.Item) -> tuple[int, str]:
    """Return where the tests of a folder stand: those that take longest come first."""
    path = item.path.relative_to(TESTS)
    for rank, longest in enumerate(LONGEST):
        if path.is_relative_to(longest):
            return rank, longest
    return len(LONGEST), path.parts[0]


def _is_slow(item: pytest.Item) -> bool:
    """Say whether a test is on the list, or asks for a PostgreSQL server."""
    asks = "postgres" in item.name or "postgres" in getattr(item, "fixturenames", ())
    return asks or _is_listed(item.path)


@cache
def _is_listed(path: Path) -> bool:
    """Say whether a folder or file is on the list; a folder with a quick file is not."""
    if any((TESTS / quick).is_relative_to(path) for quick in QUICK):
        return False
    return any(path.is_relative_to(TESTS / slow) for slow in SLOW)


@pytest.fixture(scope="session", autouse=True)
def _own_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes to the store of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_STORE", str(tmp_path_factory.mktemp("store") / "ludus.db"))
        yield
