"""Language models as players: ``llm:MODEL@BASE_URL``, with the extra ``ludus-arena[llm]``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ludus.agents.diplomacy.memory import Memory
from ludus.agents.diplomacy.prompts import BASELINE, PromptSet, read_prompts
from ludus.agents.diplomacy.turn_prompter import TurnPrompter
from ludus.agents.llm.endpoint import Endpoint
from ludus.agents.llm.spec import ModelSpec, read_yes_or_no
from ludus.agents.llm.thread import wait_for
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.games.diplomacy.records import Answer
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.view import View

__all__ = ["SETTINGS", "LanguageModel"]

PROTOCOL = 6
"""Counted up when the same model with the same prompts would be asked or understood otherwise."""
SETTINGS = {"diary": read_yes_or_no}
"""What a spec may say besides the client's settings: whether the model keeps a diary."""
DEFAULTS = {"diary": True}


class LanguageModel:
    """A language model that negotiates, orders and remembers.

    Whatever the endpoint does, the game goes on: a question that is not answered leaves units
    without an order, which hold, and is counted as failed.

    Args:
        spec: The model and its settings.
        variant: The prompts: the name of a set of Ludus, or the path of a folder.
        context: What the run may spend.

    Attributes:
        name: What tables call it.
        variant: Its prompts, as they can be found from anywhere.
        fingerprint: Model, settings and prompts in a digest; not where the model is served.
        plays: The game it plays.
        waits: It spends its time waiting, so that others can be asked meanwhile.
    """

    plays = "diplomacy"
    waits = True

    def __init__(
        self, spec: ModelSpec, variant: str = BASELINE, context: RunContext = DEFAULT_CONTEXT
    ) -> None:
        prompts = read_prompts(variant)
        self.name = spec.name
        self.variant = prompts.spec
        self.fingerprint = _fingerprint(spec, prompts)
        self._endpoint = Endpoint(spec, context)
        self._keeps_diary = bool({**DEFAULTS, **spec.player}["diary"])
        self._prompts = prompts
        self._power = ""
        self._memory = Memory.empty("")

    def reset(self, scenario: Scenario) -> None:
        """Forget the last game and take a seat in the next."""
        self._power = scenario.power
        self._memory = Memory.empty(scenario.power)

    def act(self, observation: View) -> Answer:
        """Return messages or orders, and a note of the calls that they took.

        Raises:
            Paused: The budget is spent, or the endpoint will not answer anything: the run stops.
        """
        return wait_for(self._answer(observation))

    def memory(self) -> dict[str, Any]:
        """Return what it remembers, as plain values."""
        return self._memory.to_dict()

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Remember what :meth:`memory` returned."""
        self._memory = Memory.from_dict(self._power, dict(memory))

    def close(self) -> None:
        """Close its connections."""
        wait_for(self._endpoint.close())

    async def _answer(self, view: View) -> Answer:
        prompter = TurnPrompter(
            self._endpoint, self._prompts, view, self._memory, diary=self._keeps_diary
        )
        if view.step == "press":
            return Answer(messages=await prompter.negotiate(), note=self._note(prompter))
        return Answer(orders=await prompter.order(), note=self._note(prompter))

    def _note(self, prompter: TurnPrompter) -> dict[str, Any]:
        """Return what the record keeps beside the answer."""
        memory = self._memory
        return {
            "calls": prompter.calls,
            "goals": list(memory.goals),
            "relationships": dict(memory.relationships),
            "diary": prompter.written,
        }


def _fingerprint(spec: ModelSpec, prompts: PromptSet) -> str:
    values = {"protocol": PROTOCOL, "prompts": prompts.digest, **DEFAULTS, **spec.identity()}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]
