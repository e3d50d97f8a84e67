"""What programs and agents in C are built with: the headers, and the engines as a library.

``python -m ludus.agents.foreign.c_files`` prints where the headers are.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["find_include", "find_libludus"]


def find_include() -> Path:
    """Return the folder with the headers ``ludus/agent.h`` and ``ludus.h``."""
    return _find_built() / "include"


def find_libludus() -> Path:
    """Return the engines as a shared library, whose header is ``ludus.h``."""
    return _find_built() / "lib" / "libludus.so"


def _find_built() -> Path:
    """Return the package's folder with what was built: an editable install keeps it apart."""
    from ludus.agents.isolation import _mailbox

    return Path(str(_mailbox.__file__)).parents[2]


if __name__ == "__main__":
    print(find_include())  # noqa: T201 - where a compiler finds the headers
