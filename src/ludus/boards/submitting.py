"""Submissions: episodes that somebody played elsewhere, checked and put on a board.

A submission comes on a board as a run. The run is made from the records, played again on the game,
and not from what the submission says.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import fmean
from typing import NamedTuple

from ludus.agents import AgentSource
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.submitting import ReadSubmission, Submission, SubmittedRecord
from ludus.boards.changes import Decision, place_entries
from ludus.boards.current import entries_of_run
from ludus.boards.sampling import Sample, choose_sample
from ludus.boards.verifying import mark_rerun
from ludus.context import RunContext
from ludus.errors import LudusError
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.opening import open_game
from ludus.execution.plan import Plan, plan_scenarios
from ludus.games.game import Game, find_game
from ludus.games.rules import check_rules
from ludus.runs.proof import Proof
from ludus.runs.running import score_episode
from ludus.runs.store import Run, Store, make_run_id

__all__ = ["SAMPLE", "CheckedSubmission", "SubmissionOutcome", "check_submission", "submit"]

OnRecord = Callable[[int], None]
SAMPLE = 10
"""How many episodes are done again unless somebody asks for more: the best, and as many others."""


@dataclass(frozen=True, slots=True)
class CheckedSubmission:
    """The outcome of checking a submission.

    Attributes:
        submission: What was submitted, or None if that cannot be told.
        problems: All that is wrong, one line each; a board takes none.
        notes: What readers of a board should know.
        replayed: How many records were played again.
        rerun_seconds: The processor time of each episode that was done again from its seed.
        sample: Which episodes those were; None if none were.
    """

    submission: Submission | None
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    replayed: int = 0
    rerun_seconds: tuple[float, ...] = ()
    sample: Sample | None = None

    @property
    def rerun(self) -> int:
        """How many episodes were done again from their seeds."""
        return len(self.rerun_seconds)

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


class SubmissionOutcome(NamedTuple):
    """The outcome of a submission.

    Attributes:
        checked: The outcome of checking it.
        run: The run that it is stored as, or None if something is wrong with it.
        decision: What the board made of it, or None.
    """

    checked: CheckedSubmission
    run: Run | None = None
    decision: Decision | None = None


def check_submission(
    read: ReadSubmission,
    *,
    store: Store | None = None,
    rerun: int = SAMPLE,
    on_record: OnRecord | None = None,
) -> CheckedSubmission:
    """Check a submission: its own files, its rules, copies, replays, and a sample done again.

    Args:
        read: What came of reading it.
        store: Whose boards are searched for the same episodes; none if None.
        rerun: How many episodes are done again from their seeds: see :func:`choose_sample`.
        on_record: Called with the number of each record that was played again.
    """
    submission, problems = read
    if submission is None or problems:
        return CheckedSubmission(submission, tuple(problems))
    problems = submission.check() or list(_find_rule_problems(submission))
    notes = list(submission.notes())
    if store:
        problems += _find_copies(submission, store)
    if problems:
        return CheckedSubmission(submission, tuple(problems), tuple(notes))
    if store:
        notes += _find_shared_seeds(submission, store)
    problems = submission.check_replays(on_record)
    sample = choose_sample(submission.scores(), 0 if problems else rerun)
    reruns = submission.rerun(sample.numbers)
    problems += [one.problem for one in reruns if one.problem]
    notes += [one.note for one in reruns if one.note]
    seconds = tuple(one.seconds for one in reruns if not one.note)
    return CheckedSubmission(
        submission,
        tuple(problems),
        tuple(notes),
        submission.count,
        seconds,
        sample if len(seconds) == len(sample.numbers) else None,
    )


def submit(
    read: ReadSubmission,
    store: Store,
    *,
    by: str,
    why: str = "",
    rerun: int = SAMPLE,
    on_record: OnRecord | None = None,
) -> SubmissionOutcome:
    """Check a submission and, if nothing is wrong with it, put it on the board.

    An agent that is there already keeps its place unless this is better by the benchmark's ranking.

    Args:
        read: What came of reading it.
        store: Where runs and ledger are.
        by: Who submits it.
        why: A remark.
        rerun: How many episodes are done again from their seeds.
        on_record: Called with the number of each record that was played again.
    """
    checked = check_submission(read, store=store, rerun=rerun, on_record=on_record)
    if checked.submission is None or not checked.good:
        return SubmissionOutcome(checked)
    run = _store_as_run(checked.submission, store, checked.rerun_seconds)
    proof = Proof.RERUN if checked.rerun else Proof.REPLAYED  # the run is made of replays
    decision = place_entries(run, store, by=by, why=why, proof=proof)[0]
    if checked.rerun and decision.outcome in ("new", "better"):
        mark_rerun(run, store, by=by, episodes={decision.agent: checked.rerun})
    return SubmissionOutcome(checked, run, decision)


def _find_rule_problems(submission: Submission) -> Iterator[str]:
    try:
        check_rules(submission.rules, _make_plan(submission).rules)
    except LudusError as error:
        yield f"it cannot be checked: {error}"


# ---- as a run


def _make_plan(submission: Submission) -> Plan:
    benchmark = find_benchmark(submission.benchmark)
    options = benchmark.non_default_options(submission.options)
    game = find_game(benchmark.game_for(options))
    scenarios, rules = plan_scenarios(benchmark, game, submission.seed, submission.count, options)
    return Plan(
        benchmark=benchmark.id,
        version=benchmark.version,
        game=game.name,
        rules=rules,
        seed=submission.seed,
        agents=(AgentSource(submission.spec, submission.name, submission.fingerprint),),
        scenarios=scenarios,
        limits=benchmark.limits,
        in_order=benchmark.in_order,
        options=options,
        provenance={**game.provenance, **submission.provenance},
    )


def _store_as_run(submission: Submission, store: Store, measured: Sequence[float]) -> Run:
    """Store a submission as a run, made from its records.

    Args:
        submission: The submission.
        store: Where it goes.
        measured: The processor time of episodes that were done again; their mean stands for that
            of each. What the submission says of its time counts if there are none.
    """
    plan = _make_plan(submission)
    source = f"measured here in {len(measured)} of {submission.count}" if measured else "claimed"
    plan = replace(plan, provenance={**plan.provenance, "seconds": source})
    seconds = fmean(measured) if measured else None
    benchmark, game = find_benchmark(plan.benchmark), open_game(plan.game, RunContext(sandbox=True))
    scored = [
        score_episode(benchmark, _replay(number, one, plan, game, seconds))
        for number, one in enumerate(submission.records())
    ]
    return store.add_run(make_run_id(plan), datetime.now(UTC), plan, scored, imported=True)


def _replay(
    number: int, submitted: SubmittedRecord, plan: Plan, game: Game, seconds: float | None
) -> Episode:
    scenario = game.parse_scenario(plan.scenarios[number])
    return Episode(
        number=number,
        agent=0,
        scenario=number,
        ending=EpisodeEnding.FINISHED,
        reason="",
        record=submitted.record,
        facts=game.replay(scenario, submitted.record),
        steps=submitted.steps,
        seconds=submitted.seconds if seconds is None else seconds,
    )


# ---- against the board


def _runs_on_board(submission: Submission, store: Store) -> Iterator[Run]:
    for run in store.runs(submission.benchmark):
        if run.plan.season is None and entries_of_run(run.id, store):
            yield run


def _find_copies(submission: Submission, store: Store) -> Iterator[str]:
    """Yield which runs on the board hold episodes of this submission."""
    names = submission.keys()
    for run in _runs_on_board(submission, store):
        for agent, keys in _keys_by_agent(submission, run, store).items():
            same = [name for key, name in names.items() if key in keys]
            if len(same) == len(names) == len(keys):
                yield f"this is on the board already: run {run.id} of {agent}"
            elif same:
                more = f" (so are {len(same) - 1} more)" if len(same) > 1 else ""
                yield f"{same[0]}: is a copy of an episode of {agent} in run {run.id}{more}"


def _keys_by_agent(submission: Submission, run: Run, store: Store) -> dict[str, set[Hashable]]:
    keys: dict[str, set[Hashable]] = {}
    for one in store.episodes(run.id):
        episode = one.episode
        key = submission.key_of(run.plan.scenarios[episode.scenario], episode.facts)
        keys.setdefault(run.plan.agents[episode.agent].name, set()).add(key)
    return keys


def _find_shared_seeds(submission: Submission, store: Store) -> Iterator[str]:
    """Yield the runs of the same agent that were played on the same seeds."""
    seeds = {scenario.get("seed") for scenario in _make_plan(submission).scenarios}
    for run in _runs_on_board(submission, store):
        names = {agent.name for agent in run.plan.agents}
        shared = seeds & {scenario.get("seed") for scenario in run.plan.scenarios}
        if shared and submission.name in names:
            yield (
                f"{len(shared)} of its seeds are those of run {run.id} of the same agent: the two "
                "are not independent, and only the better one stays"
            )
