"""One match of Diplomacy: the tested seat acts, and six opponents act at the same time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ludus.contract import Closes, Remembers, Waits
from ludus.errors import ActionError, EpisodeOver, Paused
from ludus.games.diplomacy.facts import collect_facts
from ludus.games.diplomacy.packing import pack, unpack
from ludus.games.diplomacy.players import LoadPlayer, Player, load_bot
from ludus.games.diplomacy.recording import pack_turns, play_turn, turns_to_json
from ludus.games.diplomacy.records import EVERYBODY, POWERS, Answer, Message
from ludus.games.diplomacy.saved_games import message_from_json, message_to_json
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.diplomacy.view import View
from ludus.games.game import Facts

__all__ = ["DiplomacyMatch"]

AfterPhase = Callable[["DiplomacyMatch"], None]


class DiplomacyMatch:
    """A game of Diplomacy with one seat free for the player that is tested.

    Attributes:
        table: The game itself.
        observation: What the tested seat is shown; always as it is now.
        memory: What was given to :meth:`checkpoint`, if the match was restored from one.

    Example:
        >>> match = DiplomacyMatch(Scenario.from_dict({"opponents": "hold"}))
        >>> match.step(["A PAR - BUR"])
        >>> match.observation.phase, match.table.units["FRANCE"][-1]
        ('F1901M', 'A BUR')
    """

    def __init__(
        self,
        scenario: Scenario,
        players: Mapping[str, Player] | None = None,
        after_phase: AfterPhase | None = None,
        load_opponent: LoadPlayer = load_bot,
    ) -> None:
        """Begin a match.

        Args:
            scenario: What is played.
            players: Opponents by power instead of those the scenario names.
            after_phase: Called after every phase that was adjudicated.
            load_opponent: Makes the opponents that the scenario names; knows bots by default.
        """
        self._prepare(scenario, players, after_phase, load_opponent)
        self._begin_step()

    def _prepare(
        self,
        scenario: Scenario,
        players: Mapping[str, Player] | None,
        after_phase: AfterPhase | None,
        load_opponent: LoadPlayer,
    ) -> None:
        self._scenario = scenario
        self._after_phase = after_phase
        self.table = Table.start(scenario.position, scenario.first_year)
        self.observation = View(self.table, scenario.for_agent())
        self.memory: Any = None
        self._round = 0
        self._faults: list[str] = []
        seated = players or {}
        self._players = {
            power: seated.get(power) or load_opponent(spec)
            for power, spec in scenario.seats.items()
        }
        self._views = {
            power: View(self.table, scenario.for_seat(power).for_agent()) for power in POWERS
        }
        for power, player in self._players.items():
            player.reset(self._views[power].scenario)
        self._threads: ThreadPoolExecutor | None = None
        self._waiting: dict[str, Future[Any]] = {}

    # ---- the game's protocol

    @property
    def over(self) -> bool:
        """Whether somebody has won or the last year has passed."""
        return self.table.over or self.table.year > self._scenario.max_year

    def step(self, action: Any) -> None:
        """Take the tested seat's orders or messages, and play until it has to act again.

        Raises:
            ActionError: It is no list of texts, or no list of messages; nothing was played.
            EpisodeOver: The game is over.
        """
        if self.over:
            raise EpisodeOver("the game is over: begin another")
        self._finish_step(_parse_answer(action, self._step))
        self._begin_step()

    def record(self) -> bytes:
        """Return the orders and messages of all powers in every phase that was adjudicated."""
        return pack_turns(self.table.history, self._scenario.power)

    def facts(self) -> Facts:
        """Return what has happened so far."""
        return collect_facts(self.table, self._scenario)

    # ---- stopping and going on

    def checkpoint(self, memory: Any = None) -> bytes:
        """Return the state at the beginning of this step.

        Args:
            memory: What the tested player wants to find again; plain values.
        """
        values = {
            "turns": turns_to_json(self.table.history, self._scenario.power),
            "round": self._round,
            "faults": self._faults,
            "said": [message_to_json(message) for message in self.table.messages],
            "notes": self.table.notes,
            "players": self._opponent_memories,
            "memory": memory,
        }
        return pack(values)

    @classmethod
    def restore(
        cls,
        scenario: Scenario,
        checkpoint: bytes,
        players: Mapping[str, Player] | None = None,
        after_phase: AfterPhase | None = None,
        load_opponent: LoadPlayer = load_bot,
    ) -> DiplomacyMatch:
        """Return the match of a checkpoint; its players are given back their memories.

        Raises:
            ActionError: The checkpoint is none of this scenario.
        """
        match = cls.__new__(cls)
        match._prepare(scenario, players, after_phase, load_opponent)
        try:
            values = unpack(checkpoint)
            for turn in values["turns"]:
                play_turn(match.table, turn, scenario.power)
            match.table.messages = [message_from_json(message) for message in values["said"]]
            match.table.notes = {power: list(notes) for power, notes in values["notes"].items()}
            match._round, match._faults = values["round"], values["faults"]
            match.memory = values["memory"]
            for power, memory in values["players"].items():
                player = match._players[power]
                if isinstance(player, Remembers):
                    player.recall(memory)
        except (KeyError, TypeError, AttributeError) as error:
            raise ActionError("these bytes are no checkpoint of this scenario") from error
        match._begin_step()
        return match

    @property
    def worth_checkpointing(self) -> bool:
        """Whether an opponent has a memory to lose."""
        return any(isinstance(player, Remembers) for player in self._players.values())

    def _read_memories(self) -> dict[str, Any]:
        """Return what the opponents remember, before they begin to think about the step."""
        return {
            power: player.memory()
            for power, player in self._players.items()
            if isinstance(player, Remembers)
        }

    def close(self) -> None:
        """Close the opponents and their threads."""
        for player in self._players.values():
            if isinstance(player, Closes):
                player.close()
        if self._threads:
            self._threads.shutdown(wait=False, cancel_futures=True)

    # ---- steps

    @property
    def _step(self) -> str:
        pressing = self._round < self._scenario.rounds and self.table.kind == "M"
        return "press" if pressing else "orders"

    def _begin_step(self) -> None:
        """Set every view to the step; play on while the tested seat has nothing to order."""
        while not self.over:
            step = self._step
            number = self._round + 1 if step == "press" else 0
            for view in (self.observation, *self._views.values()):
                view.step, view.round = step, number
            self._opponent_memories = self._read_memories()
            self._start_waiting_players()
            if self.table.orderable(self._scenario.power):
                return
            self._finish_step(Answer())
        self.close()

    def _start_waiting_players(self) -> None:
        waiting = [
            power
            for power, player in self._players.items()
            if isinstance(player, Waits) and player.waits and self.table.orderable(power)
        ]
        if not waiting:
            return
        if self._threads is None:
            self._threads = ThreadPoolExecutor(len(self._players), "diplomacy-seat")
        _ = self.table.legal_orders  # worked out before several threads look
        self._waiting = {
            power: self._threads.submit(self._players[power].act, self._views[power])
            for power in waiting
        }

    def _finish_step(self, own_answer: Answer) -> None:
        """Collect everybody's answers and play them."""
        answers = self._collect_answers() | {self._scenario.power: own_answer}
        self._faults += [power for power, answer in answers.items() if answer is None]
        complete = {power: answers.get(power) or Answer() for power in POWERS}
        for power, answer in complete.items():
            if answer.note is not None:
                self.table.add_note(power, answer.note)
        if self._step == "press":
            self._add_messages({power: answer.messages for power, answer in complete.items()})
            self._round += 1
            return
        for power, answer in complete.items():
            self.table.submit(power, answer.orders)
        self.table.step(faults=sorted(set(self._faults)))
        self._round, self._faults = 0, []
        if self._after_phase:
            self._after_phase(self)

    def _collect_answers(self) -> dict[str, Answer | None]:
        """Return each opponent's answer; None for one that failed to give any."""
        answers: dict[str, Answer | None] = {}
        for power, player in self._players.items():
            if not self.table.orderable(power):
                continue
            try:
                waiting = self._waiting.get(power)
                action = waiting.result() if waiting else player.act(self._views[power])
                answers[power] = _parse_answer(action, self._step)
            except Paused:
                raise
            except Exception:  # whatever an opponent may raise is its own fault alone
                answers[power] = None
        self._waiting = {}
        return answers

    def _add_messages(self, messages: Mapping[str, Iterable[Message]]) -> None:
        for sender, written in messages.items():
            for message in written:
                if message.text.strip() and message.recipient != sender:
                    phase, number = self.table.phase, self._round + 1
                    self.table.add_message(
                        Message(sender, message.recipient, message.text, phase, number)
                    )


