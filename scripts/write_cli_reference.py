"""Write docs/reference/cli.md from the commands themselves.

    python scripts/write_cli_reference.py

A test compares the page with what this script would write now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

from ludus.benchmarks.families import families
from ludus.benchmarks.family import import_attribute
from ludus.cli.commands import all_commands

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "cli.md"
HEAD = """\
# The command line

<!-- Written by scripts/write_cli_reference.py: change the commands, then run it again. -->

`ludus COMMAND --help` prints the same. A benchmark may add options of its own to `ludus run`,
`ludus race` and `ludus board show`; `ludus benchmarks BENCHMARK` lists them.

| exit code | meaning |
|---|---|
| 0 | The command did what it was asked. |
| 1 | It found a fault: a record that differs, a bad file, a level that is not solved. |
| 2 | The input is wrong; one line says what and what to try. |
| 3 | The run stopped and can be resumed. |
| 130 | You interrupted it; the run can be resumed. |
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the text of the page."""
    return "\n".join([HEAD, *(_section(name, command) for name, command in load_commands())])


def load_commands() -> list[tuple[str, Any]]:
    """Return every command by its words, sorted; a family's own with the family in brackets."""
    commands: list[tuple[str, Any]] = []
    for mounted in all_commands():
        name = mounted.command.name
        commands += _unfold(f"ludus {name}", mounted.load())
        offers = [family for family in families().values() if getattr(family, name, None)]
        for family in offers if name in ("demo", "train", "submit") else ():
            target = import_attribute(getattr(family, name))
            commands.append((f"ludus {name} ({family.name})", _build(target)))
    return sorted(commands, key=lambda named: named[0])


def _unfold(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Return a command, or those of a group."""
    inner = getattr(command, "commands", {})
    if not inner:
        yield name, command
    for word, one in inner.items():
        yield from _unfold(f"{name} {word}", one)


def _build(function: Any) -> Any:
    """Return the command of a typer function."""
    holder = typer.Typer(add_completion=False)
    holder.command()(function)
    return get_command(holder)


def _section(name: str, command: Any) -> str:
    """Return a command's heading, what it does, its usage and its parameters."""
    shown = [param for param in command.params if not param.hidden and param.name != "help"]
    words = name.partition(" (")[0]
    usage = " ".join([words, *(_usage(param) for param in shown if not _is_option(param))])
    options = " [OPTIONS]" if any(_is_option(param) for param in shown) else ""
    help_text, examples = _split_examples(command.help or "")
    parts = [f"## {name}", help_text, f"```text\n{usage}{options}\n```"]
    if shown:
        parts.append("\n".join(["| | |", "|---|---|", *(_row(param) for param in shown)]))
    if examples:
        parts.append("```text\n" + "\n".join(examples) + "\n```")
    return "\n\n".join(part for part in parts if part) + "\n"


def _split_examples(text: str) -> tuple[str, list[str]]:
    """Return a help text without its examples, and the examples."""
    body, *examples = text.split("Example:")
    return body.strip(), [" ".join(example.split()) for example in examples]


def _is_option(param: Any) -> bool:
    return bool(param.opts[0].startswith("-"))


def _usage(param: Any) -> str:
    """Return an argument as the usage line shows it."""
    name = _argument(param)
    return name if param.required else f"[{name}]"


def _argument(param: Any) -> str:
    """Return an argument's name, as texts speak of it."""
    dots = "…" if param.nargs == -1 else ""
    name = str(param.metavar or param.name.upper() + dots)
    return name[1:-1] if re.fullmatch(r"\[\w+\]", name) else name


def _row(param: Any) -> str:
    """Return a parameter's row of the table."""
    if not _is_option(param):
        return f"| `{_cell(_argument(param))}` | {_cell(param.help)} |"
    names = ", ".join(f"`{name}`" for name in (*param.opts, *param.secondary_opts))
    value = "" if param.is_flag else f" `{_cell(param.metavar or _kind(param))}`"
    return f"| {names}{value} | {_cell(param.help)}{_default(param)} |"


def _kind(param: Any) -> str:
    """Return a word for what an option takes."""
    annotation = param.type_descriptor.annotation
    return {"int": "N", "float": "X", "Path": "PATH"}.get(
        getattr(annotation, "__name__", ""), "TEXT"
    )


def _default(param: Any) -> str:
    """Return what an option is by default, if that is worth saying."""
    if isinstance(param.show_default, str):
        return f" Default: {param.show_default}."
    if not param.show_default or param.is_flag or param.default in (None, "", [], ()):
        return ""
    return f" Default: `{param.default}`."


def _cell(text: str | None) -> str:
    """Return a text that fits into a cell of a table."""
    return " ".join((text or "").split()).replace("|", "\\|")


if __name__ == "__main__":
    main()
