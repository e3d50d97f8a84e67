"""What each kind of agent needs of the sandbox: one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludus.agents.sandbox.scratch import SCRATCH_BYTES
from ludus.limits import GIBIBYTE, SANDBOX_MEMORY

__all__ = ["JAVA", "LEARNER", "PROFILES", "PROGRAM", "PYTHON", "Confinement"]

PYTHON = "python"
PROGRAM = "program"
JAVA = "java"
LEARNER = "learner"


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a confined process may use.

    Attributes:
        memory: Bytes of address space; the limits of a plan are held by the keeper.
        file_bytes: The most that it may write to one file of its scratch folder.
        open_files: How many files it may have open.
        processes: How many processes it may have at once, with its own.
        programs: Whether it may start programs; its keeper agrees to every new process.
        java: Whether it plays an agent in Java, whose files need two system calls more.
        readable: What it may read of the system, besides what every process of Ludus reads.
    """

    memory: int = SANDBOX_MEMORY
    file_bytes: int = SCRATCH_BYTES
    open_files: int = 128
    processes: int = 1
    programs: bool = False
    java: bool = False
    readable: tuple[str, ...] = ()


PROFILES: Mapping[str, Confinement] = {
    PYTHON: Confinement(),
    JAVA: Confinement(java=True),
    # JAX computes as it does outside only if it sees which processor there is
    LEARNER: Confinement(readable=("/proc/cpuinfo", "/sys/devices/system/cpu")),
    PROGRAM: Confinement(
        memory=1024 * GIBIBYTE,  # runtimes reserve addresses that they never use
        open_files=256,
        processes=64,
        programs=True,
        readable=(
            *("/bin", "/usr/bin", "/usr/local/bin", "/usr/libexec", "/usr/share"),
            *("/etc/alternatives", "/etc/localtime", "/etc/ssl/openssl.cnf", "/dev/random"),
            *("/proc/meminfo", "/proc/cpuinfo", "/proc/stat"),
        ),
    ),
}
"""The confinement of an agent by how it comes in: Python or a library, Java, a brain that learns,
or a program."""