def _parse_answer(action: Any, step: str) -> Answer:
    """Return what a player has given as an answer; orders during press count as silence."""
    if isinstance(action, Answer):
        messages = action.messages if step == "press" else ()
        orders = _parse_answer(action.orders, "orders").orders
        return Answer(orders, tuple(map(_parse_message, messages)), _parse_note(action.note))
    if isinstance(action, str | bytes) or not isinstance(action, Iterable):
        raise ActionError(f"{action!r:.80} is not a list of orders or messages")
    items = list(action)
    if all(isinstance(item, str) for item in items):
        return Answer() if step == "press" else Answer(orders=tuple(items))
    if step == "press":
        return Answer(messages=tuple(_parse_message(item) for item in items))
    wrong = next(item for item in items if not isinstance(item, str))
    raise ActionError(f"{wrong!r:.80} is not the text of an order")


def _parse_note(note: Any) -> Mapping[str, Any] | None:
    """Return a note as it will be read from the record."""
    if note is None:
        return None
    try:
        return dict(json.loads(json.dumps(note, allow_nan=False)))
    except (TypeError, ValueError) as error:
        raise ActionError(f"{note!r:.80} is not a note of plain values: {error}") from None


def _parse_message(action: Any) -> Message:
    if isinstance(action, Mapping):
        action = Message("", action.get("recipient", EVERYBODY), action.get("text", ""))
    if not isinstance(action, Message) or not isinstance(action.text, str):
        raise ActionError(f"{action!r:.80} is not a message")
    if action.recipient not in (*POWERS, EVERYBODY):
        raise ActionError(f"nobody is called {action.recipient!r:.40}: try a power or {EVERYBODY}")
    return action
