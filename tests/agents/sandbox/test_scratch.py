"""Scratch folders are private, small, and removed whatever was done in them."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path

import pytest

from ludus.agents.sandbox.scratch import (
    SCRATCH_BYTES,
    Scratch,
    make_scratch,
    remove_folder,
    remove_leftovers,
)


def in_child(work: object) -> int:
    """Return the exit code of a child that does some work: mounting is for good."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(int(bool(work())))  # type: ignore[operator]
        except BaseException:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def unmounted(folder: Path) -> Scratch:
    return Scratch(folder, -1, mounted=False)


def test_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    def work() -> bool:
        scratch = make_scratch(tmp_path)
        return scratch.folder.parent == tmp_path and scratch.folder.stat().st_mode & 0o777 == 0o700

    assert in_child(work) == 1


def test_mounted_folder_takes_no_more_than_its_size(tmp_path: Path) -> None:
    def work() -> bool:
        scratch = make_scratch(tmp_path)
        if not scratch.mounted:
            os._exit(50)
        try:
            with (scratch.folder / "much").open("wb") as file:
                for _ in range(2 * SCRATCH_BYTES // 2**20):
                    file.write(b"x" * 2**20)
        except OSError as error:
            return "No space left" in str(error)
        return False

    code = in_child(work)
    if code == 50:
        pytest.skip("this system lets no process have mounts of its own")
    assert code == 1
    (leftover,) = tmp_path.iterdir()
    assert list(leftover.iterdir()) == []  # what was written went with the process


@pytest.mark.parametrize("files", [[SCRATCH_BYTES + 1], [SCRATCH_BYTES, 1], [0] * 257])
def test_unmounted_folder_is_seen_to_be_too_large(tmp_path: Path, files: list[int]) -> None:
    (tmp_path / "deep").mkdir()
    assert not unmounted(tmp_path).is_too_large()
    for number, size in enumerate(files):
        with (tmp_path / "deep" / str(number)).open("wb") as file:
            file.truncate(size)
    assert unmounted(tmp_path).is_too_large()


def test_leftovers_are_removed_and_folders_in_use_are_not(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").touch()
    (tmp_path / "ludus-scratch-old").mkdir()
    (tmp_path / "ludus-scratch-old" / "file").touch()
    (tmp_path / "ludus-scratch-link").symlink_to(outside)

    used = tmp_path / "ludus-scratch-used"
    used.mkdir()
    lock = os.open(used, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    remove_leftovers(tmp_path)
    os.close(lock)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["ludus-scratch-link", "ludus-scratch-used", "outside"]
    assert (outside / "kept").exists()


def test_deep_folders_without_rights_and_links_are_removed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").touch()
    memory = Path("/dev/shm")  # quick, where there is one
    scratch = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else tmp_path))
    (scratch / "link").symlink_to(outside)
    here = os.open(scratch, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    (scratch / "closed").mkdir(mode=0)
    remove_folder(scratch)
    assert not scratch.exists()
    assert (outside / "kept").exists()
