"""Begins or resumes a run of the small benchmark in a process of its own, to be killed.

`python -m tests.runs.killed_run STORE EPISODES [RUN]`

To resume, it says that it is ready and waits for a line.
"""

from __future__ import annotations

import sys

from tests.runs.small import SMALL, register

from ludus.execution.local import LocalExecutor
from ludus.runs.running import resume, run
from ludus.runs.store import Store

if __name__ == "__main__":
    register()
    kept = Store(sys.argv[1])
    workers = LocalExecutor(2)
    if len(sys.argv) > 3:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        resume(sys.argv[3], store=kept, executor=workers)
    else:
        agents = ["random", "forward-jumping", "rule-based"]
        run(SMALL.id, agents, store=kept, episodes=int(sys.argv[2]), executor=workers, seed=4)
