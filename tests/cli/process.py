"""The command line in a process of its own, with the small benchmark of the tests.

`python -m tests.cli.process WORDS…`
"""

from __future__ import annotations

import sys

from tests.runs.small import register

from ludus.cli import main

if __name__ == "__main__":
    register()
    sys.exit(main())
