"""``ludus new``: files to begin with and change; families offer what there is."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files as resource_files
from pathlib import Path
from typing import Annotated

import typer

from ludus.benchmarks import Starter, families
from ludus.cli.options import JsonOption
from ludus.cli.output import print_json, say
from ludus.errors import OptionError

__all__ = ["new"]

PYTHON = "python"

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="What tables will call it.")]
FolderOption = Annotated[Path, typer.Option("--in", metavar="FOLDER", help="Where the files go.")]
LanguageOption = Annotated[
    str,
    typer.Option(metavar="LANGUAGE", help="What it is written in: python, c, cpp, rust or wasm."),
]

new = typer.Typer()


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
        spec, files = _write_files(chosen, name, folder)
        _report(chosen, spec, files, json=json)

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


def _write_files(starter: Starter, name: str, folder: Path) -> tuple[str, list[Path]]:
    """Write files from templates; return the spec of the class in the first, and the files."""
    words = {"name": name, **_names(name)}
    words["spec"] = starter.spec.format(**words)
    targets = {folder / file.format(**words): text for file, text in starter.files.items()}
    if not folder.is_dir():
        raise OptionError(f"there is no directory {str(folder)!r}; make it, or choose another")
    for target in targets:
        if target.exists():
            raise OptionError(f"{str(target)!r} exists already: choose another name, or --in")
    for target, template in targets.items():
        _write(target, _read_template(starter.package, template).format(**words))
    return str(folder / words["spec"]), list(targets)


def _report(starter: Starter, spec: str, targets: list[Path], *, json: bool) -> None:
    if json:
        print_json({starter.kind: spec, "files": [str(target) for target in targets]})
        return
    for target in targets:
        say(f"Written: {target}")
    say(f"Next: {starter.next_command.format(spec=spec, stem=Path(spec).stem)}")


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
