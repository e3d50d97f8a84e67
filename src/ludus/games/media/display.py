"""Shows pictures to a person as they come: in a small window, or else in the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from ludus.games.media.palette import Picture

__all__ = ["Display"]

ZOOM = 2
NOTHING = "render_mode 'human' finds no window and no terminal: nothing is shown\n"


class Display:
    """Pictures at a steady rate, in a window of Tk if there is one, else as text in the terminal.

    Where there is neither, one line says so and nothing is shown.

    Args:
        title: What the window is called.
    """

    def __init__(self, title: str) -> None:
        self._window = _open_window(title)
        self._due = 0.0
        self._begun = False

    def show(self, picture: Picture, text: Callable[[], str], rate: float) -> None:
        """Show a picture, or its text, not sooner than the rate (pictures a second) allows."""
        if self._window is not None:
            self._window = _draw(self._window, picture)
        elif sys.stdout.isatty():
            self._print(text())
        elif not self._begun:
            sys.stdout.write(NOTHING)
        self._begun = True
        now = time.monotonic()
        if self._window is not None or sys.stdout.isatty():
            time.sleep(max(0.0, self._due - now))
        self._due = max(now, self._due) + 1 / rate

    def _print(self, text: str) -> None:
        clear = "" if self._begun else "\x1b[2J"
        sys.stdout.write(f"{clear}\x1b[H{text}\x1b[0m\n")
        sys.stdout.flush()

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window[0].destroy()
            self._window = None


def _open_window(title: str) -> Any:
    """Return a window and the label in it, or None where there cannot be one."""
    try:
        import tkinter
    except ImportError:
        return None
    try:
        window = tkinter.Tk()
    except tkinter.TclError:
        return None
    window.title(title)
    window.resizable(False, False)
    label = tkinter.Label(window, borderwidth=0)
    label.pack()
    return window, label


def _draw(window: Any, picture: Picture) -> Any:
    """Draw a picture in the window; return None if a person has closed it."""
    import tkinter

    root, label = window
    height, width = picture.shape[:2]
    data = b"P6 %d %d 255 " % (width, height) + picture.tobytes()
    try:
        image = tkinter.PhotoImage(master=root, data=data, format="PPM").zoom(ZOOM)
        label.configure(image=image)
        label.image = image
        root.update()
    except tkinter.TclError:
        return None
    return window
