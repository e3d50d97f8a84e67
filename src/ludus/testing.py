"""What a benchmark or an agent must keep to, as checks for anybody's own tests.

Each raises :class:`~ludus.errors.CheckError` with one line for every promise that is broken.

Example:
    >>> check_agent("forward-jumping", "platformer/bundled", episodes=1)
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ludus.agents import AgentSource, find
from ludus.benchmarks import Benchmark, Column, Score, TieBreaker, find_benchmark
from ludus.errors import CheckError, LudusError
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.execution.stage import Stage, open_game
from ludus.games.game import Facts, Game, find_game

__all__ = ["check_agent", "check_benchmark"]

SEEDS = (0, 1, 2**31 - 1)
FEW = 3


def check_benchmark(benchmark: Benchmark | str, *, agent: str | None = None) -> None:
    """Check that a benchmark is fixed, plain and scores what its game gives.

    Args:
        benchmark: The benchmark, registered or not.
        agent: Who plays some episodes of it, so that more than their beginning is scored.

    Raises:
        CheckError: It breaks a promise.
    """
    asked = find_benchmark(benchmark) if isinstance(benchmark, str) else benchmark
    _refuse(asked.id or "benchmark", _about_benchmark(asked, agent))


def check_agent(spec: str, benchmark: Benchmark | str, *, episodes: int = FEW) -> None:
    """Check that an agent plays by the rules, and the same whenever the same comes again.

    Args:
        spec: The agent, as ``ludus run`` takes it.
        benchmark: What it plays.
        episodes: How many scenarios it is tried on.

    Raises:
        CheckError: It breaks a promise.
        AgentError: It cannot even be loaded.
    """
    asked = find_benchmark(benchmark) if isinstance(benchmark, str) else benchmark
    source = find(spec, find_game(asked.game).agent_family)
    _refuse(spec, _about_agent(source, _plan(asked, [source], episodes)))


def _refuse(name: str, problems: Iterator[str]) -> None:
    try:
        found = list(problems)
    except LudusError as error:
        found = [str(error)]
    if found:
        raise CheckError("\n".join(f"{name}: {problem}" for problem in found))


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
    )


# ---- benchmarks


def _about_benchmark(benchmark: Benchmark, agent: str | None) -> Iterator[str]:
    yield from _about_words(benchmark)
    faults = [fault for seed in SEEDS for fault in _about_scenarios(benchmark, seed)]
    yield from faults
    if faults:
        return
    game = find_game(benchmark.game)
    for description in benchmark.make_scenarios(0, FEW):
        yield from _about_facts(benchmark, game.replay(game.parse_scenario(description), b""))
    if agent is not None:
        for episode in _played(_plan(benchmark, [find(agent, game.agent_family)], FEW)):
            yield from _about_facts(benchmark, episode.facts)


def _about_words(benchmark: Benchmark) -> Iterator[str]:
    if not re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)+", benchmark.id):
        yield f"the id {benchmark.id!r} is not of the form group/name in small letters"
    if benchmark.version < 1:
        yield f"the version {benchmark.version} is not 1 or more"
    if benchmark.episodes < 1:
        yield f"{benchmark.episodes} episodes are too few"
    for name in ("title", "formula", "headline"):
        if not getattr(benchmark, name).strip():
            yield f"it has no {name}"
    shown = [one.name for one in benchmark.tie_breakers]
    shown += [one.name for one in benchmark.columns]
    for name in sorted({name for name in shown if shown.count(name) > 1}):
        yield f"the column {name!r} is there twice"


def _about_scenarios(benchmark: Benchmark, seed: int) -> Iterator[str]:
    made = benchmark.make_scenarios(seed, FEW)
    where = f"scenarios of seed {seed}"
    if len(made) != FEW:
        yield f"{where}: {FEW} were asked for, {len(made)} made"
        return
    if _text(made) is None:
        yield f"{where}: are not plain values that JSON can hold"
        return
    if _text(benchmark.make_scenarios(seed, FEW)) != _text(made):
        yield f"{where}: are others when asked for again"
    game = find_game(benchmark.game)
    for number, description in enumerate(made):
        yield from _about_scenario(game, f"{where}, number {number}", description)


def _about_scenario(game: Game, where: str, description: Mapping[str, Any]) -> Iterator[str]:
    travelled = json.loads(json.dumps(description))
    if travelled != description:
        yield f"{where}: is another after it went through JSON (tuples become lists)"
    if not description.get("name"):
        yield f"{where}: has no name for tables"
    if open_game(game.name).begin(game.parse_scenario(travelled)).over:
        yield f"{where}: is over before it begins"


def _about_facts(benchmark: Benchmark, facts: Facts) -> Iterator[str]:
    if _text(facts) is None:
        yield "the game's facts are not plain values that JSON can hold"
        return
    travelled = json.loads(json.dumps(facts))
    score = benchmark.score(travelled)
    yield from _about_score(score)
    if benchmark.score(dict(facts)) != score:
        yield "the score is another when the same facts come again"
    if travelled != facts:
        yield "the score's rule changes the facts"
    every: list[TieBreaker | Column] = [*benchmark.tie_breakers, *benchmark.columns]
    for shown in every:
        value = shown.value(facts)
        if not _is_number(value):
            yield f"the column {shown.name!r} is {value!r}, not a finite number"


def _about_score(score: Score) -> Iterator[str]:
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


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _text(value: Any) -> str | None:
    try:
        return json.dumps(value, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError):
        return None


# ---- agents


def _about_agent(source: AgentSource, plan: Plan) -> Iterator[str]:
    if not source.name.strip():
        yield "it has no name"
    first = _played(plan)
    for episode in first:
        if episode.ending is not EpisodeEnding.FINISHED:
            yield f"{episode.ending} in {_name(plan, episode)}: {episode.reason}"
    yield from _differing(plan, first, _played(plan), "by a new agent")
    backwards = _played(plan, lambda episodes: list(reversed(episodes)))
    yield from _differing(
        plan, first, list(reversed(backwards)), "after other scenarios: reset() must forget them"
    )
    game = find_game(plan.game)
    for episode in first:
        scenario = game.parse_scenario(plan.scenarios[episode.scenario])
        if game.replay(scenario, episode.record) != episode.facts:
            yield f"{_name(plan, episode)} is another when its record is played again"


def _played(
    plan: Plan, order: Callable[[list[PlannedEpisode]], list[PlannedEpisode]] = list
) -> list[Episode]:
    stage = Stage(plan)
    try:
        return [stage.play(planned) for planned in order(plan.episodes)]
    finally:
        stage.close()


def _differing(plan: Plan, first: list[Episode], again: list[Episode], when: str) -> Iterator[str]:
    for one, other in zip(first, again, strict=True):
        if one.record != other.record:
            yield f"plays {_name(plan, one)} otherwise {when}"


def _name(plan: Plan, episode: Episode) -> str:
    return str(plan.scenarios[episode.scenario].get("name") or f"scenario {episode.scenario}")
