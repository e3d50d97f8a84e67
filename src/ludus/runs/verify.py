"""Playing a run's records again to see whether everything it says is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.errors import LudusError, RunError
from ludus.execution.plan import Plan, Task
from ludus.games.game import Game, find_game
from ludus.runs.store import Run, ScoredEpisode, Store

__all__ = ["Difference", "Verification", "verify"]


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as the run says.

    Attributes:
        episode: The episode's number, or None if it concerns the run.
        field: What differs.
        stored: What the run says.
        found: What playing it again gives.
    """

    episode: int | None
    field: str
    stored: Any
    found: Any

    def __str__(self) -> str:
        place = "run" if self.episode is None else f"episode {self.episode}"
        return f"{place}: {self.field} is stored as {self.stored!r}, found {self.found!r}"


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of playing a run again.

    Attributes:
        run: The run's id.
        episodes: How many were played again.
        differences: All that is not as the run says; none if it is true.
    """

    run: str
    episodes: int
    differences: tuple[Difference, ...]

    @property
    def good(self) -> bool:
        """Whether everything is as the run says."""
        return not self.differences


def verify(
    id_: str, *, store: Store, on_episode: Callable[[int], None] | None = None
) -> Verification:
    """Replay every record of a run on the engine, recompute every score, and compare.

    Raises:
        RunError: There is no such run, or this Ludus has another version of benchmark or engine.
    """
    run = store.run(id_)
    benchmark, game = _same_rules(run.plan)
    scored = store.episodes(run.id)
    differences = list(_about_the_run(run, benchmark, scored))
    tasks = run.plan.tasks
    scenarios = [game.parse_scenario(description) for description in run.plan.scenarios]
    for one in scored:
        task = tasks[one.episode.number]
        differences += _about_the_episode(task, scenarios[task.scenario], benchmark, game, one)
        if on_episode:
            on_episode(one.episode.number)
    return Verification(run.id, len(scored), tuple(differences))


def _same_rules(plan: Plan) -> tuple[Benchmark, Game]:
    benchmark, game = find_benchmark(plan.benchmark), find_game(plan.game)
    if benchmark.version != plan.version:
        raise RunError(
            f"the run is of {plan.benchmark}@{plan.version}, this Ludus has version "
            f"{benchmark.version}: verify it with the Ludus that played it"
        )
    if game.engine != plan.engine:
        raise RunError(
            f"the run was played by engine {plan.engine[:12]}, this is {game.engine[:12]}: "
            "verify it with the Ludus that played it"
        )
    return benchmark, game


def _about_the_run(
    run: Run, benchmark: Benchmark, scored: list[ScoredEpisode]
) -> Iterator[Difference]:
    plan = run.plan
    if plan.identity != run.identity:
        yield Difference(None, "identity", run.identity, plan.identity)
    fresh = tuple(benchmark.made(plan.seed, len(plan.scenarios), plan.options))
    for number, (said, made) in enumerate(zip(plan.scenarios, fresh, strict=True)):
        if said != made:
            yield Difference(None, f"scenario {number}", _named(said), _named(made))
    missing = {task.number for task in plan.tasks} - {one.episode.number for one in scored}
    if missing:
        yield Difference(None, "episodes", run.planned, len(scored))


def _named(scenario: Any) -> str:
    return f"{scenario.get('name')} of seed {scenario.get('seed')}"


def _about_the_episode(
    task: Task, scenario: Any, benchmark: Benchmark, game: Game, one: ScoredEpisode
) -> Iterator[Difference]:
    episode, number = one.episode, one.episode.number
    for field in ("agent", "scenario"):
        if getattr(episode, field) != getattr(task, field):
            yield Difference(number, field, getattr(episode, field), getattr(task, field))
            return
    try:
        facts = game.replay(scenario, episode.record)
    except LudusError as error:
        yield Difference(number, "record", "actions", str(error))
        return
    for name in sorted(facts.keys() | episode.facts.keys()):
        if facts.get(name) != episode.facts.get(name):
            yield Difference(number, name, episode.facts.get(name), facts.get(name))
    score = benchmark.score(facts)
    if score.total != one.score.total:
        yield Difference(number, "score", one.score.total, score.total)
    for name in sorted(score.parts.keys() | one.score.parts.keys()):
        if score.parts.get(name) != one.score.parts.get(name):
            found = score.parts.get(name)
            yield Difference(number, f"score: {name}", one.score.parts.get(name), found)
