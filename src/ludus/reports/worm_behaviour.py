"""How trained worms move, from folders of trainings and stored runs: tables and plain rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np

from ludus.benchmarks.nematode.behaviour import (
    Behaviour,
    BehaviourFigure,
    Group,
    measure_behaviour,
)
from ludus.benchmarks.nematode.scoring import count_trainings
from ludus.boards.estimates import format_estimate
from ludus.errors import LudusError, OptionError
from ludus.execution.episode import Episode
from ludus.games.game import find_game
from ludus.games.worm.game import decode_actions
from ludus.games.worm.scenario import Scenario
from ludus.games.worm.training import Session, TrainingScenario, unpack_actions
from ludus.games.worm.training.records import read_record
from ludus.games.worm.training.replay import replay_training
from ludus.reports.tables import TableView
from ludus.runs import Run, Store

__all__ = [
    "AXES",
    "Behaviours",
    "behaviour_rows",
    "behaviour_view",
    "curve_rows",
    "groups_of_sessions",
    "measure_entry",
    "measure_run",
    "measure_sessions",
]

TRAININGS, DISHES = 10, 5
"""So many trainings are looked at, and so many of the last dishes of each."""
KEPT = 64
NO_BAND = "none given"
AXES = {
    "klinokinesis": (
        "change of the smell by the step before (concentration from 0 to 1, a step)",
        "steps that turn (%)",
    ),
    "weathervane": (
        "where the smell comes from (radians from straight ahead)",
        "turn (radians a step, left above 0)",
    ),
    "thermotaxis": (
        "warmer than the temperature that it was raised at (°C)",
        "steps there (%)",
    ),
}
"""What the curves show across and up, with units, by the names of their figures."""

Behaviours = Mapping[str, Behaviour]
"""How brains move, by what they are called."""


# ---- what was played


def groups_of_sessions(sessions: Sequence[Session]) -> list[Group]:
    """Return the last dishes of some trainings, of those that hold their actions."""
    groups = []
    for session in [one for one in sessions if one.actions][:TRAININGS]:
        first = int(session.first_seed or 0)
        groups.append(_take_last(unpack_actions(session.actions or ""), session.steps, first))
    return groups


def _take_last(actions: bytes, steps: Sequence[int], first_seed: int) -> Group:
    ends = [0, *accumulate(steps)]
    numbers = range(max(len(steps) - DISHES, 0), len(steps))
    return [(first_seed + k, actions[ends[k] : ends[k + 1]]) for k in numbers]


def measure_sessions(sessions: Sequence[Session]) -> Behaviour:
    """Return how a brain moved at the end of its trainings.

    Raises:
        OptionError: None of them holds its actions.
    """
    groups = groups_of_sessions(sessions)
    if not groups:
        raise OptionError(f"{sessions[0].name} has no actions, so nobody knows how the worm moved")
    return measure_behaviour(str(sessions[0].task), groups, sessions[0].seed)


def measure_run(run: Run, store: Store, agent: str = "") -> dict[str, Behaviour]:
    """Return how the agents of a stored run moved; one alone if it is named.

    Raises:
        OptionError: The run is not of a worm alone in its dish, or has no such agent.
    """
    names = [source.name for source in run.plan.agents]
    if agent and agent not in names:
        raise OptionError(f"run {run.id} has no agent {agent!r}; there are {', '.join(names)}")
    chosen = [agent] if agent else names
    return {name: _measure_agent(run, store, names.index(name)) for name in chosen}


def _measure_agent(run: Run, store: Store, agent: int) -> Behaviour:
    plan = run.plan
    readers = {"worm-training": (TRAININGS, _read_training), "worm": (TRAININGS * DISHES, _read)}
    if plan.game not in readers:
        raise OptionError(f"run {run.id} is of {plan.game!r}, not of a worm: nobody measures that")
    most, read = readers[plan.game]
    count = min(most, len(plan.scenarios))
    numbers = [plan.episodes.number_of(agent, k) for k in range(count)]
    played = [one.episode for one in store.episodes(run.id, numbers)]
    groups = [group for one in played if (group := read(run, one))]
    if not groups:
        raise OptionError(f"run {run.id} has no episode of {plan.agents[agent].name} yet")
    seed = None if plan.season else plan.seed
    return measure_behaviour(str(plan.scenarios[0]["task"]), groups, seed)


def _read_training(run: Run, episode: Episode) -> Group:
    scenario: TrainingScenario = _parse(run, episode)
    actions = read_record(episode.record)[1]
    steps = [one.steps for one in replay_training(scenario, actions)]
    return _take_last(actions, steps, scenario.seed)


def _read(run: Run, episode: Episode) -> Group:
    scenario: Scenario = _parse(run, episode)
    return [(scenario.seed, decode_actions(scenario, episode.record))]  # type: ignore[list-item]


def _parse(run: Run, episode: Episode) -> Any:
    return find_game(run.plan.game).parse_scenario(run.plan.scenarios[episode.scenario])


@lru_cache(maxsize=KEPT)
def _measure_kept(run: str, agent: str, store: Store) -> Behaviour:
    return measure_run(store.run(run), store, agent)[agent]


def measure_entry(run: str, agent: str, store: Store) -> Behaviours | None:
    """Return how the agent of a board's entry moved; None where that cannot be measured.

    What was measured once is kept: a stored run does not change.
    """
    try:
        return {agent: _measure_kept(run, agent, store)}
    except LudusError:  # a ledger may come with runs that nobody has checked
        return None


# ---- as tables


def behaviour_view(behaviours: Behaviours) -> TableView:
    """Return the figures of brains as one table, with what they mean below."""
    several = len(behaviours) > 1
    rows = [
        [*([name] if several else []), *_cells(figure)]
        for name, behaviour in behaviours.items()
        for figure in behaviour.figures
    ]
    heads = ["brain"] if several else []
    figures = next(iter(behaviours.values())).figures
    return TableView(
        title=describe_sample(behaviours),
        headings=[*heads, "figure", "value", "chance", "literature", "n", "unit"],
        rows=rows,
        left=(0, 1, 5 + several) if several else (0, 5),
        fold=(0,),
        keep=len(heads) + 5,
        notes=[*_describe_figures(figures), *_describe_terms(behaviours)],
    )


def describe_sample(behaviours: Behaviours) -> str:
    """Return whom the figures are of, on which task, and how much stands behind them."""
    name, one = next(iter(behaviours.items()))
    who = name if len(behaviours) == 1 else f"{len(behaviours)} brains"
    steps = f", {one.steps:,} steps" if len(behaviours) == 1 else ""
    seeds = sorted({each.seed for each in behaviours.values() if each.seed is not None})
    seed = f", seed{'s' * (len(seeds) > 1)} {', '.join(map(str, seeds))}" if seeds else ""
    return f"{who} on {one.task}, {_describe_size(list(behaviours.values()))}{steps}{seed}"


def _describe_size(samples: Sequence[Behaviour]) -> str:
    """Return how many dishes stand behind each of some samples."""
    if all(one.dishes == one.groups for one in samples):
        return f"{_describe_range([one.dishes for one in samples])} dishes"
    last = _describe_range([one.dishes // one.groups for one in samples])
    groups = [one.groups for one in samples]
    count = count_trainings(groups[0])
    if len(set(groups)) > 1:
        count = f"{_describe_range(groups)} trainings"
    return f"the last {last} dishes of {count}"


def _describe_range(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low} to {high}"


def _cells(figure: BehaviourFigure) -> list[str]:
    band = figure.of.literature
    shown = f"{band.low:.2f}–{band.high:.2f}: {figure.verdict}" if band else NO_BAND
    value, chance = (format_estimate(one, 3) for one in (figure.value, figure.chance))
    return [figure.of.name, value, chance, shown, str(figure.value.n), figure.of.unit]


def _describe_figures(figures: Sequence[BehaviourFigure]) -> Iterator[str]:
    for figure in figures:
        yield f"{figure.of.name.capitalize()} ({figure.of.unit}): {figure.of.meaning}."


def _describe_terms(behaviours: Behaviours) -> Iterator[str]:
    figures = next(iter(behaviours.values())).figures
    yield (
        "Chance: a walker that takes each action alike often, played in the same dishes. ± is half "
        "of the 95 % interval (jackknife over n trainings or dishes)."
    )
    for band in dict.fromkeys(one.of.literature for one in figures if one.of.literature):
        yield (
            f"Literature: real worms and {band.attractant}, typically {band.typical:.2f}; "
            f"{band.source}, as the reference project transcribed it."
        )
    silent = [one.of.name for one in figures if one.of.literature is None]
    yield f"For {', '.join(silent)} our sources give no band, so none is shown."


def behaviour_rows(behaviours: Behaviours) -> list[dict[str, Any]]:
    """Return the figures as plain values, one object a figure."""
    return [
        {
            "brain": name,
            "task": behaviour.task,
            "figure": figure.of.name,
            "unit": figure.of.unit,
            **_spread("", figure.value),
            "n": figure.value.n,
            "dishes": behaviour.dishes,
            "steps": behaviour.steps,
            **_spread("chance_", figure.chance),
            **_describe_band(figure),
        }
        for name, behaviour in behaviours.items()
        for figure in behaviour.figures
    ]


def _spread(prefix: str, estimate: Any) -> dict[str, float | None]:
    names = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {
        f"{prefix}{name}": value if math.isfinite(value) else None for name, value in names.items()
    }


def _describe_band(figure: BehaviourFigure) -> dict[str, Any]:
    band = figure.of.literature
    return {
        "literature_low": band.low if band else None,
        "literature_high": band.high if band else None,
        "literature_typical": band.typical if band else None,
        "literature_source": band.source if band else None,
        "verdict": figure.verdict or None,
    }


def curve_rows(behaviours: Behaviours) -> list[dict[str, Any]]:
    """Return the points of the curves as plain values, those of chance too."""
    return [
        {
            "brain": name,
            "task": behaviour.task,
            "curve": curve_name,
            "of": who,
            "x": float(x),
            "x_is": AXES[curve_name][0],
            "y": float(y),
            "y_is": AXES[curve_name][1],
            "standard_error": float(error),
            "steps": int(count),
        }
        for name, behaviour in behaviours.items()
        for who, curves in (("brain", behaviour.curves), ("chance", behaviour.chance_curves))
        for curve_name, curve in curves.items()
        for x, y, error, count in np.column_stack(
            [curve.positions, curve.values, curve.errors, curve.counts]
        )
    ]
