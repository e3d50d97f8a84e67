"""What a model would be asked in a phase of a saved game, without asking it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludus.agents.diplomacy.memory import DiaryEntry, Memory
from ludus.agents.diplomacy.prompts import BASELINE, read_prompts
from ludus.agents.diplomacy.questions import ask_for_orders
from ludus.agents.diplomacy.schemas import LABELS
from ludus.agents.llm.tokens import estimate_tokens
from ludus.errors import OptionError
from ludus.games.diplomacy.records import POWERS
from ludus.games.diplomacy.saved_games import check_saved_game
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.diplomacy.view import View

__all__ = ["PromptPreview", "preview_prompt"]

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """What a model would be asked.

    Attributes:
        power: The seat.
        phase: The phase.
        system: The system prompt.
        text: The question.
        tokens: About how many tokens both have.
    """

    power: str
    phase: str
    system: str
    text: str
    tokens: int


def preview_prompt(
    game: Mapping[str, Any],
    phase: str,
    power: str = "FRANCE",
    variant: str = BASELINE,
    max_year: int | None = None,
    *,
    press: bool = False,
) -> PromptPreview:
    """Return what a model would be asked for its orders in a phase of a saved game.

    Notes of models that the game holds (goals, relationships, diaries) are what they remember.

    Args:
        game: The saved game.
        phase: The phase's name, such as ``F1903M``.
        power: The seat.
        variant: The prompts: the name of a set of Ludus, or the path of a folder.
        max_year: The last year; that of the last phase that was played if it is None.
        press: Whether there is talking also if the game holds no messages.

    Raises:
        OptionError: It is no saved game, has no such phase, or the power has nothing to order.
    """
    if power not in POWERS:
        raise OptionError(f"no power {power!r}: give one of {', '.join(POWERS)}")
    records = check_saved_game(game)
    table = Table.from_saved_game({**game, "phases": _cut(records, phase)})
    talks = press or any(record.get("messages") for record in records)
    seat = Scenario(
        power=power,
        max_year=max_year or max(_last_year(game), table.year),
        press="full" if talks else "none",
        rounds=ROUNDS if talks else 0,
    )
    if not table.orderable(power):
        raise OptionError(f"{power} has nothing to order in {phase}: try another phase or power")
    memory = _remember(records, phase, power)
    question = ask_for_orders(read_prompts(variant), View(table, seat), memory)
    tokens = estimate_tokens(question.system) + estimate_tokens(question.text)
    return PromptPreview(power, phase, question.system, question.text, tokens)


def _last_year(game: Mapping[str, Any]) -> int:
    """Return the last year that was played: the last record may be the spring behind it."""
    end = Table.from_saved_game(game)
    return end.year - (end.phase == f"S{end.year}M")


def _cut(records: Any, phase: str) -> list[Mapping[str, Any]]:
    """Return the records up to a phase."""
    names = [str(record.get("name")) for record in records if isinstance(record, Mapping)]
    if phase not in names:
        shown = ", ".join(names[:3]) + (f" … {names[-1]}" if len(names) > 3 else "")
        raise OptionError(f"the game has no phase {phase!r}; it has {shown}")
    return list(records[: names.index(phase) + 1])


def _remember(records: Any, phase: str, power: str) -> Memory:
    """Return what the power's player had noted before it gave its orders in a phase."""
    memory = Memory.empty(power)
    for record in _cut(records, phase):
        states = record.get("state_agents")
        notes = states.get(power) if isinstance(states, Mapping) else None
        if isinstance(notes, Mapping):
            _take_notes(memory, notes, str(record["name"]))
    if memory.diary and memory.diary[-1].phase == phase:
        memory.diary.pop()  # the plan that came with the orders
    return memory


def _take_notes(memory: Memory, notes: Mapping[str, Any], phase: str) -> None:
    """Put the notes of a record in the place of what was remembered before."""
    goals, standing = notes.get("goals"), notes.get("relationships")
    memory.goals = [str(goal) for goal in goals] if isinstance(goals, list) else memory.goals
    for rival, label in standing.items() if isinstance(standing, Mapping) else ():
        if rival in memory.relationships and label in LABELS:
            memory.relationships[rival] = label
    diary = notes.get("full_private_diary")
    if isinstance(diary, list):
        memory.diary = [_read_entry(str(line), phase) for line in diary]


def _read_entry(line: str, phase: str) -> DiaryEntry:
    """Return a line such as ``[S1901M] We are friends.`` as an entry of the diary."""
    when, bracket, text = line.removeprefix("[").partition("] ")
    return DiaryEntry(when, text) if bracket and line.startswith("[") else DiaryEntry(phase, line)
