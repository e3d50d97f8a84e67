"""Trainings that are killed on their way, with no chance to clean up.

python killed_training.py FOLDER EPISODES
"""

from __future__ import annotations

import os
import signal
import sys

from ludus.learning.worm import parallel
from ludus.learning.worm.session_folder import SessionFolder
from ludus.learning.worm.trainings import run_trainings


def main(folder: str, kill_at: int) -> None:
    parallel.LANES = 4

    def kill(training: int, standing: tuple[int, int]) -> None:
        if training == 1 and standing[0] >= kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    run_trainings(folder, SessionFolder(folder).missing(), kill, checkpoint_every=0.0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
