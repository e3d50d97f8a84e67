"""``ludus verify``, ``ludus explain``, ``ludus replay``, ``ludus compare``: says who?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from ludus.boards import on_board, verify_entry
from ludus.boards.comparing import Contest, contests
from ludus.boards.formats import estimate
from ludus.cli.options import JsonOption, RunArgument, StoreOption, current_user, finite, open_store
from ludus.cli.output import check_target, print_json, progress
from ludus.cli.tables import show_table
from ludus.runs import Explanation, film, replay_episode
from ludus.runs import explain as explain_episode
from ludus.runs.explain import find_episode
from ludus.runs.verify import differing_facts

__all__ = ["compare", "explain", "replay", "verify"]

DIFFERENT = 1
MOST_SHOWN = 20

Episode = Annotated[int, typer.Argument(metavar="EPISODE", help="Its number in the run.")]


def verify(run: RunArgument, store_url: StoreOption = None, json: JsonOption = False) -> None:
    """Play every record of a run again and compare all it says; exit code 1 if something differs.

    Entries that the run has on a board are marked as verified.

    Example: ludus verify 1a2b3c4d
    """
    with open_store(store_url) as store:
        found = store.run(run)
        with progress("verifying", found.played) as advance:
            outcome = verify_entry(
                found.id, store, by=current_user(), on_episode=lambda _: advance()
            )
        verified = [entry.agent for entry in on_board(found.id, store)] if outcome.good else []
    if json:
        differences = [asdict(one) for one in outcome.differences]
        plain = {"run": found.id, "episodes": outcome.episodes, "good": outcome.good}
        more = {"differences": differences, "notes": list(outcome.notes), "on_board": verified}
        print_json(finite({**plain, **more}))
    elif outcome.good:
        typer.echo(f"{outcome.episodes} episodes played again: all is as run {found.id} says.")
        if verified:
            typer.echo(f"Verified on the board: {', '.join(verified)}.")
    else:
        _list_some([str(one) for one in outcome.differences])
    if not json:
        for note in outcome.notes:
            typer.echo(f"note: {note}")
    if not outcome.good:
        raise typer.Exit(DIFFERENT)


def _list_some(lines: list[str]) -> None:
    for line in lines[:MOST_SHOWN]:
        typer.echo(line)
    if len(lines) > MOST_SHOWN:
        typer.echo(f"… and {len(lines) - MOST_SHOWN} more: --json shows all")


def explain(
    run: RunArgument, episode: Episode, store_url: StoreOption = None, json: JsonOption = False
) -> None:
    """Show what the score of an episode is made of.

    Example: ludus explain 1a2b3c4d 3
    """
    with open_store(store_url) as store:
        found = explain_episode(run, episode, store)
    if json:
        print_json(finite(_plain(found)))
        return
    typer.echo(f"{found.agent} in {found.scenario}, episode {found.episode.number} of {found.run}")
    reason = f": {found.episode.reason}" if found.episode.reason else ""
    typer.echo(f"{found.episode.ending} after {found.episode.steps} steps{reason}\n")
    typer.echo(f"Played by {found.rules}{_in_brackets(found.provenance)}.")
    typer.echo(f"{found.rule}: {found.formula}\n")
    rows = [[name, _number(value)] for name, value in found.facts.items()]
    show_table("What happened", ["fact", "value"], rows, left=(0,))
    rows = [[name, _number(value)] for name, value in found.parts.items()]
    typer.echo()
    rows.append(["total", _number(found.total)])
    show_table("What it is worth", ["part", "points"], rows, left=(0,))
    if found.total != found.stored:
        typer.echo(f"\nThe run says {_number(found.stored)}: ludus verify {found.run}")


def _in_brackets(provenance: Mapping[str, str]) -> str:
    words = ", ".join(f"{name} {value}" for name, value in provenance.items())
    return f" ({words})" if words else ""


def _plain(found: Explanation) -> dict[str, Any]:
    episode = found.episode
    return {
        "run": found.run,
        "episode": episode.number,
        "agent": found.agent,
        "scenario": found.scenario,
        "ending": episode.ending,
        "reason": episode.reason,
        "rule": found.rule,
        "formula": found.formula,
        "facts": found.facts,
        "parts": found.parts,
        "total": found.total,
        "stored": found.stored,
        "rules": found.rules,
        "provenance": dict(found.provenance),
    }


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


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
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Play an episode's record again; show what happens, or draw it.

    Example: ludus replay 1a2b3c4d 3 --png way.png --gif film.gif
    """
    wanted = {".png": png, ".gif": gif, ".mp4": mp4}
    places = {ending: place for ending, place in wanted.items() if place is not None}
    for ending, place in places.items():
        check_target(place, [ending], f"--{ending[1:]}")
    for place in out or []:
        check_target(place, [place.suffix.lower()], "--out")
    with open_store(store_url) as store:
        facts = replay_episode(run, episode, store)
        stored = find_episode(run, episode, store).episode.facts
        same = not differing_facts(store.run(run).plan, stored, facts)
        for place in [*places.values(), *(out or [])]:
            film(run, episode, store, place)
    written = [str(place) for place in [*places.values(), *(out or [])]]
    if json:
        print_json(finite({"facts": dict(facts), "as_stored": same, "files": written}))
    else:
        rows = [[name, _number(value)] for name, value in facts.items()]
        show_table("", ["fact", "value"], rows, left=(0,))
        typer.echo("\nThe same as stored." if same else f"\nNot as stored: ludus verify {run}")
        for file in written:
            typer.echo(f"Written: {file}")
    if not same:
        raise typer.Exit(DIFFERENT)


def compare(
    run_a: Annotated[str, typer.Argument(metavar="RUN_A[:AGENT]", help="One result.")],
    run_b: Annotated[str, typer.Argument(metavar="RUN_B[:AGENT]", help="The other.")],
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Compare agents on the scenarios that both played.

    Example: ludus compare 1a2b3c4d:astar 1a2b3c4d:rule-based
    """
    with open_store(store_url) as store:
        found = contests(run_a, run_b, store)
    if json:
        print_json(finite([_contest(one) for one in found]))
        return
    rows = [
        [
            one.first,
            one.second,
            estimate(one.comparison.difference.value, one.comparison.difference.margin),
            f"{one.comparison.p:.2g}",
            f"{one.comparison.d:.2f}",
            str(one.scenarios),
            one.verdict,
        ]
        for one in found
    ]
    headings = ["first", "second", "difference", "p", "d", "n", "better"]
    level = 100 * found[0].comparison.difference.level
    caption = (
        f"difference: mean score of the first less the second's on the same scenarios, ± half of "
        f"the {level:.0f} % interval; p: sign-flip test; d: Cohen's d of the differences"
    )
    show_table("", headings, rows, left=(0, 1, 6), fold=(0, 1, 6), caption=caption)


def _contest(one: Contest) -> dict[str, Any]:
    plain = {name: getattr(one.comparison, name) for name in ("difference", "p", "d", "balance")}
    names = {"first": one.first, "second": one.second, "better": one.verdict}
    return {**names, "scenarios": one.scenarios, **plain}
