"""Pictures for a person, where there is a window, a terminal, or neither."""

from __future__ import annotations

import io
import sys

import gymnasium
import numpy as np
import pytest

from ludus.games.media import display
from ludus.games.media.display import Display

PICTURE = np.zeros((4, 4, 3), np.uint8)
FAST = 10_000.0


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_open_window", lambda _: None)


def test_the_terminal_shows_each_picture_over_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    shown = Display("a game")
    for text in ("first", "second"):
        shown.show(PICTURE, lambda text=text: text, FAST)  # type: ignore[misc]
    shown.close()
    assert terminal.getvalue() == "\x1b[2J\x1b[Hfirst\x1b[0m\n\x1b[Hsecond\x1b[0m\n"


def test_one_line_says_that_nothing_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make("ludus/MarioArena-v0", render_mode="human")
    env.reset(seed=1)
    for _ in range(3):
        env.step(0)
    env.close()
    assert capsys.readouterr().out.count("nothing is shown") == 1
