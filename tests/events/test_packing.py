"""What can be entered, and what is refused before anything is stored."""

from __future__ import annotations

import os
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.events.conftest import RUNNER

from ludus.errors import AgentError
from ludus.events.entry_paths import check_paths
from ludus.events.packing import pack_agent
from ludus.foreign_files import ENTRY_BYTES, ENTRY_FILES, UnreadableFile

FAMILY = "platformer"


def pack(spec: object, *, folder: bool = False) -> dict[str, bytes]:
    return dict(pack_agent(f"{spec}:Runner", FAMILY, folder=folder).files)


def refusal(spec: object, *, folder: bool = False) -> str:
    with pytest.raises(AgentError) as raised:
        pack(spec, folder=folder)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def archive(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name.replace("_dot_", ".").replace("_slash_", "/"), content)
    return path


def test_a_file_brings_what_it_imports_beside_it_and_no_more(runner: Path) -> None:
    runner.write_text("import helper\n" + RUNNER)
    (runner.parent / "helper.py").write_text("x = 1\n")
    (runner.parent / "diary.py").write_text("secret = 1\n")
    (runner.parent / "weights.npz").write_bytes(b"weights")
    assert pack(runner).keys() == {"runner.py", "helper.py"}
    (runner.parent / ".env").write_text("key")
    (runner.parent / "__pycache__").mkdir()
    (runner.parent / "__pycache__" / "runner.pyc").write_bytes(b"")
    assert pack(runner, folder=True).keys() == {
        "runner.py",
        "helper.py",
        "diary.py",
        "weights.npz",
    }


def test_an_archive_and_a_checkpoint_are_taken_as_they_are(tmp_path: Path) -> None:
    file = archive(tmp_path / "mine.zip", runner_dot_py=RUNNER.encode(), lib_slash_a_dot_py=b"")
    packed = pack_agent(f"{file}/runner.py:Runner#fast", FAMILY)
    assert packed.spec == "runner.py:Runner#fast"
    assert packed.files == {"runner.py": RUNNER.encode(), "lib/a.py": b""}
    (tmp_path / "brain.npz").write_bytes(b"weights")
    assert pack_agent(f"{tmp_path}/brain.npz", FAMILY).files == {"brain.npz": b"weights"}
    assert pack_agent("astar", FAMILY) == ("astar", {})


@pytest.mark.parametrize(
    "spec", ["nobody", "os:system", "llm:gpt@http://x", "runner.py", "sb3:ppo:m.zip", "x.zip", ""]
)
def test_only_files_and_agents_of_ludus_can_be_entered(spec: str) -> None:
    with pytest.raises(AgentError, match="cannot be entered"):
        pack_agent(spec, FAMILY)


def test_links_and_devices_are_refused(runner: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("not theirs")
    link = runner.parent / "data.txt"
    link.symlink_to(tmp_path / "secret.txt")
    assert "holds the link 'data.txt'" in refusal(runner, folder=True)
    link.unlink()
    (runner.parent / "more").symlink_to(tmp_path)
    assert "holds the link 'more'" in refusal(runner, folder=True)
    (runner.parent / "more").unlink()
    runner.write_text("import helper\n" + RUNNER)
    (runner.parent / "helper.py").symlink_to(tmp_path / "secret.txt")
    assert "holds the link 'helper.py'" in refusal(runner)
    (runner.parent / "helper.py").unlink()
    os.mkfifo(runner.parent / "pipe")
    assert "'pipe', which is a pipe" in refusal(runner, folder=True)


def test_giants_are_refused(runner: Path) -> None:
    with (runner.parent / "big.bin").open("wb") as file:
        file.truncate(ENTRY_BYTES + 1)
    assert "'big.bin', which is larger than 32 MB" in refusal(runner, folder=True)
    (runner.parent / "big.bin").unlink()
    for name in ("a.bin", "b.bin"):
        with (runner.parent / name).open("wb") as file:
            file.truncate(ENTRY_BYTES // 2)
    assert "more than 32 MB, the most for an entry" in refusal(runner, folder=True)
    for number in range(ENTRY_FILES):
        (runner.parent / f"{number}.txt").write_text("")
    (runner.parent / "a.bin").unlink()
    (runner.parent / "b.bin").unlink()
    assert "257 files; 256 are the most" in refusal(runner, folder=True)


@pytest.mark.parametrize(
    "name",
    ["../evil.py", "/etc/passwd", "a/../../b", "a\\b", "c:x", "a//b", "x" * 300, "a/\x1b[2J", "."],
)
def test_paths_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / "mine.zip"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("runner.py", RUNNER)
        packed.writestr(name, "evil")
    assert "cannot be entered" in refusal(f"{file}/runner.py")


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    bomb = archive(tmp_path / "bomb.zip", runner_dot_py=bytes(ENTRY_BYTES + 1))
    assert bomb.stat().st_size < 100_000
    assert "more than 32 MB" in refusal(f"{bomb}/runner.py")


def test_an_archive_that_lies_about_its_sizes_is_refused(tmp_path: Path) -> None:
    file = archive(tmp_path / "mine.zip", runner_dot_py=b"x" * 1000)
    data = file.read_bytes()
    short = (1000).to_bytes(4, "little")
    assert data.count(short) == 2  # in the member's head and in the list
    file.write_bytes(data.replace(short, (10).to_bytes(4, "little")))
    assert "cannot be entered" in refusal(f"{file}/runner.py")
    file.write_bytes(data[: len(data) // 2])
    assert "cannot be entered" in refusal(f"{file}/runner.py")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_archive_with_a_link_or_one_name_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.zip"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("runner.py", RUNNER)
        link = zipfile.ZipInfo("data.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "/etc/passwd")
    assert "'data.txt', which is a link or a device" in refusal(f"{file}/runner.py")
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("runner.py", RUNNER)
        packed.writestr("runner.py", "evil")
    assert "holds 'runner.py' twice" in refusal(f"{file}/runner.py")


@pytest.mark.parametrize(
    ("paths", "line"),
    [
        (["a.py", "A.py"], "holds both 'a.py' and 'A.py'"),
        (["a", "a/b.py"], "holds 'a' as a file and as a folder"),
    ],
)
def test_paths_that_meet_on_some_systems_are_refused(paths: list[str], line: str) -> None:
    with pytest.raises(UnreadableFile, match=line):
        check_paths(dict.fromkeys(paths, b""))


@given(st.text(max_size=40))
def test_a_path_that_is_taken_stays_in_its_folder(path: str) -> None:
    try:
        check_paths({path: b""})
    except UnreadableFile:
        return
    inside = Path("/home/entries/1") / path
    assert Path(os.path.normpath(inside)) == inside
    assert inside.is_relative_to("/home/entries/1")
