"""Scores of agents that played the same episodes, brought into one table."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Literal, NamedTuple, TypeVar, get_args

import numpy as np

from ludus.errors import OptionError
from ludus.stats.distributions import Array
from ludus.stats.samples import as_sample, check_choice

__all__ = ["PairedTable", "Unit", "paired_differences", "paired_table"]

Key = TypeVar("Key", bound=Hashable)
Unit = Literal["level", "episode"]


class PairedTable(NamedTuple):
    """Scores by unit and agent.

    Attributes:
        agents: The agents, in the order they were given.
        units: The levels or episodes, in the order of the rows.
        scores: Units × agents.
    """

    agents: tuple[str, ...]
    units: tuple[Hashable, ...]
    scores: Array


def paired_table(scores: Mapping[str, Mapping[Key, float]], unit: Unit = "level") -> PairedTable:
    """Return the agents' scores on the episodes they all played.

    Args:
        scores: By agent, the scores by key. A key such as ``("level", seed)`` belongs to the
            level it starts with; any other is a level of its own.
        unit: ``"level"`` averages the episodes of a level, which have its difficulty in
            common, so that what is found holds for other levels like these; ``"episode"``
            takes every key for itself.

    Raises:
        OptionError: There are no agents or keys, the agents' keys differ, or a score is not
            finite.
    """
    check_choice(unit, get_args(Unit), "unit")
    if not scores:
        raise OptionError("no agents to compare; give the scores of one at least")
    agents = tuple(scores)
    _check_keys(scores)
    keys = sorted(scores[agents[0]], key=repr)
    columns = [
        as_sample([totals[key] for key in keys], f"sample of {agent!r}")
        for agent, totals in scores.items()
    ]
    table = np.column_stack(columns)
    if unit == "episode":
        return PairedTable(agents, tuple(keys), table)
    return PairedTable(agents, *_average_levels([_level_of(key) for key in keys], table))


def paired_differences(
    first: Mapping[Key, float], second: Mapping[Key, float], unit: Unit = "level"
) -> Array:
    """Return the first's score minus the second's, unit by unit.

    Raises:
        OptionError: As for :func:`paired_table`.

    Example:
        >>> paired_differences({"a": 3.0, "b": 5.0}, {"b": 1.0, "a": 1.0}).tolist()
        [2.0, 4.0]
    """
    table = paired_table({"first": first, "second": second}, unit)
    return np.asarray(table.scores[:, 0] - table.scores[:, 1])


def _check_keys(scores: Mapping[str, Mapping[Key, float]]) -> None:
    """Refuse agents that did not play the same episodes."""
    reference, *others = scores
    keys = scores[reference].keys()
    for agent in others:
        if odd := keys ^ scores[agent].keys():
            key = min(odd, key=repr)
            lacking, having = (reference, agent) if key not in keys else (agent, reference)
            raise OptionError(
                f"{lacking!r} has no score for {key!r}, {having!r} has one: "
                f"compare only episodes that all played"
            )


def _level_of(key: Hashable) -> Hashable:
    """Return the level an episode's key belongs to."""
    return key[0] if isinstance(key, tuple) and key else key


def _average_levels(levels: list[Hashable], table: Array) -> tuple[tuple[Hashable, ...], Array]:
    """Return the levels and the table of their means."""
    names = tuple(dict.fromkeys(levels))
    if len(names) == len(levels):
        return names, table
    if len(names) == 1:
        raise OptionError(
            f"all episodes are of level {names[0]!r}; pass unit='episode' to compare on it alone"
        )
    row_of = {name: number for number, name in enumerate(names)}
    rows = np.array([row_of[level] for level in levels])
    sums = np.zeros((len(names), table.shape[1]))
    np.add.at(sums, rows, table)
    return names, sums / np.bincount(rows)[:, np.newaxis]
