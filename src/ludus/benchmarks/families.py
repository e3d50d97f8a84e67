"""The families of benchmarks: those of Ludus, and those that installed packages offer."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from ludus.benchmarks.agent_starters import LANGUAGES
from ludus.benchmarks.family import Command, Family, Starter, import_attribute
from ludus.json_files import NotJson, read_json

__all__ = ["FAMILIES", "families", "family_of", "family_of_folder", "family_with"]

FAMILIES = (
    Family(
        name="platformer",
        title="How far, how fast, how clean on short levels?",
        benchmarks="ludus.benchmarks.platformer:BENCHMARKS",
        example="platformer/bundled astar",
        commands=(
            Command(
                "level",
                "ludus.cli.families.platformer.level:level",
                "Make levels, look at them, measure them, see whether they can be won.",
            ),
        ),
        demo="ludus.cli.families.platformer.demo:demo",
        starters=(
            Starter(
                kind="agent",
                summary="Write a working agent and a test for it.",
                package="ludus.cli.families.platformer",
                files={"{file}": "agent.txt", "test_{file}": "test.txt"},
                next_command="ludus run platformer/bundled {spec}",
                languages=LANGUAGES,
            ),
        ),
        build_facts="ludus.cli.families.platformer.build:build_facts",
    ),
    Family(
        name="mario-arena",
        title="Which trained policy gets furthest, cleanest, fastest through 1-1 … 8-4?",
        benchmarks="ludus.benchmarks.mario_arena.tracks:BENCHMARKS",
        example="mario-arena/1-1 ppo-1m",
        score_files="ludus.benchmarks.mario_arena.score_files",
        train="ludus.cli.families.mario_arena.train:train",
        trainer="ludus.api.families.mario_arena:train",
        training_example="mario-arena/1-1",
        training_file="course.json",
        plot_folders="ludus.reports.learning_curves:plot_folders",
    ),
    Family(
        name="mario-ai",
        title="Who plays levels of the Mario AI Benchmark best, as in its competitions?",
        benchmarks="ludus.benchmarks.mario_ai.tracks:BENCHMARKS",
        example="mario-ai/gameplay-2009-ice forward-jumping",
        train="ludus.cli.families.mario_ai.train:train",
        trainer="ludus.api.families.mario_ai_training:train",
        training_example="mario-ai/gameplay-2009-ice",
        plot_folders="ludus.reports.learning_curves:plot_score_folders",
        commands=(
            Command(
                "player",
                "ludus.cli.families.mario_ai.player:player",
                "How somebody played, how human it looks, and a level for that player.",
            ),
            Command(
                "votes",
                "ludus.cli.families.mario_ai.votes:votes",
                "Pairs to show to judges, and what their votes say.",
            ),
            Command(
                "paper",
                "ludus.cli.families.mario_ai.paper:paper",
                "Print the tables of the Mario AI paper with the players of Ludus beside.",
            ),
        ),
    ),
    Family(
        name="diplomacy",
        title="How well do language models negotiate and conquer, and can a prompt steer them?",
        benchmarks="ludus.benchmarks.diplomacy.protocols:BENCHMARKS",
        example="diplomacy/gunboat dumb",
        score_files="ludus.benchmarks.diplomacy.score_files",
        commands=(
            Command(
                "diplomacy",
                "ludus.cli.families.diplomacy.commands:diplomacy",
                "Tables, pictures, promises and leagues of Diplomacy.",
            ),
        ),
        demo="ludus.cli.families.diplomacy.commands:demo",
        agents_hint="Language models play all games but guests: llm:MODEL@http://HOST:PORT/v1",
    ),
    Family(
        name="nematode",
        title="Which brain learns to forage best?",
        benchmarks="ludus.benchmarks.nematode.family:BENCHMARKS",
        example="nematode/foraging-small run-and-tumble --sensing klinotaxis",
        headline="nematode/foraging-small",
        headline_options={"sensing": "klinotaxis"},
        score_files="ludus.benchmarks.nematode.score_files",
        read_claim="ludus.benchmarks.nematode.reference_claim:read_claim",
        train="ludus.cli.families.nematode.train:train",
        trainer="ludus.api.families.nematode:train",
        trains_configs=True,
        training_example="nematode/foraging-small",
        training_file="progress/plan.json",
        submit="ludus.cli.families.nematode.submit:submit",
        plot_folders="ludus.reports.worm_plots:plot_folders",
        commands=(
            Command(
                "nematode",
                "ludus.cli.families.nematode.studies:nematode",
                "Which brains learn best, does the wiring matter, what do brains remember, "
                "how do they move?",
            ),
        ),
        measure_entry="ludus.reports.worm_behaviour:measure_entry",
        board_markdown="ludus.reports.worm_leaderboard:to_leaderboard",
        trainable="worm=ludus.learning.worm.listing:list_brains",
        starters=(
            Starter(
                kind="brain",
                summary="Write a working brain for the worm that can be trained.",
                package="ludus.cli.families.nematode",
                files={"{file}": "brain.txt"},
                next_command="ludus train nematode/foraging-small --brain {spec}",
            ),
        ),
    ),
)
"""The families of Ludus; the first one's example and demo are those that newcomers are shown."""


TRAINING_SETTINGS = "progress/settings.json"
"""The file of a training's settings, which names its family."""


@cache
def families() -> dict[str, Family]:
    """Return every family by its name; of equal names, that of Ludus."""
    known = {family.name: family for family in FAMILIES}
    for entry in entry_points(group="ludus.families"):
        family: Family = entry.load()
        known.setdefault(family.name, family)
    return known


def family_of(benchmark: str) -> Family | None:
    """Return the family that a benchmark's id names, or None if there is none of that name.

    Example:
        >>> family_of("mario-arena/1-1").title
        'Which trained policy gets furthest, cleanest, fastest through 1-1 … 8-4?'
    """
    return families().get(benchmark.partition("/")[0])


def family_with(benchmark: str) -> Family | None:
    """Return the family that has a benchmark, whatever its id begins with.

    Example:
        >>> family_with("worm/foraging-small").name
        'nematode'
    """
    for family in families().values():
        if any(one.id == benchmark for one in import_attribute(family.benchmarks)):
            return family
    return None


def family_of_folder(folder: str | Path) -> Family | None:
    """Return the family whose training a folder holds, or None if it holds none."""
    try:
        settings = read_json(Path(folder) / TRAINING_SETTINGS)
        return families().get(settings["family"])
    except (NotJson, KeyError, TypeError):
        pass  # a folder of another make has a file of its own
    for family in families().values():
        if family.training_file and (Path(folder) / family.training_file).is_file():
            return family
    return None
