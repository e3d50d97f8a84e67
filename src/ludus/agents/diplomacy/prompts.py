"""The prompts of Diplomacy: which kinds there are, and what each may ask for."""

from __future__ import annotations

from pathlib import Path

from ludus.agents.llm.prompt_sets import BASELINE, PromptFields, PromptLibrary, PromptSet

__all__ = ["BASELINE", "PromptSet", "prompt_sets", "read_prompts"]

FOLDER = Path(__file__).parent / "prompts"

_GAME = {
    "power",
    "phase",
    "season",
    "year",
    "end_year",
    "board",
    "surroundings",
    "recent",
    "earlier",
    "memory",
}

TEMPLATES = {
    "system": PromptFields({"power", "end_year"}, {"press"}),
    "negotiate": PromptFields({"messages", "format"}, _GAME | {"round", "rounds", "others"}),
    "reflect": PromptFields({"messages", "format"}, _GAME),
    "orders": PromptFields({"legal_orders", "format"}, _GAME | {"messages", "task"}),
    "review": PromptFields({"results", "format"}, _GAME),
    "consolidate": PromptFields(
        {"diary", "format"}, {"power", "phase", "season", "year", "end_year"}
    ),
    "again": PromptFields({"problems", "format"}, {"power", "phase", "legal_orders"}),
    "plain": PromptFields({"legal_orders"}, {"power", "phase", "count"}),
}

LIBRARY = PromptLibrary(FOLDER, TEMPLATES)


def prompt_sets() -> tuple[str, ...]:
    """Return the names of the sets that come with Ludus."""
    return LIBRARY.names()


def read_prompts(name: str = BASELINE) -> PromptSet:
    """Return the set of this name, or of this folder.

    Raises:
        OptionError: There is none, or a file in it is no template: the message says why.
    """
    return LIBRARY.read(name)
