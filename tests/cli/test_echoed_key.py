"""An endpoint that writes the key into everything it says: no file that Ludus makes has it."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.agents.llm.server import Request, Say, Scripted, answer_to, kind_of
from tests.cli.conftest import Ludus

SECRET = "sk-secret/0123456789"
WRITTEN = (SECRET, SECRET.replace("/", r"\/"), base64.b64encode(SECRET.encode()).decode())
ANSWERS: dict[str, Any] = {
    "negotiate": {"messages": [{"recipient": "GLOBAL", "text": f"I am {SECRET}"}]},
    "reflect": {"diary": f"it is {SECRET}", "goals": [SECRET], "relationships": {}},
    "review": {"diary": SECRET, "goals": [f"keep {SECRET}"], "relationships": {SECRET: "Ally"}},
}


def echo(request: Request, number: int) -> Say:
    """Answer with the key in every place, now and then by an error or in JSON's other form."""
    kind = kind_of(request)
    if number % 7 == 5:
        return Say(status=500, error=f"wrong key {SECRET}")
    answer = ANSWERS.get(kind) or answer_to(request) | {"plan": SECRET, SECRET: SECRET}
    if number % 5 == 3 and isinstance(answer.get("orders"), dict):
        answer["orders"] = dict.fromkeys(answer["orders"], f"A {SECRET} - BUR")
    text = json.dumps(answer)
    return Say(text.replace("/", r"\/") if number % 2 else text, finish=SECRET, thoughts=SECRET)


def find_texts(data: bytes) -> Iterator[str]:
    """Return what a file holds, also where it is compressed."""
    yield data.decode("utf-8", "replace")
    for head in (b"\x78\x9c", b"\x78\xda", b"\x78\x01", b"\x1f\x8b\x08"):
        start = data.find(head)
        while start >= 0:
            with suppress(zlib.error):
                yield zlib.decompressobj(47).decompress(data[start:]).decode("utf-8", "replace")
            start = data.find(head, start + 1)


def test_no_file_has_a_key_that_an_endpoint_echoes(
    ludus: Ludus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("LUDUS_LLM_LOG", str(tmp_path / "calls.jsonl"))
    words = ("--games", "1", "--against", "hold", "--year", "1902", "--rounds", "1")
    with Scripted(echo) as server:
        spec = server.spec("retries=1")
        said = ludus("run", "diplomacy/france", spec, "hold", *words, "--json")
    run = said.json["run"]
    shown = [said.out, said.err]
    for line in (
        f"export {run} --out run.jsonl",
        f"export {run} --out run.csv",
        f"diplomacy save {run} --out saved",
        f"diplomacy tables {run} --out tables",
        f"diplomacy plot {run} --out plots",
        f"diplomacy promises {run}",
        f"diplomacy transcript {run} --out game.html",
        f"show {run} --episodes --json",
    ):
        said = ludus(*line.split())
        shown += [said.out, said.err]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    texts = {path: list(find_texts(path.read_bytes())) for path in files}
    redacted = {path.name for path in files if any("[key]" in text for text in texts[path])}
    assert redacted >= {"calls.jsonl", "ludus.db", "lmvsgame.json", "game.html"}
    leaks = [path for path in files if any(one in text for text in texts[path] for one in WRITTEN)]
    assert not leaks
    assert not any(one in text for text in shown for one in WRITTEN)
