from __future__ import annotations

import csv
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import Runner
from tests.runs.small import SMALL

import ludus
from ludus.api import Result, RunResult
from ludus.errors import BenchmarkError, MissingExtra, OptionError, RunError
from ludus.runs import Store

PNG = b"\x89PNG\r\n\x1a\n"

pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
def raced() -> RunResult:
    return ludus.race(SMALL.id, ["idle", Runner], episodes=3, workers=1)


def results(raced: RunResult) -> dict[str, Result]:
    """Return one result of each kind that playing gives."""
    ludus.run(SMALL.id, "random", accept=True, workers=1)
    return {
        "race": raced,
        "compare": ludus.compare(f"{raced.id}:idle", f"{raced.id}:runner"),
        "verify": ludus.verify(raced),
        "replay": ludus.replay(raced.id, 1),
        "board": ludus.board(SMALL.id),
        "level": ludus.level("sprint-01"),
    }


def test_results_show_themselves_as_tables_and_pages(raced: RunResult, tmp_path: Path) -> None:
    for name, result in results(raced).items():
        assert repr(result) == str(result)
        assert max(map(len, str(result).splitlines())) <= 80, name
        page = result._repr_html_()
        assert page.count("<div") == page.count("</div>")
        assert "<script" not in page
        assert isinstance(result.to_dicts(), list)
        rows = list(csv.DictReader(result.to_csv().splitlines()))
        assert len(rows) == len(result.to_dicts())
        for style in ("light", "dark"):
            file = result.plot(tmp_path / f"{name}-{style}.png", style=style)
            assert isinstance(file, Path)
            assert file.read_bytes().startswith(PNG)


def test_the_table_of_a_race(raced: RunResult) -> None:
    lines = str(raced).splitlines()
    assert lines[0] == "test/small@1, seed 0, 3 episodes each"
    columns = "# agent score group ticks CPU ms/step peak MiB ms/step"
    assert " ".join(lines[1].split()) == columns
    assert [line.split()[1] for line in lines[3:5]] == ["runner", "idle"]


def test_a_notebook_gets_bars_and_a_film(raced: RunResult) -> None:
    page = raced._repr_html_()
    assert page.count('class="ludus-fill"') == 2
    assert 'src="data:image/gif;base64,R0lGOD' in page  # GIF8
    assert "runner in small 2" in page


def test_without_pillow_a_notebook_gets_a_picture(
    raced: RunResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    assert 'src="data:image/png;base64,' in raced._repr_html_()


def test_names_cannot_break_a_page() -> None:
    class Evil(Runner):
        name = "<script>alert(1)</script>"

    page = ludus.run(SMALL.id, Evil(), episodes=1)._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize("kind", ["scores", "profile", "progress", "wins"])
def test_the_pictures_of_a_race(raced: RunResult, kind: Any, tmp_path: Path) -> None:
    file = raced.plot(tmp_path / "picture.svg", kind=kind)
    assert "<svg" in Path(str(file)).read_text()


def test_without_a_path_the_figure_is_returned(raced: RunResult) -> None:
    figure: Any = raced.plot()
    assert figure._repr_png_().startswith(PNG)


def test_what_cannot_be_drawn_is_refused(raced: RunResult, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no picture 'pie'; there are scores"):
        raced.plot(kind="pie")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="there is no style 'neon'"):
        raced.plot(style="neon")
    with pytest.raises(OptionError, match=r"cannot write .*picture\.doc"):
        raced.plot(tmp_path / "picture.doc")
    with pytest.raises(OptionError, match=r"cannot write .*No such file"):
        raced.plot(tmp_path / "nowhere" / "picture.png")


def test_without_matplotlib_the_extra_is_named(
    raced: RunResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=re.escape("[plots]")):
        raced.plot()


def test_csv_is_written(raced: RunResult, tmp_path: Path) -> None:
    text = raced.to_csv(tmp_path / "standings.csv")
    assert (tmp_path / "standings.csv").read_text() == text
    assert next(csv.DictReader(text.splitlines()))["headline.n"] == "3"
    with pytest.raises(OptionError, match="cannot write"):
        raced.to_csv(tmp_path / "no" / "folder.csv")


def test_episodes_are_rows(raced: RunResult) -> None:
    rows = raced.episode_dicts()
    assert [row["episode"] for row in rows] == list(range(6))
    assert rows[0]["scenario"] == "small 0"


# ---- compare, verify, replay


def test_two_results_are_compared() -> None:
    first = ludus.run(SMALL.id, "idle", workers=1)
    second = ludus.run(SMALL.id, Runner, workers=1)
    (row,) = ludus.compare(first, second).to_dicts()
    assert (row["first"], row["second"], row["scenarios"]) == ("idle", "runner", 6)
    assert row["difference"]["value"] < 0
    with pytest.raises(RunError, match="no run 'nothing'"):
        ludus.compare(first, "nothing")


def test_a_run_is_verified(raced: RunResult) -> None:
    result = ludus.verify(raced.id)
    assert result
    assert "6 episodes played again: all is as run" in str(result)


def test_a_forged_run_is_found_out(raced: RunResult) -> None:
    with Store().transaction() as connection:
        connection.exec_driver_sql("UPDATE episodes SET total = total + 1 WHERE number = 0")
    result = ludus.verify(raced)
    assert not result
    assert [row["field"] for row in result.to_dicts()] == ["score"]
    assert "1 figures differ" in str(result)


def test_an_episode_is_replayed(raced: RunResult, tmp_path: Path) -> None:
    replay = ludus.replay(raced.id, 1)
    assert (replay.agent, replay.scenario, replay.as_stored) == ("runner", "small 0", True)
    assert replay.save(tmp_path / "way.png").read_bytes().startswith(PNG)
    assert raced.replay().agent == "runner"
    assert raced.replay(0).agent == "idle"
    with pytest.raises(RunError, match="has no episode 99"):
        ludus.replay(raced.id, 99)
    with pytest.raises(RunError, match="has no episode 99"):
        raced.replay(99)


# ---- boards, levels


def test_an_empty_board_says_so() -> None:
    assert "Nobody is on it yet." in str(ludus.board(SMALL.id))
    with pytest.raises(BenchmarkError, match="no benchmark"):
        ludus.board("nowhere")


@pytest.mark.parametrize("source", ["sprint-01", "1-1", "tunable-2010"])
def test_levels_have_names(source: str) -> None:
    result = ludus.level(source)
    assert result.name == source
    assert result.to_dicts()[0]["width"] == result.level.width
    assert 'src="data:image/png;base64,' in result._repr_html_()


def test_levels_are_made_saved_and_read(tmp_path: Path) -> None:
    made = ludus.level("notch-framework", seed=7, difficulty=2)
    assert made.name == "notch-framework seed=7 difficulty=2"
    file = made.save(tmp_path / "level.txt")
    assert ludus.level(str(file)).to_dicts()[0]["gaps"] == made.to_dicts()[0]["gaps"]
    assert file.read_text() == made.text


def test_a_level_is_solved() -> None:
    assert ludus.level("sprint-01").solve().outcome == "solved"


def test_what_is_no_level_is_refused() -> None:
    with pytest.raises(OptionError, match="no level 'nowhere'"):
        ludus.level("nowhere")
    with pytest.raises(OptionError, match="'1-1' is no generator, so it has no option 'seed'"):
        ludus.level("1-1", seed=7)
    with pytest.raises(OptionError):
        ludus.level("notch-framework", sed=7)
