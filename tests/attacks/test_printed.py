"""What a hostile agent prints is kept in part, can be shown, and holds up nobody."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.attacks import hostile_printers
from tests.runs.small import SMALL

import ludus
from ludus.agents.isolation.printed import MOST_KEPT, Printed, PrintReader, read_printed
from ludus.agents.sandbox import has_sandbox
from ludus.api import CheckResult
from ludus.benchmarks import benchmarks
from ludus.limits import Limits

pytestmark = pytest.mark.skipif(
    not has_sandbox(), reason="this system has no sandbox: ludus doctor says what is missing"
)


@pytest.fixture(params=[True, False], ids=["sandbox", "no-sandbox"])
def confined(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    limits = Limits(seconds=60, decision_seconds=5)
    monkeypatch.setitem(benchmarks(), SMALL.id, replace(SMALL, limits=limits))
    return Path(shutil.copy(hostile_printers.__file__, tmp_path / "printers.py"))


def check(agents: Path, name: str, *, confined: bool) -> CheckResult:
    result = ludus.check(f"{agents}:{name}", SMALL.id, episodes=1, sandbox=confined)
    assert len(result.printed.kept) <= MOST_KEPT
    assert all(line.isprintable() for line in result.printed.to_lines())
    assert all(note.isprintable() for note in result.view.notes)
    return result


@pytest.mark.parametrize("name", ["Floods", "PrintsManyLines"])
def test_much_output_is_cut_and_counted(agents: Path, name: str, confined: bool) -> None:
    result = check(agents, name, confined=confined)
    assert result.good
    digits = sum(len(f"{number}\n") for number in range(100_000))
    printed = {"Floods": 64 * 65_536, "PrintsManyLines": digits}[name]
    assert len(result.printed.kept) + result.printed.dropped == 2 * printed  # it plays twice
    first, *_, last = result.printed.to_lines()
    assert first in ("first", "0")
    assert last == f"… and {result.printed.dropped:,} bytes more, which were dropped"
    assert len(result.view.notes) < 100


def test_control_characters_are_shown_as_what_they_are(agents: Path, confined: bool) -> None:
    result = check(agents, "PrintsControls", confined=confined)
    assert result.good
    assert result.printed.to_lines()[:2] == [
        r"\x1b[2J\x1b]0;owned\x07\x00\r\xff\xe2\x82",
        r"\u202egnp\ud800.exe [bold]x[/bold]",
    ]


def test_output_after_the_deadline_does_not_lengthen_it(agents: Path, confined: bool) -> None:
    result = check(agents, "PrintsAfterTheDeadline", confined=confined)
    (line,) = result.violations
    assert line.endswith("took longer than 5 seconds for a decision")
    assert result.printed.to_lines()[:2] == ["calm", "before"]
    assert result.printed.dropped > 0


def test_closed_streams_end_the_log_and_nothing_else(agents: Path, confined: bool) -> None:
    assert check(agents, "ClosesStreams", confined=confined).episodes[0].episode.steps > 0
    result = check(agents, "ClosesStreamsAndFails", confined=confined)
    assert result.printed.to_lines() == ["last words"]
    assert result.violations == ["episode 0 (small 0): crashed: ValueError: unheard"]


def test_a_full_pipe_harms_nobody(agents: Path, confined: bool) -> None:
    result = check(agents, "FillsItsOwnPipe", confined=confined)
    assert result.good
    assert result.printed.to_lines()[0] == "kept"


def test_what_goes_to_other_descriptors_is_not_in_the_log(agents: Path, confined: bool) -> None:
    result = check(agents, "WritesElsewhere", confined=confined)
    (line,) = result.violations
    assert "broke off its messages: " in line
    assert result.printed.to_lines() == ["calm"]


def test_a_traceback_needs_no_stream_of_the_agent(agents: Path, confined: bool) -> None:
    result = check(agents, "BreaksItsStreams", confined=confined)
    assert result.violations == ["episode 0 (small 0): crashed: KeyError: 'missing'"]
    assert result.printed.to_lines()[-1] == "KeyError: 'missing'"
    result = check(agents, "Unreadable", confined=confined)
    (line,) = result.violations
    assert line.startswith("episode 0 (small 0): crashed: Error")


def test_a_child_that_keeps_the_pipe_open_is_ended(agents: Path) -> None:
    result = check(agents, "LeavesChild", confined=False)
    assert result.good
    assert "child" in result.printed.to_lines()
    confined = check(agents, "LeavesChild", confined=True)
    assert "PermissionError" in confined.violations[0]


def test_whoever_keeps_the_pipe_open_out_of_reach_is_not_waited_for() -> None:
    reader = PrintReader()
    kept_open = os.dup(reader.target)
    reader.start()
    os.write(kept_open, b"before")
    source, target = os.pipe()
    reader.finish(target)
    os.write(kept_open, b"after")
    assert read_printed(source) == Printed(b"before", 0)
    os.close(target)
    os.close(kept_open)


def test_what_nobody_wrote_is_nothing() -> None:
    for content in (b"", b"\1\2\3"):
        source, target = os.pipe()
        os.write(target, content)
        assert read_printed(source) == Printed()  # though the other end is open
        os.close(target)
