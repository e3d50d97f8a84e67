from __future__ import annotations

import pytest
from tests.agents.platformer.players import episode, scenario, sprint

from ludus.agents.platformer.forward_jumping import ForwardJumping
from ludus.games.platformer import Status, World
from ludus.games.platformer.view import View

RIGHT, SPEED, JUMP = 2, 8, 16
FIELD = scenario("M" + "-" * 98 + "F", "X" * 100)


def test_jump_and_speed_follow_the_rule_at_every_tick() -> None:
    world = World(FIELD.level)
    view, player = View(world), ForwardJumping()
    player.reset(FIELD)
    pressed = set()
    while world.status == Status.RUNNING:
        leaps = world.mario.may_jump or not world.mario.on_ground
        action = player.act(view)
        assert action == (RIGHT | SPEED | JUMP if leaps else RIGHT)
        pressed.add(action)
        world.step(action)
    assert pressed == {RIGHT, RIGHT | SPEED | JUMP}


def test_it_jumps_across_an_open_field() -> None:
    result = episode("forward-jumping", FIELD).result
    assert result.status == Status.WIN
    assert result.jumps > 3


@pytest.mark.parametrize(("number", "status"), [(1, Status.WIN), (3, Status.LOSE)])
def test_it_is_good_for_a_stroll_only(number: int, status: Status) -> None:
    assert episode("forward-jumping", sprint(number)).result.status == status
