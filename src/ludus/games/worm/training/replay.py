"""What happened in a training, from its actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ludus.errors import OptionError
from ludus.games.game import Facts
from ludus.games.worm import Ending, Task, replay
from ludus.games.worm.chemotaxis import chemotaxis_index
from ludus.games.worm.training.records import Declaration
from ludus.games.worm.training.scenario import TrainingScenario

__all__ = ["EpisodeResult", "replay_training", "training_facts"]

LAST = 100  # episodes whose chemotaxis counts: those of a trained brain


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """What one episode of a training came to.

    Attributes:
        success: Whether the target was reached.
        steps: How many steps it took.
        foods: How many foods were eaten.
        efficiency: The distance efficiency.
        reason: Why it ended.
        chemotaxis: The chemotaxis index.
        total_reward: The sum of the rewards.
        survival: The share of health that was left; None where there is none to lose.
        comfort: The share of steps at a comfortable temperature; None where there is none.
        oxygen_comfort: The share of steps at comfortable oxygen; None where there is none.
    """

    success: bool
    steps: int
    foods: int
    efficiency: float
    reason: str
    chemotaxis: float
    total_reward: float
    survival: float | None
    comfort: float | None
    oxygen_comfort: float | None

    @classmethod
    def from_figures(cls, figures: Mapping[str, Any], task: Task) -> EpisodeResult:
        """Return what the engine's figures of an episode of a task say."""
        steps = int(figures["steps"])
        share = max(steps, 1)
        return cls(
            success=bool(figures["success"]),
            steps=steps,
            foods=int(figures["foods"]),
            efficiency=float(figures["efficiency"]),
            reason=Ending(int(figures["ending"])).reason,
            chemotaxis=chemotaxis_index(float(figures["in_zone"]), float(figures["positions"])),
            total_reward=float(figures["total_reward"]),
            survival=float(figures["health"]) / task.health if task.health else None,
            comfort=float(figures["comfort"]) / share if task.temperature else None,
            oxygen_comfort=float(figures["oxygen_comfort"]) / share if task.oxygen else None,
        )


def replay_training(scenario: TrainingScenario, actions: bytes) -> list[EpisodeResult]:
    """Return the episodes of a training.

    Raises:
        OptionError: The actions break off in an episode, or go on after the last.
    """
    task = scenario.task
    results: list[EpisodeResult] = []
    start = 0
    while start < len(actions):
        if len(results) == scenario.episodes:
            raise OptionError(
                f"{len(actions) - start} actions are left after {scenario.episodes} episodes"
            )
        seed = scenario.dish(len(results)).seed
        world = replay(task, seed, actions[start : start + task.max_steps])
        if not world.ended:
            raise OptionError(f"the actions break off in episode {len(results) + 1}")
        results.append(EpisodeResult.from_figures(world.figures(), task))
        start += results[-1].steps
    return results


def training_facts(
    scenario: TrainingScenario, declaration: Declaration, results: Sequence[EpisodeResult]
) -> Facts:
    """Return what happened in a training, summed up, with what is declared of the brain."""
    efficiencies = [min(result.efficiency, 1.0) for result in results] or [0.0]
    indices = [result.chemotaxis for result in results[-LAST:]] or [0.0]
    return {
        "planned": scenario.episodes,
        "successes": "".join("1" if result.success else "0" for result in results),
        "distance_efficiency": fmean(efficiencies),
        "chemotaxis": fmean(indices),
        "foods": sum(result.foods for result in results),
        "steps": sum(result.steps for result in results),
        "late": sum(
            result.reason == Ending.MAX_STEPS.reason and result.foods > 0 for result in results
        ),
        "learning": int(declaration.learning),
        "pretrained": declaration.pretrained,
        "pretraining_steps": declaration.pretraining_steps,
        "parameters": declaration.parameters,
    }
