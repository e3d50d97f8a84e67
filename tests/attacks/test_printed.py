"""What a hostile agent prints is kept in part, can be shown, and holds up nobody."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks import hostile_printers
from tests.runs.small import SMALL

import ludus
from ludus.agents.isolation.printed import (
    MOST_FIRST,
    MOST_LAST,
    Printed,
    PrintReader,
    leave_out_middle,
    read_printed,
)
from ludus.agents.sandbox import _confine, has_sandbox
from ludus.agents.sandbox.confinement import SIGNALS_SINCE
from ludus.api import CheckResult
from ludus.benchmarks import benchmarks
from ludus.errors import AgentError
from ludus.limits import Limits

pytestmark = pytest.mark.skipif(
    not has_sandbox(), reason="this system has no sandbox: ludus doctor says what is missing"
)


@pytest.fixture(params=[True, False], ids=["sandbox", "no-sandbox"])
def confined(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def can_confine_programs() -> bool:
    return _confine.landlock_version() >= SIGNALS_SINCE


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    limits = Limits(seconds=60, decision_seconds=5)
    monkeypatch.setitem(benchmarks(), SMALL.id, replace(SMALL, limits=limits))
    return Path(shutil.copy(hostile_printers.__file__, tmp_path / "printers.py"))


def check(agents: Path, name: str, *, confined: bool) -> CheckResult:
    result = ludus.check(f"{agents}:{name}", SMALL.id, episodes=1, sandbox=confined)
    assert len(result.printed.first) <= MOST_FIRST
    assert len(result.printed.last) <= MOST_LAST
    assert all(line.isprintable() for line in result.printed.to_lines())
    assert all(note.isprintable() for note in result.view.notes)
    return result


@pytest.mark.parametrize("name", ["Floods", "PrintsManyLines"])
def test_much_output_is_cut_and_counted(agents: Path, name: str, confined: bool) -> None:
    result = check(agents, name, confined=confined)
    assert result.good
    digits = sum(len(f"{number}\n") for number in range(100_000))
    printed = {"Floods": 64 * 65_536, "PrintsManyLines": digits}[name]
    first, dropped, last = result.printed
    assert len(first) + dropped + len(last) == 2 * printed  # it plays twice
    lines = result.printed.to_lines()
    assert lines[0] in ("first", "0")
    assert f"… {dropped:,} bytes are left out here" in lines
    assert lines[-1][-5:] in ("xxxxx", "99999")
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


def test_an_error_is_shown_however_much_was_printed_before_it(agents: Path, confined: bool) -> None:
    result = check(agents, "PrintsMuchAndFails", confined=confined)
    assert result.violations == ["episode 0 (small 0): crashed: ValueError: at last"]
    shown = [note for note in result.view.notes if note.startswith("| ")]
    assert shown[0] == "| 0"
    assert shown[-1] == "| ValueError: at last"
    assert len(shown) <= 60
    assert "printed; --json shows more:" in result.view.notes


def test_the_standard_error_of_a_program_is_in_the_log(tmp_path: Path, confined: bool) -> None:
    if confined and not can_confine_programs():
        pytest.skip("programs are confined on Linux 6.12 or newer")
    program = tmp_path / "speaks"
    program.write_text("#!/bin/sh\nprintf 'one\\n\\033[2Jtwo\\n' >&2\nread line\nexit 3\n")
    program.chmod(0o755)
    with pytest.raises(AgentError, match="ended with code 3; its log ends with") as caught:
        ludus.check(str(program), SMALL.id, episodes=1, sandbox=confined)
    assert caught.value.__notes__[:2] == ["one", r"\x1b[2Jtwo"]


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


@given(st.lists(st.lists(st.sampled_from([b"", b"a\n", b"b" * 9_000, b"c" * 30_000])), max_size=5))
def test_the_first_and_the_last_of_all_processes_are_kept(streams: list[list[bytes]]) -> None:
    log = Printed()
    for stream in streams:
        printed = Printed()
        for chunk in stream:
            printed = printed.add(Printed(chunk[:MOST_FIRST], 0, chunk[MOST_FIRST:][:MOST_LAST]))
        log = log.add(printed)
    whole = b""
    for chunk in (chunk for stream in streams for chunk in stream if chunk):
        whole += (b"" if whole[-1:] in (b"", b"\n") else b"\n") + chunk
    if len(whole) <= MOST_FIRST + MOST_LAST:
        assert (log.first + log.last, log.dropped) == (whole, 0)
    assert whole.startswith(log.first)
    assert whole.endswith(log.last)
    assert len(log.first) + log.dropped + len(log.last) == len(whole)


def test_the_middle_of_a_long_log_is_left_out() -> None:
    lines = [str(number) for number in range(100)]
    assert leave_out_middle(lines, 100) == lines
    shown = leave_out_middle(lines, 10)
    assert shown == ["0", "1", "2", "… 91 lines are left out here", *lines[-6:]]
