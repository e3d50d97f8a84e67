"""An agent's line on a board: its figures, and exactly where they come from."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from ludus.agents import AgentSource
from ludus.benchmarks import Benchmark, find_benchmark
from ludus.errors import BoardError, RunError, one_line
from ludus.execution.plan import Plan
from ludus.limits import Usage
from ludus.runs.exchange import content_digest
from ludus.runs.explain import scenario_name
from ludus.runs.ranking import episodes_by_agent
from ludus.runs.running import score_episode
from ludus.runs.store import Run, ScoredEpisode
from ludus.runs.summary import Summary, summarise
from ludus.stats import Estimate

__all__ = ["BoardEntry", "BoardKey", "check_acceptable", "check_complete", "make_entries"]


DIGITS = 16
ROUNDING = 1e-9
FAULTY = "faulty"  # the kind of all faults in entries that were made before kinds were told


OPTIONAL = ("season", "sealed", "category", "timing", "usage")
"""What old lines of a ledger do not have; it is not written where it is empty."""


class BoardKey(NamedTuple):
    """The key of a board within its benchmark: the seed or the season, and the options."""

    seed: int
    options: tuple[tuple[str, str], ...] = ()
    season: str = ""

    @classmethod
    def of(cls, seed: int, options: Mapping[str, str], season: str = "") -> BoardKey:
        """Return the key with the options in their one order."""
        return cls(seed, tuple(sorted(options.items())), season)

    @classmethod
    def of_plan(cls, plan: Plan) -> BoardKey:
        """Return the key of the board that a plan's run belongs on."""
        return cls.of(plan.seed, plan.options, plan.season.name if plan.season else "")

    def __str__(self) -> str:
        first = f"season {self.season}" if self.season else f"seed {self.seed}"
        return ", ".join([first, *(f"{k}={v}" for k, v in self.options)])


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """An agent's result in one run.

    Attributes:
        run: The run's id.
        created: When the run was begun, UTC.
        identity: The digest of its plan.
        rules: The rule sets it was played by; in old lines of a ledger the digest of their sources.
        seed: What its scenarios were made from; boards of different seeds never mix. 0 in a season.
        options: What was played otherwise than by default; nor do boards of different options.
        digest: The digest of all the run holds.
        levels: The names of the scenarios, in their order.
        summary: The agent's figures.
        season: The sealed season it was played in, or nothing; nor do boards of seasons mix.
        sealed: Digests, by name, of what no replay can tell; empty in old lines of a ledger.
        category: What kind of agent it is, as its benchmark says; empty where it says none.
        timing: Where its seconds come from: ``claimed``, or where they were measured; empty if it
            was played here.
    """

    run: str
    created: str
    identity: str
    rules: str
    seed: int
    options: Mapping[str, str]
    digest: str
    levels: tuple[str, ...]
    summary: Summary
    season: str = ""
    sealed: Mapping[str, str] = field(default_factory=dict)
    category: str = ""
    timing: str = ""

    @property
    def key(self) -> BoardKey:
        """Which board of its benchmark it belongs on."""
        return BoardKey.of(self.seed, self.options, self.season)

    @property
    def agent(self) -> str:
        """The agent's name."""
        return self.summary.agent

    @property
    def scores(self) -> dict[tuple[str, int], float]:
        """The totals by name and number of the scenario."""
        return {(self.levels[k], k): total for k, total in self.summary.scores.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as plain values."""
        values = {name: getattr(self, name) for name in self.__slots__ if name != "summary"}
        figures = asdict(self.summary)
        figures["headline"] = _without_nan(self.summary.headline)
        figures["scores"] = [self.summary.scores[k] for k in range(len(self.levels))]
        figures["usage"] = self.summary.usage.to_dict()
        whole = {**values, **figures, "levels": list(self.levels)}
        for name in OPTIONAL:
            if not whole[name]:
                del whole[name]
        return whole

    def proof(self) -> dict[str, Any]:
        """Return the values that stay the same when the run is scored again.

        That is all but the text of the rules, which a ledger may hold as the digest of sources, and
        the interval of the headline, which a later Ludus may find in a better way. Identity and
        digest vouch for both. Old lines do not tell kinds of faults either.
        """
        left_out = {"rules", "sealed", "headline"}
        left_out |= {"fault_kinds"} if FAULTY in self.summary.fault_kinds else set()
        values = {name: value for name, value in self.to_dict().items() if name not in left_out}
        sealed = {f"sealed {name}": digest for name, digest in self.sealed.items()}
        return {**values, "headline": self.summary.headline.value, **sealed}

    def differs_from(self, other: BoardEntry) -> dict[str, tuple[Any, Any]]:
        """Return the values that another making of the entry gives otherwise: ours and theirs."""
        ours, theirs = self.proof(), other.proof()
        differences = {
            name.removeprefix("sealed "): (value, theirs.get(name))
            for name, value in ours.items()
            if value != theirs.get(name)
        }
        one, two = self.summary.headline, other.summary.headline
        if one.method == two.method and not _have_equal_ends(one, two):
            differences["interval"] = one[1:3], two[1:3]
        return differences

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> BoardEntry:
        """Return the entry that :meth:`to_dict` described.

        Raises:
            BoardError: The values describe none.
        """
        try:
            return cls._from_dict(values)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BoardError(f"a line of the ledger holds no entry: {one_line(error)}") from error

    @classmethod
    def _from_dict(cls, values: Mapping[str, Any]) -> BoardEntry:
        figures = {name: values[name] for name in Summary.__slots__ if name in values}
        figures.setdefault("fault_kinds", {FAULTY: values["faults"]} if values["faults"] else {})
        figures["headline"] = _with_nan(values["headline"])
        figures["scores"] = dict(enumerate(values["scores"]))
        figures["usage"] = Usage.from_dict(values.get("usage", {}))
        for name in ("ties", "columns"):
            figures[name] = tuple(values[name])
        fields = {name: values[name] for name in cls.__slots__ if name in values}
        fields |= {"options": values.get("options", {})}
        fields |= {"rules": values.get("rules") or values["engine"]}
        fields |= {"levels": tuple(values["levels"]), "summary": Summary(**figures)}
        return cls(**fields)


def make_entries(run: Run, scored: list[ScoredEpisode]) -> list[BoardEntry]:
    """Return the board entries of a run's agents, scored anew from the facts, best first.

    Raises:
        RunError: The run is not complete.
        BenchmarkError: This Ludus has another version of its benchmark, or none.
    """
    check_complete(run)
    plan = run.plan
    benchmark = find_benchmark(f"{plan.benchmark}@{plan.version}")
    anew = [score_episode(benchmark, one.episode) for one in scored]
    digest = content_digest(run, scored)
    levels = tuple(scenario_name(plan, k) for k in range(len(plan.scenarios)))
    numbers = {source.name: number for number, source in enumerate(plan.agents)}
    played = episodes_by_agent(scored)
    return [
        BoardEntry(
            run=run.id,
            created=run.created.isoformat(timespec="seconds"),
            identity=run.identity,
            rules=plan.rules,
            seed=plan.seed,
            options=dict(plan.options),
            digest=digest,
            levels=levels,
            summary=summary,
            season=plan.season.name if plan.season else "",
            sealed=_seal_unseen(plan, numbers[summary.agent], played[numbers[summary.agent]]),
            category=_categorise(benchmark, plan.agents[numbers[summary.agent]]),
            timing=plan.provenance.get("seconds", ""),
        )
        for summary in summarise(benchmark, plan, anew)
    ]


def _categorise(benchmark: Benchmark, source: AgentSource) -> str:
    return benchmark.categorise(source) if benchmark.categorise else ""


def _seal_unseen(plan: Plan, number: int, scored: Sequence[ScoredEpisode]) -> dict[str, str]:
    """Return digests of what no replay can tell about an agent's episodes, by name."""
    played = [one.episode for one in scored]
    unseen = {
        "spec": plan.agents[number].spec,
        "limits": plan.limits.to_dict(),
        "provenance": dict(plan.provenance),
        "reason": [episode.reason for episode in played],
        "kind of fault": [str(episode.ending) for episode in played],
        "time of an episode": [episode.seconds for episode in played],
    }
    if any(used := [episode.usage.to_dict() for episode in played]):
        unseen["usage"] = used
    if any(calls := [list(episode.model_calls) for episode in played]):
        unseen["calls of models"] = calls
    return {name: _digest(value) for name, value in unseen.items()}


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def check_complete(run: Run) -> None:
    """Make sure that the store has every episode of a run.

    Raises:
        RunError: Some are missing.
    """
    if not run.complete:
        raise RunError(
            f"run {run.id} has {run.played} of {run.planned} episodes: ludus resume {run.id}"
        )


def check_acceptable(plan: Plan) -> Benchmark:
    """Return the benchmark of a plan; refuse a plan that differs from the benchmark's own.

    Raises:
        RunError: It has another number of episodes, other limits, or another order.
    """
    benchmark = find_benchmark(f"{plan.benchmark}@{plan.version}")
    played = len(plan.scenarios)
    fits = played == benchmark.episodes or (played > benchmark.episodes and benchmark.accepts_more)
    if not fits and plan.season is None:  # a season has a number of its own
        or_more = " or more" if benchmark.accepts_more else ""
        raise RunError(
            f"a board of {benchmark.id} takes {benchmark.episodes}{or_more} episodes an agent, not "
            f"{played}: leave --episodes out"
        )
    if plan.limits != benchmark.limits and plan.season is None:  # nor has it the usual limits
        raise RunError(f"a board takes runs with the usual limits, not {plan.limits}")
    if plan.in_order != benchmark.in_order:
        order = "in order by one agent" if benchmark.in_order else "in any order"
        raise RunError(f"a board of {benchmark.id} takes runs that are played {order}")
    return benchmark


def _have_equal_ends(one: Estimate, other: Estimate) -> bool:
    """Return whether two intervals are the same but for the rounding of another machine."""
    close = ROUNDING * max(1.0, abs(one.value))
    pairs = zip(one[1:3], other[1:3], strict=True)
    return all(abs(a - b) <= close or (a != a and b != b) for a, b in pairs)


def _without_nan(estimate: Estimate) -> dict[str, Any]:
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in estimate._asdict().items()
    }


def _with_nan(values: Mapping[str, Any]) -> Estimate:
    filled: dict[str, Any] = {name: math.nan if v is None else v for name, v in values.items()}
    return Estimate(**filled)
