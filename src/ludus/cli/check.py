"""``ludus verify``, ``ludus explain``, ``ludus replay``, ``ludus compare``: says who?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus import api
from ludus.cli.options import (
    JsonOption,
    RunArgument,
    StoreOption,
    TrustOption,
    WorkersOption,
    finite,
)
from ludus.cli.output import (
    check_target,
    print_json,
    print_table,
    print_view,
    progress,
    say,
    show_table,
)
from ludus.errors import OptionError
from ludus.games.media.film_options import FilmOptions
from ludus.limits import describe_usage

if TYPE_CHECKING:
    from ludus.runs import Explanation, Run

__all__ = ["compare", "explain", "replay", "verify"]

DIFFERENT = 1
MOST_SHOWN = 20
PARTS = 3

Episode = Annotated[int, typer.Argument(metavar="EPISODE", help="Its number in the run.")]


Again = Annotated[
    bool,
    typer.Option("--again", help="Let the agents themselves play again, action by action."),
]
Sample = Annotated[
    int | None,
    typer.Option("--episodes", help="How many of each agent, drawn by chance.", show_default="all"),
]


def verify(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", help="The run's id, its beginning, or an event's folder."),
    ],
    again: Again = False,
    episodes: Sample = None,
    workers: WorkersOption = None,
    trust: TrustOption = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Play every record of a run again and compare all it says; exit code 1 if something differs.

    Entries that the run has on a board are marked as replayed, or as re-run with --again. The
    folder of a published event is checked whole, and nothing of its entries is run. A guest
    environment that the event names is loaded with --trust only, and then confined.

    Example: ludus verify 1a2b3c4d --again

    Example: ludus verify cup-2026-results
    """
    from ludus.api.settings import open_store
    from ludus.runs.proof import Proof

    if Path(run).is_dir():
        _verify_event(Path(run), trust=trust, json=json)
        return
    if episodes is not None and not again:
        raise OptionError("--episodes is how many agents play --again: give both")
    with (
        open_store(store_url) as store,
        progress("verifying", _count_episodes(store.run(run), again, episodes)) as advance,
    ):
        result = api.verify(
            run,
            again=again,
            episodes=episodes,
            workers=workers,
            trust=trust,
            store=store,
            on_episode=lambda _: advance(),
        )
    outcome = result.verification
    if json:
        values = {"run": result.run.id, "episodes": outcome.episodes, "good": outcome.good}
        values |= {"proof": str(outcome.proof), "rerun": dict(outcome.reruns)}
        notes = {"notes": list(outcome.notes), "on_board": result.on_board}
        print_json(finite({**values, "differences": result.to_dicts(), **notes}))
    else:
        _print_verification(result)
    if not result or outcome.proof is Proof.CLAIMED:
        raise typer.Exit(DIFFERENT)


def _verify_event(folder: Path, *, trust: bool, json: bool) -> None:
    """Check a published event from its files alone."""
    from ludus.reports.standings import count_episodes

    with progress("verifying", PARTS) as advance:
        outcome = api.verify_event(folder, trust=trust, on_part=advance)
    if json:
        print_json({**asdict(outcome), "good": bool(outcome)})
    elif outcome:
        say(f"{count_episodes(outcome.episodes)} of event {outcome.event} played again: all is so.")
    else:
        _list_some(list(outcome.problems))
    if not outcome:
        raise typer.Exit(DIFFERENT)


def _count_episodes(run: Run, again: bool, sample: int | None) -> int:
    """Return how many are played: each by its record, and some by their agents."""
    most = run.played if sample is None else min(run.played, sample * len(run.plan.agents))
    if run.plan.in_order:  # a level takes all levels before it
        most = run.played
    return run.played + (most if again else 0)


def _print_verification(result: api.VerificationResult) -> None:
    if result.good:
        say(result.sentence)
    else:
        _list_some([one.describe(result.run.id) for one in result.differences])
    if result.on_board:
        say(f"Verified on the board: {', '.join(result.on_board)}.")
    for note in result.verification.notes:
        say(f"note: {note}")


def _list_some(lines: list[str]) -> None:
    for line in lines[:MOST_SHOWN]:
        say(line)
    if len(lines) > MOST_SHOWN:
        say(f"… and {len(lines) - MOST_SHOWN} more: --json shows all")


def explain(
    run: RunArgument, episode: Episode, store_url: StoreOption = None, json: JsonOption = False
) -> None:
    """Show what the score of an episode is made of.

    Example: ludus explain 1a2b3c4d 3
    """
    from ludus.api.settings import open_store
    from ludus.runs import explain as explain_episode

    with open_store(store_url) as store:
        explanation = explain_episode(run, episode, store)
    if json:
        print_json(finite(_values(explanation)))
    else:
        _print_explanation(explanation)


