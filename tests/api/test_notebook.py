"""The notebook of first steps runs from its first cell to its last."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "first_steps.ipynb"


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The cells of the notebook, run in a folder and with a store of their own."""
    folder = tmp_path_factory.mktemp("notebook")
    notebook: Any = nbformat.reads(NOTEBOOK.read_text(encoding="utf-8"), 4)  # type: ignore[no-untyped-call]
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of the client, not of the notebook
        patch.setenv("LUDUS_STORE", str(folder / "ludus.db"))
        client = nbclient.NotebookClient(
            notebook, timeout=300, resources={"metadata": {"path": str(folder)}}
        )
        client.execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cells: list[Any], beginning: str) -> dict[str, str]:
    """Return what the cell that begins like this shows, by media type."""
    cell = next(cell for cell in cells if cell.source.startswith(beginning))
    return dict(cell.outputs[-1].data)


def test_a_race_is_a_table_with_bars_and_a_film(cells: list[Any]) -> None:
    data = shown(cells, "race = ludus.race")
    assert "rule-based" in data["text/plain"]
    assert data["text/html"].count('class="ludus-fill"') == 3
    assert "data:image/gif;base64," in data["text/html"]


def test_a_plot_is_a_picture(cells: list[Any]) -> None:
    assert shown(cells, "race.plot()")["image/png"]


@pytest.mark.parametrize(
    ("beginning", "words"),
    [
        ("ludus.level", "pattern variation"),
        ("ludus.compare", "by chance"),
        ("check = ludus.verify", "12 episodes played again"),
        ("ludus.replay", "The same as stored."),
        ("ludus.board", "forward-jumping"),
        ("training = ludus.train", "256 decisions"),
    ],
)
def test_every_result_shows_itself(cells: list[Any], beginning: str, words: str) -> None:
    data = shown(cells, beginning)
    assert words in data["text/html"]
    assert words in data["text/plain"]


def test_the_notebook_is_stored_without_outputs() -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
