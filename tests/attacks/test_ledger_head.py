"""A published head shows what no seal within a ledger can: lost, changed and resealed ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from tests.boards.making import hero, played
from tests.cli.conftest import Ludus
from tests.runs.small import SMALL

from ludus.boards import (
    LedgerHead,
    accept,
    board,
    check_head,
    export_ledger,
    parse_head,
    read_head,
    read_ledger,
    rebuild,
    verify_entry,
)
from ludus.boards.formats import board_to_dict, to_html, to_markdown
from ludus.boards.head import head_of
from ludus.boards.ledger import GENESIS, LedgerEvent, find_broken_line
from ludus.boards.ledger_files import read_exported_ledger
from ludus.boards.signing import KEY_VARIABLE, make_key
from ludus.errors import BoardError
from ludus.runs import Store, export


@pytest.fixture
def files(store: Store, tmp_path: Path) -> list[Path]:
    """A run on the board and verified, exported with its ledger of two lines."""
    made = played(store, hero(tmp_path, "fast"))
    accept(made.id, store, by="me")
    verify_entry(made.id, store, by="me")
    paths = [tmp_path / "run.jsonl", tmp_path / "ledger.jsonl"]
    export(made.id, store, paths[0])
    export_ledger(store, paths[1])
    return paths


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The public part of a key that is configured."""
    public = make_key(tmp_path / "organiser.pem")
    monkeypatch.setenv(KEY_VARIABLE, str(tmp_path / "organiser.pem"))
    return public


def seal_again(events: list[LedgerEvent], change: Callable[[LedgerEvent], LedgerEvent]) -> None:
    """Change lines and seal all of them again, as somebody who holds the store can."""
    previous = GENESIS
    for place, event in enumerate(events):
        changed = replace(change(event), previous=previous)
        events[place] = replace(changed, digest=changed.seal)
        previous = events[place].digest


def write(events: list[LedgerEvent], path: Path, head: LedgerHead | None = None) -> None:
    lines: list[dict[str, Any]] = [{"ludus": "ledger", **asdict(event)} for event in events]
    if head:
        lines.append({"ludus": "ledger-head", **head.to_dict()})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def rename(event: LedgerEvent) -> LedgerEvent:
    return replace(event, text=event.text.replace('"by": "me"', '"by": "somebody"'))


def test_the_ledger_of_a_head_is_taken(store: Store, files: list[Path]) -> None:
    head = read_head(store)
    last = read_ledger(store)[-1]
    assert (head.count, head.digest, head.at) == (2, last.digest, last.at)
    assert rebuild(files, replay=False, head=head).problems == []
    older = head_of(read_ledger(store)[:1])
    assert rebuild(files, replay=False, head=older).problems == []  # it has grown since


def test_a_ledger_that_lost_its_last_line_is_refused(store: Store, files: list[Path]) -> None:
    head, events = read_head(store), read_ledger(store)[:-1]
    write(events, files[1], head_of(events))
    assert find_broken_line(events) is None  # no seal is broken
    with pytest.raises(BoardError, match="has 1 lines, its head is of 2: the last 1 are missing"):
        rebuild(files, replay=False, head=head)


def test_a_ledger_whose_last_line_was_changed_is_refused(store: Store, files: list[Path]) -> None:
    head, events = read_head(store), read_ledger(store)
    events[-1] = rename(events[-1])
    write(events, files[1])
    with pytest.raises(BoardError, match="line 2 of the ledger is not as it was written"):
        rebuild(files, replay=False, head=head)


def test_a_ledger_that_was_sealed_again_is_refused(store: Store, files: list[Path]) -> None:
    head, events = read_head(store), read_ledger(store)
    seal_again(events, rename)
    write(events, files[1], head_of(events))
    assert find_broken_line(events) is None
    rebuild(files, replay=False)  # nothing shows without a head from elsewhere
    with pytest.raises(BoardError, match="lines were changed and sealed again"):
        rebuild(files, replay=False, head=head)


def test_a_signed_export_cannot_be_sealed_again(store: Store, files: list[Path], key: str) -> None:
    export_ledger(store, files[1])
    assert rebuild(files, replay=False, public_key=key).problems == []
    events, exported = read_exported_ledger(files[1])
    assert exported is not None
    seal_again(events, rename)
    forged = replace(exported, digest=events[-1].digest)
    write(events, files[1], forged)
    with pytest.raises(BoardError, match="the signature of the head of 2 lines is wrong"):
        rebuild(files, replay=False, public_key=key)
    write(events, files[1], head_of(events))
    with pytest.raises(BoardError, match="is not signed"):
        rebuild(files, replay=False, public_key=key)
    write(events, files[1])
    with pytest.raises(BoardError, match="has no head that could be signed"):
        rebuild(files, replay=False, public_key=key)


