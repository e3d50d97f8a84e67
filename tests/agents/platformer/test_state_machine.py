from __future__ import annotations

import pytest
from tests.agents.platformer.players import episode, play, scenario, sprint

from ludus.agents.platformer.state_machine import State, StateMachine
from ludus.games.platformer import Status, World
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

ROUTES = {
    "open field": scenario("M" + "-" * 38 + "F", "X" * 40),
    "wall": scenario(
        "-" * 40, "-" * 20 + "##" + "-" * 18, "M" + "-" * 19 + "##" + "-" * 17 + "F", "X" * 40
    ),
    "gap": scenario("M" + "-" * 38 + "F", "X" * 20 + "-" * 3 + "X" * 17),
    "goomba": scenario("M" + "-" * 20 + "g" + "-" * 17 + "F", "X" * 40),
}


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_it_passes_what_is_in_the_way(route: Scenario) -> None:
    assert episode("state-machine", route).result.status == Status.WIN


def states_of(route: Scenario) -> list[State]:
    player, world = StateMachine(), World(route.level, route.mode, route.time_limit)
    view = View(world)
    states: list[State] = []
    player.reset(route)
    while not world.status:
        world.step(player.act(view))
        if not states or states[-1] is not player.state:
            states.append(player.state)
    return states


def test_it_runs_jumps_falls_and_runs_again_at_a_gap() -> None:
    states = states_of(ROUTES["gap"])
    first = states.index(State.JUMP)
    assert states[first - 1 : first + 3] == [State.RUN, State.JUMP, State.FALL, State.RUN]


def test_it_takes_a_run_up_where_it_is_stuck() -> None:
    high = scenario(*["-" * 10 + "#" + "-" * 9] * 9, "M" + "-" * 9 + "#" + "-" * 8 + "F", "X" * 20)
    states = states_of(Scenario("high wall", high.level, time_limit=10))
    assert State.RETREAT in states
    assert State.CHARGE in states[states.index(State.RETREAT) :]


def test_an_episode_does_not_depend_on_the_one_before() -> None:
    player = StateMachine()
    play(player, sprint(9))
    assert play(player, sprint(5)) == episode("state-machine", sprint(5))
