"""``ludus diplomacy``: tables, pictures, promises and leagues of Diplomacy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from ludus import api
from ludus.api.families.diplomacy import preview_prompt
from ludus.api.settings import open_store
from ludus.benchmarks.diplomacy.league import rate_league
from ludus.benchmarks.diplomacy.promises import judge_promises, promise_table
from ludus.benchmarks.diplomacy.results import AGGRESSIVE, BASELINE, READINGS, TableSettings
from ludus.benchmarks.diplomacy.scoring import POWERS, RULES, check_rule
from ludus.benchmarks.diplomacy.tables import sidecar, write_faults, write_tables
from ludus.cli.families.diplomacy.printing import (
    end_with_faults,
    print_ratings,
    print_tables,
    print_warnings,
)
from ludus.cli.mounting import PlainGroup
from ludus.cli.options import (
    JsonOption,
    RunArgument,
    StoreOption,
    WorkersOption,
    finite,
    seed_option,
)
from ludus.cli.output import (
    check_folder,
    check_target,
    print_files,
    print_json,
    print_view,
    progress,
    say,
    show_table,
)
from ludus.cli.play import play_with_progress
from ludus.errors import OptionError
from ludus.reports.diplomacy_games import write_games
from ludus.reports.diplomacy_results import collect_results, saved_games, seats_of_games
from ludus.runs import Store

__all__ = ["diplomacy"]

diplomacy = typer.Typer(cls=PlainGroup, no_args_is_help=True)

Sources = Annotated[
    list[str],
    typer.Argument(metavar="RUN|FOLDER…", help="Ids of runs, or folders of saved games."),
]
Rule = Annotated[str, typer.Option("--rule", help=f"How games are scored: {', '.join(RULES)}.")]
Power = Annotated[str, typer.Option("--power", help="The tested power.")]
Year = Annotated[
    int | None,
    typer.Option("--year", help="The last year of saved games that do not tell it."),
]
Reading = Annotated[
    str,
    typer.Option("--reading", help=f"A model's row: {READINGS[0]} variant, or {READINGS[1]}."),
]
Steer = Annotated[
    str,
    typer.Option("--steer", metavar="FROM:TO", help="The two variants that are compared."),
]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where the files go.")]


@diplomacy.callback()
def _diplomacy() -> None:
    """Tables, pictures, promises and leagues of Diplomacy.

    Example: ludus diplomacy demo
    """


@diplomacy.command()
def tables(
    sources: Sources,
    out: Out = Path(),
    rule: Rule = RULES[0],
    power: Power = "FRANCE",
    year: Year = None,
    reading: Reading = READINGS[0],
    steer: Steer = f"{BASELINE}:{AGGRESSIVE}",
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write overall_performance.csv and steerability.csv, and tables.json on how they were made.

    Games that were played differently (last year, opponents, press, rules) share no row. Files with
    faults, and games that do not count, are listed in faults.txt; the exit code is then 1.

    Example: ludus diplomacy tables 1a2b3c4d --out tables
    """
    settings = _make_settings(rule, power, steer, reading)
    check_folder(out)
    with open_store(store_url) as store:
        results = collect_results(sources, store, settings, year=year).results
    files = write_tables(out, results)
    if json:
        print_json({"files": [str(file) for file in files], **finite(sidecar(results))})
    else:
        print_tables(results)
        print_warnings(results, str(files[-1]))
        print_files(files, json=False)
    end_with_faults(results.problems)


