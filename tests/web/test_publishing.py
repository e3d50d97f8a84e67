"""An arena as a folder of files, and on a port."""

from __future__ import annotations

import json
import re
import socket
import sys
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

import pytest
from tests.boards.making import Here
from tests.web.conftest import DAY
from tests.web.live_server import start_server

import ludus
from ludus.benchmarks.platformer.daily import seed_of_day
from ludus.boards import accept
from ludus.cli import main
from ludus.errors import MissingExtra, OptionError
from ludus.runs import Store, run
from ludus.web.serving import listen


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with one short run."""
    file = str(tmp_path_factory.mktemp("small") / "arena.db")
    store = Store(file)
    agents = ["forward-jumping", "random"]
    seed = seed_of_day(DAY)
    done = run("platformer/daily", agents, store=store, seed=seed, executor=Here())
    accept(done.id, store, by="a test")
    store.close()
    return file


def read_folder(folder: Path) -> dict[str, bytes]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_a_published_folder_is_complete_and_the_same_again(small: str, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    site = ludus.publish(folder, store=small, day=DAY)
    first = read_folder(folder)
    assert set(first) == {*site.files, "ludus-site.json"}
    assert {"index.html", "levels/index.html", "static/style.css"} < set(first)
    assert any(re.fullmatch("runs/[^/]+/episodes/0/index.html", name) for name in first)
    for name in (name for name in first if name.endswith(".html")):
        page = f"/{name.removesuffix('index.html')}"
        for link in re.findall(rb'(?:href|src|data-source)="([^"#?]*)"', first[name]):
            target = urljoin(page, link.decode()).removeprefix("/")
            where = f"{target}index.html" if target.endswith("/") or not target else target
            assert where in first, (name, link)
    old = folder / "boards" / "old.html"
    old.write_text("gone")
    manifest = folder / "ludus-site.json"
    listed = json.loads(manifest.read_text())
    listed["files"] += ["boards/old.html", "../outside"]
    manifest.write_text(json.dumps(listed))
    (tmp_path / "outside").write_text("not ours")
    ludus.publish(folder, store=small, day=DAY)
    assert read_folder(folder) == first
    assert (tmp_path / "outside").exists()


def test_a_folder_of_something_else_is_left_alone(small: str, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(OptionError, match="something else"):
        ludus.publish(tmp_path, store=small, day=DAY)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_the_command_serves_and_stops(small: str) -> None:
    with start_server(small, "--prefix", "arena") as server:
        assert server.address.endswith("/arena")
        with urlopen(f"{server.address}/", timeout=60) as answer:
            assert "The level of the day" in answer.read().decode()
        port = urlsplit(server.address).port
        with pytest.raises(ConnectionRefusedError):  # it listens at the loopback's first address
            socket.create_connection(("127.0.0.2", port), timeout=60).close()
    assert server.process.returncode is not None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--port", "70000"], "port 70000 is out of range"),
        (["--prefix", "a b"], "no prefix of a path"),
        (["--prefix", "/../x"], "no prefix of a path"),
        (["--host", "192.0.2.1"], "cannot listen at 192.0.2.1"),
    ],
)
def test_a_server_that_cannot_be_started_says_why(
    small: str, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", small, *words]) == 2
    assert message in capsys.readouterr().err


def test_without_the_extra_one_line_says_what_to_install(
    small: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "ludus.web.serving", raising=False)
    with pytest.raises(MissingExtra, match=r"ludus-arena\[web\]"):
        ludus.serve(small)


def test_small_answers_do_not_wait_for_the_visitor() -> None:
    with listen("127.0.0.1", 0) as listener:
        with socket.create_connection(listener.getsockname(), timeout=60):
            accepted, _ = listener.accept()
        with accepted:  # asyncio sets TCP_NODELAY on those alone that name their protocol
            assert accepted.proto == socket.IPPROTO_TCP
