"""A model at one seat: what it is asked in a step, and what becomes of its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ludus.agents.diplomacy.answers import (
    Orders,
    read_messages,
    read_orders,
    read_reflection,
    read_summary,
)
from ludus.agents.diplomacy.briefing import describe_turn, quote_messages
from ludus.agents.diplomacy.memory import Memory
from ludus.agents.diplomacy.order_lists import list_legal_orders
from ludus.agents.diplomacy.prompts import PromptSet
from ludus.agents.diplomacy.questions import (
    ask_for_orders,
    ask_plainly,
    count_adjustments,
    describe_format,
    describe_orders_form,
    make_question,
)
from ludus.agents.diplomacy.schemas import (
    LABELS,
    consolidation_schema,
    negotiation_schema,
    reflection_schema,
)
from ludus.agents.llm.call_book import GOOD, CallBook, find_status
from ludus.agents.llm.endpoint import Endpoint, Question, Reply
from ludus.games.diplomacy.records import POWERS, Message
from ludus.games.diplomacy.view import View

__all__ = ["TurnPrompter"]

LONGEST_QUOTE = 2000
TEXT = "text"


class TurnPrompter:
    """One step of one power: asks the model, changes its memory, counts the calls.

    Args:
        endpoint: Where the model is asked.
        prompts: What it is asked with.
        view: The position.
        memory: What it remembers.
        diary: Whether it keeps a diary, goals and relationships, which takes calls.

    Attributes:
        written: What was added to the diary.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        prompts: PromptSet,
        view: View,
        memory: Memory,
        *,
        diary: bool,
    ) -> None:
        self._keeps_diary = diary
        self._endpoint = endpoint
        self._prompts = prompts
        self._view = view
        self._memory = memory
        self._book = CallBook()
        self.written: list[str] = []

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The calls so far, as records keep them."""
        return self._book.rows

    # ---- the steps of a game

    async def negotiate(self) -> tuple[Message, ...]:
        """Return what the power says in this round."""
        view = self._view
        if view.round == 1:
            await self._look_back()
        living = [power for power in POWERS if view.units.get(power) or view.centres.get(power)]
        others = [power for power in living if power != view.power]
        reply, question = await self._ask(
            "negotiate",
            negotiation_schema(others),
            '{"messages": [{"recipient": "GLOBAL or a power", "text": "what you say"}]}',
            {
                "messages": quote_messages(view.messages, view.power),
                "round": str(view.round),
                "rounds": str(view.rounds),
                "others": ", ".join(others),
            },
        )
        read = read_messages(reply.text, view.power, others)
        if read is None:
            self._record(question, reply, reply.unread_status)
            return ()
        messages, dropped = read
        nothing_left = dropped and not messages
        self._record(
            question, reply, "illegal" if nothing_left else find_status(complete=not dropped)
        )
        return tuple(messages)

    async def order(self) -> tuple[str, ...]:
        """Return the power's orders; what is no legal order comes first and does no harm."""
        view = self._view
        if view.kind == "M":
            if not view.rounds:
                await self._look_back()
            elif view.messages and self._keeps_diary:
                await self._reflect()
        orders = await self._orders()
        if self._keeps_diary:
            self._write(view.phase, orders.plan)
        return (*(rejection.text for rejection in orders.rejected), *orders.legal.values())

    # ---- orders

    async def _orders(self) -> Orders:
        view = self._view
        legal, adjust = view.legal, count_adjustments(view)
        question = ask_for_orders(self._prompts, view, self._memory)
        reply = await self._endpoint.ask(question)
        first = read_orders(reply.text, legal, view.kind, adjust)
        status, problems = self._judge(reply, first, legal, adjust)
        self._record(question, reply, status, rejected=len(first.rejected))
        if status == GOOD or not problems:
            return first
        return await self._orders_again(question, reply, first, problems)

    async def _orders_again(
        self, question: Question, reply: Reply, first: Orders, problems: Sequence[str]
    ) -> Orders:
        """Ask once more, with what was wrong; keep what was good unless it is changed."""
        view = self._view
        legal, adjust = view.legal, count_adjustments(view)
        if reply.form == TEXT and not first.read and not adjust:
            question = ask_plainly(self._prompts, view, question)
        else:
            question = self._name_problems(question, reply, problems)
        reply = await self._endpoint.ask(question)
        second = read_orders(reply.text, legal, view.kind, adjust)
        status, _ = self._judge(reply, second, legal, adjust)
        self._record(question, reply, status, rejected=len(second.rejected))
        if not second.legal:
            return first
        unchanged = {} if adjust else first.legal
        return Orders({**unchanged, **second.legal}, second.rejected, second.plan or first.plan)

    def _name_problems(self, question: Question, reply: Reply, problems: Sequence[str]) -> Question:
        """Return the question again, after its answer and what is wrong with that."""
        view = self._view
        legal = view.legal
        fields = {
            "power": view.power,
            "phase": view.phase,
            "problems": "\n".join(f"- {problem}" for problem in problems),
            "legal_orders": list_legal_orders(legal),
            "format": describe_format(describe_orders_form(legal, count_adjustments(view))),
        }
        first_answer = reply.text[:LONGEST_QUOTE] or "(no answer)"
        so_far = (
            {"role": "assistant", "content": first_answer},
            {"role": "user", "content": self._prompts.fill("again", fields)},
        )
        return replace(question, kind="orders_again", seed=question.seed + 1, so_far=so_far)

    def _judge(
        self, reply: Reply, orders: Orders, legal: Mapping[str, Sequence[str]], adjust: int
    ) -> tuple[str, list[str]]:
        """Return what an answer is, and what is wrong with it that asking again may mend."""
        if reply.status in ("refused", "empty", "tool_call", "truncated"):
            return reply.status, ["There were no orders in it."]
        if reply.status != "answered":
            return reply.status, []
        if not orders.read:
            return reply.unread_status, ["It could not be read as JSON of the form asked for."]
        needed = -adjust if adjust < 0 else 0 if adjust else len(legal)
        problems = [f"{rejection.text!r} {rejection.reason}" for rejection in orders.rejected]
        if not adjust:
            problems += [f"no order for {unit}" for unit in legal if unit not in orders.legal]
        elif len(orders.legal) < needed:
            problems.append(f"{len(orders.legal)} orders where {needed} are needed")
        if problems and not orders.legal:
            return "illegal", problems
        return find_status(complete=not problems), problems

    # ---- memory

    async def _look_back(self) -> None:
        """Think about what came of the last movement; in spring, sum up what is long past."""
        view, memory = self._view, self._memory
        history = view.history
        last = max((k for k, turn in enumerate(history) if turn.phase[-1:] == "M"), default=None)
        if not self._keeps_diary or last is None or memory.reviewed == history[last].phase:
            return
        turns = "\n\n".join(describe_turn(turn) for turn in history[last:])
        memory.reviewed = history[last].phase
        await self._think("review", {"results": turns}, memory.reviewed)
        if view.season == "spring" and memory.old_entries(view.year):
            await self._consolidate()

    async def _reflect(self) -> None:
        """Note what the talks of this phase have brought."""
        view = self._view
        messages = quote_messages(view.messages, view.power)
        await self._think("reflect", {"messages": messages}, view.phase)

    async def _think(self, kind: str, fields: Mapping[str, str], phase: str) -> None:
        power, memory = self._view.power, self._memory
        labels = "|".join(LABELS)
        rivals = ", ".join(f'"{rival}": "{labels}"' for rival in POWERS if rival != power)
        form = f'{{"diary": "a few sentences", "goals": ["…"], "relationships": {{{rivals}}}}}'
        reply, question = await self._ask(kind, reflection_schema(power), form, fields)
        read = read_reflection(reply.text, power)
        if read is None:
            self._record(question, reply, reply.unread_status)
            return
        self._record(question, reply, find_status(complete=read.complete))
        self._write(phase, read.diary)
        memory.goals = list(read.goals) if read.goals is not None else memory.goals
        memory.relationships.update(read.relationships)

    def _write(self, phase: str, text: str) -> None:
        if text:
            self._memory.write(phase, text)
            self.written.append(str(self._memory.diary[-1]))

    async def _consolidate(self) -> None:
        view, memory = self._view, self._memory
        old = [*([memory.past] if memory.past else []), *map(str, memory.old_entries(view.year))]
        form = '{"summary": "…"}'
        fields = {"diary": "\n".join(old)}
        reply, question = await self._ask("consolidate", consolidation_schema(), form, fields)
        summary = read_summary(reply.text)
        self._record(question, reply, GOOD if summary else reply.unread_status)
        if summary:
            memory.summarise(view.year, summary)

    # ---- asking

    async def _ask(
        self, kind: str, schema: Mapping[str, Any], form: str, more: Mapping[str, str]
    ) -> tuple[Reply, Question]:
        question = make_question(self._prompts, self._view, self._memory, kind, schema, form, more)
        return await self._endpoint.ask(question), question

    def _record(self, question: Question, reply: Reply, status: str, rejected: int = 0) -> None:
        view = self._view
        self._book.record(
            {"phase": view.phase, "power": view.power}, question, reply, status, rejected
        )
