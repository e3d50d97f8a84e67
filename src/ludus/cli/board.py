"""``ludus board``: the rankings, and what happened to them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ludus.api.boards import BoardResult
from ludus.api.settings import current_user, open_store
from ludus.boards import (
    Board,
    accept,
    parse_head,
    read_ledger,
    rebuild,
    remove,
    rescore,
)
from ludus.boards import board as find_board
from ludus.boards.formats import (
    board_to_dict,
    to_csv,
    to_html,
    to_latex,
)
from ludus.boards.rebuild import differences
from ludus.boards.signing import read_public_key
from ludus.cli import ledger
from ludus.cli.commands import OPEN_OPTIONS
from ludus.cli.ledger import HeadOption, PublicKeyOption
from ludus.cli.mounting import PlainGroup
from ludus.cli.options import (
    JsonOption,
    RunArgument,
    StoreOption,
    WorkersOption,
    finite,
    seed_option,
    split_options,
)
from ludus.cli.output import print_json, print_view, progress, say, show_table
from ludus.cli.play import describe_decision
from ludus.errors import BoardError, OptionError
from ludus.json_files import read_json

__all__ = ["board"]

DIFFERENT = 1
SHOW = "show"


class _ShowFirst(PlainGroup):
    """Takes ``ludus board BENCHMARK`` for ``ludus board show BENCHMARK``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the word that may be left out in its place."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [SHOW, *args]
        return super().parse_args(ctx, args)


board = typer.Typer(
    cls=_ShowFirst, subcommand_metavar="BENCHMARK | COMMAND …", invoke_without_command=True
)

Benchmark = Annotated[str, typer.Argument(metavar="BENCHMARK", help="Whose board.")]
BenchmarkOrFamily = Annotated[
    str,
    typer.Argument(metavar="BENCHMARK", help="Whose board; a family's name for its first one."),
]
By = Annotated[str | None, typer.Option("--by", help="Who does it.", show_default="you")]
Why = Annotated[str, typer.Option("--why", help="Why; it is published.")]
Options = Annotated[
    list[str] | None,
    typer.Argument(metavar="[--OPTION VALUE]…", help="Options of the benchmark that were set."),
]
SeedOption = Annotated[int, seed_option("Which scenarios the board is of.")]


@board.callback()
def _board(context: typer.Context) -> None:
    """Show a ranking, or see to it.

    Example: ludus board platformer/bundled
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@board.command(SHOW, context_settings=OPEN_OPTIONS)
def show(
    benchmark: BenchmarkOrFamily,
    options: Options = None,
    seed: Annotated[
        int | None,
        seed_option("Which scenarios.", show_default="that of most entries"),
    ] = None,
    season: Annotated[
        str, typer.Option("--season", help="A sealed season, instead of a public seed.")
    ] = "",
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    md: Annotated[
        bool, typer.Option("--md", help="Print Markdown; of NematodeBench, its leaderboard.")
    ] = False,
    html: Annotated[bool, typer.Option("--html", help="Print a page.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print a LaTeX table.")] = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Show the ranking of a benchmark.

    Example: ludus board platformer/bundled --md
    """
    if sum((csv, md, html, latex, json)) > 1:
        raise OptionError("only one of --json, --csv, --md, --html and --latex can be printed")
    with open_store(store_url) as store:
        ranking = find_board(benchmark, store, seed=seed, options=_options(options), season=season)
    if json:
        print_json(finite(board_to_dict(ranking)))
    elif csv or md or html or latex:
        result = BoardResult(ranking)
        writer = to_csv if csv else to_html if html else to_latex
        typer.echo(result.to_markdown() if md else writer(ranking), nl=False)
    else:
        print_view(BoardResult(ranking).view)


def _options(words: list[str] | None) -> dict[str, str]:
    extra, options = split_options(words or [])
    if extra:
        raise OptionError(f"{extra[0]!r} is one word too many: a board has one benchmark")
    return options


