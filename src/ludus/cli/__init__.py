"""The command line: one file a command, each a thin call into the library."""

from __future__ import annotations

from ludus.cli.app import app, main

__all__ = ["app", "main"]
