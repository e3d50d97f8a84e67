"""Trainings that are killed on their way, with no chance to clean up.

python killed_training.py FOLDER EPISODES
"""

from __future__ import annotations

import os
import signal
import sys

from ludus.learning.worm import chunk, lockstep
from ludus.learning.worm.folder import Folder


def main(folder: str, kill_at: int) -> None:
    lockstep.LANES = 4

    def hear(training: int, episodes: int, wins: int) -> None:
        if training == 1 and episodes >= kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    chunk.train_some(Folder(folder), Folder(folder).missing(), hear, keep_every=0.0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
