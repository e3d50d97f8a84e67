"""Seat bots at a table of Diplomacy and play some years.

    python examples/diplomacy_bots.py

Needs the extra ``diplomacy``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludus.games.diplomacy.bots import make_bot
from ludus.games.game import find_game, scenario_for_agent


@dataclass
class Args:
    """What the script does."""

    player: str = "dumb"
    opponents: str = "dumb"
    last_year: int = 1903
    seed: int = 7


def main(args: Args) -> None:
    """Play France against six opponents, print the centres, and prove the record."""
    game = find_game("diplomacy")
    scenario = game.parse_scenario(
        {
            "name": "an evening",
            "power": "FRANCE",
            "opponents": args.opponents,
            "max_year": args.last_year,
            "seed": args.seed,
        }
    )
    match, player = game.begin(scenario), make_bot(args.player)
    player.reset(scenario_for_agent(scenario))
    while not match.over:
        match.step(player.act(match.observation))
    facts = match.facts()
    for name, value in sorted(facts.items()):
        if name.startswith("centres_"):
            print(f"{name.removeprefix('centres_'):10} {value}")
    assert game.replay(scenario, match.record()) == facts
    print(f"{facts['phases']} phases until {facts['last_phase']}; the replay gives the same facts")


if __name__ == "__main__":
    main(Args())
