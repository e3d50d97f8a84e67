from __future__ import annotations

import pytest
from tests.agents.platformer.players import episode, play, scenario, sprint

from ludus.agents.platformer.subsumption import LAYERS, Situation, Subsumption, back_out
from ludus.agents.platformer.surroundings import look_around
from ludus.games.platformer import Button, Status, World
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
    assert episode("subsumption", route).result.status == Status.WIN


def test_the_lowest_layer_runs_where_nothing_is_in_the_way() -> None:
    route = ROUTES["open field"]
    player = Subsumption()
    player.reset(route)
    assert player.act(View(World(route.level))) == Button.RIGHT | Button.SPEED


def test_the_highest_layer_overrules_all_others() -> None:
    route = scenario("M-#---F", "XXXXXXX")
    around = look_around(View(World(route.level)))
    situation = Situation(around, stuck=True, fired=False)
    assert LAYERS[-1] is back_out
    wanted = Subsumption()._ask_layers(situation)
    assert (wanted.left, wanted.right, wanted.jump) == (True, False, False)


def test_an_episode_does_not_depend_on_the_one_before() -> None:
    player = Subsumption()
    play(player, sprint(9))
    assert play(player, sprint(5)) == episode("subsumption", sprint(5))