@board.command("accept")
def accept_run(
    run: RunArgument,
    agent: Annotated[
        list[str] | None, typer.Option("--agent", help="Whom; all of the run if left out.")
    ] = None,
    by: By = None,
    why: Why = "",
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Verify a run and put its agents on the board of its benchmark.

    Example: ludus board accept 1a2b3c4d
    """
    with (
        open_store(store_url) as store,
        progress("verifying", store.run(run).played) as advance,
    ):
        decisions = accept(
            run,
            store,
            by=by or current_user(),
            why=why,
            agents=agent or None,
            on_episode=lambda _: advance(),
        )
    if json:
        print_json([decision._asdict() for decision in decisions])
    else:
        for decision in decisions:
            say(describe_decision(decision))
    if any(decision.outcome == "refused" for decision in decisions):
        raise typer.Exit(DIFFERENT)


@board.command("remove", context_settings=OPEN_OPTIONS)
def remove_agent(
    benchmark: Benchmark,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Whom to take off.")],
    *,
    options: Options = None,
    why: Annotated[str, typer.Option("--why", help="Why; it is published.")],
    seed: SeedOption = 0,
    season: Annotated[
        str, typer.Option("--season", help="The sealed season the board is of.")
    ] = "",
    by: By = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Take an agent off a board; the ledger keeps what was there.

    Example: ludus board remove platformer/bundled astar --why "read the levels from disk"
    """
    with open_store(store_url) as store:
        board_options = _options(options)
        entry = remove(
            benchmark,
            agent,
            store,
            by=by or current_user(),
            why=why,
            seed=seed,
            options=board_options,
            season=season,
        )
    if json:
        print_json({"removed": agent, "run": entry.run})
    else:
        say(f"{agent} with run {entry.run} is off the board.")


@board.command("rescore")
def rescore_board(
    benchmark: Benchmark,
    why: Annotated[str, typer.Option("--why", help="Why; it is published.")],
    by: By = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Score all entries anew from what happened in their episodes.

    Example: ludus board rescore platformer/bundled --why "a rounding error in the rule"
    """
    with open_store(store_url) as store:
        changed = rescore(benchmark, store, by=by or current_user(), why=why)
    if json:
        print_json([finite(entry.to_dict()) for entry in changed])
    else:
        say(f"{len(changed)} entries have changed.")


@board.command()
def history(
    benchmark: Benchmark,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Show all that ever happened on the boards of a benchmark.

    Example: ludus board history platformer/bundled
    """
    with open_store(store_url) as store:
        events = read_ledger(store, benchmark)
    if json:
        kinds = ("number", "at", "kind", "version", "body", "previous", "digest")
        print_json([{name: getattr(event, name) for name in kinds} for event in events])
        return
    rows = [
        [
            str(event.number),
            event.at[:16].replace("T", " "),
            event.kind,
            *_particulars(event.body),
        ]
        for event in events
    ]
    names = ["line", "at", "what", "agent", "run", "season", "by", "why"]
    if not any(row[names.index("season")] for row in rows):
        rows, names = [[*row[:5], *row[6:]] for row in rows], [*names[:5], *names[6:]]
    show_table("", names, rows, left=(1, 2, 3, 4, 5, 6, 7), fold=(3, len(names) - 1))


def _particulars(body: dict[str, Any]) -> list[str]:
    """Return whom a line is on, which run, which season or event, by whom and why."""
    names = [("agent", "entrant"), ("run",), ("season", "event"), ("by",), ("why",)]
    return [next((str(body[one]) for one in words if one in body), "") for words in names]


@board.command("rebuild")
def rebuild_board(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Runs, and the ledger.")],
    against: Annotated[
        Path | None,
        typer.Option("--against", metavar="BOARD.json", help="A board, as --json prints it."),
    ] = None,
    replay: Annotated[bool, typer.Option(help="Play every episode again.")] = True,
    trust: Annotated[
        bool, typer.Option("--trust", help="Load environments and files that runs name, confined.")
    ] = False,
    workers: WorkersOption = None,
    head: HeadOption = None,
    public_key: PublicKeyOption = None,
    json: JsonOption = False,
) -> None:
    """Make the boards again from exported files alone; exit code 1 if something is not so.

    Example: ludus board rebuild 1a2b3c4d-5e6f.jsonl ledger.jsonl --against board.json
    """
    published = _read_published(against) if against else None
    with progress("reading", len(files)) as advance:
        outcome = rebuild(
            files,
            replay=replay,
            trust=trust,
            workers=workers,
            on_file=advance,
            head=parse_head(head) if head else None,
            public_key=read_public_key(public_key) if public_key else None,
        )
    boards, problems = outcome
    if published:
        problems += _compare_published(boards, published)
    if json:
        listed = [board_to_dict(rebuilt) for rebuilt in boards]
        print_json(finite({"boards": listed, "problems": problems, "sealed": outcome.sealed}))
    else:
        for rebuilt in boards:
            print_view(BoardResult(rebuilt).view)
            say()
        for problem in problems:
            say(problem)
        for name, count in outcome.sealed.items():
            say(f"Not checked until season {name} is revealed: {count} entries.")
        say(f"Not so: {len(problems)}." if problems else "Everything is as the files say.")
    if problems:
        raise typer.Exit(DIFFERENT)


def _read_published(path: Path) -> dict[str, Any]:
    try:
        values = read_json(path)
    except (OSError, ValueError) as error:
        raise BoardError(f"{str(path)!r} is no board: {error}") from error
    if not isinstance(values, dict) or "rows" not in values:
        raise BoardError(f"{str(path)!r} is no board: write one with ludus board … --json")
    return values


def _compare_published(boards: list[Board], published: dict[str, Any]) -> list[str]:
    for rebuilt in boards:
        if _identify(board_to_dict(rebuilt)) == _identify(published):
            return differences(rebuilt, published)
    return [f"no board of {published.get('benchmark')}, seed {published.get('seed')}, in the files"]


def _identify(values: dict[str, Any]) -> list[Any]:
    """Return what tells a board from others."""
    season = values.get("season")
    name = season.get("season") if isinstance(season, dict) else None
    return [*(values.get(key) for key in ("benchmark", "seed", "options")), name]


for command in (ledger.check, ledger.export, ledger.head, ledger.key):
    board.command()(command)
