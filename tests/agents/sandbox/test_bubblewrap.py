"""bubblewrap is used where it works; where it does not, its reason is told."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludus.agents.sandbox.bubblewrap import command_in_bubblewrap, find_fault
from ludus.agents.sandbox.layers import find_layers


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Let bubblewrap be tried anew, and again by whoever comes later."""
    find_fault.cache_clear()
    yield
    find_fault.cache_clear()


def put_program(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    program = folder / "bwrap"
    program.write_text(text)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_missing_program_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    layer = find_layers()[-1]
    assert (layer.name, layer.holds, layer.needed) == ("bubblewrap", False, False)
    assert layer.stops == "bwrap is not installed; the others hold"


def test_program_that_may_not_do_its_work_is_told_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reason = "bwrap: No permissions to create new namespace"
    put_program(tmp_path, monkeypatch, f"#!/bin/sh\necho '{reason}' >&2\nexit 1\n")
    assert find_fault() == reason
    assert find_layers()[-1].stops.startswith(reason)


def test_program_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    put_program(tmp_path, monkeypatch, "not a program")
    assert find_fault().startswith("bwrap cannot be run: ")


def test_real_one_hides_processes_network_and_the_right_to_write(tmp_path: Path) -> None:
    if find_fault():
        pytest.skip(find_fault())
    script = (
        f"ls -d /proc/[0-9]* | wc -l; wc -l < /proc/net/dev; touch {tmp_path}/x 2>&1; "
        "touch /dev/shm/x && echo written; grep CapEff /proc/self/status"
    )
    done = subprocess.run(
        command_in_bubblewrap(["sh", "-c", script]), capture_output=True, text=True, check=False
    )
    processes, network, refusal, written, rights = done.stdout.splitlines()
    assert int(processes) < 10
    assert int(network) == 3  # two lines of heading, and the loopback
    assert "Read-only file system" in refusal
    assert written == "written"
    assert int(rights.split()[1], 16) == 0
    assert find_layers()[-1].holds
