"""Playing a run's records again to see whether everything it says is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ludus.benchmarks import Benchmark, Score, find_benchmark
from ludus.errors import LudusError, RunError
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.games.game import Facts, Game, find_game
from ludus.runs.consent import check_scenarios_agreed
from ludus.runs.sealed import open_plan
from ludus.runs.store import Run, ScoredEpisode, Store

__all__ = ["Difference", "Verification", "differing_facts", "verify"]

STATE = "state"
DIGEST = "state_digest"


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a run and its replay.

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
        where = "run" if self.episode is None else f"episode {self.episode}"
        return f"{where}: {self.field} is stored as {self.stored!r}, found {self.found!r}"


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of replaying a run.

    Attributes:
        run: The run's id.
        episodes: How many were played again.
        differences: The differences between the run and its replay.
        notes: What could not be compared, and why.
    """

    run: str
    episodes: int
    differences: tuple[Difference, ...]
    notes: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether the replay agrees with the run."""
        return not self.differences


def verify(
    id_: str, *, store: Store, on_episode: Callable[[int], None] | None = None
) -> Verification:
    """Replay every record of a run on the engine, recompute every score, and compare.

    Raises:
        RunError: There is no such run, or this Ludus has another version of benchmark or rules.
    """
    run = store.run(id_)
    check_scenarios_agreed(run)
    plan = open_plan(run, store)
    benchmark, game = _check_versions(plan)
    scored = store.episodes(run.id)
    differences = list(_compare_run(run, plan, benchmark, scored))
    scenarios = [game.parse_scenario(description) for description in plan.scenarios]
    episodes = plan.episodes
    for one in scored:
        planned = episodes[one.episode.number]
        differences += _compare_episode(plan, planned, scenarios[planned.scenario], game, one)
        if on_episode:
            on_episode(one.episode.number)
    return Verification(run.id, len(scored), tuple(differences), tuple(_notes(plan)))


def _notes(plan: Plan) -> Iterator[str]:
    """Yield what could not be compared, and why."""
    if not _same_digest(plan):
        recorded, here = (of.provenance.get(DIGEST, "1") for of in (plan, find_game(plan.game)))
        yield f"state is not compared: the run has it in version {recorded}, this Ludus in {here}"


def _same_digest(plan: Plan) -> bool:
    return plan.provenance.get(DIGEST) == find_game(plan.game).provenance.get(DIGEST)


def _check_versions(plan: Plan) -> tuple[Benchmark, Game]:
    benchmark = find_benchmark(plan.benchmark)
    if benchmark.version != plan.version:
        raise RunError(
            f"the run is of {plan.benchmark}@{plan.version}, this Ludus has version "
            f"{benchmark.version}: verify it with the Ludus that played it"
        )
    return benchmark, plan.check_rules()


def _compare_run(
    run: Run, plan: Plan, benchmark: Benchmark, scored: list[ScoredEpisode]
) -> Iterator[Difference]:
    if plan.identity != run.identity:
        yield Difference(None, "identity", run.identity, plan.identity)
    if plan.season is None:  # those of a season are made from its secret, not from what is stored
        yield from _compare_scenarios(plan, benchmark)
    missing = {planned.number for planned in plan.episodes} - {one.episode.number for one in scored}
    if missing:
        yield Difference(None, "episodes", run.planned, len(scored))


def _compare_scenarios(plan: Plan, benchmark: Benchmark) -> Iterator[Difference]:
    count = len(plan.scenarios)
    scenarios = tuple(benchmark.make_scenarios(plan.seed, count, plan.options, load=False))
    for number, (stored, anew) in enumerate(zip(plan.scenarios, scenarios, strict=True)):
        if stored != anew:
            yield Difference(None, f"scenario {number}", _describe(stored), _describe(anew))


def _describe(scenario: Any) -> str:
    return f"{scenario.get('name')} of seed {scenario.get('seed')}"


def _compare_episode(
    plan: Plan, planned: PlannedEpisode, scenario: Any, game: Game, scored: ScoredEpisode
) -> Iterator[Difference]:
    """Yield what is not as stored when an episode's record is played again."""
    episode, number = scored.episode, scored.episode.number
    for field in ("agent", "scenario"):
        if getattr(episode, field) != getattr(planned, field):
            yield Difference(number, field, getattr(episode, field), getattr(planned, field))
            return
    try:
        facts = game.replay(scenario, episode.record)
    except LudusError as error:
        yield Difference(number, "record", "actions", str(error))
        return
    for name in differing_facts(plan, episode.facts, facts):
        yield Difference(number, name, episode.facts.get(name), facts.get(name))
    yield from _compare_scores(number, scored.score, find_benchmark(plan.benchmark).score(facts))


def differing_facts(plan: Plan, stored: Facts, replayed: Facts) -> list[str]:
    """Return the names of the comparable facts that differ from the stored ones."""
    names = stored.keys() | replayed.keys()
    if not _same_digest(plan):
        names -= {STATE}
    return [name for name in sorted(names) if stored.get(name) != replayed.get(name)]


def _compare_scores(number: int, stored: Score, anew: Score) -> Iterator[Difference]:
    if anew.total != stored.total:
        yield Difference(number, "score", stored.total, anew.total)
    for name in sorted(anew.parts.keys() | stored.parts.keys()):
        if anew.parts.get(name) != stored.parts.get(name):
            part = stored.parts.get(name)
            yield Difference(number, f"score: {name}", part, anew.parts.get(name))
