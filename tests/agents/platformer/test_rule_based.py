from __future__ import annotations

from statistics import fmean

import pytest
from tests.agents.platformer.players import episode, play, scenario, sprint

from ludus.agents.platformer.rule_based import RuleBased
from ludus.games.platformer import Status
from ludus.games.platformer.scenario import Scenario

ROUTES = {
    "open field": scenario("M" + "-" * 38 + "F", "X" * 40),
    "wall": scenario(
        "-" * 40,
        "-" * 20 + "##" + "-" * 18,
        "-" * 20 + "##" + "-" * 18,
        "M" + "-" * 19 + "##" + "-" * 17 + "F",
        "X" * 40,
    ),
    "gap": scenario("M" + "-" * 38 + "F", "X" * 20 + "-" * 5 + "X" * 15),
    "goomba": scenario("M" + "-" * 20 + "g" + "-" * 17 + "F", "X" * 40),
    "spiky": scenario("M" + "-" * 20 + "y" + "-" * 17 + "F", "X" * 40),
    "piranha": scenario(
        "-" * 40,
        "-" * 20 + "TT" + "-" * 18,
        "M" + "-" * 19 + "TT" + "-" * 17 + "F",
        "X" * 40,
    ),
    "cannon": scenario(
        "-" * 40,
        "-" * 20 + "*" + "-" * 19,
        "M" + "-" * 19 + "*" + "-" * 18 + "F",
        "X" * 40,
    ),
}


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
@pytest.mark.parametrize("mode", [0, 1])
def test_it_passes_what_is_in_the_way(route: Scenario, mode: int) -> None:
    played = episode("rule-based", Scenario(route.name, route.level, mode=mode))
    assert played.result.status == Status.WIN
    assert played.result.mode == mode


def test_it_clearly_beats_forward_jumping() -> None:
    levels = [sprint(number) for number in range(1, 11)]
    own, other = (
        fmean(episode(agent, level).result.completion for level in levels)
        for agent in ("rule-based", "forward-jumping")
    )
    assert own > other + 0.3


def test_an_episode_does_not_depend_on_the_one_before() -> None:
    player = RuleBased()
    play(player, sprint(9))
    assert play(player, sprint(5)) == episode("rule-based", sprint(5))
