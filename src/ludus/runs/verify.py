"""Playing a run's records again to see whether everything it says is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.errors import RunError, format_error
from ludus.execution.plan import Plan
from ludus.execution.scenarios import OtherScenarios
from ludus.games.game import find_game
from ludus.runs.checking import check_rows
from ludus.runs.consent import check_scenarios_agreed, replay_context
from ludus.runs.differences import Difference
from ludus.runs.episode_check import DIGEST, differing_facts, same_digest
from ludus.runs.proof import Proof
from ludus.runs.run_check import compare_columns, compare_plan, find_other_agents
from ludus.runs.sealed import open_plan
from ludus.runs.store import Run, Store

__all__ = ["Difference", "Verification", "differing_facts", "verify"]


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of replaying a run.

    Attributes:
        run: The run's id.
        episodes: How many were played again.
        differences: The differences between the run and its replay.
        notes: What could not be compared, and why.
        proof: What is proven of all its agents.
        reruns: How many episodes each agent played again, of those that played all the same.
        marked: The agents whose entries on a board are marked as verified.
    """

    run: str
    episodes: int
    differences: tuple[Difference, ...]
    notes: tuple[str, ...] = ()
    proof: Proof = Proof.CLAIMED
    reruns: Mapping[str, int] = field(default_factory=dict)
    marked: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether the replay agrees with the run."""
        return not self.differences

    def proof_of(self, agent: str) -> Proof:
        """Return what is proven of an agent."""
        return Proof.RERUN if self.good and agent in self.reruns else self.proof


def verify(
    id_: str,
    *,
    store: Store,
    on_episode: Callable[[int], None] | None = None,
    workers: int | None = None,
    advice: str = "",
) -> Verification:
    """Replay every record of a run on the engine, recompute every score, and compare.

    Every column of the store is held against the plan and the replay. What no replay can tell is
    in the notes; a board has sealed it.

    Args:
        id_: The run's id.
        store: Where it is kept.
        on_episode: Called with the number of each episode that was played again, in their order.
        workers: How many processes play; one for each core if None.
        advice: How the user can agree to what an imported run names; by ``ludus trust`` if empty.

    Raises:
        RunError: There is no such run, or this Ludus has another version of benchmark or rules.
    """
    run = store.run(id_)
    row = store.run_row(run.id)
    try:
        check_scenarios_agreed(run, advice)
        plan = open_plan(run, store)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError) as error:
        if isinstance(error, RunError):
            raise
        found = f"no plan: {format_error(error)}"
        return Verification(run.id, 0, (Difference(None, "plan", run.text, found),))
    differences = list(compare_columns(row, plan))
    try:
        benchmark = _check_versions(plan)
    except OtherScenarios as error:
        other = Difference(None, "scenarios", error.planned, error.made)
        return Verification(run.id, 0, (*differences, other))
    numbers: set[int] = set()
    unproven: dict[str, None] = {}
    for number, checked in check_rows(
        plan, store.episode_rows(run.id), replay_context(run, plan), workers
    ):
        differences += checked.differences
        if checked.unproven:
            unproven[checked.unproven] = None
        numbers.add(number)
        if on_episode:
            on_episode(number)
    differences[:0] = compare_plan(row, plan, benchmark, numbers)
    good = not differences and not unproven
    proof = Proof.REPLAYED if good else Proof.CLAIMED
    notes = (*unproven, *_notes(run, plan))
    return Verification(run.id, len(numbers), tuple(differences), notes, proof)


def _notes(run: Run, plan: Plan) -> Iterator[str]:
    """Yield what could not be compared, and why."""
    if not same_digest(plan):
        recorded, here = (of.provenance.get(DIGEST, "1") for of in (plan, find_game(plan.game)))
        yield f"state is not compared: the run has it in version {recorded}, this Ludus in {here}"
    yield from find_other_agents(plan)


def _check_versions(plan: Plan) -> Benchmark:
    benchmark = find_benchmark(plan.benchmark)
    if benchmark.version != plan.version:
        raise RunError(
            f"the run is of {plan.benchmark}@{plan.version}, this Ludus has version "
            f"{benchmark.version}: verify it with the Ludus that played it"
        )
    plan.check_rules()
    return benchmark
