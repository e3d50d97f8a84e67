"""Who plays what: decided before the first episode, the same on every machine."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from importlib.metadata import version
from typing import Any, overload

from ludus.agents import AgentSource, find, load
from ludus.agents.isolation import is_foreign
from ludus.agents.judge.opening import check_judgeable, is_judged
from ludus.agents.registry import is_model
from ludus.benchmarks import Benchmark, find_benchmark
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.contract import ChecksScenario
from ludus.distribution import DISTRIBUTION
from ludus.errors import AgentError, LudusError, OptionError, RunError, format_error, one_line
from ludus.execution.opening import open_game
from ludus.execution.scenarios import (
    MOST_EPISODES,
    Description,
    ScenariosByReference,
    check_episode_count,
    plan_scenarios,
    read_scenarios,
    split_blocks,
)
from ludus.execution.sealing import SeasonMark, SeasonTerms, fit_seed
from ludus.foreign_files import LINE_VALUES
from ludus.games.game import Game, HasEnvironments, find_game, scenario_for_agent
from ludus.games.rules import check_rules, join_rules
from ludus.json_files import parse_json
from ludus.limits import Limits
from ludus.seeds import check_seed

__all__ = [
    "Limits",
    "Plan",
    "PlannedEpisode",
    "PlannedEpisodes",
    "make_plan",
    "make_season_plan",
    "plan_scenarios",
]

ENGINE = "engine"
ENVIRONMENT, CONFINED = "environment", "confined"
RULES = re.compile(r"[\w.-]+@\d+(\+[\w.-]+@\d+)*", re.ASCII)


@dataclass(frozen=True, slots=True)
class PlannedEpisode:
    """One episode to play: its number, and agent and scenario counted in the plan."""

    number: int
    agent: int
    scenario: int


class PlannedEpisodes(Sequence[PlannedEpisode]):
    """The episodes of a plan in their order: scenario by scenario, each agent in turn.

    Args:
        agents: How many agents play.
        scenarios: How many scenarios each of them plays.
        in_order: Whether they are numbered agent by agent instead.
    """

    def __init__(self, agents: int, scenarios: int, *, in_order: bool = False) -> None:
        self._agents, self._scenarios = agents, scenarios
        self._in_order = in_order
        self._numbers = range(agents * scenarios)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> PlannedEpisode: ...

    @overload
    def __getitem__(self, place: slice) -> list[PlannedEpisode]: ...

    def __getitem__(self, place: int | slice) -> PlannedEpisode | list[PlannedEpisode]:
        if isinstance(place, slice):
            return [self[number] for number in self._numbers[place]]
        number = self._numbers[place]
        if self._in_order:
            agent, scenario = divmod(number, self._scenarios)
        else:
            scenario, agent = divmod(number, self._agents)
        return PlannedEpisode(number, agent, scenario)

    def number_of(self, agent: int, scenario: int) -> int:
        """Return the number of the episode in which an agent plays a scenario.

        Example:
            >>> PlannedEpisodes(2, 3).number_of(1, 2), PlannedEpisodes(2, 3, in_order=True)[5]
            (5, PlannedEpisode(number=5, agent=1, scenario=2))
        """
        if self._in_order:
            return agent * self._scenarios + scenario
        return scenario * self._agents + agent

    def __contains__(self, planned: object) -> bool:
        if not isinstance(planned, PlannedEpisode) or planned.number not in self._numbers:
            return False
        return self[planned.number] == planned


@dataclass(frozen=True, slots=True)
class Plan:
    """All episodes of a run. All agents get the same scenarios.

    Attributes:
        benchmark: The benchmark's id.
        version: Its version.
        game: The game's name.
        rules: The rule sets it is played by, such as ``framework@1``.
        seed: What the scenarios were made from.
        agents: Who plays.
        scenarios: Plain descriptions of what is played. Those that an installed benchmark makes
            are made when they are needed; the plan keeps digests of them.
        limits: What an agent may use.
        options: What is played otherwise than the benchmark has it by default.
        provenance: What it was planned with, for the record: the release of Ludus, and how the
            engine came about. Nothing is refused for it. Plans of a Ludus whose rules had no
            versions have here the text by which it named its ``engine``.
        season: The sealed season it is of, or None. Such a plan has the seed 0, and as JSON it has
            the names of its scenarios alone; :meth:`open` gives it the scenarios.
        in_order: Whether one object of each agent plays the scenarios in their order. Its episodes
            are numbered agent by agent then.
    """

    benchmark: str
    version: int
    game: str
    rules: str
    seed: int
    agents: tuple[AgentSource, ...]
    scenarios: Sequence[Description]
    limits: Limits = field(default_factory=Limits)
    options: Mapping[str, str] = field(default_factory=dict)
    provenance: Mapping[str, str] = field(default_factory=dict)
    season: SeasonMark | None = None
    in_order: bool = False

    def __post_init__(self) -> None:
        if not RULES.fullmatch(self.rules):
            raise OptionError(f"rules {self.rules[:64]!r} are not of the form framework@1+ludus@1")
        _check_size(len(self.agents), len(self.scenarios))

    @property
    def episodes(self) -> PlannedEpisodes:
        """The episodes: scenario by scenario, each agent in turn, or agent by agent."""
        return PlannedEpisodes(len(self.agents), len(self.scenarios), in_order=self.in_order)

    @property
    def identity(self) -> str:
        """A digest of everything that decides what is played: no agent's spec, no provenance."""
        values = self._to_dict()
        values.pop("provenance", None)
        values["agents"] = [[agent.name, agent.fingerprint] for agent in self.agents]
        text = json.dumps(values, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def sealed(self) -> bool:
        """Whether the scenarios are secret: only their names are here."""
        return self.season is not None and all(one.keys() <= {"name"} for one in self.scenarios)

    @property
    def confined(self) -> bool:
        """Whether all code of others was confined when the plan was made, and has to be again."""
        return self.season is not None or self.environment_confined

    @property
    def environment_confined(self) -> bool:
        """Whether the plan says that an environment of others played confined."""
        return self.provenance.get(ENVIRONMENT) == CONFINED

    @property
    def terms(self) -> SeasonTerms:
        """The terms of the plan's season."""
        usual = find_benchmark(f"{self.benchmark}@{self.version}").limits
        return SeasonTerms(
            name=self.season.name if self.season else "",
            benchmark=self.benchmark,
            version=self.version,
            episodes=len(self.scenarios),
            options=self.options,
            limits=None if self.limits == usual else self.limits,
        )

    def open(self, secret: bytes) -> Plan:
        """Return the plan of a sealed season with its scenarios.

        Raises:
            RunError: It is not the secret that the season is committed to.
        """
        terms = self.terms
        if self.season is None or terms.commit(secret) != self.season.commitment:
            raise RunError(f"this is not the secret of season {terms.name!r}")
        benchmark = find_benchmark(f"{self.benchmark}@{self.version}")
        seed = terms.derive_seed(secret)
        scenarios = benchmark.make_scenarios(seed, terms.episodes, self.options, load=False)
        return replace(self, scenarios=tuple(map(fit_seed, scenarios)))

    def to_json(self, *, opened: bool = False) -> str:
        """Return the plan as JSON.

        Args:
            opened: Whether it is for the referee alone: then it holds the scenarios of a sealed
                season, which must be shown to nobody.
        """
        values = self._to_dict()
        if opened and self.season is not None:
            values["scenarios"] = list(self.scenarios)
        return json.dumps(values, sort_keys=True)

    def _to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values; long lists of scenarios are not copied."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        if isinstance(self.scenarios, ScenariosByReference):
            values["scenarios"] = self.scenarios.to_dict()
        values["agents"] = [asdict(agent) for agent in self.agents]
        values["limits"] = self.limits.to_dict()
        if not self.in_order:  # identities of plans that were made before it must not change
            del values["in_order"]
        if self.season is None:
            del values["season"]
        else:
            values["season"] = self.season._asdict()
            values["scenarios"] = [{"name": str(one.get("name", ""))} for one in self.scenarios]
        if ENGINE in self.provenance:  # boards have sealed such a plan as it was written
            del values["rules"], values["provenance"]
            values[ENGINE] = self.provenance[ENGINE]
        return values

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Return the plan that :meth:`to_json` wrote.

        Raises:
            RunError: The text is no plan.
        """
        try:
            return cls._from_dict(parse_json(text, LINE_VALUES))
        except LudusError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            raise RunError(f"this is no plan of a run: {one_line(error)}") from error

    @classmethod
    def _from_dict(cls, values: dict[str, Any]) -> Plan:
        values["agents"] = tuple(AgentSource(**agent) for agent in values["agents"])
        values["scenarios"] = read_scenarios(values)
        values["limits"] = Limits.from_dict(values["limits"])
        if "season" in values:
            values["season"] = SeasonMark.from_dict(values["season"])
        if not isinstance(values.get("in_order", False), bool):
            raise RunError(f"in_order is {values['in_order']!r:.60}, not true or false")
        if ENGINE in values:
            values["provenance"] = {ENGINE: values.pop(ENGINE)}
            values["rules"] = _first_rules(values["game"], values["scenarios"])
        provenance = dict(values.get("provenance", {}))
        values["provenance"] = {str(name): str(value) for name, value in provenance.items()}
        return cls(**values)

    def check_rules(self) -> Game:
        """Return the plan's game, having made sure that it plays by the plan's rules.

        Raises:
            RunError: It plays by others, or the plan holds what are no scenarios of it, or sealed
                ones.
        """
        if self.season is not None and self.sealed:
            raise RunError(
                f"the scenarios are sealed until season {self.season.name!r} is revealed"
            )
        game = find_game(self.game)
        check_rules(self.rules, _rules_of(game, self.scenarios))
        return game

    def check_unchanged(self, context: RunContext = DEFAULT_CONTEXT) -> Benchmark:
        """Return the plan's benchmark, having made sure that going on would be the same run.

        Args:
            context: What agents are loaded with.

        Raises:
            RunError: Benchmark, rules or an agent has changed since the plan was made.
        """
        benchmark = find_benchmark(self.benchmark)
        if benchmark.version != self.version:
            raise RunError(
                f"the run is of {self.benchmark}@{self.version}, this Ludus plays version "
                f"{benchmark.version}: begin a new run"
            )
        if benchmark.in_order != self.in_order:
            played = "in order" if benchmark.in_order else "in any order"
            raise RunError(f"{self.benchmark} is played {played}, the run is not: begin a new run")
        game = self.check_rules()
        for agent in self.agents:
            if find(agent.spec, game.agent_family, context).fingerprint != agent.fingerprint:
                raise RunError(f"agent {agent.name!r} has changed since: begin a new run")
        return benchmark


def make_plan(
    benchmark: str,
    agents: Sequence[str | AgentSource],
    *,
    seed: int = 0,
    episodes: int | None = None,
    limits: Limits | None = None,
    options: Mapping[str, str] | None = None,
    context: RunContext = DEFAULT_CONTEXT,
) -> Plan:
    """Return the plan of a run: the same arguments give the same plan.

    Args:
        benchmark: The benchmark's id.
        agents: The agents' specs, or their sources if they cannot be loaded; names that come
            twice get a number.
        seed: What the scenarios are made from.
        episodes: How many each agent plays; the benchmark's own number if None.
        limits: What an agent may use for an episode; what the benchmark gives if None.
        options: What is to be played otherwise than by default: the benchmark's options.
        context: What agents are loaded with.

    Raises:
        BenchmarkError: There is no such benchmark.
        AgentError: An agent cannot be loaded.
        OptionError: There are no agents or episodes, the seed is out of range, or an option is not
            one of the benchmark's.
    """
    check_seed(seed)
    return _make_plan(benchmark, agents, seed, episodes, limits, options, context)


def _make_plan(
    benchmark: str,
    agents: Sequence[str | AgentSource],
    seed: int,
    episodes: int | None,
    limits: Limits | None,
    options: Mapping[str, str] | None,
    context: RunContext,
) -> Plan:
    """Return a plan from a seed of any size: that of a sealed season is as large as its secret."""
    ruled = find_benchmark(benchmark)
    if not agents:
        raise OptionError("no agent was named: try 'ludus agents' for those there are")
    count = check_episode_count(ruled.episodes if episodes is None else episodes)
    non_default = ruled.non_default_options(options or {}, context)
    game = find_game(ruled.game_for(non_default, context))
    _check_size(len(agents), count)
    scenarios, rules = plan_scenarios(ruled, game, seed, count, non_default)
    allowed = limits or ruled.limits
    provenance = {"ludus": _release(), **game.provenance}
    if isinstance(game, HasEnvironments):
        _try_environments(game.name, scenarios, replace(context, limits=allowed))
        provenance |= {ENVIRONMENT: CONFINED} if context.sandbox else {}
    timed = allowed.counts_units or allowed.decision_seconds
    loading = replace(context, limits=allowed) if timed else context
    sources = [_find_source(agent, game.agent_family, loading) for agent in agents]
    _check_scenario(sources, game, scenarios[0])
    return Plan(
        benchmark=ruled.id,
        version=ruled.version,
        game=game.name,
        rules=rules,
        seed=seed,
        agents=_number_equal_names(sources),
        scenarios=scenarios,
        limits=allowed,
        options=non_default,
        provenance=provenance,
        in_order=ruled.in_order,
    )


def _try_environments(
    name: str, scenarios: Sequence[Mapping[str, Any]], context: RunContext
) -> None:
    """Make sure that the environments of scenarios can be played."""
    game = open_game(name, context)
    if isinstance(game, HasEnvironments):
        game.try_environments(scenarios)


def _find_source(agent: str | AgentSource, family: str, context: RunContext) -> AgentSource:
    if isinstance(agent, str):
        return find(agent, family, context)
    if is_judged(context):
        check_judgeable(agent.spec)
    return agent


def _check_scenario(
    sources: Sequence[AgentSource], game: Game, description: Mapping[str, Any]
) -> None:
    """Let agents of Ludus that know what they cannot play look at the first scenario.

    Raises:
        AgentError: One cannot play it.
    """
    for source in sources:
        base = source.spec.partition("#")[0]
        other_scheme = ":" in base and not base.endswith(".npz") and not is_model(base)
        if other_scheme or is_foreign(base, game.agent_family):
            continue
        agent = load(source.spec, game.agent_family)
        if isinstance(agent, ChecksScenario):
            try:
                agent.check_scenario(scenario_for_agent(game.parse_scenario(description)))
            except AgentError as error:
                raise AgentError(f"{source.name}: {error}") from None


def make_season_plan(
    terms: SeasonTerms,
    secret: bytes,
    agents: Sequence[str | AgentSource],
    *,
    context: RunContext = DEFAULT_CONTEXT,
) -> Plan:
    """Return the plan of a run in a sealed season, with its scenarios.

    Raises:
        BenchmarkError: This Ludus has another version of the benchmark, or none.
        AgentError: An agent cannot be loaded.
    """
    plan = _make_plan(
        f"{terms.benchmark}@{terms.version}",
        agents,
        terms.derive_seed(secret),
        terms.episodes,
        terms.limits,
        terms.options,
        context,
    )
    mark = SeasonMark(terms.name, terms.commit(secret))
    return replace(plan, seed=0, scenarios=tuple(map(fit_seed, plan.scenarios)), season=mark)


def _check_size(agents: int, scenarios: int) -> None:
    """Refuse a plan of more episodes than a database can number."""
    if agents * scenarios > MOST_EPISODES:
        raise OptionError(
            f"{scenarios:,} episodes for each of {agents:,} agents are too many for one run: "
            f"at most {MOST_EPISODES:,} in all"
        )


@cache
def _release() -> str:
    return version(DISTRIBUTION)


def _first_rules(game: str, scenarios: Sequence[Mapping[str, Any]]) -> str:
    """Return the first version of the rules that play these scenarios.

    That is what a Ludus whose rules had no versions has played them by.
    """
    return re.sub(r"@\d+", "@1", _rules_of(find_game(game), scenarios))


def _rules_of(game: Game, scenarios: Sequence[Mapping[str, Any]]) -> str:
    try:
        return join_rules(
            name for block in split_blocks(scenarios) for name in game.rules(block).split("+")
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise RunError(
            f"the plan holds no scenarios of {game.name}: {format_error(error)}"
        ) from error


def _number_equal_names(sources: list[AgentSource]) -> tuple[AgentSource, ...]:
    """Number the agents whose names come more than once."""
    seen: dict[str, int] = {}
    numbered = []
    for source in sources:
        seen[source.name] = seen.get(source.name, 0) + 1
        times = seen[source.name]
        name = source.name if times == 1 else f"{source.name}-{times}"
        numbered.append(AgentSource(source.spec, name, source.fingerprint))
    return tuple(numbered)