def test_the_signature_of_another_key_is_refused(
    store: Store, files: list[Path], key: str, tmp_path: Path
) -> None:
    head = read_head(store)
    check_head(read_ledger(store), head, key)
    other = make_key(tmp_path / "other.pem")
    with pytest.raises(BoardError, match=f"signed by the key {key}, not by {other}"):
        check_head(read_ledger(store), head, other)
    with pytest.raises(BoardError, match="is wrong"):
        check_head(read_ledger(store), replace(head, key=other))
    with pytest.raises(BoardError, match="is wrong"):
        check_head(read_ledger(store), replace(head, at="2020-01-01T00:00:00+00:00"))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_key_that_others_can_read_is_refused(
    store: Store, key: str, mode: int, tmp_path: Path
) -> None:
    file = tmp_path / "organiser.pem"
    assert file.stat().st_mode & 0o777 == 0o600
    assert read_head(store).key == key
    file.chmod(mode)
    with pytest.raises(BoardError, match=f"others can read the key .*mode {mode:o}.*chmod 600"):
        read_head(store)


def test_a_key_is_never_overwritten_and_must_be_one(store: Store, key: str, tmp_path: Path) -> None:
    file = tmp_path / "organiser.pem"
    content = file.read_bytes()
    with pytest.raises(BoardError, match="is there already"):
        make_key(file)
    assert file.read_bytes() == content
    file.write_bytes(b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
    with pytest.raises(BoardError, match="is no key"):
        read_head(store)
    file.unlink()
    with pytest.raises(BoardError, match="cannot be read: No such file"):
        read_head(store)


def test_a_head_is_read_as_text_as_json_and_from_files(
    store: Store, files: list[Path], key: str, tmp_path: Path
) -> None:
    head = read_head(store)
    (tmp_path / "head.txt").write_text(f"{head}\n")
    (tmp_path / "head.json").write_text(json.dumps(head.to_dict()))
    for text in (str(head), json.dumps(head.to_dict()), "head.txt", "head.json"):
        path = tmp_path / text if text.endswith(("txt", "json")) else text
        assert parse_head(str(path)) == head
    assert parse_head(str(head_of([]))) == LedgerHead(0, GENESIS, "-")


@pytest.mark.parametrize(
    "text",
    ["", "0" * 64, "ludus-ledger 1 xyz -", "{", "[1]", "{}", "\0", "x" * 100_000, "ludus-ledger"],
)
def test_what_is_no_head_is_told(text: str) -> None:
    with pytest.raises(BoardError, match="head"):
        parse_head(text)


def test_pages_and_exports_carry_the_head(store: Store, files: list[Path], key: str) -> None:
    head, ranking = read_head(store), board(SMALL.id, store)
    assert head.signature
    assert board_to_dict(ranking)["head"]["text"] == str(head)
    assert str(head) in to_markdown(ranking)
    assert str(head) in to_html(ranking)
    export_ledger(store, files[1])
    assert read_exported_ledger(files[1]).head == head


def test_lines_behind_the_head_are_refused(store: Store, files: list[Path]) -> None:
    lines = files[1].read_text().splitlines(keepends=True)
    files[1].write_text("".join([*lines, lines[0]]))
    with pytest.raises(BoardError, match=r"line 4: is no line of a ledger: it follows the head"):
        rebuild(files, replay=False)


def test_the_commands(ludus: Ludus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    public = ludus("board", "key", "organiser.pem").out.strip()
    monkeypatch.setenv(KEY_VARIABLE, str(tmp_path / "organiser.pem"))
    id_ = ludus("run", SMALL.id, "idle", "--accept", "--json").json["run"]
    ludus("export", id_)
    text = ludus("board", "head").out
    (tmp_path / "head.txt").write_text(text)
    assert ludus("board", "head", "--json").json["text"] == text.strip()
    ludus("board", "export")
    rebuilt = ("board", "rebuild", f"{id_}.jsonl", "ledger.jsonl", "--head", "head.txt")
    assert "as the files say" in ludus(*rebuilt, "--public-key", public).out
    assert ludus("board", "check", "--head", text.strip(), "--public-key", public).code == 0
    lines = (tmp_path / "ledger.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "ledger.jsonl").write_text("".join(lines[:-2]) + "")
    refused = ludus(*rebuilt, code=2)
    assert "no" in refused.err or "missing" in refused.err
    wrong = text.replace("ludus-ledger 1", "ludus-ledger 2", 1).strip()
    assert "is wrong" in ludus("board", "check", "--head", wrong, code=1).out
