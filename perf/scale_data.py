"""Stores, ledgers and files of any size, as runs would leave them, made in minutes not in weeks.

Every record is a real one: each scenario is played once, and all agents share what came of it.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ludus.agents import AgentSource, find
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.platformer.sprint import SPRINT
from ludus.boards.changes import draft
from ludus.boards.entry import BoardEntry, make_entries
from ludus.boards.ledger import (
    LedgerDraft,
    LedgerEventKind,
    insert_events,
    seal_events,
)
from ludus.boards.ledger_files import export_ledger
from ludus.execution.stage import Stage
from ludus.runs import Plan, ScoredEpisode, Store, make_plan
from ludus.runs.exchange import run_to_lines
from ludus.runs.running import score_episode
from ludus.runs.store import make_run_id

BENCHMARK = SPRINT.id
PLAYER = "forward-jumping"
AGENTS = 100
BOARDS = 25
START = datetime(2026, 1, 1, tzinfo=UTC)
COLUMNS = (
    "run, number, agent, scenario, ending, reason, record, facts, total, parts, steps, seconds"
)


def play_scenarios(count: int) -> tuple[Plan, list[ScoredEpisode]]:
    """Return the plan of one agent and everything it played."""
    plan = make_plan(BENCHMARK, [PLAYER], episodes=count)
    stage = Stage(plan)
    played = [score_episode(SPRINT, stage.play(planned)) for planned in plan.episodes]
    stage.close()
    return plan, played


def name_agents(count: int, word: str = "agent") -> tuple[AgentSource, ...]:
    """Return so many agents, all of the same code."""
    source = find(PLAYER, "platformer")
    return tuple(AgentSource(source.spec, f"{word} {k}", source.fingerprint) for k in range(count))


# ---- a store


def fill_store(path: Path, episodes: int, small_runs: int = 0, *, spread: bool = True) -> None:
    """Make a store of one large run and many small ones.

    Args:
        path: The file.
        episodes: How many the large run has.
        small_runs: How many small ones there are, of ten episodes each.
        spread: Whether totals differ from agent to agent as in life; then the run does not verify.
    """
    plan, played = play_scenarios(max(episodes // AGENTS, SPRINT.episodes))
    store = Store(str(path))
    large = store.add(replace(plan, agents=name_agents(AGENTS)))
    few = replace(make_plan(BENCHMARK, [PLAYER]), agents=name_agents(1))
    small = [store.add(few).id for _ in range(small_runs)]
    store.close()
    with sqlite3.connect(path) as connection:
        marks = ", ".join("?" * len(COLUMNS.split(", ")))
        statement = f"INSERT INTO episodes ({COLUMNS}) VALUES ({marks})"
        connection.executemany(statement, _rows(large.id, AGENTS, played, spread))
        for run in small:
            connection.executemany(statement, _rows(run, 1, played[: SPRINT.episodes]))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def _rows(
    run: str, agents: int, played: Sequence[ScoredEpisode], spread: bool = False
) -> Iterator[tuple[Any, ...]]:
    for one in played:
        episode = one.episode
        facts, parts = json.dumps(episode.facts), json.dumps(one.score.parts)
        for agent in range(agents):
            number = episode.scenario * agents + agent
            total = float((7919 * number + 31 * agent) % 1001 if spread else one.score.total)
            yield (
                *(run, number, agent, episode.scenario, str(episode.ending), episode.reason),
                *(episode.record, facts, total, parts, episode.steps, 0.01),
            )


# ---- ledgers


def fill_board(path: Path, agents: int) -> None:
    """Make a store whose board has so many agents, each accepted once."""
    drafts = (_accepted(entry) for entry in _entries(agents))
    _write_ledger(path, drafts)


def fill_ledger(path: Path, lines: int) -> None:
    """Make a store whose ledger has so many lines: four for every agent, on 25 boards."""
    _write_ledger(path, _history(lines))


def _history(lines: int) -> Iterator[LedgerDraft]:
    kinds = LedgerEventKind
    for number, entry in enumerate(_entries(-(-lines // 4))):
        old = replace(entry, seed=number % BOARDS)
        new = replace(old, run=f"{number:08x}-ffffffff")
        yield from [
            _accepted(old),
            draft(kinds.VERIFIED, SPRINT, old, "perf", "replayed"),
            draft(kinds.SUPERSEDED, SPRINT, old, "perf", f"run {new.run} is better"),
            _accepted(new),
        ]


def _accepted(entry: BoardEntry) -> LedgerDraft:
    return draft(LedgerEventKind.ACCEPTED, SPRINT, entry, "perf", "", complete=True)


def _entries(count: int) -> Iterator[BoardEntry]:
    """Yield entries whose scores differ by chance, but not much."""
    plan, played = play_scenarios(SPRINT.episodes)
    store = Store("sqlite://")
    run = store.add_run(make_run_id(plan), START, plan, played)
    (entry,) = make_entries(run, store.episodes(run.id))
    draw = random.Random(0)
    for number in range(count):
        skill = draw.gauss(500, 150)
        scores = {k: int(min(max(draw.gauss(skill, 100), 0), 1000)) for k in range(SPRINT.episodes)}
        mean = sum(scores.values()) / len(scores)
        headline = entry.summary.headline._replace(value=mean, low=mean - 60, high=mean + 60)
        summary = replace(
            entry.summary, agent=f"agent {number}", headline=headline, scores=dict(scores)
        )
        yield replace(entry, run=f"{number:08x}-00000000", summary=summary)


def _write_ledger(path: Path, drafts: Iterator[LedgerDraft]) -> None:
    store = Store(str(path))
    insert_events(store, list(seal_events(drafts, None)))
    store.close()


# ---- files


def write_files(folder: Path, count: int) -> None:
    """Write so many runs of one agent each as files, and the ledger that accepted them."""
    folder.mkdir(exist_ok=True)
    plan, played = play_scenarios(SPRINT.episodes)
    store = Store("sqlite://")
    drafts: list[LedgerDraft] = []
    benchmark = find_benchmark(BENCHMARK)
    template: BoardEntry | None = None
    for number, agent in enumerate(name_agents(count)):
        one = replace(plan, agents=(agent,))
        run = store.add_run(make_run_id(one), START + timedelta(minutes=number), one, played)
        scored = store.episodes(run.id)
        lines = list(run_to_lines(run, scored))
        (folder / f"{number:06d}.jsonl").write_text("".join(f"{line}\n" for line in lines))
        if template is None:
            (template,) = make_entries(run, scored)
        entry = replace(
            template,
            run=run.id,
            created=run.created.isoformat(timespec="seconds"),
            identity=run.identity,
            digest=json.loads(lines[-1])["digest"],
            summary=replace(template.summary, agent=agent.name),
        )
        drafts.append(draft(LedgerEventKind.ACCEPTED, benchmark, entry, "perf", "", complete=True))
        store.delete(run.id)
    insert_events(store, list(seal_events(drafts, None)))
    export_ledger(store, folder / "ledger.jsonl")
