"""The questions that a model is asked about a position, word for word."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from ludus.agents.diplomacy.briefing import brief, describe_press, describe_task, quote_messages
from ludus.agents.diplomacy.memory import Memory
from ludus.agents.diplomacy.order_lists import list_legal_orders, spell_out_orders
from ludus.agents.diplomacy.prompts import PromptSet
from ludus.agents.diplomacy.schemas import orders_schema, property_of
from ludus.agents.llm.endpoint import Question
from ludus.games.diplomacy.view import View

__all__ = [
    "ask_for_orders",
    "ask_plainly",
    "count_adjustments",
    "describe_format",
    "describe_orders_form",
    "make_question",
]

MOST_NAMED = 3
"""Units in the form of an answer; the legal orders name the others."""


def make_question(
    prompts: PromptSet,
    view: View,
    memory: Memory,
    kind: str,
    schema: Mapping[str, Any],
    form: str,
    more: Mapping[str, str],
) -> Question:
    """Return a question about a position.

    Args:
        prompts: The templates.
        view: The position as the power sees it.
        memory: What it remembers.
        kind: What it is asked for; names the template.
        schema: The form of the answer, for the endpoint.
        form: The same form by example, for the model.
        more: Fields of this kind of question.
    """
    fields = {**brief(view, memory), **more, "format": describe_format(form)}
    system = prompts.fill("system", {**fields, "press": describe_press(view.rounds)})
    drawn = f"{view.scenario.seed} {view.power} {view.phase} {view.round} {kind}"
    seed = zlib.crc32(drawn.encode()) & 0x7FFFFFFF
    return Question(kind, system, prompts.fill(kind, fields), schema, seed)


def ask_for_orders(prompts: PromptSet, view: View, memory: Memory) -> Question:
    """Return the question for the power's orders in this phase."""
    legal, adjust = view.legal, count_adjustments(view)
    fields = {
        "legal_orders": list_legal_orders(legal),
        "messages": quote_messages(view.messages, view.power, view.rounds),
        "task": describe_task(view),
    }
    form, schema = describe_orders_form(legal, adjust), orders_schema(legal, adjust)
    return make_question(prompts, view, memory, "orders", schema, form, fields)


def ask_plainly(prompts: PromptSet, view: View, before: Question) -> Question:
    """Return a short question for orders, as lines to be copied, after an answer that had none.

    It asks for no JSON and stands alone, so that nothing leads a small model astray again.
    """
    fields = {
        "power": view.power,
        "phase": view.phase,
        "count": str(len(view.legal)),
        "legal_orders": spell_out_orders(view.legal),
    }
    system = f"You play {view.power} in a game of Diplomacy."
    text = prompts.fill("plain", fields)
    return Question("orders_again", system, text, before.schema, before.seed + 1)


def count_adjustments(view: View) -> int:
    """Return how many units may be built, or below 0 must be removed; 0 outside of winter."""
    return view.builds.get(view.power, 0) if view.kind == "A" else 0


def describe_format(form: str) -> str:
    """Return the sentence that asks for an answer of a form."""
    return f"Think first, as long as it helps. Then end with one JSON object of this form:\n{form}"


def describe_orders_form(legal: Mapping[str, Sequence[str]], adjust: int) -> str:
    """Return the form of orders by example."""
    if adjust:
        listed = json.dumps(["order"] * abs(adjust))
        return f'{{"plan": "what you weigh, and what you will do", "orders": {listed}}}'
    orders = ["an order in full", *["…"] * (len(legal) - 1)]
    named = list(zip(map(property_of, legal), orders, strict=True))
    units = [f'"{unit}": "{order}"' for unit, order in named[:MOST_NAMED]]
    more = f", … one for each of your {len(named)} units" if len(named) > MOST_NAMED else ""
    listed = ", ".join(units) + more
    return f'{{"plan": "what you weigh, and what you will do", "orders": {{{listed}}}}}'
