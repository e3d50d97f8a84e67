"""How planned episodes are played, wherever that is, and what becomes of those that fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import Protocol

from ludus.agents.isolation import is_foreign
from ludus.agents.registry import is_model
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import AgentError, LudusError
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.inflight import Inflight
from ludus.execution.opening import open_game
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.execution.restoring import restore_match, sum_calls
from ludus.execution.stage import MAX_TRIES
from ludus.games.game import HasEnvironments, HasOpponents, find_game
from ludus.games.model_calls import CallRow

__all__ = ["MAX_TRIES", "Executor", "FailurePolicy", "failed_episode"]


class Executor(Protocol):
    """Plays planned episodes somewhere and yields them as they are finished, in any order.

    What becomes of an episode whose process dies, or that takes too long, is a matter of the
    :class:`FailurePolicy`.
    """

    def play(
        self, plan: Plan, episodes: Iterable[PlannedEpisode], context: RunContext = DEFAULT_CONTEXT
    ) -> Iterator[list[Episode]]:
        """Yield the finished episodes, as many at a time as are there.

        Args:
            plan: What is played.
            episodes: Which episodes of it; an :class:`~ludus.execution.queue.EpisodeQueue` is taken
                from as processes become free, since other runners may take from it too.
            context: What the run allows its agents; in its folder, episodes that take long leave
                what it takes to go on after a kill.

        Raises:
            Paused: The run cannot go on now.
        """
        ...


class FailurePolicy:
    """Decides what becomes of episodes that their processes did not bring to an end.

    An episode whose process dies is played anew, :data:`MAX_TRIES` times in all; then it counts as
    crashed. One that takes longer than the plan allows is disqualified.
    """

    def __init__(self, plan: Plan, context: RunContext) -> None:
        self._plan = plan
        self._context = context
        self._game = find_game(plan.game)
        self._deaths: dict[int, int] = {}
        self._is_foreign = cache(partial(_is_foreign, family=self._game.agent_family))

    @property
    def any_foreign(self) -> bool:
        """Whether an agent, an opponent or an environment may have a process of its own."""
        specs = (agent.spec for agent in self._plan.agents)
        others = isinstance(self._game, HasOpponents | HasEnvironments)
        return others or any(map(self._is_foreign, specs))

    def most_seconds(self, planned: PlannedEpisode, *, taken_up: bool = False) -> float:
        """Return how long an episode may take in all before its referee is stopped.

        A referee stops agents in processes of their own itself, and environments, each by its own
        clock. Their time comes on top of what is played in the referee. An environment is tried
        before it is played.

        Args:
            planned: The episode.
            taken_up: Whether its agent may have to play all levels before it again; one whose
                process dies may have to in any case.
        """
        opponents = self._opponents(planned.scenario)
        seats = (self._plan.agents[planned.agent].spec, *opponents)
        shares = 1 + sum(map(self._is_foreign, seats))
        shares += 2 if isinstance(self._game, HasEnvironments) else 0
        again = planned.scenario if self._plan.in_order and (taken_up or shares > 1) else 0
        return self._episode_seconds(planned) * shares * (1 + again)

    def _episode_seconds(self, planned: PlannedEpisode) -> float:
        spec = self._plan.agents[planned.agent].spec
        return self._plan.limits.episode_seconds(model=is_model(spec))

    def _opponents(self, scenario: int) -> Sequence[str]:
        game = self._game
        if not isinstance(game, HasOpponents):
            return ()
        return game.opponent_specs(self._plan.scenarios[scenario])

    def record_death(self, planned: PlannedEpisode, seconds: float) -> Episode | None:
        """Count a death; return the crashed episode, or None if it is to be played anew."""
        deaths = self._deaths[planned.number] = self._deaths.get(planned.number, 0) + 1
        if deaths < MAX_TRIES:
            return None
        reason = f"its process died {deaths} times"
        return self._fail(planned, EpisodeEnding.CRASHED, reason, seconds)

    def disqualify_late(self, planned: PlannedEpisode, seconds: float) -> Episode:
        """Return the record of an episode that was stopped because it took too long."""
        reason = f"took longer than {self._episode_seconds(planned):g} seconds"
        return self._fail(planned, EpisodeEnding.DISQUALIFIED, reason, seconds)

    def _fail(
        self, planned: PlannedEpisode, ending: EpisodeEnding, reason: str, seconds: float
    ) -> Episode:
        return failed_episode(self._plan, planned, ending, reason, seconds, self._context)


def failed_episode(
    plan: Plan,
    planned: PlannedEpisode,
    ending: EpisodeEnding,
    reason: str,
    seconds: float,
    context: RunContext = DEFAULT_CONTEXT,
) -> Episode:
    """Return the record of an episode whose process died or was stopped.

    Args:
        plan: What was to be played.
        planned: Which of it.
        ending: How it ended.
        reason: Why.
        seconds: How long it took.
        context: In its folder, the episode may have left a checkpoint: then the record goes as far
            as that.
    """
    game = open_game(plan.game, replace(context, limits=plan.limits))
    scenario = game.parse_scenario(plan.scenarios[planned.scenario])
    record, facts, steps = b"", game.replay(scenario, b""), 0
    checkpoint = Inflight(context.folder).read(planned.number) if context.folder else None
    calls: tuple[CallRow, ...] = ()
    if checkpoint:
        with suppress(LudusError):  # what cannot be restored is left out
            if restored := restore_match(game, scenario, checkpoint.state):
                match, calls = restored.match, restored.model_calls
                record, facts, steps = match.record(), match.facts(), checkpoint.steps
    return Episode(
        planned.number,
        planned.agent,
        planned.scenario,
        ending,
        reason,
        record,
        facts,
        steps,
        seconds,
        sum_calls(calls),
        calls,
    )


def _is_foreign(spec: str, family: str) -> bool:
    """Return whether an agent plays in a process of its own; one that cannot be read does not."""
    try:
        return is_foreign(spec, family)
    except AgentError:
        return False
