"""Write an agent, race it against two others, print the table.

python examples/first_agent.py
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ludus.benchmarks import find_benchmark
from ludus.games.platformer import Button
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View
from ludus.runs import Store, run, summarise


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
    """Race the agent of this file and print the summaries."""
    rivals = [f"{Path(__file__).resolve()}:Hopper", "rule-based", "random"]
    with TemporaryDirectory() as folder:
        store = Store(str(Path(folder) / "runs.db"))
        finished = run(args.benchmark, rivals, store=store, episodes=args.episodes)
        benchmark = find_benchmark(finished.benchmark)
        for summary in summarise(benchmark, finished.plan, store.episodes(finished.id)):
            value = summary.headline
            print(f"{summary.agent:12} {value.value:7.1f}  ({value.low:.1f} to {value.high:.1f})")
        store.close()


if __name__ == "__main__":
    main(Args())
