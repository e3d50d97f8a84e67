from __future__ import annotations

from itertools import groupby

from tests.agents.platformer.players import episode, play, scenario, sprint

from ludus.agents.platformer.random import HOLDS, LONGEST_HOLD, Random

FIELD = scenario("M" + "-" * 218 + "F", "X" * 220, seconds=10)


def test_the_same_seed_is_the_same_episode() -> None:
    assert episode("random", sprint(4)) == episode("random", sprint(4))


def test_another_seed_is_another_episode() -> None:
    assert episode("random", sprint(4)).actions != episode("random", sprint(4, seed=1)).actions


def test_another_level_is_another_chance() -> None:
    assert episode("random", sprint(1)).actions[:20] != episode("random", sprint(2)).actions[:20]


def test_an_episode_does_not_depend_on_the_one_before() -> None:
    player = Random()
    play(player, sprint(3))
    assert play(player, sprint(4)) == episode("random", sprint(4))


def test_buttons_are_held_for_a_while() -> None:
    actions = episode("random", FIELD).actions
    holds = [len(list(ticks)) for _, ticks in groupby(actions)]
    assert set(actions) <= set(HOLDS)
    assert 2 < sum(holds) / len(holds) < 2 * LONGEST_HOLD


def test_the_walk_leads_to_the_right() -> None:
    path = episode("random", FIELD).path
    assert path[-1, 0] > path[0, 0] + 200
