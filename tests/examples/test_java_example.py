"""The example in Java is compiled and plays, as its page says."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.agents.foreign.java_compiling import compile_java, needs_java
from typer.testing import CliRunner

from ludus.cli.app import app

EXAMPLES = Path(__file__).parents[2] / "examples"


@needs_java
@pytest.mark.slow
def test_the_agent_in_java_plays_a_level(tmp_path: Path) -> None:
    sources = sorted((EXAMPLES / "agents/java").glob("*.java"))
    classes = compile_java(sources, tmp_path / "classes")
    buttons = tmp_path / "buttons.txt"
    play = ["level", "play", "sprint-01", "--agent", f"{classes}:Hopper", "--ticks", "40"]
    result = CliRunner().invoke(app, [*play, "--actions", str(buttons)])
    assert result.exit_code == 0, result.output
    pressed = [int(line) for line in buttons.read_text().splitlines()]
    assert len(pressed) == 40
    assert set(pressed) <= {10, 26}
