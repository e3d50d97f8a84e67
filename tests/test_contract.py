"""What agents may implement is found by isinstance, and what is no agent is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ludus import contract
from ludus.agents import find, load, names
from ludus.agents.llm.players import from_spec
from ludus.agents.platformer.linear import Linear
from ludus.agents.platformer.sb3 import Foreign
from ludus.agents.worm.brain import TrainedBrain
from ludus.contract import (
    Agent,
    Closes,
    Declares,
    FromCheckpoint,
    HasFingerprint,
    HasVariant,
    Learns,
    PlaysOneGame,
    Remembers,
    Waits,
    find_faults,
)
from ludus.errors import AgentError
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

ROOT = Path(contract.__file__).parent
OPTIONAL = (Remembers, Learns, Closes, Declares, HasFingerprint, HasVariant, PlaysOneGame, Waits)


class Least:
    """Has what an agent must have."""

    name = "least"

    def reset(self, scenario: Scenario) -> None:
        pass

    def act(self, view: View) -> int:
        return 0


class Most(Least):
    """Has everything that an agent may have."""

    declared = {"learning": False}  # noqa: RUF012
    fingerprint = "0123456789abcdef"
    variant = "calm"
    plays = "platformer"
    waits = False

    def memory(self) -> list[int]:
        return []

    def learn(self, outcome: dict[str, int]) -> None:
        pass

    def recall(self, memory: list[int]) -> None:
        pass

    def close(self) -> None:
        pass


def test_what_an_agent_may_have() -> None:
    least: Agent[Scenario, View, int] = Least()
    assert not any(isinstance(least, protocol) for protocol in OPTIONAL)
    assert all(isinstance(Most(), protocol) for protocol in OPTIONAL)
    assert [*find_faults(least), *find_faults(Most())] == []


def test_our_own_agents_have_what_they_say() -> None:
    assert isinstance(TrainedBrain(), Declares)
    assert isinstance(Linear, FromCheckpoint)
    assert isinstance(Foreign(None, "model"), HasFingerprint)
    model = from_spec("llm:any@http://127.0.0.1:9/v1", game="diplomacy")
    for protocol in (Remembers, Closes, HasFingerprint, HasVariant, PlaysOneGame, Waits):
        assert isinstance(model, protocol)


@pytest.mark.parametrize("game", ["platformer", "guest", "diplomacy", "worm"])
def test_every_registered_agent_keeps_the_contract(game: str) -> None:
    for name in names(game):
        assert list(find_faults(load(name, game))) == []


AGENT = """
class Agent:
    {name}
    def reset(self, scenario): ...
    def act(self, view): return 0
    {more}
"""


def written(folder: Path, name: str = "name = 'it'", more: str = "") -> str:
    (folder / "agent.py").write_text(AGENT.format(name=name, more=more))
    return f"{folder / 'agent.py'}:Agent"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("act = 3", r"has no method act\(\)"),
        ("close = 0.5", r"has close, a float, which Ludus takes for close\(\)"),
        ("learn = True", r"has learn, a bool, which Ludus takes for learn\(\)"),
        ("memory = []; recall = print", r"has memory, a list, which Ludus takes for memory\(\)"),
        ("plays = 'chess'", "plays chess, not platformer"),
    ],
)
def test_what_breaks_the_contract_is_named(tmp_path: Path, more: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        load(written(tmp_path, more=more))


@pytest.mark.parametrize("more", ["memory = []", "memory = print", "recall = print", "waits = 1"])
def test_half_of_a_protocol_is_none_of_it(tmp_path: Path, more: str) -> None:
    agent: Any = load(written(tmp_path, more=more))
    assert not isinstance(agent, Remembers)


def test_an_agent_without_a_name_is_called_by_its_spec(tmp_path: Path) -> None:
    spec = written(tmp_path, name="")
    assert find(spec).name == spec


def test_an_agent_may_know_its_digest_and_its_variant(tmp_path: Path) -> None:
    more = (
        "fingerprint = 'mine'\n"
        "    def __init__(self, variant=None):\n"
        "        self.variant = variant and variant.upper()"
    )
    source = find(written(tmp_path, more=more) + "#fast")
    assert source.spec.rpartition("#")[2] == "FAST"
    another = find(written(tmp_path, more=more.replace("'mine'", "'other'")) + "#fast")
    assert another.fingerprint != source.fingerprint
    file_digest = find(written(tmp_path, more="fingerprint = None")).fingerprint
    assert len(file_digest) == 16


def test_nobody_asks_agents_for_attributes_by_name() -> None:
    asked = ("memory", "recall", "declared", "variant", "fingerprint", "plays", "waits", "close")
    for part in (
        "agents/loading.py",
        "execution/stage.py",
        "games/diplomacy/match.py",
        "testing.py",
    ):
        text = (ROOT / part).read_text()
        assert not [name for name in asked if f', "{name}"' in text], part
