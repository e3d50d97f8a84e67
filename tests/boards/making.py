"""Runs for tests, played in this process, and agents of any quality."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.runs.small import SMALL

from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.execution.stage import Stage
from ludus.runs import Episode, Limits, Plan, PlannedEpisode, Run, Store, run

BUTTONS = {"still": 0, "slow": 2, "fast": 10, "backwards": 1}


class Here:
    """Plays in this process, one episode after the other."""

    def play(
        self, plan: Plan, episodes: Iterable[PlannedEpisode], context: RunContext = DEFAULT_CONTEXT
    ) -> Iterator[list[Episode]]:
        stage = Stage(plan, context)
        try:
            for planned in episodes:
                yield [stage.play(planned)]
        finally:
            stage.close()


def played(
    store: Store,
    *agents: str,
    seed: int = 0,
    episodes: int | None = None,
    limits: Limits | None = None,
    options: Mapping[str, str] | None = None,
) -> Run:
    """Return a complete run of the small benchmark."""
    return run(
        SMALL.id,
        agents,
        store=store,
        seed=seed,
        episodes=episodes,
        limits=limits,
        options=options,
        executor=Here(),
    )


def hero(folder: Path, manner: str, name: str = "hero") -> str:
    """Write an agent that always holds the same buttons and return its spec."""
    file = folder / f"{manner}_{len(list(folder.glob('*.py')))}.py"
    file.write_text(
        f"class Agent:\n    name = {name!r}\n    def reset(self, scenario): pass\n"
        f"    def act(self, view): return {BUTTONS[manner]}\n"
    )
    return f"{file}:Agent"
