"""Language models that play the worm: ``llm:MODEL@BASE_URL``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludus.agents.llm.players import StepwisePlayer
from ludus.agents.llm.prompt_sets import BASELINE, PromptFields, PromptLibrary
from ludus.agents.llm.spec import ModelSpec
from ludus.agents.llm.stepwise import StepwiseModel, read_hold
from ludus.agents.worm.words import WormWords
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import AgentError
from ludus.games.worm.training.scenario import TrainingScenario

__all__ = ["HOLD", "PLAYER", "SETTINGS", "LanguageModel"]

HOLD = 8
"""The most steps of an answer, unless a spec says otherwise."""
SETTINGS = {"hold": read_hold}
_PLAY = {"actions", "hold", "target", "size", "unit", "dangers"}
LIBRARY = PromptLibrary(
    Path(__file__).parent / "prompts",
    {
        "system": PromptFields(set(), _PLAY),
        "moves": PromptFields({"senses", "format"}, _PLAY | {"recent", "steps_left"}),
    },
)
PLAYER = StepwisePlayer(LIBRARY, HOLD, SETTINGS, WormWords)


class LanguageModel(StepwiseModel):
    """A language model that plays the worm by its senses, in words.

    Args:
        spec: The model and its settings.
        variant: The prompts: the name of a set of Ludus, or the path of a folder.
        context: What the run may spend.
    """

    def __init__(
        self, spec: ModelSpec, variant: str = BASELINE, context: RunContext = DEFAULT_CONTEXT
    ) -> None:
        hold = int(spec.player.get("hold", HOLD))
        prompts = LIBRARY.read(variant)
        super().__init__(spec, prompts, "worm", WormWords, hold=hold, context=context)

    def check_scenario(self, scenario: Any) -> None:
        """Refuse a training, which is hundreds of dishes for a brain that learns.

        Raises:
            AgentError: It is one.
        """
        if isinstance(scenario, TrainingScenario):
            raise AgentError(
                f"agent {self.name!r} does not learn: play {scenario.task.name!r} as "
                f"worm/{scenario.task.name}"
            )
