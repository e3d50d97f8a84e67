"""``ludus votes``: whom judges are shown, and what their votes say."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from ludus.api.families.mario_ai import (
    ScoredVotes,
    correlate_with_fun,
    schedule_votes,
    score_votes,
)
from ludus.api.voting import DayClips, add_clip, add_day_clips, export_votes, set_generators
from ludus.benchmarks.mario_ai.ballots import Ballot
from ludus.benchmarks.mario_ai.humanness import HumannessResult
from ludus.benchmarks.mario_ai.preferences import PreferenceResult
from ludus.cli.mounting import PlainGroup
from ludus.cli.options import JsonOption, StoreOption, finite, seed_option
from ludus.cli.output import check_target, print_json, say, show_table
from ludus.errors import OptionError
from ludus.games.platformer.level_names import find_level
from ludus.stats import Estimate
from ludus.voting.clips import Clip

__all__ = ["votes"]

votes = typer.Typer(cls=PlainGroup, no_args_is_help=True)

FAULTY = 1
MOST_SHOWN = 20

Key = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="The organiser's secret, for tickets."),
]


@votes.callback()
def _votes() -> None:
    """Pairs to show to judges, and what their votes say.

    Example: ludus votes score votes.jsonl
    """


@votes.command()
def schedule(
    entrants: Annotated[list[str], typer.Argument(metavar="ENTRANT...", help="Names.")],
    track: Annotated[
        str, typer.Option("--track", help="levels: more fun? turing: who is human?")
    ] = "levels",
    sessions: Annotated[
        int | None,
        typer.Option("--sessions", metavar="N", show_default="one for each pair", help="Judges."),
    ] = None,
    answers: Annotated[
        int, typer.Option("--answers", metavar="2|4", help="A or B; 4: both and neither, too.")
    ] = 2,
    human: Annotated[
        list[str] | None, typer.Option("--human", metavar="NAME", help="An entrant who is human.")
    ] = None,
    pairs_each: Annotated[
        int, typer.Option("--pairs-each", metavar="N", help="The most pairs of one voter.")
    ] = 1,
    seed: Annotated[int, seed_option("Draws the order.")] = 0,
    key: Key = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE.jsonl", help="Write the ballot.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the pairs for the next judges: every pair once, then all again the other way round.

    Each judge sees A and B and votes, then B and A and votes.

    Example: ludus votes schedule promp hopper skill-mix --seed 7 --out ballot.jsonl
    """
    if out is not None:
        check_target(out, [".jsonl"])
    people = tuple(human or ())
    ballot = Ballot(track, tuple(entrants), answers, people, pairs_each, seed)  # type: ignore[arg-type]
    count = len(ballot.pairs) if sessions is None else sessions
    scheduled = schedule_votes(ballot, count, key=key, out=out)
    if json:
        print_json([session._asdict() for session in scheduled])
    elif out is not None:
        say(f"{len(scheduled)} sessions written: {out}")
    else:
        rows = [[str(s.number), s.first, s.second, s.ticket] for s in scheduled]
        width = 4 if key else 3
        headings = ["session", "A", "B", "ticket"][:width]
        show_table("", headings, [row[:width] for row in rows], left=(1, 2, 3), fold=(1, 2, 3))


@votes.command()
def score(
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="A ballot and votes.")],
    key: Key = None,
    json: JsonOption = False,
) -> None:
    """Score votes; a line that does not count is named with its reason.

    Ends with exit code 1 if there are any.

    Example: ludus votes score votes.jsonl --json
    """
    scored = score_votes(file, key=key)
    if json:
        print_json(finite(_to_dict(scored)))
    else:
        _print(scored)
    if scored.votes.refusals:
        raise typer.Exit(FAULTY)


@votes.command()
def fun(
    levels: Annotated[
        list[str],
        typer.Argument(metavar="PREFERRED OTHER...", help="Pairs of levels: files or names."),
    ],
    json: JsonOption = False,
) -> None:
    """Hold features of levels against fun: in every pair the first was preferred.

    c is the mean over pairs of 1 where the preferred level has more of a feature, -1 where less.

    Example: ludus votes fun sprint-01 sprint-10 sprint-02 sprint-09
    """
    if len(levels) % 2:
        raise OptionError(f"{len(levels)} levels are no pairs: give two for each")
    found = [find_level(name) for name in levels]
    pairs = list(zip(found[::2], found[1::2], strict=True))
    features = correlate_with_fun(pairs)
    if json:
        print_json({name: asdict(one) for name, one in features.items()})
        return
    rows = [
        [name.replace("_", " "), f"{one.c:+.3f}", str(one.pairs)] for name, one in features.items()
    ]
    show_table("", ["feature", "c", "pairs"], rows, left=(0,))


