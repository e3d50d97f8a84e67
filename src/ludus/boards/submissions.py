"""Submissions of trained brains: checked, then put on the board of their benchmark.

A submission comes on a board as a run whose episodes are whole trainings. The run is made from the
actions, played again on the world, and not from what the folder says.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ludus.agents import AgentSource
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.nematode.checking import check_replays, check_submission
from ludus.benchmarks.nematode.submission import Submission, read_submission
from ludus.benchmarks.nematode.trainings import task_spec
from ludus.boards.board import Decision, accept, on_board
from ludus.errors import LudusError, MissingExtra, RunError
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import Limits, Plan
from ludus.games.game import find_game
from ludus.games.rules import check_rules, recorded_rules
from ludus.games.worm import FIRST_RULES, RULES
from ludus.games.worm.training.records import record_of
from ludus.runs.running import score_episode
from ludus.runs.store import Run, Store

__all__ = ["Checked", "Placed", "Retrainer", "check_folder", "place"]

OnTraining = Callable[[int], None]
SAMPLE = 1


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of checking a folder.

    Attributes:
        submission: What it holds, or None if that cannot be told.
        problems: All that is wrong, one line each; a board takes none.
        notes: What readers of a board should know.
        replayed: How many trainings were played again from their actions.
        retrained: How many were trained again.
    """

    submission: Submission | None
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    replayed: int
    retrained: int

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


class Placed(NamedTuple):
    """What became of a submission.

    Attributes:
        checked: What came of checking it.
        run: The run that it is kept as, or None if something is wrong with it.
        decision: What the board made of it, or None.
    """

    checked: Checked
    run: Run | None
    decision: Decision | None


def check_folder(
    folder: str | Path,
    *,
    store: Store | None = None,
    retrain: int = SAMPLE,
    retrainer: Retrainer | None = None,
    on_training: OnTraining | None = None,
) -> Checked:
    """Check a submission: files, settings, seeds, metrics, replays, and a sample of trainings.

    Args:
        folder: The submission.
        store: Whose boards are searched for the same trainings; none if None.
        retrain: How many trainings, picked by chance, are trained again.
        retrainer: What trains them; that of Ludus if None.
        on_training: Called with the number of each training that was played again.

    Raises:
        OptionError: There is no such folder.
    """
    submission, problems = read_submission(folder)
    if submission is None or problems:
        return Checked(submission, tuple(problems), (), 0, 0)
    problems = check_submission(submission)
    try:
        check_rules(recorded_rules(submission.engine, FIRST_RULES), RULES)
    except RunError as error:
        problems.append(f"the training cannot be checked: {error}")
    if store:
        problems += _about_resubmission(submission, store)
    replayed = retrained = 0
    if not problems:
        problems = check_replays(submission, on_training)
        replayed = len(submission.sessions)
    notes = [*_notes(submission), *(_shared_seeds(submission, store) if store else ())]
    if not problems and retrain:
        picked = random.SystemRandom().sample(range(replayed), min(retrain, replayed))
        for number in sorted(picked):
            problem, note = _retrained(submission, number, retrainer)
            problems += [problem] * bool(problem)
            notes += [note] * bool(note)
            retrained += not note
    return Checked(submission, tuple(problems), tuple(notes), replayed, retrained)


def place(
    folder: str | Path,
    store: Store,
    *,
    by: str,
    why: str = "",
    retrain: int = SAMPLE,
    retrainer: Retrainer | None = None,
    on_training: OnTraining | None = None,
) -> Placed:
    """Check a submission and, if nothing is wrong with it, put it on the board.

    A brain that is there already keeps its place unless this is better: a higher score, or an equal
    one with less variance or a better validation level.

    Args:
        folder: The submission.
        store: Where runs and ledger are.
        by: Who submits it.
        why: A remark.
        retrain: How many trainings are trained again.
        retrainer: What trains them; that of Ludus if None.
        on_training: Called with the number of each training that was played again.

    Raises:
        OptionError: There is no such folder.
    """
    checked = check_folder(
        folder, store=store, retrain=retrain, retrainer=retrainer, on_training=on_training
    )
    if checked.submission is None or not checked.good:
        return Placed(checked, None, None)
    run = _kept(checked.submission, store)
    decision = accept(run.id, store, by=by, why=why)[0]
    return Placed(checked, run, decision)


# ---- as a run


def _kept(submission: Submission, store: Store) -> Run:
    """Keep a submission as a run, made from its actions."""
    benchmark, game = find_benchmark(submission.benchmark), find_game("worm-training")
    count = len(submission.sessions)
    scenarios = tuple(benchmark.make_scenarios(submission.seed, count, submission.options))
    plan = Plan(
        benchmark=benchmark.id,
        version=benchmark.version,
        game=game.name,
        rules=game.rules(scenarios),
        seed=submission.seed,
        agents=(AgentSource(submission.brain, submission.name, submission.fingerprint),),
        scenarios=scenarios,
        limits=Limits(seconds=benchmark.seconds),
        options=benchmark.non_default_options(submission.options),
        provenance={**game.provenance, "trained by": submission.engine},
    )
    scored = [score_episode(benchmark, one) for one in _episodes(submission, plan)]
    id_ = f"{plan.identity[:8]}-{secrets.token_hex(4)}"
    return store.restore(id_, datetime.now(UTC), plan, scored)