def _print_explanation(explanation: Explanation) -> None:
    from ludus.api.replays import format_fact
    from ludus.reports.standings import format_episodes
    from ludus.reports.training_curves import describe_training

    played = explanation.episode
    where = f"episode {played.number} of {explanation.run}"
    say(f"{explanation.agent} in {explanation.scenario}, {where}")
    reason = f": {played.reason}" if played.reason else ""
    say(f"{played.ending.shown} after {played.steps:,} steps{reason}")
    if used := describe_usage(played.usage):
        say(f"It used {used}.")
    for line in describe_training(played.facts):
        say(line)
    if explanation.faults:
        episodes = format_episodes(explanation.faults)
        say(f"{explanation.agent} did not finish {episodes} of this run.")
    say()
    say(f"Played by {explanation.rules}{_in_brackets(explanation.provenance)}.")
    say(f"{explanation.rule}: {explanation.formula}")
    if explanation.fault_rule:
        say(explanation.fault_rule)
    say()
    rows = [[name, format_fact(value)] for name, value in explanation.facts.items()]
    show_table("What happened", ["fact", "value"], rows, left=(0,))
    rows = [[name, format_fact(value)] for name, value in explanation.parts.items()]
    say()
    rows.append(["total", format_fact(explanation.total)])
    show_table("What it is worth", ["part", "points"], rows, left=(0,))
    if explanation.total != explanation.stored:
        say(f"\nThe run says {format_fact(explanation.stored)}: ludus verify {explanation.run}")


def _in_brackets(provenance: Mapping[str, str]) -> str:
    """Return where a run comes from; an imported file may hold any text, also escape sequences."""
    shown = {name: value for name, value in provenance.items() if name != "settings"}
    words = ", ".join(f"{name} {value}" for name, value in shown.items())
    return f" ({words if words.isprintable() else ascii(words)})" if words else ""


def _values(explanation: Explanation) -> dict[str, Any]:
    episode = explanation.episode
    return {
        "run": explanation.run,
        "episode": episode.number,
        "agent": explanation.agent,
        "scenario": explanation.scenario,
        "ending": episode.ending,
        "reason": episode.reason,
        "rule": explanation.rule,
        "formula": explanation.formula,
        "fault_rule": explanation.fault_rule,
        "facts": explanation.facts,
        "parts": explanation.parts,
        "total": explanation.total,
        "stored": explanation.stored,
        "rules": explanation.rules,
        "provenance": dict(explanation.provenance),
        "faults": list(explanation.faults),
        "usage": asdict(episode.usage),
    }


FILMS = (".gif", ".mp4")
LARGE_FILM = 5
"""Megabytes from which on people are told how a film gets smaller."""


def replay(
    run: RunArgument,
    episode: Episode,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="Draw the way it went.")
    ] = None,
    gif: Annotated[Path | None, typer.Option("--gif", metavar="FILE", help="Make a film.")] = None,
    mp4: Annotated[Path | None, typer.Option("--mp4", metavar="FILE", help="Make a film.")] = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Write what the ending asks for: .svg, .json, …"
        ),
    ] = None,
    scale: Annotated[
        int | None, typer.Option("--scale", metavar="N", help="Enlarge a film's pixels, 1 to 8.")
    ] = None,
    speed: Annotated[
        float | None, typer.Option("--speed", metavar="X", help="Film faster: 2 is twice as fast.")
    ] = None,
    fps: Annotated[
        float | None, typer.Option("--fps", metavar="N", help="Frames a second of a film.")
    ] = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Play an episode's record again; show what happens, or draw it.

    Example: ludus replay 1a2b3c4d 3 --png way.png --gif film.gif --speed 2
    """
    options = FilmOptions(scale=scale, speed=speed, fps=fps)
    by_suffix = {".png": png, ".gif": gif, ".mp4": mp4}
    targets = [target for target in by_suffix.values() if target is not None]
    for suffix, target in by_suffix.items():
        if target is not None:
            check_target(target, [suffix], f"--{suffix[1:]}")
    for target in out or []:
        check_target(target, [target.suffix.lower()], "--out")
        targets.append(target)
    if options != FilmOptions() and not any(t.suffix.lower() in FILMS for t in targets):
        raise OptionError("--scale, --speed and --fps are of films: try --gif film.gif")
    result = api.replay(run, episode, store=store_url)
    files = [_save(result, target, options) for target in targets]
    if json:
        values = {"facts": dict(result.facts), "as_stored": result.as_stored, "files": files}
        print_json(finite(values))
    else:
        _print_replay(result, files)
    if not result.as_stored:
        raise typer.Exit(DIFFERENT)


def _save(result: api.Replay, target: Path, options: FilmOptions) -> str:
    """Write a picture or a film, with a count of its frames, and return its name."""
    from ludus.cli.progress import show_frames

    with show_frames(target.name) as on_frame:
        result.save(
            target, scale=options.scale, speed=options.speed, fps=options.fps, on_frame=on_frame
        )
    return str(target)


def _print_replay(result: api.Replay, files: list[str]) -> None:
    from ludus.reports.tables import to_rich

    print_table(to_rich(replace(result.view, title="")))
    for note in result.view.notes:
        say(f"\n{note}")
    for file in files:
        say(f"Written: {file}{_describe_size(Path(file))}")


def _describe_size(file: Path) -> str:
    """Return how large a large film is, and how it gets smaller; nothing of other files."""
    size = file.stat().st_size / 2**20
    if file.suffix.lower() != ".gif" or size < LARGE_FILM:
        return ""
    return f" ({size:.1f} MB; a lower --fps or a higher --speed makes it smaller)"


def compare(
    run_a: Annotated[str, typer.Argument(metavar="RUN_A[:AGENT]", help="One result.")],
    run_b: Annotated[str, typer.Argument(metavar="RUN_B[:AGENT]", help="The other.")],
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Compare agents on the scenarios that both played.

    Example: ludus compare 1a2b3c4d:astar 1a2b3c4d:rule-based
    """
    result = api.compare(run_a, run_b, store=store_url)
    if json:
        print_json(finite(result.to_dicts()))
    else:
        print_view(result.view)
