"""``ludus nematode``: questions to brains that take many trainings to answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus.api.families.brain_memory import MemoryResult, probe_brains
from ludus.api.families.brain_ranking import rank_brains
from ludus.api.families.side_by_side import SideBySide
from ludus.api.families.wiring import CONTROLS, compare_wiring
from ludus.api.result import Result
from ludus.cli.families.nematode.behaviour import behaviour
from ludus.cli.families.nematode.side_by_side import SeedOption, TrainingsOption, takes_plan
from ludus.cli.mounting import PlainGroup
from ludus.cli.options import JsonOption, finite
from ludus.cli.output import check_folder, print_json, print_view, progress, say
from ludus.errors import MissingExtra
from ludus.reports.sheet import FORMATS

__all__ = ["nematode"]

nematode = typer.Typer(cls=PlainGroup, no_args_is_help=True)
nematode.command()(behaviour)

Brains = Annotated[
    list[str] | None, typer.Option("--brain", help="Who; can be given again.", show_default="all")
]
Controls = Annotated[
    list[str] | None,
    typer.Option(
        "--control", help=f"{' or '.join(CONTROLS)}; can be given again.", show_default="both"
    ),
]


@nematode.callback()
def _nematode() -> None:
    """Which brains learn best, does the wiring matter, what do brains remember, how do they move?

    Example: ludus nematode rank --trainings 3 --episodes 20
    """


@nematode.command()
@takes_plan(trainings=5, out="runs/ranking")
def rank(plan: SideBySide, brain: Brains = None, json: JsonOption = False) -> None:
    """Train all brains, or some, in the same worlds and rank them.

    What the folder holds is not trained again. All brains take about an hour on two cores.

    Example: ludus nematode rank --brain dqn --brain mlp-ppo --trainings 3 --episodes 20
    """
    _present(rank_brains(brain or (), plan), Path(plan.out), "ranking", json=json)


@nematode.command()
@takes_plan(trainings=10, out="runs/wiring")
def wiring(plan: SideBySide, control: Controls = None, json: JsonOption = False) -> None:
    """Train the worm's connectome beside networks wired at random: does the wiring matter?

    What the folder holds is not trained again. The usual size takes half an hour on two cores.

    Example: ludus nematode wiring --trainings 3 --episodes 10
    """
    _present(compare_wiring(control or (), plan), Path(plan.out), "wiring", json=json)


@nematode.command()
def memory(
    brain: Brains = None,
    probe: Annotated[
        list[str] | None,
        typer.Option(
            "--probe",
            metavar="NAME:DELAY",
            help="bit or associative, and the steps to remember; can be given again.",
            show_default="bit:8, bit:20, associative:4",
        ),
    ] = None,
    trainings: TrainingsOption = 3,
    updates: Annotated[int, typer.Option("--updates", help="Gradients of a training.")] = 300,
    trials: Annotated[int, typer.Option("--trials", help="Fresh trials of each training.")] = 200,
    seed: SeedOption = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Table and picture.", show_default="none"),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Probe what brains remember: a bit from some steps ago, or a value by its cue.

    Example: ludus nematode memory --brain gru-ppo --brain mlp-ppo --probe bit:8
    """
    if out is not None:
        check_folder(out)
    result = _probe(brain, probe, trainings=trainings, updates=updates, trials=trials, seed=seed)
    _present(result, out, "memory", json=json)


def _probe(brains: list[str] | None, probes: list[str] | None, **sizes: int) -> MemoryResult:
    more = {"probes": probes} if probes else {}
    with progress("probing", None) as advance:
        return probe_brains(brains or (), on_probe=advance, **more, **sizes)  # type: ignore[arg-type]


def _present(result: Result, out: Path | None, name: str, *, json: bool) -> None:
    """Print a result, and write its table and its picture, in all formats, into a folder."""
    if json:
        print_json(finite(result.to_dicts()))
    else:
        print_view(result.view)
    if out is None:
        return
    out.mkdir(parents=True, exist_ok=True)
    result.to_csv(out / f"{name}.csv")
    written = [out / f"{name}.csv"]
    try:
        for suffix in FORMATS:
            result.plot(out / f"{name}.{suffix}")
            written.append(out / f"{name}.{suffix}")
    except MissingExtra as error:
        say(f"no picture: {error}", err=True)
    for file in written:
        say(file, err=json)
