"""Asks for every version in locks/ whether it has a known vulnerability.

    make audit

Exit code 0: every version was judged and none has one. 1: some have. 2: some could not be judged,
for example because the service that knows does not answer; that is not taken for a pass.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCKS = Path(__file__).parents[1] / "locks"
VULNERABLE, UNJUDGED = 1, 2


def ask(locks: list[Path]) -> list[dict[str, Any]] | str:
    """Return what pip-audit says of each version, or the last line of its complaint."""
    command = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off"]
    files = [word for lock in locks for word in ("--requirement", str(lock))]
    command += [*files, "--disable-pip", "--require-hashes"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    try:
        versions: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return (done.stderr.strip().splitlines() or ["pip-audit says nothing"])[-1]
    return versions


def judge(versions: list[dict[str, Any]] | str) -> tuple[int, str]:
    """Return the exit code, and a sentence."""
    if isinstance(versions, str):
        return UNJUDGED, f"no verdict: {versions}"
    skipped = [one["name"] for one in versions if "skip_reason" in one]
    faults = [
        f"{one['name']} {one['version']} ({', '.join(fault['id'] for fault in one['vulns'])})"
        for one in versions
        if one.get("vulns")
    ]
    if faults:
        return VULNERABLE, f"known vulnerabilities: {'; '.join(faults)}"
    if skipped:
        return UNJUDGED, (
            f"no verdict on {len(skipped)} of {len(versions)} versions "
            f"({', '.join(skipped[:3])} …): the service that knows vulnerabilities does not answer "
            "here; try again where it can be reached"
        )
    return 0, f"{len(versions)} versions, no known vulnerability"


def main() -> int:
    """Judge every locked version and print one line."""
    locks = [LOCKS / name for name in ("test.txt", "tools.txt")]  # core.txt is part of test.txt
    code, line = judge(ask(locks))
    print(line, file=sys.stderr if code else sys.stdout)
    return code


if __name__ == "__main__":
    sys.exit(main())
