"""Commands that are imported when they are called, those of Ludus and those of families."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from ludus.benchmarks.family import Command, import_attribute

__all__ = ["MountedCommand", "PlainGroup", "lazy_group", "run_command"]

PLAIN: Any = {"rich_markup_mode": None}
"""Help in plain text, since importing what draws frames takes longer than all the rest."""


@dataclass(frozen=True, slots=True)
class MountedCommand:
    """A command, the panel of the help that lists it, and how its words are read."""

    command: Command
    panel: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Any:
        """Import the command and return it, built."""
        holder = typer.Typer(add_completion=False, **PLAIN)
        holder.callback()(_do_nothing)
        target, name = import_attribute(self.command.target), self.command.name
        if isinstance(target, typer.Typer):
            holder.add_typer(target, name=name, rich_help_panel=self.panel)
        else:
            settings = dict(self.settings)
            holder.command(name, rich_help_panel=self.panel, context_settings=settings)(target)
        group: Any = get_command(holder)
        return group.commands[name]

    def placeholder(self) -> TyperCommand:
        """Return a command for the help alone; nothing is imported for it."""
        summary = self.command.summary
        return TyperCommand(self.command.name, help=summary, rich_help_panel=self.panel, **PLAIN)


class PlainGroup(TyperGroup):
    """Lists its commands panel by panel, each with its whole summary."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for every panel."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            row = (name, command.get_short_help_str(limit=LONGEST_SUMMARY))
            panels.setdefault(command.rich_help_panel or "Commands", []).append(row)
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)


def lazy_group(commands: Callable[[], Sequence[MountedCommand]]) -> type[TyperGroup]:
    """Return a group of commands, each of which is imported when it is called.

    Args:
        commands: Returns the commands; called whenever the group is built.
    """

    class LazyGroup(PlainGroup):
        """Lists commands by their summaries and imports the one that is called."""

        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            self.mounted = {mounted.command.name: mounted for mounted in commands()}
            for name, mounted in self.mounted.items():
                self.add_command(mounted.placeholder(), name)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            """Put the command that is called in place of its placeholder."""
            mounted = self.mounted.pop(args[0], None)
            if mounted:
                self.add_command(mounted.load(), args[0])
            return super().resolve_command(ctx, args)

    return LazyGroup


def run_command(function: Any, words: Sequence[str], name: str) -> Any:
    """Run a typer function with the words of a command line.

    Args:
        function: The function.
        words: The words.
        name: What its help and its errors call it.
    """
    app = typer.Typer(add_completion=False, context_settings=HELP_OPTIONS, **PLAIN)
    app.command()(function)
    return get_command(app)(args=list(words), prog_name=name, standalone_mode=False)


HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}
LONGEST_SUMMARY = 500


def _do_nothing() -> None:
    """Stand behind a group that only holds commands."""
