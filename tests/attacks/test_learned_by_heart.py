"""An agent that looks up recorded decisions leads in practice, and falls in a sealed season."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludus
from ludus.api import RunResult
from ludus.games.game import find_game, scenario_for_agent

TRACK = "mario-arena/1-1"
HONEST = ["ppo-1m", "linear", "forward-jumping", "random"]
SECRET = bytes(range(32))  # fixed, so that the test says the same every day
LOOK_UP = """
import json, pathlib
DECISIONS = json.loads(pathlib.Path(__file__).with_name("decisions.json").read_text())
class LookUp:
    def reset(self, scenario): self.left = iter(DECISIONS.get(str(getattr(scenario, self.key)), ()))
    def act(self, view): return next(self.left, 0)
class BySeed(LookUp): name, key = "by-seed", "seed"
class ByName(LookUp): name, key = "by-name", "name"
"""


def learn_by_heart(result: RunResult, folder: Path) -> list[str]:
    """Write agents that know the best decisions of a run by the seed and name of its scenarios."""
    game, plan = find_game("arena"), result.run.plan
    best: dict[str, tuple[float, list[int]]] = {}
    for scored in result.episodes:
        scenario = scenario_for_agent(game.parse_scenario(plan.scenarios[scored.episode.scenario]))
        memory = float(scored.score.total), list(scored.episode.record)
        for key in (str(scenario.seed), scenario.name):
            best[key] = max(best.get(key, (0.0, [])), memory)
    decisions = {key: record for key, (_, record) in best.items()}
    (folder / "decisions.json").write_text(json.dumps(decisions))
    (folder / "look_up.py").write_text(LOOK_UP)
    return [f"{folder / 'look_up.py'}:{kind}" for kind in ("BySeed", "ByName")]


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, dict[str, float]]]:
    """Play honest agents and those that learned by heart, in practice and in a sealed season."""
    folder = tmp_path_factory.mktemp("by-heart")
    store = str(folder / "ludus.db")
    public = ludus.run(TRACK, HONEST, store=store, accept=True, workers=2)
    learned = learn_by_heart(public, folder)
    ludus.run(TRACK, learned, store=store, accept=True, workers=2)
    ludus.start_season(TRACK, "2026-autumn", store=store, secret=SECRET)
    ludus.play_season("2026-autumn", [*HONEST, *learned], store=store, workers=2)
    practice = ludus.board(TRACK, store=store)
    season = ludus.board(TRACK, store=store, season="2026-autumn")
    return {
        name: {row["agent"]: {"rank": row["rank"], **row["ties"]} for row in board.to_dicts()}
        for name, board in (("practice", practice), ("season", season))
    }


def test_who_learned_by_heart_leads_in_practice(
    boards: dict[str, dict[str, dict[str, float]]],
) -> None:
    practice = boards["practice"]
    assert practice["by-seed"]["rank"] == practice["by-name"]["rank"] == 1
    assert practice["by-seed"]["success"] == 1
    assert all(practice[agent]["rank"] > 2 for agent in HONEST)


def test_looking_up_seeds_is_worth_no_more_than_chance_in_a_season(
    boards: dict[str, dict[str, dict[str, float]]],
) -> None:
    season = boards["season"]
    assert season["by-seed"]["success"] == season["random"]["success"] == 0
    assert season["by-seed"]["mean"] <= season["random"]["mean"]
    assert season["by-seed"]["rank"] >= season["random"]["rank"]


def test_a_list_of_decisions_fails_under_other_chance_where_a_policy_does_not(
    boards: dict[str, dict[str, dict[str, float]]],
) -> None:
    season = boards["season"]
    assert boards["practice"]["by-name"]["success"] == 1
    assert season["by-name"]["success"] <= 0.6
    assert season["ppo-1m"]["success"] >= 0.9


def test_the_season_says_what_each_agent_came_to_in_practice(
    boards: dict[str, dict[str, dict[str, float]]],
) -> None:
    assert boards["season"].keys() == boards["practice"].keys()
