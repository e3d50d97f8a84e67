"""Several commands in one process, with the small benchmark of the tests.

`python -m tests.cli.many` reads a JSON list of lists of words and prints, as JSON, for each of them
the exit code and what was written to stdout and stderr.
"""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout

from tests.runs.small import register

from ludus.cli import main


def call(words: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    return code, out.getvalue(), err.getvalue()


if __name__ == "__main__":
    register()
    json.dump([call(words) for words in json.load(sys.stdin)], sys.stdout)
