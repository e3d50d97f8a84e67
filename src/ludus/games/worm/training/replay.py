"""What happened in a training, from its actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ludus.errors import OptionError
from ludus.games.game import Facts
from ludus.games.worm import Ending, replay
from ludus.games.worm.chemotaxis import chemotaxis_index
from ludus.games.worm.training.records import Declared
from ludus.games.worm.training.scenario import TrainingScenario

__all__ = ["Outcome", "collect_facts", "outcome_of", "replay_training"]

LAST = 100  # episodes whose chemotaxis counts: those of a trained brain


@dataclass(frozen=True, slots=True)
class Outcome:
    """One episode of a training.

    Attributes:
        success: Whether the target was reached.
        steps: How many steps it took.
        foods: How many foods were eaten.
        efficiency: The distance efficiency.
        reason: Why it ended.
        chemotaxis: The chemotaxis index.
    """

    success: bool
    steps: int
    foods: int
    efficiency: float
    reason: str
    chemotaxis: float


def outcome_of(figures: Mapping[str, Any]) -> Outcome:
    """Return an episode's figures as a record."""
    near, positions = float(figures["in_zone"]), float(figures["positions"])
    return Outcome(
        success=bool(figures["success"]),
        steps=int(figures["steps"]),
        foods=int(figures["foods"]),
        efficiency=float(figures["efficiency"]),
        reason=Ending(int(figures["ending"])).reason,
        chemotaxis=chemotaxis_index(near, positions),
    )


def replay_training(scenario: TrainingScenario, actions: bytes) -> list[Outcome]:
    """Return the episodes of a training.

    Raises:
        OptionError: The actions break off in an episode, or go on after the last.
    """
    task = scenario.task
    outcomes: list[Outcome] = []
    place = 0
    while place < len(actions):
        if len(outcomes) == scenario.episodes:
            raise OptionError(
                f"{len(actions) - place} actions are left after {scenario.episodes} episodes"
            )
        seed = scenario.dish(len(outcomes)).seed
        world = replay(task, seed, actions[place : place + task.max_steps])
        if not world.ended:
            raise OptionError(f"the actions break off in episode {len(outcomes) + 1}")
        outcomes.append(outcome_of(world.figures()))
        place += outcomes[-1].steps
    return outcomes


def collect_facts(
    scenario: TrainingScenario, declared: Declared, outcomes: Sequence[Outcome]
) -> Facts:
    """Return what happened in a training, summed up, with what is declared of the brain."""
    straight = [min(one.efficiency, 1.0) for one in outcomes] or [0.0]
    smelt = [one.chemotaxis for one in outcomes[-LAST:]] or [0.0]
    return {
        "planned": scenario.episodes,
        "successes": "".join("1" if one.success else "0" for one in outcomes),
        "distance_efficiency": fmean(straight),
        "chemotaxis": fmean(smelt),
        "foods": sum(one.foods for one in outcomes),
        "steps": sum(one.steps for one in outcomes),
        "late": sum(one.reason == Ending.MAX_STEPS.reason and one.foods > 0 for one in outcomes),
        "learning": int(declared.learning),
        "pretrained": declared.pretrained,
        "pretraining_steps": declared.pretraining_steps,
        "parameters": declared.parameters,
    }
