from __future__ import annotations

import pytest

from ludus.agents.platformer.planning.search import Moves, Search, SearchOptions, StraightRight
from ludus.agents.platformer.planning.way_map import COLUMN, WayMap
from ludus.games.platformer import ForwardModel, World
from ludus.games.platformer.benchmark_2010 import benchmark_scenario
from ludus.games.platformer.competition import competition_level

FIRE = 2


def competition_model(seed: int = 0, difficulty: int = 0, ticks: int = 30) -> ForwardModel:
    world = World(competition_level(seed, difficulty), FIRE, 200)
    for _ in range(ticks):
        world.step(0)
    return world.forward_model()


def search_from(model: ForwardModel, **options: int) -> Search:
    settings = SearchOptions(**options)
    direction = StraightRight(model.mario, settings.horizon)
    return Search(model, settings, direction, Moves(model.rules))


def test_a_search_looks_at_no_more_than_it_may() -> None:
    search = search_from(competition_model(difficulty=10), horizon=10_000)
    for so_far in (100, 200, 300):
        search.run(100)
        assert so_far <= search.created < so_far + len(Moves("2009").walks_and_jumps)


def test_searching_on_is_searching_at_once() -> None:
    model = competition_model()
    at_once, in_parts = search_from(model), search_from(model)
    at_once.run(1000)
    for _ in range(100):
        in_parts.run(10)
    assert at_once.arrived is not None
    assert in_parts.arrived is not None
    assert at_once.arrived.mario == in_parts.arrived.mario


def test_the_way_leads_from_the_root_to_the_end() -> None:
    model = competition_model()
    search = search_from(model)
    search.run(1000)
    assert search.arrived is not None
    played = model.clone()
    for future in search.arrived.way():
        before = future.parent.ticks if future.parent else 0
        for _ in range(future.ticks - before):
            played.advance(future.action)
        assert played.mario == future.mario


def test_who_runs_at_a_gap_cannot_stop_there() -> None:
    world = World(competition_level(0, 3), FIRE, 200)
    while world.mario.y < 225 and not world.status:
        last, edge = world.forward_model(), world.mario
        world.step(2 | 16)
    assert edge.y >= 0
    search = search_from(last)
    assert not search.can_stop(search.root)


@pytest.mark.parametrize(
    ("rules", "jump", "speed"), [("framework", 16, 8), ("2009", 8, 16), ("2010", 8, 16)]
)
def test_moves_have_the_buttons_of_the_rules(rules: str, jump: int, speed: int) -> None:
    moves = Moves(rules)
    assert (moves.jump, moves.walks[0]) == (jump, 2 | speed)
    assert moves.climb == (32 if rules == "2010" else 0)


# ---- the map


def test_ticks_to_go_fall_along_an_open_way() -> None:
    scenario = benchmark_scenario("-lf on -ll 60")
    model = World(scenario.level, FIRE, 0).forward_model()
    way_map = WayMap(scenario.level.exit)
    way_map.look(model)
    standing = model.mario._replace(y=16.0 * 12, vx=0.0)
    here, there = (way_map.ticks_to_go(standing._replace(x=x)) for x in (40.0, 40.0 + 160))
    assert here - there == pytest.approx(10 * COLUMN)


def test_speed_the_right_way_saves_ticks() -> None:
    scenario = benchmark_scenario("-lf on -ll 60")
    model = World(scenario.level, FIRE, 0).forward_model()
    way_map = WayMap(scenario.level.exit)
    way_map.look(model)
    standing = model.mario._replace(x=100.0, y=16.0 * 12, vx=0.0)
    running, back = standing._replace(vx=6.0), standing._replace(vx=-6.0)
    ticks = [way_map.ticks_to_go(mario) for mario in (running, standing, back)]
    assert ticks == sorted(ticks)


def test_a_toll_makes_the_place_and_those_before_it_longer() -> None:
    scenario = benchmark_scenario("-lf on -ll 60")
    model = World(scenario.level, FIRE, 0).forward_model()
    way_map = WayMap(scenario.level.exit)
    way_map.look(model)
    ground = next(row for row in range(15) if model.tiles[5][row]) - 1
    before = model.mario._replace(x=100.0, y=16.0 * ground + 15, vx=0.0)
    beyond = before._replace(x=260.0)
    was = [way_map.ticks_to_go(mario) for mario in (before, beyond)]
    for row in range(-4, 15, 3):
        way_map.add_toll(before._replace(x=200.0, y=16.0 * row), 30)
    way_map.look(model)
    now = [way_map.ticks_to_go(mario) for mario in (before, beyond)]
    assert now[0] > was[0] + 20
    assert now[1] == was[1]
