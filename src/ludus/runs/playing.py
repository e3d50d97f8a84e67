"""One episode, from its task to its record, whatever the agent does."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from ludus.agents import Agent, load
from ludus.errors import ActionError
from ludus.games.game import Match, find_game
from ludus.runs.episode import Ending, Episode
from ludus.runs.plan import Plan, Task

__all__ = ["Stage", "play_match", "unplayed"]


class Stage:
    """Where a plan's episodes are played: loads each agent and scenario once, when needed."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._game = find_game(plan.game)
        self._agents: dict[int, Agent[Any, Any]] = {}
        self._scenarios: dict[int, Any] = {}

    def play(self, task: Task) -> Episode:
        """Play one episode and return its record; an agent's faults end it, not the run."""
        started = perf_counter()
        match = self._game.begin(self._scenario(task.scenario))
        try:
            agent = self._agent(task.agent)
            ending, reason, steps = play_match(
                agent, self._scenario(task.scenario), match, self._plan.limits.steps
            )
        except Exception as error:  # the agent cannot even be made
            ending, reason, steps = Ending.CRASHED, told(error), 0
        return Episode(
            number=task.number,
            agent=task.agent,
            scenario=task.scenario,
            ending=ending,
            reason=reason,
            record=match.record(),
            facts=match.facts(),
            steps=steps,
            seconds=perf_counter() - started,
        )

    def close(self) -> None:
        """Let agents that have a ``close`` go."""
        for agent in self._agents.values():
            closing = getattr(agent, "close", None)
            if callable(closing):
                closing()
        self._agents.clear()

    def _agent(self, number: int) -> Agent[Any, Any]:
        if number not in self._agents:
            self._agents[number] = load(self._plan.agents[number].spec, self._game.players)
        return self._agents[number]

    def _scenario(self, number: int) -> Any:
        if number not in self._scenarios:
            self._scenarios[number] = self._game.scenario(self._plan.scenarios[number])
        return self._scenarios[number]


def play_match(
    agent: Agent[Any, Any], scenario: Any, match: Match, most_steps: int = 0
) -> tuple[Ending, str, int]:
    """Let the agent play the match to its end; return how it ended, why, and the steps."""
    steps = 0
    try:
        agent.reset(scenario)
        act, answer = agent.act, match.act
        while not match.over:
            if most_steps and steps >= most_steps:
                return Ending.DISQUALIFIED, f"used up its {most_steps} steps", steps
            answer(act(match.observation))
            steps += 1
    except ActionError as error:
        return Ending.DISQUALIFIED, told(error), steps
    except Exception as error:  # whatever an agent may raise
        return Ending.CRASHED, told(error), steps
    return Ending.FINISHED, "", steps


def unplayed(plan: Plan, task: Task, ending: Ending, reason: str, seconds: float) -> Episode:
    """Return the record of an episode whose process did not live to tell of it."""
    game = find_game(plan.game)
    facts = game.replay(game.scenario(plan.scenarios[task.scenario]), b"")
    return Episode(task.number, task.agent, task.scenario, ending, reason, b"", facts, 0, seconds)


def told(error: BaseException) -> str:
    """Return an error as one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
