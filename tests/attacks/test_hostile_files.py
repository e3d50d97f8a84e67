"""A file that is made to do harm is one clear line: no traceback, no hang, no memory."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from perf.memory import KINDS, measure

from ludus.agents.checkpoint import read_checkpoint
from ludus.array_files import NotArrays, read_arrays
from ludus.benchmarks.score_files import score_files
from ludus.boards.ledger_files import read_ledger_file
from ludus.errors import LudusError, OptionError
from ludus.foreign_files import UnreadableFile, open_binary, read_bytes, read_lines, read_text
from ludus.games.platformer.formats import read_level
from ludus.games.worm.training.session import read_session
from ludus.json_files import NotJson, parse_json, read_json
from ludus.runs.exchange import read_run

MB = 2**20

# ---- JSON


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 100_000, "not JSON|nested"),
        ("[" * 100 + "]" * 100, "nested more than 64"),
        ('{"a": 1, "a": 2}', "'a' twice"),
        ("NaN", "NaN is no number"),
        ('{"a": [-Infinity]}', "-Infinity is no number"),
        ("1e999", "too large to be one"),
        (f"{10**41}", "more than 40 digits"),
        ("1" * 5_000, "more than 40 digits"),
        (r'"\ud800"', "half a character"),
        (r'["a\u0000b"]', "NUL"),
        (b"\xff\xfe1\x00", "UTF-8"),
        (b'"\xed\xa0\x80"', "UTF-8"),
        ("[" + "0," * 4_000_000 + "0]", "more than 4,000,000 values"),
    ],
)
def test_json_that_others_choke_on_is_refused(text: str | bytes, why: str) -> None:
    with pytest.raises(NotJson, match=why) as caught:
        parse_json(text)
    assert len(str(caught.value)) < 300


def test_json_as_it_should_be_is_read() -> None:
    assert parse_json(b'\xef\xbb\xbf{"a": [1e300, 123456789012345678901, "\\u00e9"]}') == {
        "a": [1e300, 123456789012345678901, "é"]
    }
    assert parse_json("[" * 60 + "]" * 60)


# ---- what is no file


READERS: dict[str, Callable[[Path], object]] = {
    "json": read_json,
    "checkpoint": read_checkpoint,
    "level": read_level,
    "run": read_run,
    "ledger": read_ledger_file,
    "session": read_session,
    "scores": lambda path: score_files("mario-arena", path),
}


@pytest.mark.parametrize("reader", READERS)
def test_devices_pipes_and_directories_are_no_files(reader: str, tmp_path: Path) -> None:
    name = "x.npz" if reader == "checkpoint" else "x.txt" if reader == "level" else "x.jsonl"
    pipe, zero, folder = (tmp_path / kind / name for kind in ("pipe", "zero", "folder"))
    for path in (pipe, zero, folder):
        path.parent.mkdir()
    os.mkfifo(pipe)
    zero.symlink_to("/dev/zero")
    folder.mkdir()
    for path, kind in ((pipe, "a pipe"), (zero, "a device"), (folder, "director")):
        with pytest.raises((LudusError, NotJson), match=kind):
            READERS[reader](path)


def test_a_file_that_grows_is_refused_once_it_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "grows"
    path.write_bytes(b"x" * 10)
    with open_binary(path, 100) as file:
        path.write_bytes(b"x" * 1_000)
        with pytest.raises(UnreadableFile, match="larger than"):
            file.read()


def test_large_files_and_lines_are_not_read(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(2**40)  # a hole, which takes no room
    with pytest.raises(UnreadableFile, match="larger than 64 MB"):
        read_bytes(large, 64 * MB)
    line = tmp_path / "line"
    line.write_bytes(b"a" * (2 * MB))
    with pytest.raises(UnreadableFile, match="line of more than 1 MB"):
        list(read_lines(line, most_in_line=MB))
    with pytest.raises(UnreadableFile, match="no name of a file"):
        read_text("a\0b")


# ---- archives


def pack(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def array(shape: str, kind: str = "<f8", data: bytes = b"") -> bytes:
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def declare_size(content: bytes, size: int) -> bytes:
    """Let an archive say of its last member that it unpacks to so many bytes."""
    place = content.rindex(b"PK\x01\x02") + 24
    return content[:place] + size.to_bytes(4, "little") + content[place + 4 :]


HOSTILE = {
    "huge shape": (pack({"a.npy": array("(99999999,)")}), "breaks off"),
    "negative shape": (pack({"a.npy": array("(-1,)")}), "no numbers"),
    "empty of huge sides": (pack({"a.npy": array("(0, 4611686018427387904)")}), "no numbers"),
    "objects": (pack({"a.npy": array("(1,)", "|O", b"\x80\x04N.")}), "holds objects"),
    "long text": (pack({"a.npy": array("()", "<U99999999")}), "breaks off"),
    "no letters": (pack({"a.npy": array("()", "<U1", b"\xff" * 4)}), "no letters"),
    "no array": (pack({"a.npy": b"hello"}), "magic"),
    "another file": (pack({"../../evil.py": b"x"}), "which is no array"),
    "truncated": (pack({"a.npy": array("(1,)", data=b"12345678")})[:-30], "not a zip"),
    "no zip": (b"PK\x03\x04", "not a zip"),
    "many": (pack({f"{k}.npy": b"" for k in range(5_000)}), "4,096 are the most"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archives_are_one_line(name: str, tmp_path: Path) -> None:
    content, why = HOSTILE[name]
    file = tmp_path / "x.npz"
    file.write_bytes(content)
    with pytest.raises(NotArrays, match=why) as caught:
        read_arrays(file)
    assert "\n" not in str(caught.value)
    assert not (tmp_path.parent / "evil.py").exists()


def test_a_bomb_is_refused_by_what_it_declares(tmp_path: Path) -> None:
    file = tmp_path / "bomb.npz"
    file.write_bytes(pack({"a.npy": array("(8000000,)", data=bytes(64 * MB))}))
    assert file.stat().st_size < MB
    with pytest.raises(NotArrays, match="unpacks to more than 32 MB"):
        read_arrays(file, 32 * MB)


def test_a_bomb_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "liar.npz"
    file.write_bytes(declare_size(pack({"a.npy": array("(8000000,)", data=bytes(64 * MB))}), 200))
    with pytest.raises(NotArrays):
        read_arrays(file)


def test_weights_that_are_no_numbers_are_named(tmp_path: Path) -> None:
    file = tmp_path / "nan.npz"
    np.savez(file, agent=np.array("policy"), w=np.array([np.nan]))
    with pytest.raises(LudusError, match="'w' holds NaN"):
        read_checkpoint(file)


def test_arrays_come_back_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "good.npz"
    values: dict[str, Any] = {
        "a": np.eye(3, 4, dtype=np.float32),
        "b": np.array("text"),
        "c": np.zeros((0, 3)),
    }
    np.savez_compressed(file, **values, d=np.asfortranarray(np.arange(6).reshape(2, 3)))
    read = read_arrays(file)
    assert read["d"].tolist() == [[0, 1, 2], [3, 4, 5]]
    for name, value in values.items():
        assert np.array_equal(read[name], value)
        assert read[name].dtype == value.dtype


# ---- memory

LIMITED = """
import resource, sys
from ludus.array_files import NotArrays, read_arrays
from ludus.json_files import NotJson, read_json
from ludus.runs.exchange import read_run
from ludus.errors import LudusError
resource.setrlimit(resource.RLIMIT_AS, (2 * 2**30, 2 * 2**30))
for read, path in zip((read_arrays, read_json, read_run), sys.argv[1:]):
    try:
        read(path)
    except (NotArrays, NotJson, LudusError) as error:
        print(str(error)[:200])
