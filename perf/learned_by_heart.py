"""Shows what it is worth to know recorded decisions by heart, in practice and in a sealed season.

    python -m perf.learned_by_heart

Honest agents play ``mario-arena/1-1`` on the public seed. Two more look up the best decisions that
were recorded then: by the seed that they are told, and by the name of the scenario. All of them
play a sealed season with a fixed secret, so that the figures are the same every day.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import ludus
from ludus.api import BoardResult, RunResult
from ludus.games.game import find_game, scenario_for_agent

TRACK = "mario-arena/1-1"
SEASON = "fixed"
HONEST = ["ppo-1m", "linear", "forward-jumping", "random"]
SECRET = bytes(range(32))
LOOK_UP = """
import json, pathlib
DECISIONS = json.loads(pathlib.Path(__file__).with_name("decisions.json").read_text())
class LookUp:
    def reset(self, scenario): self.left = iter(DECISIONS.get(str(getattr(scenario, self.key)), ()))
    def act(self, view): return next(self.left, 0)
class BySeed(LookUp): name, key = "by-seed", "seed"
class ByName(LookUp): name, key = "by-name", "name"
"""


class Boards(NamedTuple):
    """The two boards of the same agents."""

    practice: BoardResult
    season: BoardResult


def learn_by_heart(result: RunResult, folder: Path) -> list[str]:
    """Write agents that know the best decisions of a run, and return their specs."""
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


def play_boards(folder: Path) -> Boards:
    """Play honest agents and those that learned by heart, in practice and in a season."""
    store = str(folder / "ludus.db")
    public = ludus.run(TRACK, HONEST, store=store, accept=True, workers=2)
    learned = learn_by_heart(public, folder)
    ludus.run(TRACK, learned, store=store, accept=True, workers=2)
    ludus.start_season(TRACK, SEASON, store=store, secret=SECRET)
    ludus.play_season(SEASON, [*HONEST, *learned], store=store, workers=2)
    return Boards(ludus.board(TRACK, store=store), ludus.board(TRACK, store=store, season=SEASON))


def main() -> None:
    """Print the table."""
    with TemporaryDirectory() as folder:
        practice, season = play_boards(Path(folder))
    sealed = {row["agent"]: row for row in season.to_dicts()}
    table = Table("agent", "success in practice", "success in the season", "mean score there")
    for row in practice.to_dicts():
        there = sealed[row["agent"]]["ties"]
        table.add_row(
            row["agent"],
            f"{row['ties']['success']:.0%}",
            f"{there['success']:.0%}",
            f"{there['mean']:,.0f}",
        )
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
