"""``python -m ludus.agents.foreign.jar`` prints the jar that Java agents are compiled against."""

from __future__ import annotations

import sys

from ludus.agents.foreign.java_files import find_archive
from ludus.errors import AgentError

__all__: list[str] = []

if __name__ == "__main__":
    try:
        print(find_archive())  # noqa: T201 - for the command line of a compiler
    except AgentError as error:
        sys.exit(str(error))
