"""What a family of benchmarks is, and what it adds to the command line.

A family is known by a table of texts. What a text of the form ``module:attribute`` names is
imported when it is used, so that listing families costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

__all__ = ["Command", "Family", "Starter", "import_attribute"]


def import_attribute(text: str) -> Any:
    """Import a module and return its attribute.

    Args:
        text: Both, as ``module:attribute``.

    Example:
        >>> import_attribute("math:pi")
        3.141592653589793
    """
    module, _, attribute = text.partition(":")
    return getattr(import_module(module), attribute)


@dataclass(frozen=True, slots=True)
class Command:
    """A word behind ``ludus``.

    Attributes:
        name: The word.
        target: Its typer app or function, as ``module:attribute``.
        summary: One line for ``ludus --help``.
    """

    name: str
    target: str
    summary: str


@dataclass(frozen=True, slots=True)
class Starter:
    """Files that a user begins with: ``ludus new KIND NAME``.

    Attributes:
        kind: What it is: ``agent``, ``brain``, …
        summary: One line for ``ludus new --help``.
        package: The package whose folder ``templates`` holds the templates.
        files: The names of the files, each with its template. In both, ``{name}`` stands for the
            name that the user gave, ``{file}`` for the file and ``{title}`` for the class.
        next_command: What to do next; ``{spec}`` stands for the spec with its folder, ``{folder}``
            for the folder of the files, ``{stem}`` and ``{title}`` as in ``files``.
        spec: The spec of what the files make, with the same words and ``{stem}``, the name of the
            file without its ending.
        executable: Whether the first file is a program.
        languages: Starters in other languages than Python, by their names.
    """

    kind: str
    summary: str
    package: str
    files: Mapping[str, str]
    next_command: str
    spec: str = "{file}:{title}"
    executable: bool = False
    languages: Mapping[str, Starter] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Family:
    """Benchmarks that share a name, and what they add to Ludus.

    Commands are typer functions or apps; they and all others are named as ``module:attribute``, and
    empty where the family offers none.

    Attributes:
        name: What the ids of its benchmarks begin with, such as ``mario-arena``.
        title: One line on what the family is about.
        benchmarks: The sequence of its benchmarks.
        example: A benchmark and an agent that plays it, for hints: ``platformer/bundled astar``.
        headline: The benchmark that the family asks first: ``ludus board NAME`` shows its board.
        headline_options: The options of that board which are not the benchmark's own.
        score_files: A module with ``RULES``, the default first, and ``score_files``, which scores
            the files that the family's community writes.
        read_claim: A function that reads a submission of the family's community from a file and
            returns a :class:`~ludus.benchmarks.claim.Claim` and what it could not read.
        commands: Words of its own behind ``ludus``.
        demo: The command behind ``ludus demo NAME``.
        train: The command behind ``ludus train NAME/…``.
        trainer: The function behind ``ludus.train("NAME/…")``.
        trains_configs: Whether that command takes ``--config FILE`` instead of a benchmark.
        training_example: A benchmark to train for, for hints.
        training_file: The file by which a folder of its trainings is known.
        submit: The command behind ``ludus submit NAME/…``.
        plot_folders: A function that draws folders of trainings:
            ``plot_folders(folders, out, style=…)`` returns the files; with ``formats``, a list of
            suffixes, where a user asks for others than PNG.
        measure_entry: A function that measures how the agent of a board's entry plays:
            ``measure_entry(run, agent, store)`` returns figures for its page, or None.
        board_markdown: A function that writes a board as Markdown in the form that the family's
            community knows: ``board_markdown(board)`` returns the text.
        starters: What ``ludus new`` can write.
        trainable: A game, and the function that lists what can be trained for it by name, as rows
            of name, learner and summary: ``worm=module:attribute``.
        agents_hint: A line that ``ludus agents`` prints below its table.
        build_facts: A function that returns how the family's engine was built, for
            ``ludus doctor``.
    """

    name: str
    title: str
    benchmarks: str
    example: str = ""
    headline: str = ""
    headline_options: Mapping[str, str] = field(default_factory=dict)
    score_files: str = ""
    read_claim: str = ""
    commands: tuple[Command, ...] = ()
    demo: str = ""
    train: str = ""
    trainer: str = ""
    trains_configs: bool = False
    training_example: str = ""
    training_file: str = ""
    submit: str = ""
    plot_folders: str = ""
    measure_entry: str = ""
    board_markdown: str = ""
    starters: tuple[Starter, ...] = ()
    trainable: str = ""
    agents_hint: str = ""
    build_facts: str = ""

    @property
    def headline_words(self) -> str:
        """The headline's benchmark and options as commands take them; empty if there is none."""
        options = (f"--{name} {value}" for name, value in self.headline_options.items())
        return " ".join([self.headline, *options])
