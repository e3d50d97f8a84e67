"""Finding the best of many agents: play a little with all, then more and more with fewer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from ludus.errors import OptionError

__all__ = ["Round", "halving_schedule", "survivors"]


class Round(NamedTuple):
    """One round of a halving schedule.

    Attributes:
        agents: How many agents are still in.
        episodes: How many further episodes each of them plays.
    """

    agents: int
    episodes: int


def halving_schedule(agents: int, budget: int) -> tuple[Round, ...]:
    """Return the rounds of successive halving that fit into a budget of episodes.

    Every round gets the same share of the budget; the better half of its agents goes on, by
    all the episodes they have played so far (Karnin, Koren and Somekh 2013).

    Args:
        agents: How many agents there are.
        budget: Episodes of all agents together.

    Raises:
        OptionError: There are fewer than two agents, or the budget is too small.

    Example:
        >>> halving_schedule(8, 240)
        (Round(agents=8, episodes=10), Round(agents=4, episodes=20), Round(agents=2, episodes=40))
    """
    if agents < 2:
        raise OptionError(f"{agents} agents need no halving; give 2 at least")
    sizes = [agents]
    while sizes[-1] > 2:
        sizes.append(math.ceil(sizes[-1] / 2))
    share = budget // len(sizes)
    if share < agents:
        least = agents * len(sizes)
        raise OptionError(f"{budget} episodes are too few for {agents} agents; take {least}")
    return tuple(Round(size, share // size) for size in sizes)


def survivors(means: Mapping[str, float], keep: int | None = None) -> tuple[str, ...]:
    """Return the agents that go on, the best first: by default the better half, rounded up.

    Equals go by their names.

    Raises:
        OptionError: A mean is not a number, or so many cannot be kept.

    Example:
        >>> survivors({"a": 0.2, "b": 0.9, "c": 0.5})
        ('b', 'c')
    """
    count = math.ceil(len(means) / 2) if keep is None else keep
    if not 1 <= count <= len(means):
        raise OptionError(f"cannot keep {count} of {len(means)} agents")
    for agent, mean in means.items():
        if math.isnan(mean):
            raise OptionError(f"the mean of {agent!r} is not a number")
    return tuple(sorted(means, key=lambda agent: (-means[agent], agent))[:count])
