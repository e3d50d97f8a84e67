"""Language models that play the platformer: ``llm:MODEL@BASE_URL``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludus.agents.llm.players import StepwisePlayer
from ludus.agents.llm.prompt_sets import BASELINE, PromptFields, PromptLibrary
from ludus.agents.llm.spec import ModelSpec, read_yes_or_no
from ludus.agents.llm.stepwise import StepwiseModel, read_hold
from ludus.agents.platformer.words import PlatformerWords
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import AgentError
from ludus.games.platformer.tasks.scenario import TaskScenario

__all__ = ["HOLD", "PLAYER", "SETTINGS", "LanguageModel"]

HOLD = 16
"""The most ticks of an answer, unless a spec says otherwise: as long as a jump."""
SETTINGS = {"hold": read_hold, "picture": read_yes_or_no}
_PLAY = {"actions", "hold", "terms", "ticks_a_second"}
LIBRARY = PromptLibrary(
    Path(__file__).parent / "prompts",
    {
        "system": PromptFields(set(), _PLAY),
        "moves": PromptFields(
            {"view", "format"}, _PLAY | {"legend", "state", "creatures", "recent"}
        ),
    },
)
PLAYER = StepwisePlayer(LIBRARY, HOLD, SETTINGS, PlatformerWords)


class LanguageModel(StepwiseModel):
    """A language model that plays the platformer by what its track shows, in words.

    Args:
        spec: The model and its settings.
        variant: The prompts: the name of a set of Ludus, or the path of a folder.
        context: What the run may spend.
    """

    def __init__(
        self, spec: ModelSpec, variant: str = BASELINE, context: RunContext = DEFAULT_CONTEXT
    ) -> None:
        self._sees = bool(spec.player.get("picture", False))
        super().__init__(
            spec,
            LIBRARY.read(variant),
            "platformer",
            PlatformerWords,
            hold=int(spec.player.get("hold", HOLD)),
            picture=self._sees,
            context=context,
        )

    def check_scenario(self, scenario: Any) -> None:
        """Refuse a task without a picture, if the model is to be shown one.

        Raises:
            AgentError: The task shows none.
        """
        if not self._sees or not isinstance(scenario, TaskScenario):
            return
        if not scenario.task.forward_model and "picture" not in scenario.task.kinds:
            raise AgentError(f"agent {self.name!r}: the task shows no picture: leave picture out")
