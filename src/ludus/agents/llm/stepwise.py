"""Language models in games of many small steps: a model is asked for several steps at once."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from ludus.agents.llm.call_book import CallBook, find_status
from ludus.agents.llm.endpoint import Endpoint, Question, Reply
from ludus.agents.llm.held_actions import HeldAction, HeldActions, moves_schema, read_moves
from ludus.agents.llm.prompt_sets import PromptSet
from ludus.agents.llm.spec import ModelSpec, read_count
from ludus.agents.llm.thread import wait_for
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import AgentError

__all__ = ["MOST_HOLD", "GameWords", "StepwiseModel", "ask_for_moves", "read_hold"]

PROTOCOL = 1
"""Counted up when the same model with the same prompts would be asked or understood otherwise."""
MOST_HOLD = 1000
QUICK = 0.5
"""Seconds within which no language model is expected to answer every time."""

FORMAT = (
    "Think first, as long as it helps. Then end with one JSON object of this form, with one to "
    '{moves} moves and at most {hold} ticks in all:\n{{"thought": "what you see, and what you '
    'will do", "moves": [{{"action": "{name}", "ticks": {ticks}}}]}}'
)


def read_hold(text: str) -> int:
    """Return the setting of how many ticks an answer may last.

    Raises:
        ValueError: It is no such number.
    """
    return read_count(1, MOST_HOLD)(text)


class GameWords(Protocol):
    """One play of a game in words: what the player sees, what it may do, what it did."""

    @property
    def names(self) -> Sequence[str]:
        """The actions that a model is offered."""
        ...

    @property
    def nothing(self) -> str:
        """The action that stands for none."""
        ...

    @property
    def ticks_a_step(self) -> int:
        """How many ticks the game plays for each action it is given."""
        ...

    def describe(self, observation: Any) -> Mapping[str, str]:
        """Return the fields of prompts: what the observation shows, and no more."""
        ...

    def draw(self, observation: Any) -> bytes:
        """Return what is seen as a PNG; nothing if it is not shown."""
        ...

    def read_name(self, text: str) -> str | None:
        """Return the proper name of an action, or None if the text names none."""
        ...

    def find_action(self, name: str) -> Any:
        """Return what the game takes as the action of this name."""
        ...

    def find_name(self, action: Any) -> str:
        """Return the name of an action of the game."""
        ...

    def follow(self, observation: Any, name: str) -> None:
        """Take note of an action that is now played."""
        ...

    def begins_anew(self, observation: Any) -> bool:
        """Return whether what was planned is void: another life or level has begun."""
        ...

    def memory(self) -> Any:
        """Return what was taken note of, as plain values."""
        ...

    def recall(self, memory: Any) -> None:
        """Take up what :meth:`memory` returned."""
        ...


def ask_for_moves(
    prompts: PromptSet,
    words: GameWords,
    observation: Any,
    *,
    hold: int,
    picture: bool = False,
    seed: int = 0,
) -> Question:
    """Return the question for the next moves, word for word.

    Args:
        prompts: The templates.
        words: The play so far.
        observation: What is seen now.
        hold: The most ticks of an answer.
        picture: Whether the screen is shown as a picture, too.
        seed: Sent along, for endpoints that can repeat themselves.
    """
    example = FORMAT.format(moves=3, hold=hold, name=words.names[0], ticks=max(1, hold // 2))
    fields = {
        **words.describe(observation),
        "actions": ", ".join(words.names),
        "hold": str(hold),
        "format": example,
    }
    return Question(
        "moves",
        prompts.fill("system", fields),
        prompts.fill("moves", fields),
        moves_schema(words.names, hold),
        seed,
        picture=words.draw(observation) if picture else b"",
    )


class StepwiseModel:
    """A language model that says what to do for some ticks, and is asked again after them.

    Whatever the endpoint does, the game goes on: after a question without a usable answer nothing
    is pressed for as long as an answer may last, and the call is counted as failed.

    Args:
        spec: The model and its settings.
        prompts: What it is asked with.
        plays: The family of games that it plays.
        begin: Returns the words of a new play of a scenario.
        hold: The most ticks of one answer.
        picture: Whether it is shown the screen.
        context: What the run may spend.

    Attributes:
        name: What tables call it.
        variant: Its prompts, as they can be found from anywhere.
        fingerprint: Model, settings and prompts in a digest; not where the model is served.
        plays: The family of games that it plays.
        waits: It spends its time waiting.
        checkpoint_due: Whether it was asked for the last action: the steps of its plan between two
            questions cost nothing, and need not be saved.

    Raises:
        AgentError: The benchmark wants every decision sooner than models answer.
    """

    waits = True

    def __init__(
        self,
        spec: ModelSpec,
        prompts: PromptSet,
        plays: str,
        begin: Callable[[Any], GameWords],
        *,
        hold: int,
        picture: bool = False,
        context: RunContext = DEFAULT_CONTEXT,
    ) -> None:
        _check_time(spec, context)
        self.name = spec.name
        self.plays = plays
        self.variant = prompts.spec
        settings = {"hold": hold, "picture": picture, "plays": plays}
        self.fingerprint = _fingerprint(spec, prompts, settings)
        self._endpoint = Endpoint(spec, context)
        self._prompts, self._begin = prompts, begin
        self._hold, self._picture = hold, picture
        self._seed = self._steps = 0
        self._book = CallBook()
        self._words: GameWords | None = None
        self._planned: list[str] = []  # the name of an action for each step
        self.checkpoint_due = False

    def take_model_calls(self) -> list[dict[str, Any]]:
        """Return the calls of the episode, as records keep them, and forget them."""
        book, self._book = self._book, CallBook()
        return book.rows

    def reset(self, scenario: Any) -> None:
        """Forget the last play and begin another."""
        self._words = self._begin(scenario)
        self._seed, self._steps = int(scenario.seed), 0
        self._planned = []

    def act(self, observation: Any) -> Any:
        """Return the next action of what the model has planned; ask it if nothing is left.

        Raises:
            Paused: The budget is spent, or the endpoint will not answer anything: the run stops.
        """
        words = self._words
        if words is None:
            raise AgentError(f"agent {self.name!r} was asked before it was reset")
        if words.begins_anew(observation):
            self._planned = []
        self.checkpoint_due = not self._planned
        if self.checkpoint_due:
            self._planned = wait_for(self._ask(words, observation))
        name = self._planned.pop(0)
        self._steps += 1
        words.follow(observation, name)
        return words.find_action(name)

    @property
    def plan(self) -> list[Any]:
        """The actions that it means to play after the one that it has just returned."""
        words = self._words
        return [words.find_action(name) for name in self._planned] if words else []

    def memory(self) -> dict[str, Any]:
        """Return what it remembers of the episode, as plain values."""
        words = self._words.memory() if self._words else None
        return {
            "words": words,
            "steps": self._steps,
            "planned": self._planned,
            "calls": self._book.rows,
        }

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Remember what :meth:`memory` returned."""
        self._planned = [str(name) for name in memory["planned"]]
        self._steps = int(memory["steps"])
        self._book.rows = [dict(row) for row in memory["calls"]]
        if self._words:
            self._words.recall(memory["words"])

    def close(self) -> None:
        """Close its connections."""
        wait_for(self._endpoint.close())

    async def _ask(self, words: GameWords, observation: Any) -> list[str]:
        question = ask_for_moves(
            self._prompts,
            words,
            observation,
            hold=self._hold,
            picture=self._picture,
            seed=zlib.crc32(f"{self._seed} {self._steps}".encode()) & 0x7FFFFFFF,
        )
        reply = await self._endpoint.ask(question)
        moves = read_moves(reply.text, words.read_name, self._hold)
        status = _judge(reply, moves)
        moment = {"step": self._steps}
        self._book.record(moment, question, reply, status, moves.rejected, kept=moment)
        held = moves.held or (HeldAction(words.nothing, self._hold),)
        return _spread(held, words.ticks_a_step)


def _spread(held: Sequence[HeldAction], ticks_a_step: int) -> list[str]:
    """Return the action of each step; a step has the action that its first tick has."""
    ticks = [name for name, count in held for _ in range(count)]
    return ticks[::ticks_a_step]


def _judge(reply: Reply, moves: HeldActions) -> str:
    """Return what an answer is worth."""
    if reply.status != "answered" or not moves.read:
        return reply.unread_status
    return find_status(complete=not moves.rejected) if moves.held else "illegal"


def _check_time(spec: ModelSpec, context: RunContext) -> None:
    most = context.limits.decision_seconds if context.limits else 0.0
    if 0 < most < QUICK:
        raise AgentError(
            f"{spec.model!r} cannot answer within the {most:g} s that the benchmark allows for a "
            "decision: play one without such a limit"
        )


def _fingerprint(spec: ModelSpec, prompts: PromptSet, settings: Mapping[str, Any]) -> str:
    values = {"protocol": PROTOCOL, "prompts": prompts.digest, **spec.identity(), **settings}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]
