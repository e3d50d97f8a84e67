"""What an agent meant to do: it is asked again for every tick of a stored episode."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic
from typing import NamedTuple

from ludus.agents import load
from ludus.agents.registry import REGISTERED
from ludus.contract import Plans
from ludus.errors import AgentError, LudusError, one_line
from ludus.games.game import find_game, scenario_for_agent
from ludus.runs import Store
from ludus.runs.explain import find_episode
from ludus.runs.sealed import open_revealed

__all__ = ["EpisodePlans", "Plan", "explain_no_plans", "find_plans"]

FAMILY = "platformer"
GAMES = ("platformer", "mario-ai")
"""The games in which every decision is one tick of one level."""
MOST_SECONDS = 20.0
KEPT_EPISODES = 16


class Plan(NamedTuple):
    """What an agent meant to do from a tick on.

    Attributes:
        tick: The tick, from 0.
        actions: The buttons of this tick and of those after it.
    """

    tick: int
    actions: bytes


@dataclass(frozen=True, slots=True)
class EpisodePlans:
    """The plans of an agent in an episode.

    Attributes:
        agent: Its name.
        plans: Its plans; one that only follows the plan before is left out.
        reason: Why there are none from some tick on, or empty.
    """

    agent: str
    plans: tuple[Plan, ...]
    reason: str = ""


def explain_no_plans(spec: str, game: str) -> str:
    """Return why no plans of an agent can be shown in a game; empty if they can.

    Example:
        >>> explain_no_plans("astar", "platformer")
        ''
        >>> explain_no_plans("idle", "platformer")
        'it makes none: it answers to what it sees'
    """
    if game not in GAMES:
        return "they are shown where every decision is one tick of one level"
    if spec.partition("#")[0] not in REGISTERED[FAMILY]:
        return "code of others is not run here"
    try:
        agent = load(spec, FAMILY)
    except LudusError as error:
        return one_line(error)
    return "" if isinstance(agent, Plans) else "it makes none: it answers to what it sees"


def find_plans(run: str, episode: int, store: Store) -> EpisodePlans:
    """Ask the agent of a stored episode again what it meant to do.

    Only agents of Ludus are asked: code of others never runs here. Plans are those of the episode
    as long as the agent returns the stored actions.

    Args:
        run: The run's id.
        episode: The episode's number.
        store: Where the run is.

    Raises:
        RunError: There is no such run or episode, or it is sealed.
        AgentError: The agent is none of Ludus's that plans.
    """
    stored = open_revealed(store.run(run), store)
    plan = stored.plan
    scored = find_episode(stored.id, episode, store)
    source = plan.agents[scored.episode.agent]
    if missing := explain_no_plans(source.spec, plan.game):
        raise AgentError(f"{source.name!r} has no plans to show: {missing}")
    scenario = json.dumps(dict(plan.scenarios[scored.episode.scenario]), sort_keys=True)
    return _ask_again(plan.game, source.spec, scenario, scored.episode.record)


@lru_cache(KEPT_EPISODES)
def _ask_again(name: str, spec: str, description: str, record: bytes) -> EpisodePlans:
    game = find_game(name)
    scenario = game.parse_scenario(json.loads(description))
    agent, match = load(spec, FAMILY), game.begin(scenario)
    agent.reset(scenario_for_agent(scenario))
    plans: list[Plan] = []
    expected: tuple[int, ...] = ()
    ends = monotonic() + MOST_SECONDS
    reason = ""
    for tick, action in enumerate(record):
        try:
            chosen = agent.act(match.observation)
        except Exception as error:  # whatever an agent may raise
            reason = f"the agent failed: {one_line(error)}"
            break
        if chosen != action:
            reason = f"the agent decides otherwise at tick {tick} today"
            break
        meant = (int(chosen), *(int(later) for later in agent.plan))  # type: ignore[attr-defined]
        if meant != expected:
            plans.append(Plan(tick, bytes(meant)))
        expected = meant[1:]
        match.step(action)
        if monotonic() > ends:
            reason = f"the agent takes longer than {MOST_SECONDS:g} seconds"
            break
    return EpisodePlans(agent.name, tuple(plans), reason)
