"""An event in an environment of somebody else's: played, published, and verified by strangers."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.games.guest.corridors import __file__ as corridors

import ludus
from ludus.agents.sandbox import has_sandbox
from ludus.boards.rebuild import rebuild
from ludus.events.terms import read_time

pytestmark = pytest.mark.skipif(
    not has_sandbox(), reason="this system has no sandbox: ludus doctor says what is missing"
)

WALKER = "class Walker:\n    def reset(self, _): pass\n    def act(self, _): return 1\n"
PEEPING = """\
from pathlib import Path
from corridors import Modern as Honest

class Modern(Honest):
    def step(self, action):
        (Path(__file__).parent / "seen").write_text("was here")
        return super().step(action)
"""


class Cup(NamedTuple):
    """An event that was held.

    Attributes:
        env: The file of its environment.
        published: The folder of its results.
    """

    env: Path
    published: Path


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    folder = tmp_path_factory.mktemp("cup")
    env = Path(shutil.copy(corridors, folder / "env.py"))
    (folder / "walker.py").write_text(WALKER)
    store = str(folder / "ludus.db")
    options = {"env": f"{env}:Modern"}
    deadline = read_time("2126-12-31")
    ludus.create_event(
        "mario-arena/1-1", "cup", deadline=deadline, episodes=1, options=options, store=store
    )
    for agent in (f"{folder / 'walker.py'}:Walker", "random"):
        ludus.enter_event("cup", agent, entrant=agent.rpartition(":")[2], score=0.0, store=store)
    ludus.close_event("cup", store=store)
    played = ludus.run_event("cup", workers=1, store=store).played
    assert played is not None
    assert played.run.plan.provenance["environment"] == "confined"
    ludus.reveal_event("cup", store=store)
    ludus.publish_event("cup", folder / "published", store=store)
    return Cup(env, folder / "published")


def test_a_stranger_agrees_to_the_environment_before_it_is_loaded(cup: Cup) -> None:
    refused = ludus.verify_event(cup.published)
    assert refused.episodes == 0
    (problem,) = refused.problems
    assert f"names what is not its own: environment '{cup.env}:Modern'" in problem
    assert problem.endswith("if you trust that: say --trust")
    verified = ludus.verify_event(cup.published, trust=True)
    assert (verified.problems, verified.episodes) == ((), 2)


def test_a_board_of_it_is_rebuilt_likewise(cup: Cup) -> None:
    files = [cup.published / "run.jsonl", cup.published / "ledger.jsonl"]
    (problem,) = rebuild(files, workers=1).problems
    assert problem.endswith("say --trust")
    assert rebuild(files, workers=1, trust=True).problems == []


def test_an_environment_that_was_changed_is_confined_as_well(cup: Cup) -> None:
    honest = cup.env.read_text()
    (cup.env.parent / "corridors.py").write_text(honest)
    cup.env.write_text(PEEPING)
    try:
        verified = ludus.verify_event(cup.published, trust=True)
    finally:
        cup.env.write_text(honest)
    assert len(verified.problems) == 2
    assert all("found \"environment '" in one for one in verified.problems)  # and why, cut short
    assert not (cup.env.parent / "seen").exists()


def test_an_environment_that_is_not_here_is_named(cup: Cup) -> None:
    elsewhere = cup.env.rename(cup.env.with_suffix(".away"))
    try:
        (problem,) = ludus.verify_event(cup.published, trust=True).problems
    finally:
        elsewhere.rename(cup.env)
    assert problem == f"environment '{cup.env}:Modern': there is no file '{cup.env}'"
