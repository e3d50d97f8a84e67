"""What is uploaded: archives of any kind, and those that mean harm."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
from collections.abc import Callable
from copy import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.events.conftest import RUNNER
from tests.submissions.conftest import AGENT, make_tar, make_zip

from ludus.errors import AgentError
from ludus.events.archives import read_archive
from ludus.events.packing import pack_archive
from ludus.foreign_files import ENTRY_BYTES, UnreadableFile

FILES = {"runner.py": RUNNER}


@pytest.mark.parametrize("archive", [make_zip(FILES), make_tar(FILES), make_tar(FILES, "w")])
def test_archives_of_all_kinds_are_read(archive: bytes) -> None:
    assert pack_archive(AGENT, archive) == (AGENT, {"runner.py": RUNNER.encode()})


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_an_archive_of_a_folder_is_read_without_what_systems_add(
    make: Callable[[dict[str, str]], bytes],
) -> None:
    files = {
        "mine/runner.py": RUNNER,
        "mine/lib/a.py": "",
        "__MACOSX/mine/x": "",
        "mine/.DS_Store": "",
    }
    archive = make(files)
    assert pack_archive(AGENT, archive).files.keys() == {"runner.py", "lib/a.py"}
    whole = pack_archive(f"mine/{AGENT}", archive)
    assert whole.spec == "mine/runner.py:Runner"
    assert whole.files.keys() == {"mine/runner.py", "mine/lib/a.py"}


def test_folders_may_be_listed() -> None:
    for archive in (
        make_zip({"lib/": "", "lib/deep/": "", **FILES}),
        make_tar({"./runner.py": RUNNER, "./": ""}, type=tarfile.DIRTYPE),
    ):
        assert pack_archive(AGENT, archive).files == {"runner.py": RUNNER.encode()}


def zip_with_mode(mode: int) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("runner.py", RUNNER)
        member = zipfile.ZipInfo("data")
        member.external_attr = mode << 16
        archive.writestr(member, "/etc/passwd")
    return target.getvalue()


def zip_that_lies() -> bytes:
    """An archive that says of a large file that it is small."""
    archive = bytearray(make_zip({"runner.py": RUNNER, "big.txt": "x" * 5_000}))
    size = (5_000).to_bytes(4, "little")
    while (place := archive.find(size)) >= 0:
        archive[place : place + 4] = (5).to_bytes(4, "little")
    return bytes(archive)


def zip_that_is_encrypted() -> bytes:
    """An archive whose last file is said to need a password."""
    archive = bytearray(make_zip({"runner.py": RUNNER, "data": "x"}))
    place = archive.rfind(b"PK\x01\x02") + 8
    archive[place] |= 1
    return bytes(archive)


def zip_that_overlaps() -> bytes:
    """An archive whose list names one packed file again and again, each time another one."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("runner.py", RUNNER)
        archive.writestr("big", bytes(2**20))
        for number in range(40):
            again = copy(archive.getinfo("big"))
            again.filename = f"big-{number}"
            archive.filelist.append(again)
    return target.getvalue()


def tar_that_renames() -> bytes:
    """An archive that gives a harmless name another one in an extended header."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo("runner.py")
        member.pax_headers = {"path": "../../evil.py"}
        archive.addfile(member)
    return target.getvalue()


def tar_of_folders(count: int) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as archive:
        for number in range(count):
            member = tarfile.TarInfo(str(number))
            member.type = tarfile.DIRTYPE
            archive.addfile(member)
    return target.getvalue()


def gzip_bomb() -> bytes:
    target = io.BytesIO()
    with gzip.open(target, "wb") as file:
        for _ in range(40):
            file.write(bytes(2**20))
    return target.getvalue()


HOSTILE: dict[str, Callable[[], bytes]] = {
    "leads out": lambda: make_zip({**FILES, "../evil.py": ""}),
    "leads out of tar": lambda: make_tar({**FILES, "../evil.py": ""}),
    "leads out within": lambda: make_zip({**FILES, "a/../../evil.py": ""}),
    "leads out behind a point": lambda: make_tar({**FILES, "./../evil.py": ""}),
    "leads out on Windows": lambda: make_zip({**FILES, "..\\evil.py": ""}),
    "leads out by a second name": tar_that_renames,
    "folder leads out": lambda: make_zip({**FILES, "../evil/": ""}),
    "folder leads out of tar": lambda: make_tar({**FILES, "../evil": ""}, type=tarfile.DIRTYPE),
    "absolute": lambda: make_tar({**FILES, "/etc/cron.d/x": ""}),
    "absolute in zip": lambda: make_zip({**FILES, "/etc/cron.d/x": ""}),
    "drive": lambda: make_zip({**FILES, "c:x": ""}),
    "link in zip": lambda: zip_with_mode(stat.S_IFLNK | 0o777),
    "device in zip": lambda: zip_with_mode(stat.S_IFCHR | 0o600),
    "symbolic link": lambda: make_tar(
        {**FILES, "l": ""}, type=tarfile.SYMTYPE, linkname="/etc/passwd"
    ),
    "hard link": lambda: make_tar({**FILES, "l": ""}, type=tarfile.LNKTYPE, linkname="runner.py"),
    "device": lambda: make_tar({**FILES, "d": ""}, type=tarfile.CHRTYPE),
    "pipe": lambda: make_tar({**FILES, "p": ""}, type=tarfile.FIFOTYPE),
    "zip bomb": lambda: make_zip({**FILES, "big": "\0" * (ENTRY_BYTES + 1)}),
    "gzip bomb": gzip_bomb,
    "large": lambda: make_tar({**FILES, "big": "x" * (ENTRY_BYTES + 1)}, "w"),
    "lying zip": zip_that_lies,
    "overlapping zip bomb": zip_that_overlaps,
    "encrypted": zip_that_is_encrypted,
    "sparse": lambda: make_tar({**FILES, "s": ""}, type=tarfile.GNUTYPE_SPARSE),
    "many files": lambda: make_zip({**FILES, **{f"{k}.py": "" for k in range(256)}}),
    "many files in tar": lambda: make_tar({**FILES, **{f"{k}.py": "" for k in range(256)}}),
    "thousands of files": lambda: make_zip({**FILES, **{f"{k}": "" for k in range(5_000)}}),
    "thousands of folders": lambda: make_zip({**FILES, **{f"{k}/": "" for k in range(5_000)}}),
    "thousands of folders in tar": lambda: tar_of_folders(2_000),
    "same name": lambda: make_zip({**FILES, "Runner.py": ""}),
    "file and folder": lambda: make_zip({**FILES, "runner.py/x": ""}),
    "control characters": lambda: make_tar({**FILES, "a\x1b[2J": ""}),
    "cut off": lambda: make_zip(FILES)[:60],
    "text": lambda: RUNNER.encode(),
    "nothing": lambda: b"",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_archives_are_refused_in_one_line(kind: str) -> None:
    archive = HOSTILE[kind]()
    with pytest.raises(AgentError) as raised:
        pack_archive(AGENT, archive)
    assert "cannot be entered" in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "\x1b" not in str(raised.value)


@given(st.binary(max_size=40), st.integers(0, 300), st.sampled_from(["w:gz", "w", "zip"]))
def test_a_damaged_archive_is_refused_or_keeps_to_its_limits(
    damage: bytes, place: int, kind: str
) -> None:
    archive = make_zip(FILES) if kind == "zip" else make_tar(FILES, kind)
    try:
        files = read_archive(archive[:place] + damage + archive[place + len(damage) :])
    except UnreadableFile:
        return
    assert len(files) <= 1