@votes.command()
def clip(
    source: Annotated[
        str, typer.Argument(metavar="RUN|FILE", help="A run, or a recording.", show_default=False)
    ] = "",
    episode: Annotated[int, typer.Argument(metavar="EPISODE", help="Which one of the run.")] = 0,
    day: Annotated[
        datetime | None,
        typer.Option(
            metavar="DATE", formats=["%Y-%m-%d"], help="All on the board of this day's level."
        ),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Who plays; the run's agent if not given.")
    ] = "",
    human: Annotated[bool, typer.Option("--human", help="A person plays.")] = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Let visitors of the Turing test in ludus serve judge recorded play.

    Example: ludus votes clip RUN 0

    Example: ludus votes clip --day 2026-11-18
    """
    if bool(source) == bool(day):
        raise OptionError("give either a run or a recording, or --day DATE")
    if day:
        _show_day_clips(add_day_clips(day.date(), store=store_url), json=json)
        return
    added = add_clip(source, episode, player=name, is_human=human, store=store_url)
    if json:
        print_json(_list_values(added))
    else:
        say(_describe_clip(added))


def _show_day_clips(found: DayClips, *, json: bool) -> None:
    if json:
        clips = [_list_values(one) for one in found.added]
        print_json({"clips": clips, "left_out": found.left_out})
        return
    for one in found.added:
        say(_describe_clip(one))
    for player, reason in found.left_out.items():
        say(f"{player} is left out: {reason}.")


def _list_values(clip: Clip) -> dict[str, Any]:
    values = {"clip": clip.id, "player": clip.player, "human": clip.is_human}
    return {**values, "level": clip.level}


def _describe_clip(clip: Clip) -> str:
    kind = "human" if clip.is_human else "machine"
    return f"Clip {clip.id} of {clip.player} ({kind}) on level {clip.level}."


@votes.command()
def generators(
    names: Annotated[list[str], typer.Argument(metavar="GENERATOR...", help="For players.")],
    seed: Annotated[int, seed_option("The test level.")] = 0,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Choose the generators whose levels visitors of ludus serve compare.

    Example: ludus votes generators promp hopper skill-mix --seed 7
    """
    chosen = set_generators(names, seed=seed, store=store_url)
    if json:
        print_json(asdict(chosen.ballot))
        return
    say(f"{len(chosen.ballot.entrants)} generators, {len(chosen.ballot.pairs)} pairs.")


@votes.command()
def export(
    track: Annotated[str, typer.Argument(metavar="levels|turing", help="Which votes.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.jsonl", help="The file.")],
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write the votes of visitors to a file that ludus votes score reads.

    Example: ludus votes export levels --out votes.jsonl
    """
    check_target(out, [".jsonl"])
    count = export_votes(track, out, store=store_url)  # type: ignore[arg-type]
    if json:
        print_json({"votes": count, "file": str(out)})
    else:
        say(f"{count} votes written: {out}")


def _to_dict(scored: ScoredVotes) -> dict[str, Any]:
    return {
        "ballot": asdict(scored.votes.ballot),
        "preferences": _plain(scored.preferences),
        "humanness": _plain(scored.humanness) if scored.humanness else None,
        "refusals": [refusal._asdict() for refusal in scored.votes.refusals],
    }


def _plain(result: PreferenceResult | HumannessResult) -> dict[str, Any]:
    values = {name: getattr(result, name) for name in result.__slots__}
    return {**values, "rows": [row._asdict() for row in result.rows]}


def _print(scored: ScoredVotes) -> None:
    if scored.humanness:
        _print_humanness(scored.humanness)
    if scored.votes.preferences or not scored.humanness:
        _print_preferences(scored.preferences)
    for refusal in scored.votes.refusals[:MOST_SHOWN]:
        say(refusal, err=True)
    more = len(scored.votes.refusals) - MOST_SHOWN
    if more > 0:
        say(f"… and {more} more: --json shows all", err=True)


def _print_preferences(result: PreferenceResult) -> None:
    rows = [
        [
            str(row.rank),
            row.entrant,
            *map(str, (row.score, row.won, row.lost, row.both, row.neither)),
            _interval(row.strength),
        ]
        for row in result.rows
    ]
    headings = ["#", "entrant", "score", "won", "lost", "both", "neither", "strength"]
    counted = "the first complete set scores" if result.complete else "no complete set yet"
    title = f"{result.votes} votes, {counted}"
    caption = f"Strength: {result.model}."
    show_table(title, headings, rows, left=(1,), fold=(1,), keep=3, caption=caption)
    if result.shown_first:
        say(f"Whoever was shown first was preferred in {_interval(result.shown_first)} of votes.")


def _print_humanness(result: HumannessResult) -> None:
    rows = [
        [
            str(row.rank),
            row.player + (" (human)" if row.is_human else ""),
            str(row.answers),
            _interval(row.humanness),
            _number(row.weighted),
            str(row.pair_wins),
        ]
        for row in result.rows
    ]
    headings = ["#", "player", "answers", "humanness", "weighted", "pairs won"]
    title = f"Taken for human, by {result.voters} voters"
    caption = "Share of answers 'human' with its Wilson interval; weighted: by confidence."
    show_table(title, headings, rows, left=(1,), fold=(1,), keep=4, caption=caption)
    if result.people:
        say(f"People are taken for human in {_interval(result.people)} of answers.")


def _interval(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
