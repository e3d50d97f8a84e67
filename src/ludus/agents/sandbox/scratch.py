"""The scratch folder of a confined agent: private, small, and gone when the agent is.

Where the system lets a process have mounts of its own, the folder is a file system in memory of a
fixed size, which only the agent's process sees. Elsewhere the agent's keeper looks at the folder
many times a second and ends an agent that has written too much.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ludus.limits import MEBIBYTE

__all__ = ["SCRATCH_BYTES", "Scratch", "make_scratch", "remove_folder", "remove_leftovers"]

SCRATCH_BYTES = 16 * MEBIBYTE
SCRATCH_FILES = 256
PREFIX = "ludus-scratch-"
PRIVATE = 0o700
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Scratch:
    """A scratch folder.

    Attributes:
        folder: Where it is.
        lock: A descriptor of the folder. Whoever holds it keeps others from removing the folder.
        mounted: Whether it is a file system of a fixed size.
    """

    folder: Path
    lock: int
    mounted: bool

    def is_too_large(self) -> bool:
        """Return whether more was written than may be; of a mounted folder that cannot be."""
        if self.mounted:
            return False
        files = size = 0
        waiting = [str(self.folder)]
        while waiting:
            with suppress(OSError), os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    files += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_size
                    if files > SCRATCH_FILES or size > SCRATCH_BYTES:
                        return True
        return False

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        with suppress(OSError):
            remove_folder(self.folder)
        with suppress(OSError):
            os.close(self.lock)


def make_scratch(parent: Path | None = None) -> Scratch:
    """Make a scratch folder that only this user can enter, and lock it.

    Args:
        parent: Where to make it; by default where temporary files are.

    Raises:
        OSError: It cannot be made.
    """
    parent = parent or Path(tempfile.gettempdir())
    remove_leftovers(parent)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    lock = _lock(folder)
    if lock is None:  # whoever removes leftovers was faster
        return make_scratch(parent)
    return Scratch(folder, lock, _mount(folder))


def remove_leftovers(parent: Path) -> None:
    """Remove scratch folders of this user whose keepers were killed."""
    for folder in parent.glob(f"{PREFIX}*"):
        lock = _lock(folder)
        if lock is not None:
            Scratch(folder, lock, mounted=False).remove()


def _lock(folder: Path) -> int | None:
    """Return a locked descriptor of a folder of this user; None if it is locked, or is no such."""
    try:
        descriptor = os.open(folder, FOLDER)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(descriptor).st_uid == os.getuid() and os.path.samestat(
            os.fstat(descriptor), folder.lstat()
        ):
            return descriptor
    except OSError:
        pass
    os.close(descriptor)
    return None


def _mount(folder: Path) -> bool:
    from ludus.agents.sandbox import _confine

    try:
        _confine.mount_scratch(str(folder), SCRATCH_BYTES, SCRATCH_FILES)
    except OSError:
        return False
    return True


def remove_folder(folder: Path) -> None:
    """Remove a folder with all that is in it, however deep; links are removed, not followed.

    Raises:
        OSError: Something cannot be removed.
    """
    here, below = os.open(folder, FOLDER), list[str]()
    while (subfolder := _remove_files(here)) or below:
        if subfolder:
            os.chmod(subfolder, PRIVATE, dir_fd=here)
            below.append(subfolder)
            here = _move(here, subfolder)
        else:
            here = _move(here, "..")
            os.rmdir(below.pop(), dir_fd=here)
    os.close(here)
    folder.rmdir()


def _remove_files(here: int) -> str:
    """Remove the files of a folder up to its first folder; return that, or nothing."""
    with os.scandir(here) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                return entry.name
            os.unlink(entry.name, dir_fd=here)
    return ""


def _move(here: int, name: str) -> int:
    there = os.open(name, FOLDER, dir_fd=here)
    os.close(here)
    return there
