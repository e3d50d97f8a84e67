"""An id in a file of somebody else names a run, never a folder of the reader's."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.attacks.forging import forge
from tests.runs.small import SMALL

from ludus.errors import RunError
from ludus.runs import Store, export, import_run, run
from ludus.runs.schema import runs

FORGED = ("/etc", "../../victim", "..", "", "1a2b3c4d-5e6f708", "1A2B3C4D-5E6F7081", "x" * 10_000)


@pytest.mark.parametrize("id_", FORGED)
def test_a_forged_id_is_refused_and_nothing_is_stored(
    id_: str, store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    played = run(SMALL.id, ["idle"], store=store, episodes=1)
    export(played.id, store, file)
    store.delete(played.id)
    forge(file, head=lambda values: values.update(id=id_))
    with pytest.raises(RunError, match="is no id of a run"):
        import_run(file, store)
    assert store.runs() == []


def test_a_planted_id_leads_to_no_other_folder(store: Store, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "thesis.txt").write_text("years of work")
    played = run(SMALL.id, ["idle"], store=store, episodes=1)
    with store.transaction() as connection:
        connection.execute(sa.text("PRAGMA foreign_keys=OFF"))
        connection.execute(runs.update().values(id=str(victim)))
    with pytest.raises(RunError, match="is no id of a run"):
        store.delete(str(victim))
    with pytest.raises(RunError, match="is no id of a run"):
        store.inflight(f"../{played.id}")
    assert (victim / "thesis.txt").read_text() == "years of work"
