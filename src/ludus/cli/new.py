"""``ludus new agent`` and ``ludus new brain``: something to begin with and change."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.options import JsonOption
from ludus.cli.output import print_json
from ludus.errors import OptionError

__all__ = ["new"]

new = typer.Typer()


@new.callback(invoke_without_command=True)
def _new(context: typer.Context) -> None:
    """Begin something of your own.

    Example: ludus new agent my-agent
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@new.command()
def agent(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What tables will call it.")],
    folder: Annotated[
        Path, typer.Option("--in", metavar="FOLDER", help="Where the files go.")
    ] = Path(),
    json: JsonOption = False,
) -> None:
    """Write a working agent and a test for it; files that exist are left alone.

    Example: ludus new agent my-agent
    """
    spec, places = _begun(name, folder, {"{file}": "agent.txt", "test_{file}": "test.txt"})
    _tell("agent", spec, places, f"ludus run platformer/bundled {spec}", json=json)


@new.command()
def brain(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What tables will call it.")],
    folder: Annotated[
        Path, typer.Option("--in", metavar="FOLDER", help="Where the file goes.")
    ] = Path(),
    json: JsonOption = False,
) -> None:
    """Write a working brain for the worm that can be trained; a file that exists is left alone.

    Example: ludus new brain my-brain
    """
    spec, places = _begun(name, folder, {"{file}": "brain.txt"})
    _tell("brain", spec, places, f"ludus train nematode/foraging-small --brain {spec}", json=json)


def _begun(name: str, folder: Path, templates: dict[str, str]) -> tuple[str, list[Path]]:
    """Write files from templates and return the spec of what is in the first, and the files."""
    words = {"name": name, **_names(name)}
    places = {folder / file.format(**words): template for file, template in templates.items()}
    if not folder.is_dir():
        raise OptionError(f"there is no directory {str(folder)!r}; make it, or choose another")
    for place in places:
        if place.exists():
            raise OptionError(f"{str(place)!r} exists already: choose another name, or --in")
    for place, template in places.items():
        _write(place, _template(template).format(**words))
    return f"{folder / words['file']}:{words['title']}", list(places)


def _tell(kind: str, spec: str, places: list[Path], following: str, *, json: bool) -> None:
    if json:
        print_json({kind: spec, "files": [str(place) for place in places]})
        return
    for place in places:
        typer.echo(f"Written: {place}")
    typer.echo(f"Next: {following}")


def _names(name: str) -> dict[str, str]:
    """Return the file and the class of an agent."""
    words = re.findall(r"[A-Za-z0-9]+", name)
    stem, title = "_".join(words).lower(), "".join(word[:1].upper() + word[1:] for word in words)
    plain = re.fullmatch(r"[A-Za-z0-9 _-]+", name)
    if not plain or not stem.isidentifier() or keyword.iskeyword(stem):
        raise OptionError(f"{name!r} is no name for a file of Python: try my-agent")
    return {"file": f"{stem}.py", "title": title}


def _template(name: str) -> str:
    return files("ludus.cli").joinpath("templates", name).read_text(encoding="utf-8")


def _write(place: Path, text: str) -> None:
    try:
        with place.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise OptionError(f"cannot write {str(place)!r}: {error.strerror or error}") from error
