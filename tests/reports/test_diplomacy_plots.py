from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure
from PIL import Image
from tests.benchmarks.diplomacy.saving import call, game, record, unpack, write_game

from ludus.errors import MissingExtra, OptionError
from ludus.games.diplomacy.map.colours import POWER_COLOURS
from ludus.reports.diplomacy_feelings import draw_relationships, draw_sentiment
from ludus.reports.diplomacy_plots import (
    draw_centres,
    draw_cost,
    draw_messages,
    draw_orders,
    draw_scores,
    write_diplomacy_plots,
)
from ludus.reports.diplomacy_results import CollectedResults, collect_results
from ludus.reports.diplomacy_sheet import HATCHES
from ludus.reports.sheet import STYLES
from ludus.runs import Store

ALL = ["france_scores_bar", "centres", "orders", "relationships", "sentiment", "messages", "cost"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = Store(str(tmp_path_factory.mktemp("store") / "none.db"))
    yield opened
    opened.close()


def talkative(centres: int) -> dict[str, Any]:
    """Return a game in which everything happens that pictures show."""
    held = {"FRANCE": 3, "ITALY": 3}
    said = [{"sender": "FRANCE", "recipient": "ITALY", "message": "Hello."}] * 2
    agents = {"FRANCE": {"relationships": {"ITALY": "Ally"}}}
    first = record(
        "S1901M",
        held,
        orders={"FRANCE": ["A PAR - BUR", "A MAR H", "F BRE - ENG"]},
        results={"F BRE": ["bounce"], "A PAR": [], "A MAR": []},
        messages=said,
        state_agents=agents,
    )
    first["state"]["units"] = {"FRANCE": ["A PAR", "A MAR", "F BRE"]}
    return {"phases": [first, record("S1926M", {**held, "FRANCE": centres})]}


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory, store: Store) -> CollectedResults:
    folder = tmp_path_factory.mktemp("talk")
    models = {"o3-baseline": 9, "o3-aggressive": 12, "a_$model-baseline": 4}
    for name, centres in models.items():
        for number in range(6):
            place = folder / name / f"run_0000{number}"
            calls = [call("FRANCE", "Success")] * (5 + centres)
            write_game(place, talkative(centres + number % 2), calls=calls)
    return collect_results([str(folder)], store, games=True)


def panel_of(figure: Figure | None) -> Any:
    assert figure is not None
    (panel,) = figure.axes
    return panel


def texts(figure: Figure | None) -> list[str]:
    assert figure is not None
    figure.draw_without_rendering()
    labels = panel_of(figure).get_xticklabels() + panel_of(figure).get_yticklabels()
    legend = panel_of(figure).get_legend()
    listed = legend.get_texts() if legend else []
    return [one.get_text() for one in (*panel_of(figure).texts, *labels, *listed)]


@pytest.mark.parametrize("style", STYLES)
def test_all_pictures_are_written(full: CollectedResults, tmp_path: Path, style: str) -> None:
    written = write_diplomacy_plots(tmp_path / "new", full, style=style)
    assert [file.stem for file in written] == ALL
    for file in written:
        with Image.open(file) as image:
            assert image.width == 1350
            assert len(image.convert("RGB").getcolors(1 << 24) or []) > 20


def test_variants_are_told_apart_by_texture_as_well(full: CollectedResults) -> None:
    figure = draw_scores(full)
    bars = [bar for bar in panel_of(figure).patches if bar.get_width() > 0]
    assert [round(bar.get_width(), 1) for bar in bars] == [34.5, 37.5, 29.5]
    assert [bar.get_hatch() for bar in bars] == [HATCHES[0], HATCHES[1], HATCHES[0]]
    assert len({bar.get_facecolor() for bar in bars}) == 2
    assert {"baseline", "aggressive", r"a-\$model"} <= set(texts(figure))


def test_the_win_line_is_the_best_a_survivor_can_have(full: CollectedResults) -> None:
    figure = draw_scores(full)
    lines = [line.get_xdata() for line in panel_of(figure).lines]
    assert any(list(places) == [42, 42] for places in lines)
    assert "survived to 1925 " in texts(figure)
    assert any("42" in one.get_text() for one in figure.texts)


def test_centres_of_the_tested_power_or_of_all(full: CollectedResults) -> None:
    assert "o3-aggressive" in texts(draw_centres(full))
    one = CollectedResults(full.results, {"o3": full.games["o3"]})
    figure = draw_centres(one)
    assert {"France", "Italy"} <= set(texts(figure))
    ends = [line.get_ydata()[-1] for line in panel_of(figure).lines if len(line.get_xdata()) == 1]
    assert ends[0] == 9.5
    drawn = [line.get_color() for line in panel_of(figure).lines if len(line.get_xdata()) == 1]
    assert drawn[0] == POWER_COLOURS["FRANCE"]
    assert set(drawn) == set(POWER_COLOURS.values())


