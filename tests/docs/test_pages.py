"""Pages are reachable, readable, and speak of what exists."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.docs.pages import DOCS, FENCE, GUIDES, PAGES, ROOT, blocks, name

from ludus.benchmarks import benchmarks
from ludus.games.platformer import generators

WIDTH = 100
LINK = re.compile(r"\]\((?!https?://|#|mailto:)([^)#\s]+)")
INLINE = re.compile(r"(?<!`)`(ludus [a-z][^`]*)`")
TREE = re.compile(r"^\| `([\w./-]+)/` \|", re.MULTILINE)


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in GUIDES[1:]:
        assert str(page.relative_to(DOCS)) in navigation


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_lines_are_short(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    prose = [line for line in text.splitlines() if not line.startswith(("|", "    ", "![", "<"))]
    long = [line for line in prose if len(line) > WIDTH and "://" not in line]
    assert not long, long[0]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_paths_exist(page: Path) -> None:
    """A path of the repository in a text is there."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    named = re.findall(r"`((?:src|tests|native|perf|scripts|docs|examples|design)/[\w./-]+)`", text)
    for path in named:
        placeholder = re.search(r"/[A-Z]+(/|$)", path)
        assert placeholder or (ROOT / path).exists(), path


def mentions(page: Path) -> Iterator[str]:
    """Return the commands of Ludus that a page's sentences and plain blocks speak of."""
    text = page.read_text(encoding="utf-8")
    yield from INLINE.findall(FENCE.sub("", text))
    for block in blocks(page):
        if block.language in ("text", "console", "sh"):
            lines = block.text.replace("\\\n", " ").splitlines()
            for line in (line.removeprefix("$ ") for line in lines):
                if line.startswith("ludus "):
                    yield line.split(" #")[0]


@cache
def known_commands() -> dict[str, set[str]]:
    """Return the options of every command, by its words; those of families are gathered."""
    script = runpy.run_path(str(ROOT / "scripts" / "write_cli_reference.py"))
    known: dict[str, set[str]] = {}
    for title, command in script["load_commands"]():
        options = {
            option for param in command.params for option in (*param.opts, *param.secondary_opts)
        }
        known.setdefault(title.partition(" (")[0], {"--help", "-h"}).update(options)
    for open_command in ("ludus run", "ludus race", "ludus board show", "ludus diplomacy league"):
        for benchmark in benchmarks().values():
            known[open_command] |= {f"--{option.name}" for option in benchmark.options}
    for generator in generators.names():
        known["ludus play"] |= {
            f"--{name}" for name in generators.load(generator).options.model_fields
        }
    known["ludus board"] = known["ludus board show"]
    return known


def find_command(words: list[str]) -> str | None:
    """Return the longest command that the words begin with; a group if they name no more."""
    starts = [" ".join(words[:count]) for count in (3, 2)]
    exact = next((start for start in starts if start in known_commands()), None)
    group = any(name.startswith(starts[-1] + " ") for name in known_commands())
    return exact or (starts[-1] if group and len(words) == 2 else None)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_and_their_options_exist(page: Path) -> None:
    for mention in mentions(page):
        words = mention.replace("'", "").split()
        if not re.fullmatch(r"[a-z]+", words[1]):
            continue  # ludus --help, ludus COMMAND
        command = find_command(words)
        assert command, mention
        for word in words:
            option = word.strip("[]…,.").split("=")[0]
            if re.fullmatch(r"--[a-z-]+", option):
                assert option in known_commands().get(command, set()), f"{option} in {mention!r}"


def test_the_design_page_names_the_folders_that_exist() -> None:
    """Its table has one line for each folder of the code, and no other."""
    named = set(TREE.findall((DOCS / "design.md").read_text(encoding="utf-8")))
    source, native = ROOT / "src" / "ludus", ROOT / "native"
    folders = [path for top in (source, native) for path in top.iterdir() if path.is_dir()]
    for game in ("platformer", "worm", "diplomacy"):
        folders += [path for path in (source / "games" / game).iterdir() if path.is_dir()]
    exist = {str(path.relative_to(ROOT)) for path in folders if path.name != "__pycache__"}
    tops = {path.name for path in ROOT.iterdir() if path.is_dir()}
    missing = exist - named
    assert not missing, f"docs/design.md does not name {sorted(missing)}"
    for path in named:
        assert (ROOT / path).is_dir(), f"docs/design.md names {path}, which is not there"
    assert {"docs", "examples", "design", "perf", "scripts", "tests"} <= tops & named