"""


def test_a_file_beyond_its_limits_is_refused_before_it_takes_memory(tmp_path: Path) -> None:
    bomb, json, run = (tmp_path / name for name in ("bomb.npz", "deep.json", "run.jsonl"))
    bomb.write_bytes(declare_size(pack({"a.npy": array("(1,)", data=bytes(8))}), 2**31 - 1))
    json.write_bytes(b"[" + b"[]," * 5_000_000 + b"[]]")
    run.write_bytes(b'{"plan": [' + b"{}," * 17_000_000 + b"0]}")
    said = subprocess.run(
        [sys.executable, "-c", LIMITED, bomb, json, run], capture_output=True, text=True, check=True
    )
    lines = said.stdout.splitlines()
    assert lines[0] == "unpacks to more than 512 MB"
    assert "more than 4,000,000 values" in lines[1]
    assert "more than 16,000,000 values" in lines[2]


SHARE, SLACK = Fraction(1, 256), 4  # megabytes


def test_the_worst_files_take_no_more_memory_than_is_stated() -> None:
    for name, megabytes in measure(SHARE).items():
        assert megabytes <= KINDS[name].stated * SHARE + SLACK, name


def test_a_table_has_only_so_many_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.benchmarks.rows.TABLE_ROWS", 3)
    columns = ["world", "stage", "completed", "max_x_pos", "steps", "coins", "time_remaining"]
    rows_of = {"t.csv": "1,1,0,9,9,0,1", "t.jsonl": json.dumps(dict.fromkeys(columns, 1))}
    for name, row in rows_of.items():
        table = tmp_path / name
        for rows, read in ((3, True), (4, False)):
            table.write_text(f"{','.join(columns)}\n" * (name == "t.csv") + f"{row}\n" * rows)
            if read:
                score_files("mario-arena", table)
            else:
                with pytest.raises(OptionError, match="has more than 3 rows"):
                    score_files("mario-arena", table)
