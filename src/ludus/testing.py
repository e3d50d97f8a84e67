"""Checks of your own benchmarks and agents, for use in tests.

Each raises :class:`~ludus.errors.CheckError` with one line for every promise that is broken.

Example:
    >>> check_agent("forward-jumping", "platformer/bundled", episodes=1)
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ludus.agents import AgentSource, find
from ludus.agents.isolation import open_agent
from ludus.benchmarks import Benchmark, Column, Score, TieBreaker, find_benchmark
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.contract import Agent, Closes, Declares, Remembers
from ludus.errors import CheckError, LudusError
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.match_play import play_match
from ludus.execution.plan import Plan
from ludus.execution.played_levels import levels_since_fault
from ludus.execution.stage import Stage, open_game
from ludus.games.game import Checkpointable, Facts, Game, Resumable, find_game

__all__ = ["check_agent", "check_benchmark"]

SEEDS = (0, 1, 2**31 - 1)
FEW = 3
TELLING = 5  # digits of a seed that are no accident in a name


def check_benchmark(benchmark: Benchmark | str, *, agent: str | None = None) -> None:
    """Check that a benchmark is fixed, plain and scores what its game gives.

    Args:
        benchmark: The benchmark, registered or not.
        agent: Who plays some episodes of it, so that more than their beginning is scored.

    Raises:
        CheckError: It breaks a promise.
    """
    benchmark = find_benchmark(benchmark) if isinstance(benchmark, str) else benchmark
    _raise_problems(benchmark.id or "benchmark", _benchmark_problems(benchmark, agent))


def check_agent(
    spec: str,
    benchmark: Benchmark | str,
    *,
    episodes: int = FEW,
    context: RunContext = DEFAULT_CONTEXT,
) -> None:
    """Check that an agent keeps the contract and plays equal episodes alike.

    What it has of the optional parts of :mod:`ludus.contract` is checked as well.

    Args:
        spec: The agent, as ``ludus run`` takes it.
        benchmark: What it plays.
        episodes: How many scenarios it is tried on.
        context: What it is allowed, such as ``RunContext(trust=True)`` for ``sb3:`` and ``torch:``.

    Raises:
        CheckError: It breaks a promise.
        AgentError: It cannot even be loaded.
    """
    benchmark = find_benchmark(benchmark) if isinstance(benchmark, str) else benchmark
    source = find(spec, find_game(benchmark.game).agent_family, context)
    _raise_problems(spec, _agent_problems(_plan(benchmark, [source], episodes), context))


def _raise_problems(name: str, problems: Iterator[str]) -> None:
    try:
        lines = list(problems)
    except LudusError as error:
        lines = [str(error)]
    if lines:
        raise CheckError("\n".join(f"{name}: {line}" for line in lines))


def _plan(benchmark: Benchmark, sources: Sequence[AgentSource], episodes: int) -> Plan:
    scenarios = tuple(benchmark.make_scenarios(0, episodes))
    return Plan(
        benchmark=benchmark.id,
        version=benchmark.version,
        game=benchmark.game,
        rules=find_game(benchmark.game).rules(scenarios),
        seed=0,
        agents=tuple(sources),
        scenarios=scenarios,
        in_order=benchmark.in_order,
    )


# ---- benchmarks


def _benchmark_problems(benchmark: Benchmark, agent: str | None) -> Iterator[str]:
    yield from _description_problems(benchmark)
    faults = [fault for seed in SEEDS for fault in _scenarios_problems(benchmark, seed)]
    yield from faults
    if faults:
        return
    game = open_game(benchmark.game)
    for description in benchmark.make_scenarios(0, FEW):
        yield from _facts_problems(benchmark, game.replay(game.parse_scenario(description), b""))
    if agent is not None:
        for episode in _play(
            _plan(benchmark, [find(agent, game.agent_family)], FEW), DEFAULT_CONTEXT
        ):
            yield from _facts_problems(benchmark, episode.facts)


def _description_problems(benchmark: Benchmark) -> Iterator[str]:
    if not re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)+", benchmark.id):
        yield f"the id {benchmark.id!r} is not of the form group/name in small letters"
    if benchmark.version < 1:
        yield f"the version {benchmark.version} is not 1 or more"
    if benchmark.episodes < 1:
        yield f"{benchmark.episodes} episodes are too few"
    for name in ("title", "formula", "headline"):
        if not getattr(benchmark, name).strip():
            yield f"it has no {name}"
    names = [breaker.name for breaker in benchmark.tie_breakers]
    names += [column.name for column in benchmark.columns]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"the column {name!r} is there twice"


def _scenarios_problems(benchmark: Benchmark, seed: int) -> Iterator[str]:
    scenarios = list(benchmark.make_scenarios(seed, FEW))
    where = f"scenarios of seed {seed}"
    if len(scenarios) != FEW:
        yield f"{where}: {FEW} were asked for, {len(scenarios)} made"
        return
    if _to_json(scenarios) is None:
        yield f"{where}: are not plain values that JSON can hold"
        return
    if _to_json(list(benchmark.make_scenarios(seed, FEW))) != _to_json(scenarios):
        yield f"{where}: are others when asked for again"
    if benchmark.in_order and list(benchmark.make_scenarios(seed, FEW - 1)) != scenarios[:-1]:
        yield f"{where}: begin with others when fewer are asked for, and they are played in order"
    game = open_game(benchmark.game)
    for number, description in enumerate(scenarios):
        yield from _scenario_problems(game, f"{where}, number {number}", description)


def _scenario_problems(game: Game, where: str, description: Mapping[str, Any]) -> Iterator[str]:
    copy = json.loads(json.dumps(description))
    if copy != description:
        yield f"{where}: is another after it went through JSON (tuples become lists)"
    if not description.get("name"):
        yield f"{where}: has no name for tables"
    seed = str(description.get("seed", ""))
    if len(seed) >= TELLING and seed in str(description.get("name")):
        yield f"{where}: its name tells its seed, and agents are told the name"
    if game.begin(game.parse_scenario(copy)).over:
        yield f"{where}: is over before it begins"


def _facts_problems(benchmark: Benchmark, facts: Facts) -> Iterator[str]:
    if _to_json(facts) is None:
        yield "the game's facts are not plain values that JSON can hold"
        return
    copy = json.loads(json.dumps(facts))
    score = benchmark.score(copy)
    yield from _score_problems(score)
    yield from _bounds_problems(benchmark, score)
    if benchmark.score(dict(facts)) != score:
        yield "the score is another when the same facts come again"
    if copy != facts:
        yield "the score's rule changes the facts"
    columns: list[TieBreaker | Column] = [*benchmark.tie_breakers, *benchmark.columns]
    for column in columns:
        value = column.value(facts)
        if not _is_number(value):
            yield f"the column {column.name!r} is {value!r}, not a finite number"


def _score_problems(score: Score) -> Iterator[str]:
    if not _is_number(score.total):
        yield f"the score is {score.total!r}, not a finite number"
        return
    bad = [name for name, value in score.parts.items() if not _is_number(value)]
    if bad:
        yield f"parts of the score are no finite numbers: {', '.join(bad)}"
    elif not score.parts:
        yield "the score has no parts: name what it is made of"
    elif not math.isclose(sum(score.parts.values()), score.total, abs_tol=1e-9):
        yield f"the parts {dict(score.parts)} do not add up to {score.total}"


def _bounds_problems(benchmark: Benchmark, score: Score) -> Iterator[str]:
    bounds = benchmark.score_bounds()
    if not isinstance(score.total, int | float):
        return  # that it is no number is a problem of its own
    if bounds and not bounds[0] <= score.total <= bounds[1]:
        yield f"the score {score.total} is not within its bounds {bounds[0]} and {bounds[1]}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _to_json(value: Any) -> str | None:
    try:
        return json.dumps(value, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError):
        return None


# ---- agents


def _agent_problems(plan: Plan, context: RunContext) -> Iterator[str]:
    yield from _contract_problems(plan, context)
    episodes = _play(plan, context)
    for episode in episodes:
        if episode.ending is not EpisodeEnding.FINISHED:
            yield f"{episode.ending} in {_scenario_name(plan, episode)}: {episode.reason}"
    yield from _compare_records(plan, episodes, _play(plan, context), "by a new agent")
    if plan.in_order:
        yield from _carrying_problems(plan, context, episodes)
    else:
        backwards = _play(plan, context, backwards=True)
        reason = "after other scenarios: reset() must forget them"
        yield from _compare_records(plan, episodes, backwards, reason)
    if episodes[0].ending is EpisodeEnding.FINISHED:
        yield from _memory_problems(plan, context, episodes[0])
    game = open_game(plan.game, context)
    for episode in episodes:
        scenario = game.parse_scenario(plan.scenarios[episode.scenario])
        if game.replay(scenario, episode.record) != episode.facts:
            yield f"{_scenario_name(plan, episode)} is another when its record is played again"


def _contract_problems(plan: Plan, context: RunContext) -> Iterator[str]:
    """Yield what is wrong with what the agent says of itself."""
    (source,), family = plan.agents, find_game(plan.game).agent_family
    if not source.name.strip():
        yield "it has no name"
    if find(source.spec, family, context) != source:
        yield "its name, variant or fingerprint is another when it is loaded again"
    agent = open_agent(source.spec, family, context, game=plan.game)
    if isinstance(agent, Declares) and _to_json(agent.declared) is None:
        yield f"declared is {agent.declared!r}, not plain values that JSON can hold"
    if isinstance(agent, Closes):
        agent.close()


def _carrying_problems(
    plan: Plan, context: RunContext, episodes: Sequence[Episode]
) -> Iterator[str]:
    """Let another agent take over before the last level, by what the first remembers of it."""
    if len(episodes) < 2 or any(one.ending.faulty for one in episodes):
        return
    *before, last = episodes
    with TemporaryDirectory() as folder:
        saving = replace(context, folder=Path(folder))
        first, second = Stage(plan, saving), Stage(plan, saving)
        try:
            for one in before:
                first.play(plan.episodes[one.number])
            second.begin_sequence(last.agent, levels_since_fault(before))
            again = second.play(plan.episodes[last.number])
        finally:
            first.close()
            second.close()
    if again.record != last.record:
        yield f"plays {_scenario_name(plan, last)} otherwise when it takes up its levels again"


def _memory_problems(plan: Plan, context: RunContext, episode: Episode) -> Iterator[str]:
    """Play an episode again, let another agent take over in the middle, and compare."""
    (source,), family = plan.agents, find_game(plan.game).agent_family
    agent, successor = (open_agent(source.spec, family, context, game=plan.game) for _ in range(2))
    try:
        yield from _successor_problems(plan, context, episode, agent, successor)
    finally:
        for one in (agent, successor):
            if isinstance(one, Closes):
                one.close()


def _successor_problems(
    plan: Plan,
    context: RunContext,
    episode: Episode,
    agent: Agent[Any, Any, Any],
    successor: Agent[Any, Any, Any],
) -> Iterator[str]:
    """Yield where an agent goes on otherwise than the one whose memory it has."""
    game = open_game(plan.game, context)
    if not isinstance(agent, Remembers) or episode.steps < 2:
        return
    scenario = game.parse_scenario(plan.scenarios[episode.scenario])
    match, half = game.begin(scenario), episode.steps // 2
    play_match(agent, scenario, match, half)
    memory = agent.memory()
    if _to_json(memory) is None:
        yield f"memory() returns {memory!r:.80}, not plain values that JSON can hold"
    elif isinstance(match, Checkpointable) and isinstance(game, Resumable):
        restored = game.restore(scenario, match.checkpoint(memory))
        play_match(successor, scenario, restored, first_step=half)
        if restored.record() != episode.record:
            name = _scenario_name(plan, episode)
            yield f"plays {name} otherwise after recall(memory()) in the middle"


def _play(plan: Plan, context: RunContext, *, backwards: bool = False) -> list[Episode]:
    """Return the plan's episodes in their order, in whichever they are played."""
    stage = Stage(plan, context)
    try:
        order = list(reversed(plan.episodes)) if backwards else plan.episodes
        return sorted(
            (stage.play(planned) for planned in order), key=lambda episode: episode.number
        )
    finally:
        stage.close()


def _compare_records(
    plan: Plan, first: list[Episode], again: list[Episode], when: str
) -> Iterator[str]:
    for one, other in zip(first, again, strict=True):
        if one.record != other.record:
            yield f"plays {_scenario_name(plan, one)} otherwise {when}"


def _scenario_name(plan: Plan, episode: Episode) -> str:
    return str(plan.scenarios[episode.scenario].get("name") or f"scenario {episode.scenario}")
