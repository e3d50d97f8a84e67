"""``ludus doctor``: what this installation has, what it lacks, and how to get it."""

from __future__ import annotations

import json as json_format
import platform
import re
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.table import Table

from ludus.agents.foreign.c_files import find_include, find_libludus
from ludus.agents.foreign.java_files import find_archive
from ludus.agents.foreign.java_runtime import find_java_home
from ludus.agents.sandbox import find_layers
from ludus.benchmarks.families import families
from ludus.benchmarks.family import import_attribute
from ludus.distribution import DISTRIBUTION, install_command
from ludus.errors import AgentError
from ludus.escaping import escape_rich
from ludus.limits import Limits

__all__ = ["Finding", "doctor", "examine"]

EXTRAS = (
    *("web", "learn", "diplomacy", "llm", "plots", "pictures", "video"),
    *("wasm", "analysis", "cluster"),
)


class Finding(NamedTuple):
    """One thing looked at.

    Attributes:
        name: What it is.
        good: Whether it is there and works.
        detail: Its version or state; where it is missing, what to do.
    """

    name: str
    good: bool
    detail: str


def doctor(
    json: Annotated[
        bool, typer.Option("--json", help="Print the findings as JSON instead of tables.")
    ] = False,
) -> None:
    """Show versions, extras, sandbox layers and the engine's build.

    Beside each layer of the sandbox stands what it stops, or why it does not hold here. The limits
    are those of an agent in the sandbox where the benchmark has none of its own.

    Ends with exit code 1 if something Ludus cannot do without is missing.

    Example: ludus doctor --json
    """
    report = examine()
    if json:
        values = {
            section: {
                finding.name: {"good": finding.good, "detail": finding.detail}
                for finding in findings
            }
            for section, findings in report.items()
        }
        typer.echo(json_format.dumps(values, indent=2))
    else:
        _print_report(report)
    if not all(finding.good for section in ("versions", "engine") for finding in report[section]):
        raise typer.Exit(1)


def examine() -> dict[str, list[Finding]]:
    """Return the findings, by section: versions, extras, sandbox, limits, engine."""
    return {
        "versions": _versions(),
        "extras": [*(_extra(name) for name in EXTRAS), _java()],
        "sandbox": _sandbox(),
        "limits": _limits(),
        "engine": _engine(),
    }


def _print_report(report: dict[str, list[Finding]]) -> None:
    """Print one table a section."""
    console = Console(highlight=False)
    for section, findings in report.items():
        table = Table(title=section, title_justify="left", title_style="bold", show_header=False)
        table.add_column(min_width=16)
        table.add_column(min_width=3)
        table.add_column(overflow="fold")
        for finding in findings:
            mark = "[green]yes[/]" if finding.good else "[yellow]no[/]"
            table.add_row(finding.name, mark, escape_rich(finding.detail))
        console.print(table)


def _versions() -> list[Finding]:
    """Look at Python, Ludus and what Ludus always needs."""
    python = Finding("python", True, f"{platform.python_version()} on {platform.platform()}")
    ludus = _distribution(DISTRIBUTION, "make install")._replace(name="ludus")
    needed = [_name(line) for line, extra in _requirements() if extra is None]
    return [python, ludus, *(_distribution(name, f"pip install {name}") for name in needed)]


def _extra(name: str) -> Finding:
    """Look at an extra: it is there if all it asks for is installed."""
    parts = _parts_of(name)
    if not parts:
        return Finding(name, False, "not part of this version")
    findings = [_distribution(part, "") for part in parts]
    if all(part.good for part in findings):
        return Finding(name, True, ", ".join(f"{part.name} {part.detail}" for part in findings))
    return Finding(name, False, install_command(name))


def _java() -> Finding:
    """Look for what Java agents are compiled against and played with."""
    try:
        return Finding("java", True, f"{find_java_home()}, {find_archive()}")
    except AgentError as error:
        return Finding("java", False, str(error))


def _parts_of(extra: str) -> list[str]:
    """Return the distributions that an extra asks for, also by way of other extras."""
    parts: list[str] = []
    for line, asking in _requirements():
        if asking == extra:
            others = re.match(rf"{DISTRIBUTION}\[([\w,-]+)\]", line)
            for other in others[1].split(",") if others else ():
                parts += _parts_of(other)
            parts += [] if others else [_name(line)]
    return list(dict.fromkeys(parts))


def _name(requirement: str) -> str:
    """Return the name of the distribution that a requirement asks for."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0]


def _requirements() -> list[tuple[str, str | None]]:
    """Return what Ludus asks for: each requirement, and the extra that asks for it."""
    try:
        lines = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return []
    extras = [re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", line) for line in lines]
    return [(line, match[1] if match else None) for line, match in zip(lines, extras, strict=True)]


def _distribution(name: str, remedy: str) -> Finding:
    """Look for an installed distribution."""
    try:
        return Finding(name, True, version(name))
    except PackageNotFoundError:
        return Finding(name, False, remedy)


def _sandbox() -> list[Finding]:
    """See which layers of the sandbox hold, and what each stops."""
    return [Finding(layer.name, layer.holds, layer.stops) for layer in find_layers()]


def _limits() -> list[Finding]:
    """Say what an agent in the sandbox may use, unless its benchmark has limits of its own."""
    return [Finding(name, True, amount) for name, amount in Limits().in_sandbox().describe()]


def _engine() -> list[Finding]:
    """Look at how the engines were built and which sources they were built from."""
    findings = []
    for family in families().values():
        if not family.build_facts:
            continue
        try:
            facts = import_attribute(family.build_facts)()
        except ImportError as error:
            findings.append(Finding(family.name, False, f"{error}; make install builds it"))
        else:
            findings += [Finding(name, True, value) for name, value in facts.items()]
    return [*findings, *_c_files()]


def _c_files() -> list[Finding]:
    """Look for what programs and agents in C are built with."""
    files = {"headers for C": find_include(), "library for C": find_libludus()}
    return [Finding(name, path.exists(), str(path)) for name, path in files.items()]
