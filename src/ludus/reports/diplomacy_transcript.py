"""A game of Diplomacy as one page of HTML: phases, maps, messages, diaries, orders, centres.

The page needs nothing from outside and runs no script. Whatever players wrote is text in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ludus.benchmarks.diplomacy.finding import find_games
from ludus.benchmarks.diplomacy.records import SavedGame, SavedPhase
from ludus.benchmarks.diplomacy.scoring import POWERS, years
from ludus.errors import OptionError
from ludus.escaping import cut, escape_html
from ludus.games.diplomacy.map.colours import POWER_COLOURS
from ludus.games.diplomacy.map.pictures import describe_phase
from ludus.reports.diplomacy_games import find_run, replay_game
from ludus.reports.transcript_pictures import MapDrawer, draw_centre_chart, to_turn
from ludus.runs.store import Store

__all__ = ["find_game", "to_html", "write_transcript"]

LONGEST_TEXT = 10_000
MOST_MESSAGES = 500
MOST_PHASES = 500
STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem }
svg { width: 100%; height: auto }
section { border-top: 1px solid #8888; margin-top: 2rem }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(21rem, 1fr)); gap: 1.5rem }
.power { border-left: .5rem solid var(--power, #888); padding-left: .6rem; margin: .5rem 0 }
.failed { color: #c2410c } .note { opacity: .7 }
ul { list-style: none; padding: 0; margin: 0; columns: 14rem } li { break-inside: avoid }
p { margin: .2rem 0; overflow-wrap: anywhere }
nav a { margin-right: .6rem } table { border-collapse: collapse } td, th { padding: .1rem .8rem;
text-align: left }
@media (prefers-color-scheme: dark) { .failed { color: #ff9540 } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def write_transcript(path: str | Path, game: SavedGame) -> Path:
    """Write a game as one file of HTML, and return its place.

    Raises:
        OptionError: It cannot be written.
    """
    try:
        Path(path).write_text(to_html(game), encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {str(path)!r}: {error.strerror}") from error
    return Path(path)


def find_game(source: str, store: Store, episode: int | None = None) -> SavedGame:
    """Return the game of a file, of a folder that has one, or of a run's episode.

    Raises:
        OptionError: There is none, or more than one.
        RunError: There is no such run, or it is not of Diplomacy.
    """
    if Path(source).exists():
        games, faults = find_games(source)
        if len(games) == 1:
            return games[0]
        if not games:
            raise OptionError(faults[0] if faults else f"there are no games in {source!r}")
        named = ", ".join(repr(str(game.file)) for game in games[:3])
        raise OptionError(f"{source!r} has {len(games)} games: name one, such as {named}")
    run = find_run(source, store)
    for scored in store.episodes(run.id):
        if scored.episode.number == (episode or 0):
            return replay_game(run.plan, scored)
    raise OptionError(f"run {run.id} has no episode {episode or 0}; see ludus show {run.id}")


def to_html(game: SavedGame) -> str:
    """Return a game as a page of HTML."""
    maps, when = MapDrawer(), years(game.positions, 1900)
    phases = list(zip(game.phases, when, strict=True))[:MOST_PHASES]
    sections = [_describe(number, *one, maps) for number, one in enumerate(phases)]
    title = escape_html(f"Diplomacy, game {game.name}")
    links = [
        f'<a href="#p{number}">{escape_html(phase.name)}</a>'
        for number, (phase, _) in enumerate(phases)
    ]
    left_out = len(game.phases) - len(phases)
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        _list_players(game),
        "<h2>Supply centres</h2>",
        draw_centre_chart(game),
        f"<nav>{' '.join(links)}</nav>",
        maps.definitions(),
        *sections,
        f'<p class="note">… and {left_out:,} phases more</p>' if left_out else "",
        "</body></html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _list_players(game: SavedGame) -> str:
    last = game.phases[-1].count
    rows = [
        f"<tr><td>{_mark(power)}</td><td>{escape_html(game.models.get(power, '–'))}</td>"
        f"<td>{last.get(power, 0)}</td></tr>"
        for power in sorted(POWERS, key=lambda power: (-last.get(power, 0), power))
    ]
    head = "<tr><th>power</th><th>player</th><th>centres at the end</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _mark(power: str) -> str:
    """Return a power's name beside its colour."""
    name = power.capitalize() if power in POWERS else power
    colour = POWER_COLOURS.get(power, "#888888")
    style = f"border-left: .5rem solid {colour}; padding-left: .4rem"
    return f'<span style="{style}">{escape_html(name)}</span>'


# ---- a phase


def _describe(number: int, phase: SavedPhase, year: int, maps: MapDrawer) -> str:
    turn = to_turn(phase, year)
    written = list(_list_diaries(phase.written))
    parts = [
        f'<section id="p{number}"><h2>{escape_html(describe_phase(turn))}</h2>',
        maps.draw(turn),
        '<div class="columns">',
        _column("Messages", _list_messages(phase)),
        _column("Orders", list(_list_orders(phase))),
        "</div>",
        f"<details><summary>Diaries</summary>{''.join(written)}</details>" if written else "",
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


def _column(title: str, items: Sequence[str]) -> str:
    return f"<div><h3>{title}</h3><ul>{''.join(items)}</ul></div>" if items else ""


def _list_messages(phase: SavedPhase) -> list[str]:
    shown = [
        _item(message.sender, f"to {escape_html(message.recipient.capitalize())}", message.text)
        for message in phase.messages[:MOST_MESSAGES]
    ]
    left_out = len(phase.messages) - len(shown)
    return [*shown, f'<li class="note">… and {left_out:,} more</li>'] if left_out else shown


def _item(power: str, aside: str, text: str) -> str:
    colour = POWER_COLOURS.get(power, "#888888")
    name = escape_html(power.capitalize())
    return (
        f'<li class="power" style="--power: {colour}"><strong>{name}</strong> {aside}'
        f"{_paragraphs(text)}</li>"
    )


def _paragraphs(text: str) -> str:
    """Return foreign text as paragraphs: nothing in it is markup."""
    lines = [line for line in cut(text, LONGEST_TEXT).splitlines() if line.strip()]
    return "".join(f"<p>{escape_html(line)}</p>" for line in lines)


def _list_orders(phase: SavedPhase) -> Iterator[str]:
    for power in dict.fromkeys((*phase.orders, *phase.defaults)):
        own = [_describe_order(order, phase) for order in phase.orders.get(power, ())]
        own += [
            f'<p class="note">{escape_html(order)} (chosen by the rules)</p>'
            for order in phase.defaults.get(power, ())
        ]
        if own:
            colour = POWER_COLOURS.get(power, "#888888")
            name = escape_html(power.capitalize())
            yield (
                f'<li class="power" style="--power: {colour}"><strong>{name}</strong>'
                f"{''.join(own)}</li>"
            )


def _describe_order(order: str, phase: SavedPhase) -> str:
    results = phase.results.get(" ".join(order.split()[:2]), ())
    if not results:
        return f"<p>{escape_html(order)}</p>"
    return f'<p class="failed">{escape_html(order)}: {escape_html(", ".join(results))}</p>'


def _list_diaries(entries: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for power, own in entries.items():
        yield _item(power, "", "\n".join(own))
