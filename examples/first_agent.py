"""Write an agent, race it against two others, print the table, film the best episode.

python examples/first_agent.py
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import ludus
from ludus.games.platformer import Button
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View


@dataclass
class Args:
    """What the script does."""

    benchmark: str = "platformer/sprint"
    episodes: int = 3


class Hopper:
    """Runs to the right and jumps whenever it may."""

    name = "hopper"

    def reset(self, scenario: Scenario) -> None:
        """Begin an episode; there is nothing to forget."""

    def act(self, view: View) -> int:
        """Return the buttons to hold for the next tick."""
        jump = view.mario.may_jump or not view.mario.on_ground
        return int(Button.RIGHT | (Button.JUMP if jump else 0))


def main(args: Args) -> None:
    """Race the agent of this file, and show how the race ended."""
    with TemporaryDirectory() as folder:
        store = str(Path(folder) / "runs.db")
        rivals = [Hopper, "rule-based", "random"]
        race = ludus.race(args.benchmark, rivals, episodes=args.episodes, store=store)
        print(race)
        film = race.replay().save(Path(folder) / "best.gif")
        print(f"{race.leader} leads; its best episode is a film of {film.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(Args())
