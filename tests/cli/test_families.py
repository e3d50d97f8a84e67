"""What families of benchmarks add to the command line, and that the generic part knows none."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest
import typer
from tests.cli.conftest import Ludus, refused
from tests.runs.small import SMALL

import ludus.cli
from ludus.benchmarks import Command, Family, Starter, families
from ludus.benchmarks.registry import _installed
from ludus.cli.commands import all_commands
from ludus.cli.options import JsonOption

HERE = __name__
GENERIC = sorted(Path(ludus.cli.__file__).parent.glob("*.py"))

chess = typer.Typer()


@chess.callback()
def _chess() -> None:
    """Openings and endings."""


@chess.command()
def openings() -> None:
    """List openings."""
    typer.echo("Ruy Lopez")


def demo(json: JsonOption = False) -> None:
    """Play a short game."""
    typer.echo("1. e4 e5")


def train(
    benchmark: Annotated[str | None, typer.Argument()] = None,
    depth: Annotated[int, typer.Option("--depth")] = 3,
    resume: Annotated[str, typer.Option("--resume")] = "",
) -> None:
    """Learn openings."""
    typer.echo(f"trained {benchmark or resume} to depth {depth}")
    raise typer.Exit(0 if depth else 7)


def submit(
    target: Annotated[str, typer.Argument()],
    check: Annotated[bool, typer.Option("--check")] = False,
) -> None:
    """Hand in a book of openings."""
    typer.echo(f"submitted {target}, checked {check}")


def plot_folders(folders: list[str], out: Path, *, style: str) -> list[Path]:
    return [Path(out) / f"{len(folders)}-{style}.png"]


def build_facts() -> dict[str, str]:
    return {"chess clock": "wound"}


FAMILY = Family(
    name="chess",
    title="Who mates first?",
    benchmarks=f"{HERE}:BENCHMARKS",
    example="chess/blitz pawn",
    commands=(Command("chess", f"{HERE}:chess", "Openings and endings."),),
    demo=f"{HERE}:demo",
    train=f"{HERE}:train",
    training_example="chess/blitz",
    training_file="chess.json",
    submit=f"{HERE}:submit",
    plot_folders=f"{HERE}:plot_folders",
    starters=(Starter("player", "Write a player.", HERE, {"{file}": "player.txt"}, "go {spec}"),),
    agents_hint="Grandmasters play chess: fide:NUMBER",
    build_facts=f"{HERE}:build_facts",
)
BENCHMARKS = (SMALL,)


@pytest.fixture
def third_party(ludus: Ludus, monkeypatch: pytest.MonkeyPatch) -> Ludus:
    """Commands with a family that another package offers."""
    monkeypatch.setitem(families(), "chess", FAMILY)
    monkeypatch.setitem(sys.modules, HERE, sys.modules[__name__])
    return ludus


def test_a_familys_commands_are_behind_ludus(third_party: Ludus) -> None:
    assert "Openings and endings." in third_party("--help").words
    assert third_party("chess", "openings").out == "Ruy Lopez\n"
    assert "(see ludus chess --help)" in third_party("chess", "middle", code=2).err


def test_a_familys_demo_is_asked_for_by_its_name(third_party: Ludus) -> None:
    assert third_party("demo", "chess").out == "1. e4 e5\n"
    help_ = third_party("demo", "--help").words
    assert "chess: Who mates first?" in help_
    assert "Play a short game." in help_


def test_a_familys_training_has_its_own_options(third_party: Ludus, tmp_path: Path) -> None:
    said = third_party("train", "--depth", "5", "chess/blitz")
    assert said.out == "trained chess/blitz to depth 5\n"
    assert "--depth" in third_party("train", "chess/blitz", "--help").out
    assert "--depth" not in third_party("train", "mario-arena/1-1", "--help").out
    assert (
        "No such option: --depth"
        in third_party("train", "nematode/foraging-small", "--depth", "5", code=2).err
    )
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "chess.json").write_text("{}")
    for words in (("--resume", "book"), ("--resume=book",)):
        assert third_party("train", *words).out == "trained book to depth 3\n"


def test_a_familys_exit_code_is_that_of_the_command(third_party: Ludus) -> None:
    third_party("train", "chess/blitz", "--depth", "0", code=7)


def test_a_familys_submission_is_found_by_benchmark_or_folder(
    third_party: Ludus, tmp_path: Path
) -> None:
    assert third_party("submit", "chess/blitz").out == "submitted chess/blitz, checked False\n"
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "chess.json").write_text("{}")
    assert third_party("submit", "--check", "book").out == "submitted book, checked True\n"


def test_a_familys_folders_are_drawn(third_party: Ludus, tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "chess.json").write_text("{}")
    assert third_party("plot", "book", "--dark").out == "1-dark.png\n"


def test_a_familys_hints_and_facts_are_shown(third_party: Ludus) -> None:
    assert "Grandmasters play chess: fide:NUMBER" in third_party("agents").out
    assert third_party("doctor", "--json").json["engine"]["chess clock"]["detail"] == "wound"


def test_a_familys_benchmarks_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(families(), "chess", FAMILY)
    monkeypatch.setitem(sys.modules, HERE, sys.modules[__name__])
    assert SMALL.id in _installed.__wrapped__()


def test_help_lists_every_family_that_trains(ludus: Ludus) -> None:
    said = ludus("train", "--help").words
    for name in ("mario-arena", "nematode"):
        assert f"{name}: {families()[name].title}" in said
    assert "--algorithm" in said
    assert "--brain" in said
    assert "diplomacy: " not in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("platformer/sprint",), "platformer/sprint takes no submissions: try ludus run"),
        (("nowhere/else", "--brain", "mlp-ppo"), "no benchmark 'nowhere/else'"),
        (("--check", "nowhere"), "there is no folder 'nowhere' to check"),
    ],
)
def test_what_cannot_be_submitted_is_refused(
    ludus: Ludus, words: tuple[str, ...], message: str
) -> None:
    assert message in refused(ludus("submit", *words, code=2))


@pytest.mark.parametrize("mounted", all_commands(), ids=lambda mounted: mounted.command.name)
def test_summaries_are_the_first_sentences_of_the_commands(mounted: object) -> None:
    command = mounted.load()  # type: ignore[attr-defined]
    assert command.help.split("\n\n")[0].replace("\n", " ") == mounted.command.summary  # type: ignore[attr-defined]


@pytest.mark.parametrize("file", GENERIC, ids=lambda file: file.stem)
def test_the_generic_part_knows_no_family_by_name(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and isinstance(node.body[0], ast.Expr)
    }
    documentation |= {  # an extra may have the name of a family
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "EXTRAS"
        for inner in ast.walk(node)
    }
    names = {*families(), *(name.replace("-", "_") for name in families()), "worm"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not names & set((node.module or "").split(".")), node.module
        elif isinstance(node, ast.Constant) and id(node) not in documentation:
            assert not any(name in str(node.value) for name in names), node.value


def test_the_help_lists_panels_with_whole_summaries(ludus: Ludus) -> None:
    said = ludus("--help")
    lines = said.out.splitlines()
    assert {"Begin here:", "Play:", "Check:", "Look:", "Exchange:"} <= {*lines}
    assert "Start with: ludus demo" in said.words
    for mounted in all_commands():
        assert f"{mounted.command.name} {mounted.command.summary}" in said.words


def test_the_help_of_a_group_lists_whole_summaries(ludus: Ludus) -> None:
    said = ludus("event", "--help").words
    assert "publish terms and commitment. show Show an event: its terms" in said


def test_the_help_imports_little() -> None:
    code = (
        "import sys, ludus.cli; ludus.cli.main(['--help']); "
        "print([m for m in ('sqlalchemy', 'matplotlib', 'ray', 'jax', 'PIL', 'pydantic',"
        " 'ludus.runs', 'ludus.games.platformer', 'ludus.games.worm') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_wrong_option_names_the_help_of_its_family(ludus: Ludus) -> None:
    wrong = ludus("train", "nematode/foraging-small", "--wrong", "3", code=2)
    assert "(see ludus train nematode/foraging-small --help)" in wrong.err
    assert ludus("train", "nematode/foraging-small", "--help").out
    assert "(see ludus demo --help)" in ludus("demo", "--wrong", code=2).err
