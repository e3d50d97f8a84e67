"""``ludus doctor``: what this installation has, what it lacks, and how to get it."""

from __future__ import annotations

import ctypes
import json as json_format
import os
import platform
import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.table import Table

from ludus.benchmarks.families import families
from ludus.benchmarks.family import import_attribute
from ludus.distribution import DISTRIBUTION, install_command
from ludus.escaping import escape_rich

__all__ = ["Finding", "doctor", "examine"]

EXTRAS = (
    *("web", "learn", "diplomacy", "llm", "plots", "pictures", "video"),
    *("java", "analysis", "cluster"),
)
PROBE_SECONDS = 10


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
    """Return the findings, by section: versions, extras, sandbox, engine."""
    return {
        "versions": _versions(),
        "extras": [_extra(name) for name in EXTRAS],
        "sandbox": [_bubblewrap(), _landlock(), _seccomp(), _user_namespaces(), _cgroups()],
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


def _bubblewrap() -> Finding:
    """See whether bubblewrap is there and may build its namespaces."""
    binary = shutil.which("bwrap")
    if binary is None:
        return Finding("bubblewrap", False, "not found; install the package bubblewrap")
    probe = [binary, "--unshare-all", "--ro-bind", "/", "/", "--die-with-parent", "true"]
    failure = _failure(probe)
    return Finding("bubblewrap", not failure, failure or _output([binary, "--version"]))


def _landlock() -> Finding:
    """Ask the kernel for its Landlock version: system call 444 with the version flag."""
    if sys.platform != "linux":
        return Finding("Landlock", False, "Linux only")
    abi = ctypes.CDLL(None, use_errno=True).syscall(444, None, ctypes.c_size_t(0), 1)
    if abi > 0:
        return Finding("Landlock", True, f"ABI {abi}")
    return Finding("Landlock", False, f"the kernel says: {os.strerror(ctypes.get_errno())}")


def _seccomp() -> Finding:
    """See whether the kernel filters system calls, and what it does with a filtered one."""
    status = _read_text("/proc/self/status")
    actions = _read_text("/proc/sys/kernel/seccomp/actions_avail")
    if "Seccomp:" not in status:
        return Finding("seccomp", False, "the kernel has none")
    return Finding("seccomp", True, actions or "available")


def _user_namespaces() -> Finding:
    """Try to make a user namespace, in a process of its own."""
    if sys.platform != "linux":
        return Finding("user namespaces", False, "Linux only")
    attempt = (
        "import ctypes, os, sys; libc = ctypes.CDLL(None, use_errno=True); "
        "sys.exit(libc.unshare(0x10000000) and os.strerror(ctypes.get_errno()))"
    )
    failure = _failure([sys.executable, "-I", "-S", "-c", attempt])
    return Finding("user namespaces", not failure, failure or "allowed")


def _cgroups() -> Finding:
    """See which controllers cgroup v2 offers."""
    controllers = _read_text("/sys/fs/cgroup/cgroup.controllers")
    return Finding("cgroup v2", bool(controllers), controllers or "not mounted at /sys/fs/cgroup")


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
    return findings


def _failure(command: list[str]) -> str:
    """Run a command and return what is wrong with it, in one line; nothing if it works."""
    try:
        process = subprocess.run(  # noqa: S603 (the commands are our own probes)
            command, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if process.returncode == 0:
        return ""
    complaint = process.stderr.strip().splitlines()
    return complaint[-1] if complaint else f"ends with exit code {process.returncode}"


def _output(command: list[str]) -> str:
    """Return what a command prints."""
    process = subprocess.run(  # noqa: S603 (the commands are our own probes)
        command, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False
    )
    return process.stdout.strip()


def _read_text(path: str) -> str:
    """Return a file's text without the space around it; nothing if it cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""
