from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.text import Annotation
from tests.benchmarks.nematode.making import small_submission
from tests.benchmarks.nematode.published import unpack

from ludus.benchmarks.nematode.behaviour import FIGURES, Behaviour, BehaviourFigure
from ludus.benchmarks.nematode.chance import play_chance_trainings
from ludus.benchmarks.nematode.chemotaxis import Curve
from ludus.benchmarks.nematode.sessions import read_sessions
from ludus.cli import main
from ludus.errors import OptionError
from ludus.games.worm.training import Session
from ludus.reports.sheet import write_figure, write_figures
from ludus.reports.worm_curves import draw_klinokinesis, draw_thermotaxis, draw_weathervane
from ludus.reports.worm_dish import draw_dish
from ludus.reports.worm_plots import describe_brains, draw_learning, draw_parts, read_brains
from ludus.stats import Estimate


@pytest.fixture(scope="module")
def brains(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Session]]:
    sessions, _ = read_sessions(unpack(tmp_path_factory.mktemp("published")))
    found: dict[str, list[Session]] = {}
    for session in sessions:
        if session.group.startswith("leaderboard/20251228"):
            found.setdefault(session.brain, []).append(session)
        if session.group.startswith("leaderboard/20251229_05"):
            found.setdefault("frozen", []).append(session)
    return found


CURVE = Curve(
    np.array([-1.0, 0.0, 1.0]),
    np.array([0.5, 0.4, 0.3]),
    np.array([0.01, 0.01, 0.01]),
    np.array([5, 5, 5]),
    1.6,
)
CHANCE = replace(CURVE, values=np.array([0.4, 0.4, 0.4]), strength=1.0)
NAMES = [one.name for one in FIGURES if one.curve]
BEHAVIOUR = Behaviour(
    task="thermal-foraging-small",
    groups=3,
    dishes=6,
    steps=15,
    figures=tuple(
        BehaviourFigure(
            one,
            Estimate(1.6, 1.5, 1.7, 0.95, "jackknife", 3),
            Estimate(1.0, 0.9, 1.1, 0.95, "jackknife", 3),
        )
        for one in FIGURES
    ),
    curves=dict.fromkeys(NAMES, CURVE),
    chance_curves=dict.fromkeys(NAMES, CHANCE),
    seed=7,
)


def test_learning_is_shown_beside_chance_in_the_same_dishes(tmp_path: Path) -> None:
    brains = read_brains([small_submission(tmp_path / "one")])
    (sessions,) = brains.values()
    drawn = draw_learning(brains).axes[0].lines
    ends = {str(one.get_label()): np.asarray(one.get_ydata())[-1] for one in drawn}
    chance = ends["chance: a random walker (3 trainings)"]
    seeds = [int(one.first_seed or 0) for one in sessions]
    walked = play_chance_trainings(str(sessions[0].task), seeds, 12)
    assert walked.shape == (3, 12)
    assert chance == pytest.approx(walked[:, -10:].mean())
    assert chance < ends["nose (3 trainings)"]


@pytest.mark.parametrize("style", ["light", "dark"])
def test_pictures_are_written(tmp_path: Path, brains: dict[str, list[Session]], style: str) -> None:
    figures = {
        "learning": draw_learning(brains, style=style),
        "parts": draw_parts(brains, style=style),
        "klinokinesis": draw_klinokinesis({"worm": BEHAVIOUR}, style=style),
        "weathervane": draw_weathervane({"worm": BEHAVIOUR}, style=style),
        "thermotaxis": draw_thermotaxis({"worm": BEHAVIOUR}, style=style),
    }
    files = write_figures(tmp_path / style, figures)
    assert [file.stem for file in files] == list(figures)
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


def test_pictures_are_written_in_the_formats_of_print(tmp_path: Path) -> None:
    figures = {"klinokinesis": draw_klinokinesis({"worm": BEHAVIOUR})}
    files = write_figures(tmp_path, figures, ["pdf", "svg"])
    assert [file.name for file in files] == ["klinokinesis.pdf", "klinokinesis.svg"]
    assert files[0].read_bytes().startswith(b"%PDF")
    assert b"<svg" in files[1].read_bytes()[:1000]
    with pytest.raises(OptionError, match="no format 'exe'; try png, pdf, svg"):
        write_figures(tmp_path, figures, ["exe"])


