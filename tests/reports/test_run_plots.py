from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image
from tests.boards.making import hero, played
from tests.runs.small import SMALL, register

from ludus.benchmarks import benchmarks
from ludus.errors import MissingExtra, OptionError, RunError
from ludus.reports.run_plots import (
    MOST,
    PICTURES,
    Key,
    Results,
    draw_profile,
    draw_progress,
    draw_scores,
    draw_wins,
    read_results,
    results_of_run,
    write_plots,
)
from ludus.reports.sheet import STYLES
from ludus.runs import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    register()
    opened = Store(str(tmp_path / "runs.db"))
    yield opened
    opened.close()


def results(**scores: list[float]) -> Results:
    """Return made-up results; episodes of the same number are of the same scenario."""
    by_agent: dict[str, dict[Key, float]] = {
        agent.replace("_", " "): {(f"level {k}", k): total for k, total in enumerate(totals)}
        for agent, totals in scores.items()
    }
    return Results(SMALL, by_agent, ("a run",))


THREE = results(
    best=[9, 8, 9, 7, 9, 8, 9, 9, 8, 9],
    middle=[5, 4, 5, 8, 5, 4, 5, 5, 4, 5],
    worst=[1, 0, 1, 1, 0, 1, 1, 0, 1, 1],
)


def panel_of(figure: Figure) -> Axes:
    (panel,) = figure.axes
    return panel


def texts(panel: Axes) -> list[str]:
    return [text.get_text() for text in panel.texts]


# ---- reading


def test_the_best_agent_comes_first(store: Store) -> None:
    run = played(store, "idle", "forward-jumping", "random")
    found = read_results([run.id], store)
    means = [np.mean(list(own.values())) for own in found.scores.values()]
    assert means == sorted(means, reverse=True)
    assert list(found.scores)[-1] == "idle"
    assert [len(own) for own in found.scores.values()] == [6, 6, 6]
    assert found.runs == (run.id,)


