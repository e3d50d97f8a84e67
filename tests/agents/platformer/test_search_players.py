"""What the players that search have in common: competitions, chance, processes, and limits."""

from __future__ import annotations

import pytest
from tests.agents.platformer.players import episode, play, play_world, sprint

from ludus.agents import load
from ludus.agents.platformer.planning.search import Search
from ludus.errors import ActionError, AgentError
from ludus.games.platformer import Status, World
from ludus.games.platformer.benchmark_2010 import benchmark_scenario
from ludus.games.platformer.competition import DIFFICULTIES, competition_level
from ludus.games.platformer.evaluation import Evaluation2009, Evaluation2010
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View
from ludus.testing import check_agent

PLAYERS = ["astar", "astar#plain", "best-first", "mcts"]


def competition_scenario(seed: int, difficulty: int) -> Scenario:
    return Scenario("level", competition_level(seed, difficulty), 2, 200)


HARD = competition_scenario(7, 10)


def play_2009(spec: str, scenario: Scenario) -> Evaluation2009:
    return Evaluation2009.of(play_world(load(spec, "platformer"), scenario))


@pytest.mark.parametrize("spec", PLAYERS)
def test_a_level_of_2009_is_won_and_won_the_same_way_again(spec: str) -> None:
    player, scenario = load(spec, "platformer"), competition_scenario(2, 3)
    worlds = [play_world(player, scenario) for _ in range(2)]
    assert worlds[0].status == Status.WIN
    assert worlds[0].hash() == worlds[1].hash()


def test_astar_has_more_time_left_than_the_greedy_planner() -> None:
    astar, greedy = play_2009("astar", HARD), play_2009("best-first", HARD)
    assert (astar.status, greedy.status) == (1, 1)
    assert astar.time_left > greedy.time_left


@pytest.mark.slow
def test_astar_clears_the_competition_of_2009() -> None:
    played = [
        play_2009("astar", competition_scenario(seed, difficulty))
        for difficulty in DIFFICULTIES
        for seed in range(10)
    ]
    assert [level.status for level in played] == [1] * 40
    assert sum(level.distance for level in played) / 10 >= 17_308.80
    assert sum(level.time_left for level in played) > 6_800


def test_a_level_of_2010_with_dead_ends_is_won_by_who_copes_with_them() -> None:
    options = "-ll 320 -ld 0 -lt 1 -fc on -tl 64 -lde on -mm 2"
    fitness = {}
    for spec in ("astar", "astar#plain"):
        world = play_world(load(spec, "platformer"), benchmark_scenario(options))
        fitness[spec] = Evaluation2010.of(world).weighted_fitness
    assert fitness["astar"] > fitness["astar#plain"] + 1024


@pytest.mark.parametrize("spec", ["best-first", "mcts"])
def test_levels_of_the_framework_are_played_too(spec: str) -> None:
    player = load(spec, "platformer")
    assert play(player, sprint(1)).result.status == Status.WIN
    assert play(player, sprint(1)) == episode(spec, sprint(1))


def test_the_chance_of_mcts_comes_from_the_scenario() -> None:
    assert episode("mcts", sprint(2)).actions != episode("mcts", sprint(2, seed=1)).actions


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["astar", "best-first", "mcts"])
def test_the_players_keep_the_contract(spec: str) -> None:
    check_agent(spec, "platformer/bundled", episodes=1)


@pytest.mark.parametrize("spec", PLAYERS)
@pytest.mark.parametrize("scenario", [HARD, sprint(1)], ids=["2009", "framework"])
def test_no_player_plays_where_it_may_not_look_ahead(spec: str, scenario: Scenario) -> None:
    player, view = load(spec, "platformer"), View(World(scenario.level))
    player.reset(scenario)
    view.close_forward_model()
    with pytest.raises(ActionError, match=r"^asked for a forward model, which .*$"):
        player.act(view)


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(AgentError, match="there is no variant 'fancy'"):
        load("astar#fancy", "platformer")


def test_every_decision_looks_at_a_bounded_number_of_futures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    created: list[int] = []
    follow = Search._follow

    def count(search: Search, *arguments: object) -> object:
        created[-1] += 1
        return follow(search, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Search, "_follow", count)
    world, player = World(HARD.level, 2, 200), load("astar", "platformer")
    view = View(world)
    player.reset(HARD)
    while not world.status:
        created.append(0)
        world.step(player.act(view))
    assert max(created) <= 800 + 600 + 2 * 12
