"""``ludus new``: files to begin with and change; families offer what there is."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from importlib.resources import files as resource_files
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from ludus.benchmarks import Starter, families
from ludus.cli.mounting import PlainGroup
from ludus.cli.options import JsonOption
from ludus.cli.output import print_json, say
from ludus.errors import OptionError

__all__ = ["new"]

PYTHON = "python"

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="What tables will call it.")]
FolderOption = Annotated[Path, typer.Option("--in", metavar="FOLDER", help="Where the files go.")]
LanguageOption = Annotated[
    str,
    typer.Option(
        metavar="LANGUAGE",
        help="What it is written in: python, c, cpp, java, javascript, rust, shell or wasm.",
    ),
]

new = typer.Typer(cls=PlainGroup)


@new.callback(invoke_without_command=True)
def _new(context: typer.Context) -> None:
    """Begin something of your own.

    Example: ludus new agent my-agent
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _add_command(starter: Starter) -> None:
    """Add the command that writes a starter's files."""

    def write(
        name: NameArgument,
        folder: FolderOption = Path(),
        language: LanguageOption = PYTHON,
        json: JsonOption = False,
    ) -> None:
        chosen = _choose_language(starter, language)
        words = _find_words(chosen, name, folder)
        files = _write_files(chosen, words)
        _report(chosen, words, files, json=json)

    def write_python(
        name: NameArgument,
        folder: FolderOption = Path(),
        json: JsonOption = False,
    ) -> None:
        write(name, folder, PYTHON, json)

    example = f"Example: ludus new {starter.kind} my-{starter.kind}"
    new.command(
        starter.kind, help=f"{starter.summary} A file that exists is left alone.\n\n{example}"
    )(write if starter.languages else write_python)


def _list_languages(starter: Starter) -> str:
    return ", ".join([PYTHON, *starter.languages])


def _choose_language(starter: Starter, language: str) -> Starter:
    if language == PYTHON:
        return starter
    if language not in starter.languages:
        raise OptionError(f"language {language[:40]!r} is none of {_list_languages(starter)}")
    return starter.languages[language]


for _family in families().values():
    for _starter in _family.starters:
        _add_command(_starter)


def _find_words(starter: Starter, name: str, folder: Path) -> dict[str, str]:
    """Return what stands for the words in braces of a starter and its templates."""
    words = {"name": name, "folder": str(folder), **_names(name)}
    return {**words, "spec": starter.spec.format(**words)}


def _write_files(starter: Starter, words: Mapping[str, str]) -> list[Path]:
    """Write files from templates and return them."""
    folder = Path(words["folder"])
    targets = {folder / file.format(**words): text for file, text in starter.files.items()}
    if not folder.is_dir():
        raise OptionError(f"there is no directory {str(folder)!r}; make it, or choose another")
    for target in targets:
        if target.exists():
            raise OptionError(f"{str(target)!r} exists already: choose another name, or --in")
    for target, template in targets.items():
        _write(target, _read_template(starter.package, template).format(**words))
    if starter.executable:
        next(iter(targets)).chmod(0o755)
    return list(targets)


def _report(starter: Starter, words: Mapping[str, str], targets: list[Path], *, json: bool) -> None:
    spec = str(Path(words["folder"]) / words["spec"])
    spec = f"./{spec}" if starter.executable and "/" not in spec else spec
    if json:
        print_json({starter.kind: spec, "files": [str(target) for target in targets]})
        return
    for target in targets:
        say(f"Written: {target}")
    paths = {"spec": quote(spec), "folder": quote(words["folder"])}
    say(f"Next: {starter.next_command.format(**{**words, **paths})}")


def _names(name: str) -> dict[str, str]:
    """Return the file and the class of an agent."""
    words = re.findall(r"[A-Za-z0-9]+", name)
    stem, title = "_".join(words).lower(), "".join(word[:1].upper() + word[1:] for word in words)
    allowed = re.fullmatch(r"[A-Za-z0-9 _-]+", name)
    if not allowed or not stem.isidentifier() or keyword.iskeyword(stem):
        raise OptionError(f"{name!r} is no name for a file of Python: try my-agent")
    return {"file": f"{stem}.py", "stem": stem, "title": title}


def _read_template(package: str, name: str) -> str:
    return resource_files(package).joinpath("templates", name).read_text(encoding="utf-8")


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise OptionError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