def test_agents_stand_in_the_order_of_the_table(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = played(store, "idle", "forward-jumping")
    assert list(read_results([run.id], store).scores) == ["forward-jumping", "idle"]
    least_is_best = replace(SMALL, aggregate=lambda facts, totals: -max(totals))
    monkeypatch.setitem(benchmarks(), SMALL.id, least_is_best)
    assert list(read_results([run.id], store).scores) == ["idle", "forward-jumping"]
    scored = store.episodes(run.id)
    found = results_of_run(run, least_is_best, scored)
    assert list(found.scores) == ["idle", "forward-jumping"]


def test_agents_of_later_runs_are_told_apart(store: Store) -> None:
    first, second = played(store, "idle", "random"), played(store, "random", "forward-jumping")
    found = read_results([first.id[:12], second.id, first.id], store)
    assert set(found.scores) == {"idle", "random", f"random ({second.id})", "forward-jumping"}
    assert found.runs == (first.id, second.id)


def test_the_same_scenarios_of_two_runs_are_the_same(store: Store) -> None:
    runs = [played(store, "random"), played(store, "random", episodes=4)]
    other = played(store, "random", seed=3)
    first, second, third = read_results(
        [*(run.id for run in runs), other.id], store
    ).scores.values()
    sets = sorted((set(first), set(second), set(third)), key=len)
    assert len(sets[0] & sets[1]) + len(sets[0] & sets[2]) == 4
    assert not sets[1] & sets[2]


def test_an_incomplete_run_shows_what_it_has(store: Store) -> None:
    run = played(store, "idle", "random")
    part = store.add(run.plan)
    with pytest.raises(RunError, match=f"has no episodes yet: ludus resume {part.id}"):
        read_results([part.id], store)
    store.add_episodes(part.id, store.episodes(run.id)[:3])
    assert {agent: len(own) for agent, own in read_results([part.id], store).scores.items()} == {
        "idle": 2,
        "random": 1,
    }


def test_different_benchmarks_do_not_go_together(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = played(store, "idle")
    monkeypatch.setitem(benchmarks(), SMALL.id, replace(SMALL, version=2))
    new = played(store, "idle")
    with pytest.raises(RunError, match=r"different benchmarks do not go together: .*@1, .*@2"):
        read_results([old.id, new.id], store)
    with pytest.raises(RunError, match="no run was named"):
        read_results([], store)


# ---- drawing


def test_scores_show_every_episode_and_the_means() -> None:
    panel = panel_of(draw_scores(THREE))
    dots = [line for line in panel.lines if len(line.get_xydata()) == 10]  # type: ignore[arg-type]
    assert [sorted(map(float, line.get_xdata())) for line in dots] == [  # type: ignore[arg-type]
        sorted(own.values()) for own in THREE.scores.values()
    ]
    assert texts(panel)[::2] == ["best", "middle", "worst"]
    assert texts(panel)[1] == "8.5 [7.2, 9.1] (needs 20 episodes)"


def test_few_episodes_have_no_interval() -> None:
    panel = panel_of(draw_scores(results(one=[3], four=[1, 2, 3, 4])))
    assert texts(panel) == ["one", "3.0", "four", "2.5"]


def test_a_profile_falls_from_all_to_the_share_of_the_best() -> None:
    panel = panel_of(draw_profile(THREE))
    best, middle, worst = (line.get_ydata() for line in panel.lines)
    for shares in (best, middle, worst):
        assert shares[0] == 1  # type: ignore[index]
        assert (np.diff(np.asarray(shares)) <= 0).all()
    assert (best[-1], middle[-1], worst[-1]) == (0.6, 0, 0)  # type: ignore[index]
    assert len(panel.collections) == 3  # the bands


def test_progress_ends_at_the_means() -> None:
    panel = panel_of(draw_progress(THREE))
    ends = [float(line.get_ydata()[-1]) for line in panel.lines[::2]]  # type: ignore[index,arg-type]
    assert ends == pytest.approx([8.5, 5.0, 0.7])
    assert np.asarray(panel.lines[0].get_ydata())[:3].tolist() == [9, 8.5, 26 / 3]


def test_wins_are_counted_scenario_by_scenario() -> None:
    panel = panel_of(draw_wins(THREE))
    assert texts(panel) == ["90", "100", "10", "100", "0", "0"]
    bold = [text.get_text() for text in panel.texts if text.get_fontweight() == "bold"]
    assert bold == ["90", "100", "100"]


def test_agents_without_a_common_scenario_are_not_compared() -> None:
    apart = Results(
        SMALL, {"a": {("x", 1): 2.0}, "b": {("y", 1): 1.0}, "c": {("x", 1): 2.0}}, ("run",)
    )
    assert texts(panel_of(draw_wins(apart))) == ["–", "0", "–", "–", "0", "–"]


def test_what_does_not_fit_is_left_out_and_said() -> None:
    many = results(**{f"agent_{k:02d}": [30.0 - k, 29.0 - k] for k in range(MOST + 3)})
    for draw in PICTURES.values():
        figure = draw(many)
        assert f"the best {MOST} of {MOST + 3} agents" in " ".join(figure.get_supxlabel().split())
    assert texts(panel_of(draw_scores(many)))[-2] == f"agent {MOST - 1:02d}"


@pytest.mark.parametrize(
    "case",
    [
        THREE,
        results(alone=[1.0]),
        results(same=[2.0] * 6, again=[2.0] * 6),
        results(**{f"an_agent_(12345678-0000000{k})": [k, 2.0, 3.0] * 3 for k in range(9)}),
    ],
    ids=["three", "alone", "same", "runs"],
)
@pytest.mark.parametrize("picture", PICTURES)
def test_everything_has_room(case: Results, picture: str) -> None:
    figure = PICTURES[picture](case)
    figure.draw_without_rendering()
    box = figure.get_tightbbox().transformed(figure.dpi_scale_trans)
    assert box.x0 >= 0
    assert box.y0 >= 0
    assert (box.x1, box.y1) <= tuple(figure.bbox.size)
    panel = panel_of(figure).get_window_extent()
    assert panel.width > 0.3 * figure.bbox.width
    assert panel.height > 0.3 * figure.bbox.height


@pytest.mark.parametrize("style", STYLES)
def test_the_pictures_have_the_paper_of_their_style(style: str, tmp_path: Path) -> None:
    written = write_plots(tmp_path / "new" / "folder", THREE, style=style)
    assert [path.name for path in written] == [f"{name}.png" for name in PICTURES]
    paper = tuple(int(STYLES[style].paper[n : n + 2], 16) for n in (1, 3, 5))
    for path in written:
        picture = np.asarray(Image.open(path).convert("RGB"))
        assert tuple(picture[2, 2]) == paper
        assert picture.shape[1] >= 1000


def test_names_are_shown_as_they_are(store: Store, tmp_path: Path) -> None:
    odd = hero(tmp_path, "fast", "$hero_{}^$"), hero(tmp_path, "slow", "_hidden")
    run = played(store, "idle", *odd)
    found = read_results([run.id], store)
    written = write_plots(tmp_path / "out", found)
    assert all(path.stat().st_size > 5000 for path in written)
    legend = panel_of(draw_profile(found)).get_legend()
    assert legend is not None
    shown = [text.get_text().strip().replace("\\", "") for text in legend.get_texts()]
    assert sorted(shown) == ["$hero_{}^$", "_hidden", "idle"]


def test_what_cannot_be_drawn_says_so(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no style 'pink'; try one of light, dark"):
        write_plots(tmp_path, THREE, style="pink")
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match=r"cannot write .*file"):
        write_plots(tmp_path / "file", THREE)


def test_without_matplotlib_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r'pip install "ludus-arena\[plots\]"'):
        write_plots(tmp_path / "out", THREE)
    assert not (tmp_path / "out").exists()