def test_learning_is_the_mean_of_the_last_ten(brains: dict[str, list[Session]]) -> None:
    name, sessions = next(iter(brains.items()))
    line = draw_learning({name: sessions}).axes[0].lines[0]
    episodes, means = map(np.asarray, line.get_data())
    flags = np.array([session.successes for session in sessions], float)
    assert (episodes[0], episodes[-1]) == (10, flags.shape[1])
    assert means[0] == pytest.approx(flags[:, :10].mean())
    assert means[-1] == pytest.approx(flags[:, -10:].mean())


def test_bars_are_as_long_as_the_scores(brains: dict[str, list[Session]]) -> None:
    panel = draw_parts(brains).axes[0]
    ends = {bar.get_x() + bar.get_width() for bar in panel.patches}  # type: ignore[attr-defined]
    shown = [float(text.get_text()) for text in panel.texts if isinstance(text, Annotation)]
    assert shown == sorted(shown, reverse=True)
    for value in shown:
        assert any(abs(end - value) < 6e-4 for end in ends)


def test_curves_come_with_chance_n_units_and_seed() -> None:
    figure = draw_klinokinesis({"worm": BEHAVIOUR})
    panel = figure.axes[0]
    legend = panel.get_legend()
    assert legend is not None
    said = [text.get_text() for text in legend.get_texts()]
    assert said == ["worm: 1.600 ± 0.100, chance 1.000 ± 0.100, n = 3"]
    heights = [list(np.asarray(line.get_ydata(), float)) for line in panel.lines[:2]]
    assert heights == [list(CHANCE.values), list(CURVE.values)]
    assert panel.get_ylabel() == "steps that turn (%)"
    title = figure.get_suptitle().replace("\n", " ")
    assert "worm on thermal-foraging-small, the last 2 dishes of 3 trainings" in title
    assert title.endswith("seed 7")


def test_titles_tell_task_brain_trainings_and_seed(tmp_path: Path) -> None:
    brains = read_brains([small_submission(tmp_path / "one")])
    assert describe_brains(brains) == "foraging-small@head · nose · n = 3 trainings · seed 0"
    both = {**brains, "other": brains["nose"][:2]}
    assert describe_brains(both).endswith("2 brains · n = 2 to 3 trainings each · seed 0")


def test_a_dish_tells_its_episode_its_signs_and_its_scale(tmp_path: Path) -> None:
    (sessions,) = read_brains([small_submission(tmp_path / "one")]).values()
    figure = draw_dish(sessions[1], 4)
    assert figure.get_suptitle() == "foraging-small@head · nose · training 2, episode 5 of 12"
    panel = figure.axes[0]
    assert panel.texts[0].get_text() == "5 cells (the dish: 20 × 20)"
    legend = panel.get_legend()
    assert legend is not None
    said = [text.get_text() for text in legend.get_texts()]
    assert said[:4] == ["worm", "its way", "food", "smell of food"]
    assert f"{sessions[1].steps[4]} steps" in figure.get_supxlabel()
    with pytest.raises(OptionError, match="no actions of an episode 12"):
        draw_dish(sessions[1], 12)


def test_what_cannot_be_drawn_is_told(tmp_path: Path, brains: dict[str, list[Session]]) -> None:
    with pytest.raises(OptionError, match="no style 'blue'"):
        draw_parts(brains, style="blue")
    with pytest.raises(OptionError, match="0 cannot be told apart"):
        draw_learning({})
    with pytest.raises(OptionError, match="7 cannot be told apart"):
        draw_weathervane({str(k): BEHAVIOUR for k in range(7)})
    with pytest.raises(OptionError, match="without temperature"):
        draw_thermotaxis({"worm": replace(BEHAVIOUR, curves={"klinokinesis": CURVE})})
    with pytest.raises(OptionError, match="cannot write"):
        write_figure(tmp_path / "a.txt", draw_parts(brains))


def test_folders_of_trainings_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [str(small_submission(tmp_path / name)) for name in ("one", "other")]
    assert list(read_brains(folders)) == ["nose", "nose (2)"]
    for words in ([], ["--dark"]):
        assert main(["plot", *folders, "--out", str(tmp_path / "pictures"), *words]) == 0
        written = [Path(line) for line in capsys.readouterr().out.split()]
        names = ["learning", "parts", "klinokinesis", "weathervane", "dish"]
        assert [file.stem for file in written] == names
        assert all(file.read_bytes().startswith(b"\x89PNG") for file in written)
    (tmp_path / "empty").mkdir()
    assert main(["plot", str(tmp_path / "empty")]) == 2
    assert "there is no session" in capsys.readouterr().err