@diplomacy.command("plot")
def plot_games(
    sources: Sources,
    out: Out = Path(),
    rule: Rule = RULES[0],
    power: Power = "FRANCE",
    year: Year = None,
    steer: Steer = f"{BASELINE}:{AGGRESSIVE}",
    dark: Annotated[bool, typer.Option("--dark", help="Light on dark.")] = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Draw scores, centres over time, orders, relationships, messages and cost.

    Example: ludus diplomacy plot 1a2b3c4d --out pictures
    """
    from ludus.reports.diplomacy_plots import write_diplomacy_plots

    settings = _make_settings(rule, power, steer)
    check_folder(out)
    with open_store(store_url) as store, _count_games(sources, store) as on_game:
        collected = collect_results(
            sources, store, settings, year=year, games=True, on_game=on_game
        )
    files = write_diplomacy_plots(out, collected, style="dark" if dark else "light")
    files += write_faults(out, collected.results.problems)
    print_files(files, json=json)
    print_warnings(collected.results, str(files[-1]))
    end_with_faults(collected.results.problems)


@diplomacy.command()
def promises(
    sources: Sources,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Hold what powers promised in messages against what they ordered.

    Example: ludus diplomacy promises games/run_00000
    """
    with open_store(store_url) as store, _count_games(sources, store) as on_game:
        games, faults = saved_games(sources, store, on_game=on_game)
    rows = promise_table(games)
    for fault in faults:
        say(fault, err=True)
    if json:
        judged = [
            {"game": game.name, **promise.to_dict()}
            for game in games
            for promise in judge_promises(game)
        ]
        print_json({"powers": rows, "promises": judged, "faults": faults})
    elif rows:
        _print_promises(rows)
    else:
        say("No promises were found; in games without press there are none.")
    end_with_faults(faults)


def _print_promises(rows: list[dict[str, Any]]) -> None:
    cells = [
        [
            row["power"].capitalize(),
            *(str(row[name]) for name in ("promises", "kept", "broken", "attacked", "meant")),
            f"{row['broken_percent']:.0f}",
        ]
        for row in rows
    ]
    heads = ["power", "promises", "kept", "broken", "attacked", "meant", "broken %"]
    caption = (
        "attacked: broken by an order against the other; meant: the diary shows the intention. "
        "Found by rules; --json lists every sentence."
    )
    show_table("", heads, cells, left=(0,), caption=caption)


@diplomacy.command()
def save(
    run: RunArgument,
    out: Out = Path("games"),
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write the games of a run as AI Diplomacy leaves its own: a folder each, with settings.

    Example: ludus diplomacy save 1a2b3c4d --out games
    """
    check_folder(out)
    with open_store(store_url) as store, _count_games([run], store) as on_game:
        folders = write_games(run, store, out, on_game=on_game)
    if json:
        print_json({"games": [str(folder) for folder in folders]})
    else:
        say(f"{len(folders)} games written: {out}")


@diplomacy.command()
def rate(
    sources: Sources,
    rule: Rule = RULES[0],
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Rate everybody who sat at the tables of games, by how each game ranked its seven seats.

    Example: ludus diplomacy rate 1a2b3c4d
    """
    check_rule(rule)
    with open_store(store_url) as store:
        rated = rate_league(seats_of_games(sources, store, rule))
    print_ratings(rated, json)


@diplomacy.command()
def league(
    agents: Annotated[
        list[str], typer.Argument(metavar="AGENT…", help="Two or more; they fill all seats.")
    ],
    games: Annotated[
        int | None,
        typer.Option("--games", help="In how many each is tested.", show_default="14"),
    ] = None,
    year: Annotated[int, typer.Option("--year", help="The last year that is played.")] = 1910,
    press: Annotated[str, typer.Option("--press", help="full or none.")] = "none",
    seed: Annotated[int, seed_option("What the games are made from.")] = 0,
    workers: WorkersOption = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Let agents play each other in changing seats, and rate them.

    Example: ludus diplomacy league dumb random hold --games 7
    """
    options = {"pool": ",".join(agents), "year": year, "press": press}
    with open_store(store_url) as store:
        result = play_with_progress(
            api.run,
            "diplomacy/league",
            agents,
            live=True,
            options=options,
            seed=seed,
            episodes=games,
            workers=workers,
            store=store,
        )
        rated = rate_league(seats_of_games([result.id], store))
    print_ratings(rated, json, result.id)


@diplomacy.command()
def transcript(
    game: Annotated[
        str, typer.Argument(metavar="RUN|GAME", help="A run, a saved game, or its folder.")
    ],
    episode: Annotated[
        int | None,
        typer.Argument(metavar="[EPISODE]", help="Of a run.", show_default="the first"),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Where the page goes.")
    ] = Path("game.html"),
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write a game as one page of HTML: maps, messages, diaries, orders with results, centres.

    Example: ludus diplomacy transcript games/run_00000 --out game.html
    """
    from ludus.reports.diplomacy_transcript import find_game, write_transcript

    check_target(out, (".html", ".htm"))
    with open_store(store_url) as store:
        found = find_game(game, store, episode)
    file = write_transcript(out, found)
    print_files([file], json=json, phases=len(found.phases))


@diplomacy.command("prompt")
def show_prompt(
    game: Annotated[Path, typer.Argument(metavar="GAME", help="A saved game.")],
    phase: Annotated[str, typer.Argument(metavar="PHASE", help="Such as F1903M.")],
    power: Power = "FRANCE",
    variant: Annotated[
        str, typer.Option("--variant", help="A set of prompts, or a folder of them.")
    ] = BASELINE,
    year: Year = None,
    json: JsonOption = False,
) -> None:
    """Print what a language model would be asked in a phase, and how many tokens that takes.

    Example: ludus diplomacy prompt games/lmvsgame.json F1903M --power ITALY
    """
    shown = preview_prompt(game, phase, power=power, variant=variant, year=year)
    if json:
        print_json(asdict(shown))
        return
    say(f"{shown.system}\n\n----\n\n{shown.text}\n\n----\n")
    say(f"about {shown.tokens:,} tokens, for {shown.power} in {shown.phase}")


@diplomacy.command()
def demo(
    out: Out = Path("diplomacy-demo"),
    games: Annotated[int, typer.Option("--games", help="How many each plays.")] = 100,
    year: Annotated[int, typer.Option("--year", help="The last year that is played.")] = 1925,
    store_url: StoreOption = None,
    workers: WorkersOption = None,
    json: JsonOption = False,
) -> None:
    """Play the bots as France against six that attack; print the tables, draw the charts.

    Example: ludus diplomacy demo --games 5
    """
    from ludus.reports.diplomacy_plots import write_diplomacy_plots

    check_folder(out)
    started = perf_counter()
    with open_store(store_url) as store:
        result = play_with_progress(
            api.run,
            "diplomacy/gunboat",
            DEMO,
            live=True,
            options={"year": year},
            episodes=games,
            workers=workers,
            store=store,
        )
        with _count_games([result.id], store) as on_game:
            collected = collect_results([result.id], store, games=True, on_game=on_game)
    files = [*write_tables(out, collected.results), *write_diplomacy_plots(out, collected)]
    if json:
        names = [str(file) for file in files]
        print_json(finite({**result.to_dict(), "files": names}))
        return
    print_view(result.view)
    say()
    print_tables(collected.results)
    seconds = perf_counter() - started
    say(f"{len(result.episodes)} games in {seconds:.0f} s, kept as run {result.id}.")
    print_files(files, json=False)


DEMO = ("search", "dumb", "dumb#aggressive", "random", "hold")


# ---- what the commands share


def _make_settings(rule: str, power: str, steer: str, reading: str = READINGS[0]) -> TableSettings:
    check_rule(rule)
    if power.upper() not in POWERS:
        raise OptionError(f"no power {power!r}; there are {', '.join(POWERS)}")
    before, colon, after = steer.partition(":")
    if not (before and colon and after):
        raise OptionError(f"{steer!r} is not two variants; give --steer {BASELINE}:{AGGRESSIVE}")
    return TableSettings(rule, power.upper(), {}, before, after, reading)


@contextmanager
def _count_games(sources: list[str], store: Store) -> Iterator[Any]:
    """Show a bar while games of runs are played again."""
    total = sum(store.run(source).played for source in sources if not Path(source).exists())
    with progress("reading", total) as advance:
        yield advance if total else None
