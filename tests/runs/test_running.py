from __future__ import annotations

from pathlib import Path

import pytest
from tests.boards.making import Here, hero, played
from tests.runs.small import SMALL, register

from ludus.errors import RunError
from ludus.execution.plan import make_plan
from ludus.runs import Store, resume


def change(spec: str) -> None:
    file = Path(spec.rpartition(":")[0])
    file.write_text(file.read_text() + "\n# another player now\n")


def test_a_run_whose_agent_has_changed_does_not_go_on(store: Store, tmp_path: Path) -> None:
    register()
    spec = hero(tmp_path, "slow")
    started = store.add(make_plan(SMALL.id, [spec]))
    change(spec)
    with pytest.raises(RunError, match="hero"):
        resume(started.id, store=store, executor=Here())
    assert store.run(started.id).played == 0


def test_a_complete_run_stays_complete_whatever_becomes_of_its_agents(
    store: Store, tmp_path: Path
) -> None:
    register()
    spec = hero(tmp_path, "slow")
    done = played(store, spec)
    change(spec)
    assert resume(done.id, store=store, executor=Here()) == done
