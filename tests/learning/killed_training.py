"""A training that is killed on its way, with no chance to clean up.

python killed_training.py FOLDER ALGORITHM STEPS KILL_AT
"""

from __future__ import annotations

import os
import signal
import sys

from tests.learning.small import begin

from ludus.learning.platformer.training import Progress


def main(folder: str, algorithm: str, kill_at: int) -> None:
    def kill(now: Progress) -> None:
        if now.steps >= kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    begin(folder, algorithm, on_progress=kill)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
