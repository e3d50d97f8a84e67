"""No agent finds a season's secret in what it is handed, in its environment or in its memory."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludus
from ludus.execution.plan import make_season_plan
from ludus.execution.sealing import SeasonTerms
from ludus.games.game import find_game, scenario_for_agent

SECRET = bytes(range(32))
TERMS = SeasonTerms("2026-autumn", "mario-arena/1-1", 1, 2)
SPY = '''
import gc, json, os, pathlib, sys

def search():
    """Yield every text and number of this process that can be found."""
    yield from os.environ.values()
    yield from sys.argv
    yield pathlib.Path("/proc/self/cmdline").read_bytes()
    yield pathlib.Path("/proc/self/environ").read_bytes()
    for thing in gc.get_objects():
        for held in gc.get_referents(thing):
            if type(held) in (str, bytes, int):
                yield held

class Spy:
    name = "spy"
    def reset(self, scenario):
        self.scenario, self.asked = scenario, 0
    def act(self, view):
        self.asked += 1
        if self.asked == 3:
            found = {repr(thing) for thing in search() if len(repr(thing)) > 15}
            file = pathlib.Path(__file__).with_suffix(f".{self.scenario.seed}.json")
            file.write_text(json.dumps([sorted(found), self.scenario.seed]))
        return 2
'''


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what a spy has found out in each episode of a season, by the seed it was told.

    It plays outside the sandbox, where it can write down what it finds.
    """
    folder = tmp_path_factory.mktemp("spy")
    (folder / "spy.py").write_text(SPY)
    store = str(folder / "ludus.db")
    ludus.start_season(TERMS.benchmark, TERMS.name, store=store, secret=SECRET, episodes=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludus.api.settings.has_sandbox", lambda: False)
        spy = f"{folder / 'spy.py'}:Spy"
        ludus.play_season(TERMS.name, spy, store=store, workers=1, trust=True)
    return {file.suffixes[0][1:]: file.read_text() for file in Path(folder).glob("spy.*.json")}


def test_a_spy_finds_neither_the_secret_nor_a_seed_of_the_world(findings: dict[str, str]) -> None:
    plan = make_season_plan(TERMS, SECRET, ["idle"])
    worlds = [str(scenario["seed"]) for scenario in plan.scenarios]
    hidden = [SECRET.hex(), repr(SECRET)[2:-1], str(TERMS.derive_seed(SECRET)), *worlds]
    assert len(findings) == 2
    for text in findings.values():
        assert len(text) > 10_000
        assert not [secret for secret in hidden if secret in text]


def test_the_spy_was_told_a_seed_of_its_own(findings: dict[str, str]) -> None:
    plan = make_season_plan(TERMS, SECRET, ["idle"])
    scenarios = map(find_game("arena").parse_scenario, plan.scenarios)
    assert findings.keys() == {str(scenario_for_agent(one).seed) for one in scenarios}