def _episodes(submission: Submission, plan: Plan) -> Iterator[Episode]:
    game = find_game(plan.game)
    for number, session in enumerate(submission.sessions):
        record = record_of(submission.declared, session.told["actions"])
        yield Episode(
            number=number,
            agent=0,
            scenario=number,
            ending=EpisodeEnding.FINISHED,
            reason="",
            record=record,
            facts=game.replay(game.parse_scenario(plan.scenarios[number]), record),
            steps=sum(session.steps),
            seconds=float(session.told.get("cpu_seconds") or 0),
        )


# ---- trained again


class Retrainer(Protocol):
    """Trains one training again and returns its session as plain values."""

    def __call__(
        self,
        task: str,
        brain: str,
        *,
        training: int,
        seed: int,
        episodes: int,
        config: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        """Train."""
        ...


def _retrained(submission: Submission, number: int, retrainer: Retrainer | None) -> tuple[str, str]:
    """Return what is wrong with a training that was trained again, or why it was not."""
    session = submission.sessions[number]
    if not submission.declared.learning:
        return "", f"training {number} was not trained again: a frozen brain cannot be"
    if ":" in submission.brain:
        return "", f"training {number} was not trained again: the brain is code of somebody's"
    try:
        train: Retrainer = retrainer or import_module("ludus.learning.worm.again").train_again
        again = train(
            task_spec(submission.task, **submission.options),
            submission.brain,
            training=number,
            seed=submission.seed,
            episodes=len(session.successes),
            config=submission.config,
        )
    except MissingExtra as error:
        return "", f"training {number} was not trained again: {error}"
    except LudusError as error:
        return f"{session.name}: cannot be trained again: {error}", ""
    if again.get("actions") != session.told["actions"]:
        return f"{session.name}: another training comes of its seed and settings", ""
    return "", ""


# ---- against the board


def _notes(submission: Submission) -> Iterator[str]:
    declared = submission.declared
    if not declared.learning:
        yield "the brain is frozen: it does not learn in its trainings"
    if declared.pretrained:
        yield f"the brain was trained before: {declared.pretrained}"
        yield f"that took {declared.pretraining_steps:,} steps, which its trainings do not show"
    if not submission.score.valid:
        yield "there are too few trainings for a board"


def _runs_on_board(submission: Submission, store: Store) -> Iterator[Run]:
    for run in store.runs(submission.benchmark):
        if on_board(run.id, store):
            yield run


def _about_resubmission(submission: Submission, store: Store) -> Iterator[str]:
    """Yield which runs on the board hold trainings of this submission."""
    own = {
        (int(one.first_seed or 0), _signs(one.successes), sum(one.steps)): one.name
        for one in submission.sessions
    }
    for run in _runs_on_board(submission, store):
        for agent, keys in _trainings(run, store).items():
            same = [name for key, name in own.items() if key in keys]
            if len(same) == len(own) == len(keys):
                yield f"this is on the board already: run {run.id} of {agent}"
            elif same:
                yield (
                    f"{same[0]}: is the same, episode by episode, as a training of {agent} in run "
                    f"{run.id}" + (f" (so are {len(same) - 1} more)" if len(same) > 1 else "")
                )


def _trainings(run: Run, store: Store) -> dict[str, set[tuple[int, str, int]]]:
    """Return the trainings of a run by agent: seed, successes and steps."""
    found: dict[str, set[tuple[int, str, int]]] = {}
    for one in store.episodes(run.id):
        episode = one.episode
        scenario, facts = run.plan.scenarios[episode.scenario], episode.facts
        key = int(scenario["seed"]), str(facts["successes"]), int(facts["steps"] or 0)
        found.setdefault(run.plan.agents[episode.agent].name, set()).add(key)
    return found


def _shared_seeds(submission: Submission, store: Store) -> Iterator[str]:
    """Yield the runs of the same brain that were trained on the same dishes."""
    seeds = {int(one.first_seed or 0) for one in submission.sessions}
    for run in _runs_on_board(submission, store):
        names = {agent.name for agent in run.plan.agents}
        shared = seeds & {int(scenario["seed"]) for scenario in run.plan.scenarios}
        if shared and submission.name in names:
            yield (
                f"{len(shared)} of its seeds are those of run {run.id} of the same brain: the two "
                "are not independent, and only the better one stays"
            )


def _signs(successes: Sequence[bool]) -> str:
    return "".join("1" if one else "0" for one in successes)
