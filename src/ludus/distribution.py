"""The distribution that holds Ludus: its name on the index and how to install its extras.

The index has another ``ludus``; the import and the command are ``ludus`` all the same.
"""

from __future__ import annotations

__all__ = ["DISTRIBUTION", "install_command"]

DISTRIBUTION = "ludus-arena"


def install_command(*extras: str) -> str:
    """Return the command that installs Ludus with some extras.

    Example:
        >>> install_command("diplomacy", "llm")
        'pip install "ludus-arena[diplomacy,llm]"'
    """
    return f'pip install "{DISTRIBUTION}[{",".join(extras)}]"'