def test_long_names_leave_a_chart_its_room(full: CollectedResults) -> None:
    def width(name: str) -> float:
        played = tuple(replace(one, model=name) for one in full.results.played)
        figure = draw_scores(CollectedResults(replace(full.results, played=played), {}))
        figure.draw_without_rendering()
        return float(panel_of(figure).get_window_extent().width)

    assert width("openrouter/a-provider/a-model-of-many-words-" + "x" * 150) > 0.6 * width("o3")


def test_the_bar_chart_has_the_names_of_the_document(full: CollectedResults) -> None:
    assert any("Average Game Score" in text.get_text() for text in draw_scores(full).texts)


def test_games_until_different_years_have_bars_of_their_own(full: CollectedResults) -> None:
    first, *rest = full.results.played
    early = replace(first, conditions=replace(first.conditions, until=1910))
    mixed = CollectedResults(replace(full.results, played=(early, *rest)), {})
    figure = draw_scores(mixed)
    assert len([bar for bar in panel_of(figure).patches if bar.get_width() > 0]) == 4
    assert not any("survived to" in text for text in texts(figure))


def test_orders_and_what_came_of_them(full: CollectedResults) -> None:
    shown = texts(draw_orders(full))
    assert {"hold", "move", "50 %", "67 %", "100 %", "33 %"} <= set(shown)
    assert "support" not in shown


def test_what_powers_think(full: CollectedResults) -> None:
    assert "+2.0" in texts(draw_relationships(full))


def test_feelings_by_size(full: CollectedResults) -> None:
    shown = texts(draw_sentiment(full))
    assert {"o3, of others", "3–5", "+2.0"} <= set(shown)
    assert "o3, by others" not in shown


def test_messages_are_counted_by_movement_phase(full: CollectedResults) -> None:
    lines = [line.get_ydata() for line in panel_of(draw_messages(full)).lines]
    assert all(list(values) == [2] for values in lines)
    assert len(lines) == 3


def test_bands_are_named_only_where_they_are_drawn(full: CollectedResults) -> None:
    few = CollectedResults(full.results, {name: games[:2] for name, games in full.games.items()})
    for collected, named in ((full, True), (few, False)):
        figure = draw_centres(collected)
        assert figure is not None
        assert any("bands" in one.get_text() for one in figure.texts) == named
        assert bool(panel_of(figure).collections) == named


def test_years_are_whole_however_few(full: CollectedResults) -> None:
    first, last = panel_of(draw_messages(full)).get_xlim()
    assert (first, last) == (1900.5, 1901.5)
    ticks = panel_of(draw_messages(full)).get_xticks()
    assert [tick for tick in ticks if first < tick < last] == [1901]


def test_cost_is_money_where_it_is_known(full: CollectedResults) -> None:
    assert panel_of(draw_cost(full)).get_xlabel() == "calls a game"
    priced = tuple(replace(one, cost=1.5) for one in full.results.played)
    paid = CollectedResults(replace(full.results, played=priced), full.games)
    assert panel_of(draw_cost(paid)).get_xlabel() == "US$ a game"


def test_games_without_press_leave_pictures_out(tmp_path: Path, store: Store) -> None:
    unpack(tmp_path / "games")
    found = collect_results([str(tmp_path / "games")], store, games=True)
    written = write_diplomacy_plots(tmp_path, found)
    assert [file.stem for file in written] == ["france_scores_bar", "centres", "orders"]


def test_one_bare_game_is_enough(tmp_path: Path, store: Store) -> None:
    write_game(tmp_path / "g", game(("S1901M", {}), ("S1926M", {"FRANCE": 11})))
    found = collect_results([str(tmp_path / "g")], store, games=True)
    written = write_diplomacy_plots(tmp_path, found)
    assert [file.stem for file in written] == ["france_scores_bar", "centres"]


def test_what_cannot_be_drawn(full: CollectedResults, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no style 'blue'"):
        write_diplomacy_plots(tmp_path, full, style="blue")
    none = CollectedResults(replace(full.results, played=()), {})
    with pytest.raises(OptionError, match="no game counts"):
        write_diplomacy_plots(tmp_path, none)
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match="cannot write"):
        write_diplomacy_plots(tmp_path / "file", full)


def test_matplotlib_is_asked_for(full: CollectedResults, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"ludus-arena\[plots\]"):
        draw_scores(full)


def test_nothing_named_is_refused(store: Store) -> None:
    with pytest.raises(OptionError, match="nothing was named"):
        collect_results([], store)
