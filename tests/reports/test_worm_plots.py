from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.benchmarks.nematode.making import small_submission
from tests.benchmarks.nematode.published import unpack

from ludus.benchmarks.nematode.chemotaxis import Curve
from ludus.benchmarks.nematode.sessions import read_sessions
from ludus.cli import main
from ludus.errors import OptionError
from ludus.games.worm.training import Session
from ludus.reports.sheet import write_figure, write_figures
from ludus.reports.worm_plots import (
    draw_klinokinesis,
    draw_learning,
    draw_parts,
    draw_weathervane,
    read_brains,
)


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


@pytest.mark.parametrize("style", ["light", "dark"])
def test_pictures_are_written(tmp_path: Path, brains: dict[str, list[Session]], style: str) -> None:
    figures = {
        "learning": draw_learning(brains, style=style),
        "parts": draw_parts(brains, style=style),
        "klinokinesis": draw_klinokinesis({"worm": CURVE}, style=style),
        "weathervane": draw_weathervane({"worm": CURVE}, style=style),
    }
    files = write_figures(tmp_path / style, figures)
    assert [file.stem for file in files] == list(figures)
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


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
    shown = [float(text.get_text()) for text in panel.texts]
    assert shown == sorted(shown, reverse=True)
    for value in shown:
        assert any(abs(end - value) < 6e-4 for end in ends)


def test_curves_name_their_strength() -> None:
    legend = draw_klinokinesis({"worm": CURVE}).axes[0].get_legend()
    assert legend is not None
    assert legend.get_texts()[0].get_text() == "worm: 1.60 × as often while it fades"


def test_what_cannot_be_drawn_is_told(tmp_path: Path, brains: dict[str, list[Session]]) -> None:
    with pytest.raises(OptionError, match="no style 'blue'"):
        draw_parts(brains, style="blue")
    with pytest.raises(OptionError, match="0 cannot be told apart"):
        draw_learning({})
    with pytest.raises(OptionError, match="7 cannot be told apart"):
        draw_weathervane({str(k): CURVE for k in range(7)})
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
