"""What the engine packs is what the task shows, to every bit, on both sides of a link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ludus.errors import ActionError
from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.tasks.match import TaskMatch
from ludus.games.platformer.tasks.packed import Layout, PackedObservation
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.task import GRIDS, Noise, ReceptiveField, Task

TASK = Task(
    scene=ReceptiveField((19, 7), 0),
    enemies=ReceptiveField((3, 21), 0),
    merged=ReceptiveField((22, 22), (1, 1)),
    reward=True,
    forward_model=False,
)
LEVELS: dict[str, Callable[[], Any]] = {
    "2010": lambda: TaskScenario.from_options("-ld 5 -le g,rk,s -ls 3", TASK).level,
    "2009": lambda: generate("notch-2009", seed=3, difficulty=5),
    "framework": lambda: Level.parse("M---g--F\nXXXXXXXX"),
}


@pytest.mark.parametrize("rules", LEVELS)
def test_every_part_is_the_worlds(rules: str) -> None:
    match = TaskMatch(TaskScenario("level", LEVELS[rules](), TASK))
    world, buttons = match._world, buttons_of(rules)
    for tick in range(60):
        if match.over:
            break
        here = match.observation
        assert isinstance(here, PackedObservation)
        there = PackedObservation.from_content(Layout(TASK), rules, here.to_values())
        for seen in (here, there):
            assert seen.mario == world.mario
            assert (seen.tick, seen.timer, seen.coins) == (world.tick, world.timer, world.coins)
            np.testing.assert_array_equal(seen.state(), world.state())
            np.testing.assert_array_equal(seen.enemy_positions, world.enemies())
            for kind in GRIDS:
                field = getattr(TASK, kind)
                grid = world.observe(kind, field.detail, "mario", field.size)
                np.testing.assert_array_equal(getattr(seen, kind), grid)
        assert here.reward == there.reward
        match.step(int(buttons.RIGHT | buttons.SPEED | (buttons.JUMP if tick % 9 else 0)))


def test_only_what_the_task_shows_is_packed() -> None:
    task = Task(kinds=("scene",), forward_model=False)
    seen = TaskMatch(TaskScenario.from_options("-ld 1", task)).observation
    assert isinstance(seen, PackedObservation)
    assert len(seen.to_values()) == 4 + 4 + 16 * 16  # the reward's place, the tick, the cells
    for hidden in ("enemies", "merged", "mario", "timer", "coins", "enemy_positions", "reward"):
        with pytest.raises(ActionError):
            getattr(seen, hidden)


def test_changing_what_is_seen_changes_nothing_else() -> None:
    seen: Any = TaskMatch(TaskScenario.from_options("-ld 1", TASK)).observation
    before = seen.to_values()
    seen.scene[:] = 7
    seen.enemy_positions[:] = 7
    seen.state()[:] = 7
    assert seen.to_values() == before


def test_noise_and_pictures_are_not_packed() -> None:
    assert not Layout.fits(Task(noise=Noise(drop=0.1), forward_model=False))
    assert not Layout.fits(Task(kinds=("picture",), forward_model=False))
