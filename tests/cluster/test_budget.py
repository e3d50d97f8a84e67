"""Language models on a cluster keep to the budget of the run."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.agents.diplomacy.test_resume import budget_is_kept
from tests.agents.llm.server import Scripted


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("ray")
def test_a_cluster_keeps_to_the_budget(
    server: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    budget_is_kept(server, tmp_path, capsys, ["--on", "ray"])
