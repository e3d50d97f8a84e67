"""A record under a false name is never more than replayed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.boards.making import Here, hero, played
from tests.cli.conftest import Ludus
from tests.runs.small import SMALL

from ludus.agents import AgentSource, find
from ludus.api.settings import open_store
from ludus.boards import accept, board, verify_entry
from ludus.execution.plan import make_plan
from ludus.runs import Run, Store
from ludus.runs.proof import Proof
from ludus.runs.rerun import Rerun, rerun

UNSTEADY = """
import random
class Agent:
    name = "unsteady"
    def reset(self, scenario): pass
    def act(self, view): return random.randrange(32)
"""


def again(store: Store, id_: str, **options: Any) -> Rerun:
    return rerun(id_, store=store, executor=Here(), **options)


def book_to(store: Store, true: Run, source: AgentSource) -> Run:
    """Store a run's episodes as those of another agent, as a forger would."""
    plan = replace(make_plan(SMALL.id, [source], episodes=6), scenarios=true.plan.scenarios)
    forged = store.add(plan)
    store.add_episodes(forged.id, store.episodes(true.id))
    return store.run(forged.id)


@pytest.fixture
def forged(store: Store, tmp_path: Path) -> Run:
    """What ``fast`` played, stored under the name and fingerprint of ``my-tiny-net``."""
    true = played(store, hero(tmp_path, "fast"))
    return book_to(store, true, find(hero(tmp_path, "slow", "my-tiny-net")))


def test_a_record_under_a_false_name_is_replayed_but_not_re_run(store: Store, forged: Run) -> None:
    accept(forged.id, store, by="forger")
    (row,) = board(SMALL.id, store).rows
    assert (row.entry.agent, row.proof) == ("my-tiny-net", Proof.REPLAYED)
    outcome = verify_entry(forged.id, store, by="me", again=lambda id_: again(store, id_))
    assert not outcome.good
    assert outcome.differences[0].field == "action of step 0"
    assert (outcome.differences[0].stored, outcome.differences[0].found) == (10, 2)
    assert board(SMALL.id, store).rows[0].proof == Proof.REPLAYED


def test_an_agent_that_plays_the_same_again_is_re_run(store: Store, tmp_path: Path) -> None:
    true = played(store, hero(tmp_path, "fast"), "rule-based")
    accept(true.id, store, by="me")
    outcome = verify_entry(true.id, store, by="me", again=lambda id_: again(store, id_))
    assert outcome.good
    assert outcome.reruns == {"hero": 6, "rule-based": 6}
    assert {row.proof for row in board(SMALL.id, store).rows} == {Proof.RERUN}


def test_a_sample_is_a_sample(store: Store, tmp_path: Path) -> None:
    true = played(store, hero(tmp_path, "fast"))
    accept(true.id, store, by="me")
    verify_entry(true.id, store, by="me", again=lambda id_: again(store, id_, episodes=2))
    (row,) = board(SMALL.id, store).rows
    assert (row.proof, row.rerun) == (Proof.RERUN, 2)


def test_a_file_that_has_changed_is_another_agent(store: Store, tmp_path: Path) -> None:
    spec = hero(tmp_path, "fast")
    true = played(store, spec)
    file = Path(spec.rpartition(":")[0])
    file.write_text(file.read_text() + "# better now\n")
    outcome = again(store, true.id)
    assert [one.field for one in outcome.differences] == ["fingerprint of hero"]
    assert outcome.episodes == {}


def test_an_agent_that_does_not_play_the_same_twice_stays_replayed(
    store: Store, tmp_path: Path
) -> None:
    (tmp_path / "unsteady.py").write_text(UNSTEADY)
    true = played(store, f"{tmp_path / 'unsteady.py'}:Agent")
    outcome = again(store, true.id)
    assert outcome.differences == ()
    assert outcome.notes == ("unsteady does not play the same twice: it cannot be re-run",)
    assert outcome.episodes == {}


def test_a_language_model_is_not_asked(store: Store, tmp_path: Path) -> None:
    true = played(store, hero(tmp_path, "fast"))
    model = book_to(store, true, AgentSource("llm:gpt@http://localhost:1", "gpt", "0" * 16))
    outcome = again(store, model.id)
    assert outcome.notes == (
        "gpt was not played again: a language model does not answer the same twice",
    )
    assert (outcome.differences, outcome.episodes) == ((), {})


def test_the_command_names_the_step(ludus: Ludus, tmp_path: Path) -> None:
    id_ = ludus("run", SMALL.id, "rule-based", "--episodes", "1", "--json").json["run"]
    said = ludus("verify", id_, "--again", "--workers", "1")
    assert "rule-based played 1 of them again itself, action by action: re-run." in said.words
    with open_store(str(tmp_path / "ludus.db")) as store:
        source = find("astar")
        forged = store.add(replace(store.run(id_).plan, agents=(source,)))
        store.add_episodes(forged.id, store.episodes(id_))
    said = ludus("verify", forged.id, "--again", "--workers", "1", "--json", code=1)
    (difference,) = said.json["differences"]
    assert difference["field"].startswith("action of step ")
    assert (said.json["proof"], said.json["rerun"]) == ("replayed", {})
