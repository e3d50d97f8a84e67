"""Score episodes that you logged elsewhere by a published rule.

    python examples/score_my_log.py

The log here has three episodes, one of which cannot be: nothing is guessed, the fault is named.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from ludus.benchmarks.mario_arena.scoring import (
    aggregate_scores,
    compute_arena_score,
    format_leaderboard,
)
from ludus.errors import OptionError

LOG = """\
{"level": "1-1", "won": true, "x": 3266, "decisions": 342, "coins": 15, "clock": 245}
{"level": "1-1", "won": false, "x": 1456, "decisions": 892, "coins": 7, "clock": 0}
{"level": "1-1", "won": false, "x": -3, "decisions": 10, "coins": 0, "clock": 0}
"""


def episode(line: str) -> dict[str, int | bool]:
    """Return a line of the log in the words of the benchmark."""
    entry = json.loads(line)
    world, _, stage = entry["level"].partition("-")
    return {
        "world": int(world),
        "stage": int(stage),
        "completed": entry["won"],
        "max_x_pos": entry["x"],
        "steps": entry["decisions"],
        "coins": entry["coins"],
        "time_remaining": entry["clock"],
    }


def main() -> None:
    """Score the log and print the leaderboard."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        path.write_text(LOG, encoding="utf-8")
        scores = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                scores.append(compute_arena_score(episode(line)))
            except (OptionError, ValueError) as error:
                print(f"line {number} is not counted: {error}")
    print(format_leaderboard({"mine": aggregate_scores(scores)}))


if __name__ == "__main__":
    main()
