"""Under a task that hides something, nothing leads from what an agent holds to the world."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
from tests.attacks.test_world_seeds import read_values

from ludus.agents.isolation import open_agent
from ludus.agents.isolation.values import encode
from ludus.errors import ActionError
from ludus.execution.episode import EpisodeEnding
from ludus.execution.match_play import play_match
from ludus.games.game import find_game, scenario_for_agent
from ludus.games.platformer import ForwardModel, Level, World
from ludus.games.platformer.generators import generate
from ludus.games.platformer.tasks.match import TaskMatch
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.senses import Senses
from ludus.games.platformer.tasks.task import KINDS, Noise, ReceptiveField, Task

GAME = find_game("mario-ai")
SEED = 987_654_321
LEVEL = generate("notch-2009", seed=SEED, difficulty=3)
HIDING = Task(kinds=KINDS, reward=True, forward_model=False)
PACKED = Task(reward=True, forward_model=False)
NOISY = Task(noise=Noise(drop=0.2, flip=0.1, jitter=8), reward=True, forward_model=False)
HIDDEN = (HIDING, PACKED, NOISY)
WORLDLY = (World, ForwardModel, Level, TaskMatch, Senses)

SEARCHER = '''
import gc
import sys

WORLDLY = {"World", "ForwardModel", "Level", "Grid", "Reference", "TaskMatch", "Senses"}


class Searcher:
    """Looks through all that its process holds, and tells the kinds of worldly things in it."""

    name = "searcher"

    def reset(self, scenario):
        self.scenario, self.ticks = scenario, 0

    def act(self, observation):
        self.ticks += 1
        if self.ticks < 5:
            return 2
        found, seen = set(), set()
        things = [observation, self.scenario, *gc.get_objects(), *sys.modules.values()]
        while things:
            thing = things.pop()
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            kind = type(thing)
            if kind.__name__ in WORLDLY and kind.__module__.startswith("ludus"):
                found.add(kind.__name__)
            things.extend(gc.get_referents(thing))
        if not found:
            return "nothing worldly"
        return "found " + " ".join(sorted(found))
'''


def scenario(task: Task) -> TaskScenario:
    return TaskScenario("hidden", LEVEL, task, seed=SEED)


def search_process(task: Task, folder: Path) -> str:
    """Return what an agent in a process of its own finds there."""
    (folder / "searcher.py").write_text(SEARCHER)
    agent: Any = open_agent(f"{folder / 'searcher.py'}:Searcher", "platformer", game="mario-ai")
    try:
        ending, reason, _ = play_match(agent, scenario(task), GAME.begin(scenario(task)))
    finally:
        agent.close()
    assert ending is EpisodeEnding.DISQUALIFIED
    return reason


def test_an_agents_process_holds_no_world_under_a_hiding_task(tmp_path: Path) -> None:
    for task in HIDDEN:
        assert "nothing worldly" in search_process(task, tmp_path)


def test_the_search_finds_the_world_that_comes_with_a_forward_model(tmp_path: Path) -> None:
    reason = search_process(Task(), tmp_path)
    assert "found" in reason
    assert "Level" in reason


def reach(things: Iterable[Any]) -> list[Any]:
    """Return all objects that can be reached without going through code."""
    found: dict[int, Any] = {}
    stack = list(things)
    while stack:
        thing = stack.pop()
        code = isinstance(thing, type | ModuleType | FunctionType | BuiltinFunctionType)
        if id(thing) not in found and not code:
            found[id(thing)] = thing
            stack.extend(gc.get_referents(thing))
    return list(found.values())


def shown_attributes(thing: Any) -> list[Any]:
    values = []
    for name in dir(thing):
        try:
            values.append(getattr(thing, name))
        except ActionError:
            continue
    return values


@pytest.mark.parametrize("task", HIDDEN, ids=["pictures", "packed", "noisy"])
def test_no_object_leads_from_an_observation_to_the_world(task: Task) -> None:
    match = GAME.begin(scenario(task))
    match.step(2)
    told = scenario_for_agent(scenario(task))
    held = [match.observation, *shown_attributes(match.observation), told, *shown_attributes(told)]
    closures = [getattr(one, "__closure__", None) or () for one in held]
    for thing in reach([*held, *(cell.cell_contents for cells in closures for cell in cells)]):
        assert not isinstance(thing, WORLDLY), type(thing)


@pytest.mark.parametrize("task", HIDDEN, ids=["pictures", "packed", "noisy"])
def test_what_is_sent_holds_neither_level_nor_seed(task: Task) -> None:
    told = scenario_for_agent(scenario(task))
    codec: Any = GAME.observation_codec()  # type: ignore[attr-defined]
    sent = encode(codec.encode_scenario(told), records=True)
    assert str(SEED).encode() not in sent
    assert SEED.to_bytes(8, "little") not in sent
    assert b"rows" not in sent
    assert b"recipe" not in sent
    assert len(sent) < 1500
    assert SEED not in list(read_values(told))


def test_asking_for_what_is_hidden_is_refused_in_one_line() -> None:
    seen: Any = GAME.begin(scenario(Task(kinds=("merged",), forward_model=False))).observation
    asked: dict[str, Callable[[], Any]] = {
        "scene": lambda: seen.scene,
        "mario": lambda: seen.mario,
        "positions": lambda: seen.enemy_positions,
        "state": lambda: seen.state(),
        "picture": lambda: seen.picture(),
        "reward": lambda: seen.reward,
        "model": lambda: seen.forward_model(),
        "size": lambda: seen.level_size,
        "exit": lambda: seen.exit,
        "fields": lambda: seen.sight_fields(),
        "larger": lambda: seen.grid("merged", size=18),
        "finer": lambda: seen.grid("merged", detail=(0, 0)),
        "screen": lambda: seen.grid("merged", centre="screen"),
        "other": lambda: seen.grid("scene"),
    }
    for name, ask in asked.items():
        with pytest.raises(ActionError) as refused:
            ask()
        assert "\n" not in str(refused.value), name


def noisy_grids(task: Task, ticks: int) -> list[Any]:
    """Return the observations of a Mario who stands still."""
    match, seen = GAME.begin(scenario(task)), []
    for _ in range(ticks):
        seen.append(match.observation)
        match.step(0)
    return seen


def test_looking_twice_does_not_undo_noise() -> None:
    match = GAME.begin(scenario(NOISY))
    first: Any = match.observation
    again: Any = match.observation
    assert np.array_equal(first.scene, again.scene)
    assert np.array_equal(first.scene[4:12, 4:12], first.grid("scene", size=8))
    assert first.mario == again.mario


def test_a_cell_is_wrong_in_all_grids_alike() -> None:
    clear = Task(forward_model=False, merged=ReceptiveField((9, 9), (1, 0)))
    wrong = replace(clear, noise=Noise(flip=0.3))
    for truth, told in zip(noisy_grids(clear, 20), noisy_grids(wrong, 20), strict=True):
        scene = (truth.scene != 0) != (told.scene != 0)
        enemies = (truth.enemies != 0) != (told.enemies != 0)
        merged = (truth.merged != 0) != (told.merged != 0)
        assert np.array_equal(scene, enemies)
        assert np.array_equal(scene[4:13, 4:13], merged)


def test_noise_has_the_shares_that_it_was_given() -> None:
    clear = Task(forward_model=False)
    truth = noisy_grids(clear, 200)
    dropped = noisy_grids(replace(clear, noise=Noise(drop=0.25)), 200)
    full = np.concatenate([(one.scene != 0).ravel() for one in truth])
    gone = np.concatenate([(one.scene == 0).ravel() for one in dropped])[full]
    assert abs(gone.mean() - 0.25) < 0.02
    for one, two in zip(dropped, truth, strict=True):
        assert not (one.scene != 0)[two.scene == 0].any()


def test_places_are_off_by_no_more_than_the_jitter() -> None:
    clear = Task(forward_model=False)
    pairs = zip(
        noisy_grids(clear, 100),
        noisy_grids(replace(clear, noise=Noise(jitter=8)), 100),
        strict=True,
    )
    off = []
    for truth, told in pairs:
        off += [told.mario.x - truth.mario.x, told.mario.y - truth.mario.y]
        assert told.state()[0] == pytest.approx(told.mario.x)
        assert np.abs(told.enemy_positions - truth.enemy_positions).max(initial=0) <= 8.001
        assert np.array_equal(told.enemy_positions[:, 0], truth.enemy_positions[:, 0])
    assert 6 < max(map(abs, off)) <= 8.001


def test_noise_comes_from_the_seed_alone() -> None:
    first, again = noisy_grids(NOISY, 5), noisy_grids(NOISY, 5)
    assert all(np.array_equal(one.scene, two.scene) for one, two in zip(first, again, strict=True))
    other = GAME.begin(replace(scenario(NOISY), seed=SEED + 1)).observation
    assert not np.array_equal(other.scene, first[0].scene)


def test_an_agent_in_its_process_sees_what_one_in_this_process_sees(tmp_path: Path) -> None:
    (tmp_path / "teller.py").write_text(TELLER)
    for task in (*HIDDEN, Task(reward=True)):
        agent: Any = open_agent(f"{tmp_path / 'teller.py'}:Teller", "platformer", game="mario-ai")
        try:
            match = GAME.begin(scenario(task))
            agent.reset(scenario_for_agent(scenario(task)))
            for tick in range(60):
                shown: Any = match.observation
                told = agent.act(shown)
                assert told == digest(shown), tick
                match.step(2 + 8 * (tick % 3 > 0))
        finally:
            agent.close()


TELLER = '''
class Teller:
    """Tells what it sees as one number."""

    name = "teller"

    def reset(self, scenario):
        assert scenario.rules == "2009"

    def act(self, seen):
        grids = [seen.scene, seen.enemies, seen.merged, seen.enemy_positions]
        numbers = [float(abs(grid).sum()) for grid in grids]
        return [*numbers, seen.mario.x, seen.timer, seen.coins, seen.tick, seen.reward]
'''


def digest(seen: Any) -> list[float]:
    """Return what the agent above tells."""
    grids = [seen.scene, seen.enemies, seen.merged, seen.enemy_positions]
    numbers = [float(np.abs(grid).sum()) for grid in grids]
    return [*numbers, seen.mario.x, seen.timer, seen.coins, seen.tick, seen.reward]
