from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.benchmarks.nematode.making import change, small_submission

from ludus.benchmarks.nematode.letter import read_by_letter
from ludus.benchmarks.score_files import score_files
from ludus.games.worm import World
from ludus.games.worm.training import Session, pack_actions

SEED = 3
FORWARD, STAY = 0, 3


def walk_to_first_food() -> tuple[list[int], float, int]:
    """Return actions that lead to a food, the straight line to it, and how long the way is."""
    world = World("foraging-small", SEED)
    start, foods = world.worm, {tuple(food) for food in world.foods[:, :2].tolist()}
    actions: list[int] = []
    while world.worm not in foods:
        angle = float(world.features[1])
        actions.append(FORWARD if abs(angle) < 0.25 else 1 if angle > 0 else 2)
        world.step(actions[-1])
        assert len(actions) < 100
    return actions, math.dist(start, world.worm), len(actions)


def make_session(actions: list[int], reason: str, foods: int) -> Session:
    return Session(
        name="one",
        task="foraging-small@head",
        first_seed=SEED,
        successes=(False,),
        efficiencies=(0.9,),
        steps=(len(actions),),
        foods=(foods,),
        reasons=(reason,),
        actions=pack_actions(actions),
    )


def test_the_line_to_the_first_food_is_over_the_whole_way() -> None:
    actions, line, way = walk_to_first_food()
    (efficiency,) = read_by_letter(make_session(actions, "max_steps", 1)).efficiencies
    assert efficiency == pytest.approx(line / way)
    rested = [*actions, STAY, STAY]
    assert read_by_letter(make_session(rested, "max_steps", 1)).efficiencies == (efficiency,)
    (hungry,) = read_by_letter(make_session(actions[:-1], "max_steps", 0)).efficiencies
    assert hungry == 0


def test_late_with_food_succeeds() -> None:
    actions, _, _ = walk_to_first_food()
    for reason, foods, success in (("max_steps", 1, True), ("max_steps", 0, False)):
        assert read_by_letter(make_session(actions, reason, foods)).successes == (success,)
    assert read_by_letter(make_session(actions, "starved", 1)).successes == (False,)


def test_the_letter_scores_folders_of_ours(tmp_path: Path) -> None:
    folder = small_submission(tmp_path / "nose")
    scored = score_files("nematode", folder, "letter")
    document = score_files("nematode", folder)
    assert scored.faults == []
    ours, theirs = document.rows[-1], scored.rows[-1]
    assert theirs["success_rate"] == pytest.approx(ours["success_rate_late"])
    assert theirs["distance_efficiency"] < ours["distance_efficiency"]


def test_a_session_without_actions_is_refused_with_the_reason(tmp_path: Path) -> None:
    folder = small_submission(tmp_path / "nose", 2)
    for file in folder.glob("0*.json"):
        change(file, actions=None)
    scored = score_files("nematode", folder, "letter")
    assert scored.rows == []
    (line,) = scored.faults
    assert " and 1 more: " in line
    assert "it has no actions to play again; try --rule document" in line
