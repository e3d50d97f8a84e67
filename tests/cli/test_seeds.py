"""Seeds: one range and one error line, whichever command takes one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import pytest
import typer
from tests.cli.conftest import Ludus, refused
from typer.main import get_command

import ludus
from ludus.benchmarks.families import families
from ludus.benchmarks.family import import_attribute
from ludus.cli.commands import all_commands
from ludus.errors import OptionError
from ludus.seeds import LARGEST_SEED, check_seed

COMMANDS = [
    "run platformer/bundled idle",
    "train mario-arena/1-1",
    "level make ludus",
    "play ludus",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_seed_out_of_range(ludus: Ludus, command: str) -> None:
    line = refused(ludus(*command.split(), "--seed", "-1", code=2)).strip()
    assert line == "error: seed -1 is out of range: give 0 to 9223372036854775807"


def test_every_option_for_a_seed_has_one_range() -> None:
    options = dict(all_seed_options())
    assert len(options) > 15
    for command, option in options.items():
        context = click.Context(click.Command(command))
        assert int(option.process_value(context, str(LARGEST_SEED))) == LARGEST_SEED
        for seed in (-1, LARGEST_SEED + 1):
            with pytest.raises(OptionError, match=f"seed {seed} is out of range"):
                option.process_value(context, str(seed))


def all_seed_options() -> Iterator[tuple[str, Any]]:
    """Yield every command with each of its options for a seed, also those that families have."""
    built = [mounted.load() for mounted in all_commands()]
    for family in families().values():
        for target in filter(None, (family.demo, family.train, family.submit)):
            holder = typer.Typer()
            holder.command(f"{family.name} {target}")(import_attribute(target))
            built.append(get_command(holder))
    while built:
        command = built.pop()
        built += getattr(command, "commands", {}).values()
        for option in command.params:
            if any(name.endswith("seed") for name in option.opts if name.startswith("--")):
                yield f"{command.name} {option.opts[0]}", option


def test_the_largest_seed_is_one() -> None:
    assert check_seed(LARGEST_SEED) == LARGEST_SEED
    played = ludus.run(
        "platformer/bundled", "idle", episodes=1, seed=LARGEST_SEED, workers=1, store="sqlite://"
    )
    assert played.leader == "idle"


@pytest.mark.parametrize("seed", [-1, 2**63, 2**64])
def test_the_library_takes_the_same_seeds(seed: int) -> None:
    with pytest.raises(OptionError, match=f"seed {seed} is out of range"):
        ludus.run("platformer/bundled", "idle", seed=seed, store="sqlite://")
