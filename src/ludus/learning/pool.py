"""Trainings beside each other: in processes of this machine, or on a Ray cluster.

Both do the same work, :func:`ludus.learning.worker.train_chunk`. Processes share the folder; the
cluster need not see it, and sends files back.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from ludus.cluster import joined_cluster
from ludus.errors import AgentError, LudusError, OptionError, RunError, one_line
from ludus.learning.folder import replace_file
from ludus.learning.worker import read_files, train_elsewhere

__all__ = ["OnReports", "train_in_pool"]

#: An XLA that keeps to one core: the cores are shared out among processes.
ONE_CORE = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

FILE = re.compile(r"(progress/)?[\w-]+\.\w+")

OnReports = Callable[[Mapping[int, Any]], None]
"""Called with the last report of each training, by its number."""


def train_in_pool(
    folder: Path,
    chunks: Sequence[Sequence[int]],
    on_reports: OnReports,
    *,
    on: str = "here",
    one_core: bool = True,
) -> None:
    """Bring chunks of a folder's trainings to their end, all at the same time.

    Args:
        folder: Where the trainings are.
        chunks: The numbers of the trainings of each process or task.
        on_reports: Called now and then with how trainings stand, and when they are over.
        on: ``here`` for processes, ``ray`` for a cluster of its own, ``ray://HOST:PORT`` for one
            that is there.
        one_core: Whether a chunk keeps to one core.

    Raises:
        LudusError: What a training fails with.
    """
    environment = {"JAX_PLATFORMS": "cpu"}
    if one_core:
        environment["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {ONE_CORE}".strip()
    if on == "here":
        _train_in_processes(folder, chunks, on_reports, environment)
    else:
        _train_on_ray(folder, chunks, on_reports, environment, on)


def _error(kind: str, message: str) -> LudusError:
    return {"OptionError": OptionError, "RunError": RunError}.get(kind, AgentError)(message)


# ---- processes


def _train_in_processes(
    folder: Path,
    chunks: Sequence[Sequence[int]],
    on_reports: OnReports,
    environment: Mapping[str, str],
) -> None:
    processes = [_start(folder, chunk, environment) for chunk in chunks]
    faults: list[LudusError] = []
    lock = threading.Lock()
    threads = [
        threading.Thread(target=_listen, args=(process, on_reports, faults, lock), daemon=True)
        for process in processes
    ]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for process in processes:
            _stop(process)
    if faults:
        raise faults[0]


def _start(
    folder: Path, chunk: Sequence[int], environment: Mapping[str, str]
) -> subprocess.Popen[str]:
    command = [sys.executable, "-P", "-m", "ludus.learning.worker", str(folder)]
    return subprocess.Popen(  # noqa: S603  (our own module)
        [*command, ",".join(map(str, chunk))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        text=True,
    )


def _stop(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.terminate()
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()


def _listen(
    process: subprocess.Popen[str],
    on_reports: OnReports,
    faults: list[LudusError],
    lock: threading.Lock,
) -> None:
    failed = False
    for message in _messages(process.stdout):
        if "error" in message:
            failed = True
            faults.append(_error(message["kind"], message["error"]))
        else:
            with lock:
                on_reports({int(number): report for number, report in message["reports"]})
    rest = process.stderr.read() if process.stderr else ""
    if process.wait() and not failed:
        last = rest.strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
        faults.append(RunError(f"a process that trained has died: {last[0]}; take it up again"))


def _messages(lines: IO[str] | None) -> Any:
    """Yield the worker's messages; what somebody's brain prints is none."""
    for line in lines or ():
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict) and message.keys() & {"error", "reports"}:
            yield message


# ---- Ray


def _train_on_ray(
    folder: Path,
    chunks: Sequence[Sequence[int]],
    on_reports: OnReports,
    environment: Mapping[str, str],
    address: str,
) -> None:
    with joined_cluster(address) as ray:
        remote = ray.remote(train_elsewhere).options(max_retries=0)
        waiting = [
            remote.remote(_files(folder, chunk), list(chunk), dict(environment)) for chunk in chunks
        ]
        try:
            while waiting:
                done, waiting = ray.wait(waiting)
                files, reports, fault = ray.get(done[0])
                for name, data in files.items():
                    _put(folder, name, data)
                on_reports(reports)
                if fault:
                    raise _error(*fault)
        except ray.exceptions.RayError as error:
            raise RunError(
                f"a training on the cluster has died: {one_line(error)[:200]}; take it up again"
            ) from None
        finally:
            for task in waiting:
                ray.cancel(task, force=True)


def _files(folder: Path, chunk: Sequence[int]) -> dict[str, bytes]:
    """Return what a chunk needs of a folder: all but the checkpoints and results of others."""
    numbers = {f"{number:04d}" for number in chunk}
    return {
        name: data
        for name, data in read_files(folder).items()
        if not (stem := Path(name).stem).isdigit() or stem in numbers
    }


def _put(folder: Path, name: str, data: bytes | None) -> None:
    """Write a file that the cluster sent, or remove what it removed.

    Raises:
        RunError: The file is not one of a training's folder.
    """
    if not FILE.fullmatch(name):
        raise RunError(f"the cluster sent {name!r}, which is no file of a training")
    if data is None:
        (folder / name).unlink(missing_ok=True)
        return
    with replace_file(folder / name) as file:
        file.write_bytes(data)
